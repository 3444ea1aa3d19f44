/*
 * loop - the thread that runs one HTTP daemon.
 *
 * The library's own thread is not used: it takes 128 sockets at a time from the kernel, and where
 * exactly so many are ready, or twice as many, it waits for another one before it looks at any of
 * them (0.9.75 to 1.0.1, read).  Clients that all wait for an answer send nothing more.  Run from
 * outside it never waits; but then it does not wake for a connection that is resumed.
 */
#ifndef PAWL_SERVER_HTTP_LOOP_H
#define PAWL_SERVER_HTTP_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "lib/base/err.h"

struct MHD_Daemon;

struct loop {
	struct MHD_Daemon *daemon;
	pthread_t thread;
	int wake; /* an eventfd: something is asked, or a connection was resumed */
	atomic_bool is_woken;
	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t done;
	bool quiet, is_quiet, stop;
};

/* The daemon, started without a thread and with MHD_USE_EPOLL, is the loop's until loop_stop().
 * Errors: ERR_IO; it is the caller's again. */
int loop_start(struct loop *l, struct MHD_Daemon *daemon, size_t stack_bytes, struct err *err);

/* A connection was resumed.  From any thread. */
void loop_wake(struct loop *l);

/* Has it take no more connections, from when this returns, and closes its listening socket. */
void loop_quiesce(struct loop *l);

/* Ends the thread. */
void loop_stop(struct loop *l);

#endif
