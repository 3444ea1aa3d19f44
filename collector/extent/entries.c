#include "collector/extent/entries.h"

#include <stdlib.h>

#include "lib/base/banned.h"

static int by_address(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

const uint64_t *entry_of(const struct entries *e, uint64_t address)
{
	return bsearch(&address, e->v, e->n, sizeof(address), by_address);
}

int entries_of(const struct parts *p, struct entries *out, struct err *err)
{
	size_t i, n = 0;

	out->v = calloc(p->n + 1, sizeof(*out->v));
	out->ends = calloc(p->n + 1, sizeof(*out->ends));
	out->hit = calloc(p->n + 1, sizeof(*out->hit));
	if (!out->v || !out->ends || !out->hit)
		return err_nomem(err);
	for (i = 0; i < p->n; i++)
		if (p->v[i].kind == PART_FUNCTION)
			out->v[n++] = p->v[i].address;
	qsort(out->v, n, sizeof(*out->v), by_address);
	for (i = 0; i < n; i++)
		if (!out->n || out->v[i] != out->v[out->n - 1])
			out->v[out->n++] = out->v[i];
	for (i = 0; i < p->n; i++) {
		const uint64_t *at =
			p->v[i].kind == PART_FUNCTION ? entry_of(out, p->v[i].address) : NULL;

		if (at && out->ends[at - out->v] < *at + p->v[i].size)
			out->ends[at - out->v] = *at + p->v[i].size;
	}
	return 0;
}

void entries_release(struct entries *e)
{
	free(e->v);
	free(e->ends);
	free(e->hit);
}
