/*
 * sweep - absolute deadlines of connections, so that a client that sends or reads one byte
 * now and then does not hold its connection for ever.
 *
 * The HTTP library's own time-outs start afresh with every byte.
 */
#ifndef PAWL_SERVER_SWEEP_H
#define PAWL_SERVER_SWEEP_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/base/err.h"

#define SWEEP_NEVER UINT64_MAX

struct watched; /* one connection */

struct sweep {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct watched *first;
	uint64_t period_ns;
	bool running, stopping;
};

/* Starts the thread, which looks at every connection once in period_ns. */
int sweep_start(struct sweep *s, uint64_t period_ns, struct err *err);
void sweep_stop(struct sweep *s); /* accepts one that never started */

/* A connection came; NULL without memory, and then it has no deadline. */
struct watched *sweep_add(struct sweep *s, int fd, uint64_t within_ns);

/* Its next deadline, from now; SWEEP_NEVER while the server itself is at work. */
void sweep_set(struct sweep *s, struct watched *w, uint64_t within_ns);

/* Must be called before the descriptor is closed.  Accepts NULL. */
void sweep_remove(struct sweep *s, struct watched *w);

/* Shuts every connection down that has a deadline at all. */
void sweep_all(struct sweep *s);

#endif
