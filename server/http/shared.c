#include "server/http/shared.h"

#include <stdlib.h>

#include "lib/base/banned.h"

struct shared *shared_new(struct buf *bytes)
{
	struct shared *s = malloc(sizeof(*s));

	if (!s)
		return NULL;
	atomic_init(&s->n_users, 1);
	buf_fit(bytes);
	s->bytes = *bytes;
	*bytes = (struct buf)BUF_INIT;
	return s;
}

struct shared *shared_use(struct shared *s)
{
	atomic_fetch_add(&s->n_users, 1);
	return s;
}

void shared_drop(struct shared *s)
{
	if (!s || atomic_fetch_sub(&s->n_users, 1) > 1)
		return;
	buf_release(&s->bytes);
	free(s);
}
