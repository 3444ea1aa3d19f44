/* Places to come back to. */
#include "lib/json/local.h"

#include "lib/base/banned.h"

void pull_mark(const struct pull *s, struct pull_mark *out)
{
	*out = (struct pull_mark){ .p = s->p,
				   .to = s->to,
				   .depth = s->depth,
				   .n_keys = s->n_keys,
				   .n = s->n,
				   .is_pending = s->is_pending };
	if (s->depth)
		out->frame = s->frames[s->depth - 1];
}

void pull_back(struct pull *s, const struct pull_mark *mark)
{
	s->p = mark->p;
	s->to = mark->to;
	s->depth = mark->depth;
	s->n_keys = mark->n_keys;
	s->n = mark->n;
	s->is_pending = mark->is_pending;
	if (s->depth)
		s->frames[s->depth - 1] = mark->frame;
}
