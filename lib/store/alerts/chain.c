#include "lib/store/alerts/chain.h"

#include <math.h>
#include <stdlib.h>

#include "lib/store/alerts/batch.h"

#include "lib/base/banned.h"

#define FEW 0.1 /* of a change */

/* A result, and when it was measured among the others. */
struct entry {
	struct result r;
	size_t nth;
};

/* A commit, and how far it is from the base of the change. */
struct node {
	int64_t commit;
	size_t n; /* links; SIZE_MAX: no chain leads there */
	double left, least;
};

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Of one commit against one base the last one first. */
static int by_link(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int by = order(x->r.commit, y->r.commit);

	by = by ? by : order(x->r.base, y->r.base);
	return by ? by : (x->nth < y->nth) - (x->nth > y->nth);
}

static int by_history(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int by = order(x->r.t, y->r.t);

	by = by ? by : order(x->r.commit, y->r.commit);
	return by ? by : (x->nth > y->nth) - (x->nth < y->nth);
}

static int by_commit(const void *key, const void *at)
{
	return order(*(const int64_t *)key, ((const struct node *)at)->commit);
}

static struct node *find_node(const struct buf *nodes, int64_t commit)
{
	return bsearch(&commit, nodes->data, nodes->len / sizeof(struct node), sizeof(struct node),
		       by_commit);
}

static struct result result_of_point(const struct alert_point *p)
{
	return (struct result){ .run = p->run,
				.commit = p->commit,
				.t = p->t,
				.base = p->base,
				.verdict = p->verdict,
				.can_open = p->can_open,
				.ratio = p->ratio,
				.low = p->low,
				.high = p->high,
				.v = p->has_value ? p->v : (double)NAN,
				.v_low = p->has_value ? p->v_low : (double)NAN,
				.v_high = p->has_value ? p->v_high : (double)NAN };
}

/* What counts at each commit against each base; then a node of each commit, in their order. */
static int read_entries(struct alert_batch *b, const struct chain_of *a,
			const struct alert_point *now, struct buf *out, struct buf *nodes,
			struct err *err)
{
	struct buf all = BUF_INIT;
	const struct result *r;
	struct entry *e;
	size_t i, n, kept = 0;

	if (results_behind(b, a->series, a->t, &all, err)) {
		buf_release(&all);
		return -1;
	}
	r = (const struct result *)(const void *)all.data;
	n = all.len / sizeof(*r);
	for (i = 0; i < n; i++)
		buf_add(out, &(struct entry){ .r = r[i], .nth = i }, sizeof(*e));
	buf_release(&all);
	if (now && now->t >= a->t && verdict_is_decided(now->verdict))
		buf_add(out, &(struct entry){ .r = result_of_point(now), .nth = n }, sizeof(*e));
	if (buf_check(out, err))
		return -1;
	e = (struct entry *)(void *)out->data;
	n = out->len / sizeof(*e);
	if (n)
		qsort(e, n, sizeof(*e), by_link);
	for (i = 0; i < n; i++) {
		struct node at = { .commit = e[i].r.commit, .n = SIZE_MAX };

		if (kept && e[kept - 1].r.commit == at.commit && e[kept - 1].r.base == e[i].r.base)
			continue;
		if (!kept || e[kept - 1].r.commit != at.commit)
			buf_add(nodes, &at, sizeof(at));
		e[kept++] = e[i];
	}
	buf_truncate(out, kept * sizeof(*e));
	if (kept)
		qsort(e, kept, sizeof(*e), by_history);
	return buf_check(nodes, err);
}

/* What a link multiplies.  One that improved by difference leaves the others what they are; NaN: it
   is none. */
static double factor_of(const struct chain_of *a, const struct result *r)
{
	if (isfinite(r->ratio))
		return alert_harm(r->ratio, a->higher);
	return result_is_no_worse(r->verdict) ? 1 : (double)NAN;
}

/* The harm at the better end of its interval; without one that harm. */
static double least_of(double harm, double low, double high, bool higher)
{
	double best = higher ? high : low;

	return isfinite(best) && best > 0 ? alert_harm(best, higher) : harm;
}

/* Where its base stands; false: no chain leads there. */
static bool find_base(const struct chain_of *a, const struct buf *nodes, const struct result *r,
		      struct node *out)
{
	const struct node *at;
	double harm;

	if (a->base && r->base == a->base) {
		*out = (struct node){ .commit = r->base, .n = 0, .left = 1, .least = 1 };
		return true;
	}
	if (r->base == a->commit) {
		harm = alert_harm(a->ratio, a->higher);
		*out = (struct node){ .commit = r->base,
				      .n = 1,
				      .left = harm,
				      .least = least_of(harm, a->low, a->high, a->higher) };
		return true;
	}
	at = r->base ? find_node(nodes, r->base) : NULL;
	if (!at || at->n == SIZE_MAX)
		return false;
	*out = *at;
	return true;
}

/* The best of the links of one commit. */
static void link_commit(const struct chain_of *a, const struct buf *nodes, struct chain_link *l,
			size_t n)
{
	struct node *at = find_node(nodes, l->r.commit), base;
	struct chain_link *best = NULL;
	size_t i;

	for (i = 0; i < n && l->r.commit != a->commit; i++) {
		double factor = factor_of(a, &l[i].r);

		if (!isfinite(factor) || l[i].r.base == l->r.commit ||
		    !find_base(a, nodes, &l[i].r, &base) || (best && base.n + 1 > at->n))
			continue;
		best = &l[i];
		best->left = base.left * factor;
		best->least = base.least * least_of(factor, best->r.low, best->r.high, a->higher);
		at->n = base.n + 1;
		at->left = best->left;
		at->least = best->least;
	}
	if (best)
		best->is_last = true;
}

int chain_read(struct alert_batch *b, const struct chain_of *a, const struct alert_point *now,
	       struct buf *out, struct err *err)
{
	struct buf entries = BUF_INIT, nodes = BUF_INIT;
	const struct entry *e;
	struct chain_link *l;
	size_t i, k, n;
	int result = read_entries(b, a, now, &entries, &nodes, err);

	e = (const struct entry *)(const void *)entries.data;
	n = result ? 0 : entries.len / sizeof(*e);
	for (i = 0; i < n; i++)
		buf_add(out, &(struct chain_link){ .r = e[i].r, .left = (double)NAN }, sizeof(*l));
	if (!result)
		result = buf_check(out, err);
	l = (struct chain_link *)(void *)out->data;
	for (i = 0; !result && isfinite(a->ratio) && i < n; i = k) {
		for (k = i + 1; k < n && l[k].r.commit == l[i].r.commit;)
			k++;
		link_commit(a, &nodes, &l[i], k - i);
	}
	buf_release(&entries);
	buf_release(&nodes);
	return result;
}

bool chain_is_over(const struct chain_link *l, double harm, double threshold)
{
	if (l->left <= 1 + threshold)
		return true;
	return l->least <= 1 + threshold && log(l->left) <= FEW * log(harm);
}
