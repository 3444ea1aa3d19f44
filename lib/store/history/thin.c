#include "lib/store/history/thin.h"

#include <stdlib.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

/* A point, and the how manyth it is. */
struct one {
	size_t at;
	struct ledger_point point;
};

struct bucket {
	struct one least, most;
};

struct thin {
	struct one first, last;
	struct buf changes; /* n_changes struct one */
	size_t n_changes, most_changes;
	size_t total, width; /* points a bucket has when it is full */
	size_t in_last;	     /* in the last one */
	size_t n, most;
	struct bucket buckets[];
};

int thin_open(size_t most, size_t most_changes, struct thin **out, struct err *err)
{
	struct thin *t = calloc(1, sizeof(*t) + most * sizeof(t->buckets[0]));

	if (!t)
		return err_nomem(err);
	t->most = most;
	t->most_changes = most_changes;
	t->width = 1;
	*out = t;
	return 0;
}

void thin_close(struct thin *t)
{
	if (t)
		buf_release(&t->changes);
	free(t);
}

size_t thin_total(const struct thin *t)
{
	return t->total;
}

size_t thin_buckets(const struct thin *t)
{
	return t->n;
}

/* Where values are equal the first one stays. */
static void widen(struct bucket *to, const struct one *least, const struct one *most)
{
	if (least->point.v < to->least.point.v)
		to->least = *least;
	if (most->point.v > to->most.point.v)
		to->most = *most;
}

/* Every two buckets become one. */
static void halve(struct thin *t)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (i % 2)
			widen(&t->buckets[i / 2], &t->buckets[i].least, &t->buckets[i].most);
		else
			t->buckets[i / 2] = t->buckets[i];
	}
	t->in_last = t->n % 2 ? t->width : 2 * t->width;
	t->n = (t->n + 1) / 2;
	t->width *= 2;
}

static void fill(struct thin *t, const struct one *one)
{
	if (t->in_last == t->width && t->n == t->most)
		halve(t);
	if (!t->n || t->in_last == t->width) {
		t->buckets[t->n++] = (struct bucket){ *one, *one };
		t->in_last = 1;
	} else {
		widen(&t->buckets[t->n - 1], one, one);
		t->in_last++;
	}
}

int thin_add(struct thin *t, const struct ledger_point *p, struct err *err)
{
	const struct one one = { t->total, *p };

	if (!t->total)
		t->first = one;
	t->last = one;
	fill(t, &one);
	t->total++;
	if (!point_is_change(p))
		return 0;
	if (t->n_changes == t->most_changes)
		return err_set(err, ERR_LIMIT,
			       "there are more than %zu changes: ask for less with 'since' and "
			       "'until'",
			       t->most_changes);
	buf_add(&t->changes, &one, sizeof(one));
	t->n_changes++;
	return buf_check(&t->changes, err);
}

static int order_ones(const void *a, const void *b)
{
	const struct one *const *x = a, *const *y = b;

	return ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

/* Each that is kept, some of them more than once. */
static size_t gather(const struct thin *t, const struct one **out)
{
	const struct one *changes = (const struct one *)(const void *)t->changes.data;
	size_t i, n = 0;

	out[n++] = &t->first;
	for (i = 0; i < t->n; i++) {
		out[n++] = &t->buckets[i].least;
		out[n++] = &t->buckets[i].most;
	}
	for (i = 0; i < t->n_changes; i++)
		out[n++] = &changes[i];
	out[n++] = &t->last;
	return n;
}

int thin_visit(const struct thin *t,
	       int (*take)(void *ctx, const struct ledger_point *p, struct err *err), void *ctx,
	       struct err *err)
{
	const struct one **all;
	size_t i, n;
	int result = 0;

	if (!t->total)
		return 0;
	all = malloc((2 + 2 * t->n + t->n_changes) * sizeof(const struct one *));
	if (!all)
		return err_nomem(err);
	n = gather(t, all);
	qsort(all, n, sizeof(const struct one *), order_ones);
	for (i = 0; !result && i < n; i++)
		if (!i || all[i]->at != all[i - 1]->at)
			result = take(ctx, &all[i]->point, err);
	free(all);
	return result;
}
