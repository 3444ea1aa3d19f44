#include "lib/record/history.h"

#include <stdlib.h>

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
