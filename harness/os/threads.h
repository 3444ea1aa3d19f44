/* SPDX-License-Identifier: MIT */
/*
 * threads - what a crew needs of the system: threads, a lock to sleep behind, processors.
 *
 * threads_posix.c answers on Linux, macOS and other POSIX systems, threads_windows.c on Windows.
 * What the threads do, and when, is the same everywhere: team_crew.c.
 */
#ifndef PAWL_HARNESS_OS_THREADS_H
#define PAWL_HARNESS_OS_THREADS_H

#include <stdbool.h>

struct threads;

/* What threads sleep for. */
enum threads_bell { BELL_CALLED, BELL_FINISHED, BELL_N };

/*
 * Room for the threads 1 to n - 1.  Keeps in mind which processors the calling thread may use.
 *
 * Errors: -ENOMEM.
 */
int pawl_threads_open(unsigned n, struct threads **out);

/* All threads have been joined, nobody sleeps.  os may be NULL. */
void pawl_threads_close(struct threads *os);

/* Thread i calls live(arg).  Errors: -errno: it could not be started. */
int pawl_threads_start(struct threads *os, unsigned i, void (*live)(void *arg), void *arg);

/* Returns when thread i, which was started, has returned from live(). */
void pawl_threads_join(struct threads *os, unsigned i);

/* One lock, not to be taken twice. */
void pawl_threads_lock(struct threads *os);
void pawl_threads_unlock(struct threads *os);

/*
 * With the lock held: gives it up, sleeps until the bell is rung, and takes it again.  May return
 * before.
 */
void pawl_threads_sleep(struct threads *os, enum threads_bell bell);

/* Wakes all who sleep for it. */
void pawl_threads_ring(struct threads *os, enum threads_bell bell);

/* Lets another thread have the processor. */
void pawl_threads_yield(void);

/* How many processors there were to use at open; 0: the system does not tell, or binds nothing. */
unsigned pawl_threads_processors(const struct threads *os);

/* Binds the calling thread to the i-th of them, i < processors; false: refused. */
bool pawl_threads_bind(const struct threads *os, unsigned i);

/* Gives the calling thread all of them. */
void pawl_threads_unbind(const struct threads *os);

#endif
