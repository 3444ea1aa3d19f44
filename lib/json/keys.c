/* Keys that are there twice, in objects of many members. */
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

static int order_keys(const void *a, const void *b)
{
	const struct pull_text *x = *(const struct pull_text *const *)a;
	const struct pull_text *y = *(const struct pull_text *const *)b;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return memcmp(x->text, y->text, x->n);
}

/*
 * Of many members.  Their keys are sorted: a table could be filled on purpose with keys that meet.
 * Apart: who comes back into the object finds them as they were.
 */
bool pull_check_keys(struct pull *s, const struct pull_frame *f)
{
	const struct pull_text **keys = malloc(f->n * sizeof(*keys));
	bool twice = false;
	size_t i;

	if (!keys)
		return pull_no_memory(s);
	for (i = 0; i < f->n; i++)
		keys[i] = &s->keys[f->first_key + i];
	qsort(keys, f->n, sizeof(*keys), order_keys);
	for (i = 1; i < f->n; i++)
		twice = twice || !order_keys(&keys[i - 1], &keys[i]);
	free(keys);
	return !twice || pull_fault(s, "a duplicate key in an object");
}
