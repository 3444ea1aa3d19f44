#include "lib/record/history.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

void history_release(struct history *h)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		summary_release(&h->v[i]);
	free(h->v);
	*h = (struct history)HISTORY_INIT;
}

int history_add(struct history *h, struct summary *s, struct err *err)
{
	struct summary *grown = realloc(h->v, (h->n + 1) * sizeof(*grown));

	if (!grown)
		return err_nomem(err);
	h->v = grown;
	h->v[h->n++] = *s;
	summary_init(s);
	return 0;
}

const struct bench *history_find(const struct history *h, const char *name,
				 const struct summary **out_summary)
{
	size_t i;

	for (i = 0; i < h->n; i++) {
		const struct bench *b = summary_find(&h->v[i], name);

		if (!b || b->status != BENCH_OK)
			continue;
		*out_summary = &h->v[i];
		return b;
	}
	return NULL;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

bool history_same_run(const struct summary *a, const struct summary *b)
{
	const struct shard *x = &a->settings.shard, *y = &b->settings.shard;

	return x->count == y->count && is_same_text(a->commit.id, b->commit.id) &&
	       is_same_text(x->group, y->group) && is_same_text(x->split, y->split);
}

static bool has_part(const struct history *h, const struct summary *of, int index)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		if (h->v[i].settings.shard.index == index && history_same_run(&h->v[i], of))
			return true;
	return false;
}

bool history_is_whole(const struct history *h)
{
	size_t i;
	int index;

	for (i = 0; i < h->n; i++) {
		const struct settings *s = &h->v[i].settings;

		if (!s->shard.count && s->partial)
			continue;
		if (!s->shard.count)
			return true;
		/* Every run is counted once, from its first part. */
		if (s->shard.index != 1)
			continue;
		for (index = 2; index <= s->shard.count && has_part(h, &h->v[i], index); index++)
			;
		if (index > s->shard.count)
			return true;
	}
	return false;
}
