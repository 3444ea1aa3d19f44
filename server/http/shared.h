/*
 * shared - the bytes of an answer that several replies send: they are there until the last one is
 * through with them.  From any thread.
 */
#ifndef PAWL_SERVER_HTTP_SHARED_H
#define PAWL_SERVER_HTTP_SHARED_H

#include <stdatomic.h>
#include <stddef.h>

#include "lib/base/buf.h"

struct shared {
	atomic_size_t n_users;
	struct buf bytes; /* never changed */
};

/* Takes the bytes, for one user.  NULL without memory: they stay where they are. */
struct shared *shared_new(struct buf *bytes);

/* For one more; returns it. */
struct shared *shared_use(struct shared *s);

/* Accepts NULL. */
void shared_drop(struct shared *s);

#endif
