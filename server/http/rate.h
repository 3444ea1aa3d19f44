/*
 * rate - how many requests a minute each token may make.
 *
 * A token may save up a minute's worth, and then makes one each time that one is due.  Source: the
 * generic cell rate algorithm (ITU-T I.371): one time a token, no counter that somebody resets.
 */
#ifndef PAWL_SERVER_HTTP_RATE_H
#define PAWL_SERVER_HTTP_RATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define RATE_SETS 512
#define RATE_WAYS 8
#define RATE_MOST 1000000

/* Fixed size: of eight tokens that share a set the one that is soonest free gives way. */
struct rate {
	pthread_mutex_t lock;
	uint64_t period_ns; /* between two requests; 0: there is no limit */
	atomic_ullong n_refused;
	struct rate_slot {
		uint64_t key;
		uint64_t due_ns; /* when all that was taken would be due, one after the other */
	} slots[RATE_SETS][RATE_WAYS];
};

/* per_minute: 0 for no limit, up to RATE_MOST. */
void rate_init(struct rate *r, unsigned per_minute);
void rate_release(struct rate *r);

/*
 * Takes one for the token of that name, or apart from those of the same name that are not; false:
 * too many, *out_wait_s says when to come again.
 */
bool rate_take(struct rate *r, const char *name, bool apart, uint64_t now_ns, unsigned *out_wait_s);

#endif
