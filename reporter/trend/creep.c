/*
 * trend_creep - the chain of steps from the newest result back to the last tag.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reporter/trend/trend.h"

#include "lib/base/banned.h"

static const struct trend_point *at_place(const struct trend *t, size_t place)
{
	size_t from = 0, to = t->n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (t->points[middle].place < place)
			from = middle + 1;
		else
			to = middle;
	}
	return from < t->n && t->points[from].place == place ? &t->points[from] : NULL;
}

static bool has_step(const struct trend_point *p)
{
	return p->how != TREND_NO_STEP && isfinite(p->se) && !p->many_void;
}

/* A step that was measured and cannot be summed is missed, not passed over. */
static bool has_difference(const struct trend_point *p)
{
	return p->how == TREND_PAIRED && p->by_difference && !isfinite(p->se) && !p->many_void;
}

/* The newest point with a step; NULL when none after the tag has one. */
static const struct trend_point *newest_step(const struct trend *t, size_t tag_place)
{
	size_t i;

	for (i = t->n; i > 0 && t->points[i - 1].place > tag_place; i--)
		if (has_step(&t->points[i - 1]) || has_difference(&t->points[i - 1]))
			return &t->points[i - 1];
	return NULL;
}

static void add_step(struct trend_creep *c, const struct trend_point *p, struct creep_step *steps,
		     size_t *n)
{
	double d = p->how == TREND_PAIRED ? p->judged.theta : 0;

	if (p->accepted) {
		c->n_accepted++;
		c->accepted += d;
		return;
	}
	c->n_named += p->verdict == VERDICT_REGRESSED || p->verdict == VERDICT_IMPROVED;
	steps[(*n)++] = (struct creep_step){ d, p->se };
}

int trend_creep(struct trend *t, const char *tag, size_t tag_place, struct err *err)
{
	const struct trend_point *p = newest_step(t, tag_place), *last = p;
	struct trend_creep c = { .tag = NULL };
	struct creep_step *steps;
	size_t n = 0;
	int result = -1;

	if (!p)
		return 0;
	steps = malloc(t->n * sizeof(*steps));
	if (!steps)
		return err_nomem(err);
	c.n_commits = p->place;
	for (;;) {
		last = p;
		if (!has_step(p)) {
			if (str_set(&c.broken, p->commit, err))
				goto out;
			c.has_no_ratio = has_difference(p);
			break;
		}
		add_step(&c, p, steps, &n);
		if (p->base_place <= tag_place)
			break;
		p = at_place(t, p->base_place);
		if (!p) {
			if (str_set(&c.broken, last->base, err))
				goto out;
			break;
		}
	}
	if (c.broken)
		n = 0;
	else if (str_set(&c.from, last->base, err))
		goto out;
	c.is_before = !c.broken && last->base_place < tag_place;
	c.n_commits -= c.broken ? last->place : last->base_place;
	if (creep_of(steps, n, log1p(t->threshold), &c.sum, err) || str_set(&c.tag, tag, err))
		goto out;
	c.sum.flagged = c.sum.flagged && c.sum.n > 1; /* one step is judged as such */
	result = 0;
out:
	free(steps);
	if (result) {
		free(c.from);
		free(c.broken);
		return -1;
	}
	free(t->creep.tag);
	free(t->creep.from);
	free(t->creep.broken);
	t->creep = c;
	return 0;
}
