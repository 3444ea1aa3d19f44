#include "reporter/trend/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"

#include "lib/base/banned.h"

void trend_init(struct trend *t)
{
	memset(t, 0, sizeof(*t));
}

void trend_release(struct trend *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		trend_point_release(&t->points[i]);
	free(t->points);
	free(t->advice);
	free(t->project);
	free(t->benchmark);
	free(t->metric);
	free(t->unit);
	free(t->machine);
	free(t->creep.tag);
	free(t->creep.from);
	free(t->creep.broken);
	trend_init(t);
}

int trend_add(struct trend *t, struct trend_point *p, struct err *err)
{
	if (t->n == t->cap) {
		size_t cap = t->cap ? 2 * t->cap : 64;
		struct trend_point *grown = realloc(t->points, cap * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		t->points = grown;
		t->cap = cap;
	}
	t->points[t->n++] = *p;
	memset(p, 0, sizeof(*p));
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct trend_point *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

void trend_sort(struct trend *t)
{
	if (t->n)
		qsort(t->points, t->n, sizeof(*t->points), by_place);
}

size_t trend_span(const struct trend_point *p)
{
	return p->how == TREND_NO_STEP ? 0 : p->place - p->base_place;
}

bool trend_has_between(const struct trend *t, const struct trend_point *p)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->points[i].place > p->base_place && t->points[i].place < p->place)
			return true;
	return false;
}

static bool is_move(enum verdict v)
{
	return v == VERDICT_REGRESSED || v == VERDICT_IMPROVED;
}

bool trend_is_notable(const struct trend_point *p)
{
	return is_move(p->verdict) || is_move(p->reported) || p->accepted || p->failed ||
	       p->suspect || p->begins;
}

void trend_delta(const struct trend *t, const struct trend_point *p, struct delta *out)
{
	*out = (struct delta){ .ratio = (double)NAN,
			       .low = (double)NAN,
			       .high = (double)NAN,
			       .confidence = (double)NAN,
			       .p = (double)NAN,
			       .p_adjusted = (double)NAN,
			       .noise_floor = (double)NAN,
			       .suspect = p->suspect,
			       .verdict = p->verdict };
	if (p->how == TREND_IDENTICAL)
		out->ratio = out->low = out->high = 1;
	if (p->how != TREND_PAIRED)
		return;
	pairs_delta(&p->judged, t->better, p->by_difference, out);
	out->verdict = p->verdict;
}

int trend_exit(const struct trend *t, bool strict)
{
	bool open = t->creep.tag && t->creep.sum.flagged;
	size_t i;

	for (i = t->first; i < t->n; i++)
		if (t->points[i].verdict == VERDICT_REGRESSED && !t->points[i].accepted)
			return 1;
	for (i = 0; i < t->n_advice; i++)
		open |= t->advice[i].step == SIZE_MAX;
	return strict && open ? 3 : 0;
}
