/*
 * trend_judge - the steps of a trend judged, and the change points of its levels.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/pairs.h"
#include "lib/stats/series/changepoint.h"
#include "reporter/judge/judge.h"
#include "lib/judge/series.h"
#include "reporter/trend/trend.h"

#include "lib/base/banned.h"

#define NEAR 2 /* points between a change point and the step that explains it */

/* What is said of a point without a step to judge. */
static enum verdict plain_verdict(const struct trend_point *p)
{
	if (p->how == TREND_IDENTICAL)
		return VERDICT_IDENTICAL;
	if (p->failed)
		return VERDICT_FAILED;
	return p->reported == VERDICT_ADDED || p->reported == VERDICT_REMOVED ||
			       p->reported == VERDICT_INCONCLUSIVE
		       ? p->reported
		       : VERDICT_NO_BASELINE;
}

/* A difference is no summand of ratios, but for 0 on both sides. */
static double se_of(const struct trend_point *p)
{
	if (!p->by_difference)
		return creep_se(p->judged.low, p->judged.high, VERDICT_CONFIDENCE);
	return p->judged.low >= 0 && p->judged.high <= 0 ? 0 : (double)NAN;
}

/*
 * Every step by itself, as the comparison that it was: its estimate, interval and standard error.
 * The rule is strict enough for the steps of a window, and a step that was decided by few pairs
 * could never be significant among a hundred.
 */
static int judge_steps(struct trend *t, struct err *err)
{
	size_t i;

	t->n_tests = t->n_moved = 0;
	for (i = 0; i < t->n; i++) {
		struct trend_point *p = &t->points[i];
		const struct judge_terms terms = {
			p->by_difference ? pairs_least_difference(t->threshold, p->base_size)
					 : log1p(t->threshold),
			p->n_points, 1
		};
		struct delta delta;

		p->verdict = plain_verdict(p);
		p->se = p->how == TREND_IDENTICAL ? 0 : (double)NAN;
		if (p->how != TREND_PAIRED)
			continue;
		if (!p->is_judged) {
			if (pairs_judge_series(p->d, p->layouts, p->n_pairs, t->unit, &terms,
					       &p->judged, err))
				return err_in(err, "commit %.12s", p->commit);
			judge_widen(&p->judged, p->shared);
		}
		p->se = se_of(p);
		pairs_delta(&p->judged, t->better, p->by_difference, &delta);
		p->verdict = p->many_void ? VERDICT_INCONCLUSIVE : delta.verdict;
		if (i < t->first)
			continue;
		t->n_tests++;
		t->n_moved += p->verdict == VERDICT_REGRESSED || p->verdict == VERDICT_IMPROVED;
	}
	return 0;
}

/* Marks where the levels stop being comparable with those before. */
static void mark_series(struct trend *t)
{
	const struct trend_point *last = NULL;
	size_t i;

	for (i = 0; i < t->n; i++) {
		struct trend_point *p = &t->points[i];

		p->begins = NULL;
		if (!isfinite(p->level))
			continue;
		if (last) {
			p->begins = series_break(&last->machine, &p->machine);
			if (!p->begins && last->iterations != p->iterations)
				p->begins = "iterations";
			if (!p->begins && last->procs && p->procs &&
			    strcmp(last->procs, p->procs) != 0)
				p->begins = "GOMAXPROCS";
		}
		last = p;
	}
}

/* A step that moved within NEAR points of `at`; SIZE_MAX: there is none. */
static size_t explained_by(const struct trend *t, size_t at)
{
	size_t from = at > t->first + NEAR ? at - NEAR : t->first, i;

	for (i = from; i < t->n && i <= at + NEAR; i++)
		if (t->points[i].verdict == VERDICT_REGRESSED ||
		    t->points[i].verdict == VERDICT_IMPROVED)
			return i;
	return SIZE_MAX;
}

/* The change points of one series: x[0..n) are the locations of the points index[0..n). */
static int advise_series(struct trend *t, const double *x, const size_t *index, size_t n,
			 struct err *err)
{
	struct changepoint_terms terms = CHANGEPOINT_TERMS;
	struct change_point *found = NULL;
	struct trend_advice *grown;
	size_t i, n_found = 0;

	terms.min_magnitude = log1p(t->threshold);
	if (changepoint_find(x, n, &terms, &found, &n_found, err))
		return -1;
	if (!n_found) {
		free(found);
		return 0;
	}
	grown = realloc(t->advice, (t->n_advice + n_found) * sizeof(*grown));
	if (!grown) {
		free(found);
		return err_nomem(err);
	}
	t->advice = grown;
	for (i = 0; i < n_found; i++)
		grown[t->n_advice++] = (struct trend_advice){
			.at = index[found[i].at],
			.ratio = exp(found[i].after - found[i].before),
			.p = found[i].p,
			.step = explained_by(t, index[found[i].at]),
		};
	free(found);
	return 0;
}

static int advise(struct trend *t, struct err *err)
{
	double *x = malloc((t->n + 1) * sizeof(*x));
	size_t *index = malloc((t->n + 1) * sizeof(*index));
	size_t i, n = 0;
	int result = -1;

	free(t->advice);
	t->advice = NULL;
	t->n_advice = 0;
	if (!x || !index) {
		err_nomem(err);
		goto out;
	}
	for (i = t->first; i < t->n; i++) {
		const struct trend_point *p = &t->points[i];

		if (p->begins) {
			if (advise_series(t, x, index, n, err))
				goto out;
			n = 0;
		}
		if (!p->has_location)
			continue;
		x[n] = p->location;
		index[n++] = i;
	}
	result = advise_series(t, x, index, n, err);
out:
	free(x);
	free(index);
	return result;
}

/* The levels that the steps lead back to from the newest level: free of the machine's drift. */
static void chain(struct trend *t)
{
	double sign = t->better == BETTER_HIGHER ? -1 : 1;
	size_t i, k;

	for (i = 0; i < t->n; i++)
		t->points[i].chained = (double)NAN;
	for (i = t->n; i > 0; i--) {
		struct trend_point *p = &t->points[i - 1];
		double before;

		if (isnan(p->chained) && isfinite(p->level))
			p->chained = p->level; /* a new chain ends here */
		if (p->how == TREND_NO_STEP)
			continue;
		before = p->how != TREND_PAIRED ? p->chained
			 : p->by_difference	? p->chained - sign * p->judged.theta
						: p->chained / exp(sign * p->judged.theta);
		for (k = i - 1; k > 0 && t->points[k - 1].place >= p->base_place; k--)
			if (t->points[k - 1].place == p->base_place &&
			    isnan(t->points[k - 1].chained))
				t->points[k - 1].chained = before;
	}
}

int trend_judge(struct trend *t, struct err *err)
{
	if (!isfinite(t->threshold) || t->threshold < 0)
		return err_set(err, ERR_RANGE, "benchmark '%s' has no threshold", t->benchmark);
	if (judge_steps(t, err))
		return -1;
	mark_series(t);
	chain(t);
	return advise(t, err);
}
