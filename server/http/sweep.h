/*
 * sweep - absolute deadlines of connections, so that a client that sends or reads one byte
 * now and then does not hold its connection for ever.
 *
 * The HTTP library's own time-outs start afresh with every byte.  And when the connections of one
 * HTTP thread become too many, the one that can best be done without makes room for a new one.
 */
#ifndef PAWL_SERVER_HTTP_SWEEP_H
#define PAWL_SERVER_HTTP_SWEEP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

#define SWEEP_NEVER UINT64_MAX

struct watched; /* one connection */

/* What happens on a connection. */
enum sweep_phase {
	SWEEP_WAITS,   /* for a request, or for the rest of one */
	SWEEP_WORKS,   /* the server is at work for it */
	SWEEP_ANSWERS, /* a reply goes out */
	SWEEP_LINGERS, /* the request was refused, and the rest of it is thrown away */
	SWEEP_N_PHASES
};

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

/*
 * A connection of that HTTP thread came; NULL without memory, and then it has no deadline.  When
 * the thread has more than most of them an older one is shut down: one that lingers; else the one
 * that waits longest for a complete request, if that is a second or more; else one that reads a
 * reply; else one whose token was valid and that rests between two requests; else one that came
 * just now.  What the server is at work for stays, and so does a request under way whose token is
 * valid.
 */
struct watched *sweep_add(struct sweep *s, int fd, unsigned thread, size_t most,
			  uint64_t within_ns);

/* What happens on it now, and its next deadline, from now; SWEEP_NEVER: none. */
void sweep_set(struct sweep *s, struct watched *w, enum sweep_phase phase, uint64_t within_ns);

/* The head of a request came with a token that is valid; until the connection waits again. */
void sweep_trust(struct sweep *s, struct watched *w);

/* Must be called before the descriptor is closed.  Accepts NULL. */
void sweep_remove(struct sweep *s, struct watched *w);

/* Shuts every connection down that has a deadline at all. */
void sweep_all(struct sweep *s);

#endif
