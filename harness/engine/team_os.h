/* SPDX-License-Identifier: MIT */
/*
 * team_os - what a crew needs of the system: threads, a lock to sleep behind, processors.
 *
 * team_posix.c answers on Linux, macOS and other POSIX systems, team_windows.c on Windows.  What
 * the threads do, and when, is the same everywhere: team_crew.c.
 */
#ifndef PAWL_HARNESS_ENGINE_TEAM_OS_H
#define PAWL_HARNESS_ENGINE_TEAM_OS_H

#include <stdbool.h>

struct team_os;

/* What threads sleep for. */
enum team_bell { BELL_CALLED, BELL_FINISHED, BELL_N };

/*
 * Room for the threads 1 to n - 1.  Keeps in mind which processors the calling thread may use.
 *
 * Errors: -ENOMEM.
 */
int pawl_team_os_open(unsigned n, struct team_os **out);

/* All threads have been joined, nobody sleeps.  os may be NULL. */
void pawl_team_os_close(struct team_os *os);

/* Thread i calls live(arg).  Errors: -errno: it could not be started. */
int pawl_team_os_start(struct team_os *os, unsigned i, void (*live)(void *arg), void *arg);

/* Returns when thread i, which was started, has returned from live(). */
void pawl_team_os_join(struct team_os *os, unsigned i);

/* One lock, not to be taken twice. */
void pawl_team_os_lock(struct team_os *os);
void pawl_team_os_unlock(struct team_os *os);

/*
 * With the lock held: gives it up, sleeps until the bell is rung, and takes it again.  May return
 * before.
 */
void pawl_team_os_sleep(struct team_os *os, enum team_bell bell);

/* Wakes all who sleep for it. */
void pawl_team_os_ring(struct team_os *os, enum team_bell bell);

/* Lets another thread have the processor. */
void pawl_team_os_yield(void);

/* How many processors there were to use at open; 0: the system does not tell, or binds nothing. */
unsigned pawl_team_os_processors(const struct team_os *os);

/* Binds the calling thread to the i-th of them, i < processors; false: refused. */
bool pawl_team_os_bind(const struct team_os *os, unsigned i);

/* Gives the calling thread all of them. */
void pawl_team_os_unbind(const struct team_os *os);

#endif
