/* SPDX-License-Identifier: MIT */
/*
 * team_crew - threads that work at once, on processors of their own.
 *
 * A crew is the calling thread, which is number 0, and others that wait between the rounds
 * without using the processor for long.
 */
#ifndef PAWL_HARNESS_ENGINE_TEAM_CREW_H
#define PAWL_HARNESS_ENGINE_TEAM_CREW_H

#include <stdbool.h>

struct crew;

/* What each thread i does in a round; both are called on it. */
struct crew_work {
	void (*prepare)(void *arg, unsigned i);
	void (*work)(void *arg, unsigned i); /* once every thread has prepared */
	void *arg;
};

/*
 * Starts n - 1 threads; each of the n gets an allowed processor of its own when there are n.  The
 * calling thread does from now on, and pawl_crew_close() gives it back those that it had.
 *
 * Shape:  n >= 2; *work must outlive the crew.
 * Errors: -errno of the thread that could not be started, and none stays; -ENOMEM.
 */
int pawl_crew_open(unsigned n, const struct crew_work *work, struct crew **out);

/* One round; returns when all have done their work.  On the thread that opened the crew. */
void pawl_crew_run(struct crew *c);

/* c may be NULL. */
void pawl_crew_close(struct crew *c);

/* How many processors the threads may use; 0: the system does not tell. */
unsigned pawl_crew_processors(const struct crew *c);

/* Whether each thread is bound to a processor of its own. */
bool pawl_crew_is_pinned(const struct crew *c);

#endif
