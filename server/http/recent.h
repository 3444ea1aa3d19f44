/*
 * recent - answers that took long to make, kept in memory until what they say has changed: a
 * history of 1,000 points costs a millisecond, compressed two or three more, and is asked for again
 * by each who looks at it.
 *
 * A key says all that an answer depends on, and the state of the project among it (its tag): what
 * has changed has another key, and is found no more.  Which key that is, is the caller's to say.
 * From any thread.
 */
#ifndef PAWL_SERVER_HTTP_RECENT_H
#define PAWL_SERVER_HTTP_RECENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/http/reply.h"

#define RECENT_SLOTS 64
#define RECENT_MOST_BYTES (8u << 20) /* of all, keys and bodies */
#define RECENT_LARGEST (1u << 20)    /* one that is larger is not kept */

struct recent {
	pthread_mutex_t lock;
	size_t n_bytes;
	uint64_t n_asked; /* the clock that says which was used last */
	struct recent_answer {
		char *key; /* NULL: free */
		struct reply reply;
		size_t n_bytes;
		uint64_t used;
	} slots[RECENT_SLOTS];
};

void recent_init(struct recent *recent);
void recent_release(struct recent *recent);

/*
 * Into *out, which is empty, what was kept with that key: status, bytes, type, coding and link.
 * False: it is not there, or there is no memory for it.
 */
bool recent_find(struct recent *recent, const char *key, struct reply *out);

/*
 * Keeps it, in place of those that were not asked for longest; without memory it does not.  The
 * bytes of the reply are shared with it from then on.
 */
void recent_add(struct recent *recent, const char *key, struct reply *reply);

#endif
