#include "lib/stats/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "lib/stats/clusters.h"
#include "lib/stats/describe.h"
#include "lib/stats/dist.h"
#include "lib/stats/multiple.h"
#include "lib/stats/sample.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static const double DISTURBED_AT = 5; /* scaled MADs */

static double half_of(const struct judgement *judged)
{
	return 0.5 * judged->high - 0.5 * judged->low;
}

/* Of the estimate, by its pairs: the interval is close to normal, as a median of averages is. */
static double standard_error(const struct judgement *judged)
{
	return judged->half / normal_quantile(0.5 + VERDICT_CONFIDENCE / 2);
}

/* How many standard errors from 0 are significant, for the only one of all. */
static double significant_at(const struct judge_terms *terms)
{
	return normal_quantile(1 - 0.5 * VERDICT_RATE / (double)terms->n_points / (double)terms->m);
}

/* Half of an interval that holds what was widened by; 0: by nothing. */
static double half_shared(const struct widening *shared)
{
	if (!(shared->variance > 0))
		return 0;
	return student_quantile(0.5 + VERDICT_CONFIDENCE / 2, shared->df) * sqrt(shared->variance);
}

/* Welch's, of n pairs with that standard error and what they share. */
static double df_of_both(double se, size_t n, const struct widening *shared)
{
	double sum = se * se + shared->variance;

	return sum * sum /
	       (pow(se, 4) / (double)(n - 1) + shared->variance * shared->variance / shared->df);
}

/* How far from 0 an estimate is significant, of n pairs with that standard error. */
static double significant_from(const struct judgement *judged, double se, size_t n)
{
	const struct judge_terms *terms = &judged->terms;
	double rate = VERDICT_RATE / (double)terms->n_points / (double)terms->m;

	if (!(judged->shared.variance > 0))
		return se * significant_at(terms);
	return sqrt(se * se + judged->shared.variance) *
	       student_quantile(1 - 0.5 * rate, df_of_both(se, n, &judged->shared));
}

static double times_points(const struct judgement *judged)
{
	double p = judged->p * (double)judged->terms.n_points;

	return judged->n && p < 1 ? p : 1;
}

static enum call call_of(const struct judgement *judged)
{
	double delta = judged->terms.delta_log, margin = VERDICT_MARGIN * delta;
	double least = fmax(delta, judged->shared.least);
	bool significant = judged->p_adjusted <= VERDICT_RATE, sticks = judged->sticks;

	if (significant && judged->theta >= least && judged->low > margin &&
	    !(sticks && judged->steady_low <= margin))
		return CALL_REGRESSED;
	if (significant && judged->theta <= -least && judged->high < -margin &&
	    !(sticks && judged->steady_high >= -margin))
		return CALL_IMPROVED;
	if (-delta < judged->low && judged->high < delta && !judged->is_rare &&
	    !(sticks && (judged->steady_low <= -delta || judged->steady_high >= delta)))
		return CALL_UNCHANGED;
	return CALL_INCONCLUSIVE;
}

bool judge_would_decide(const struct judgement *judged, size_t n, double moved)
{
	double delta = judged->terms.delta_log, theta = fabs(judged->theta);
	double shrink = sqrt((double)judged->n / (double)n), se = standard_error(judged);
	double half = hypot(shrink * judged->half, half_shared(&judged->shared));
	double near = fmax(0, theta - moved * se), far = theta + moved * se;

	return near + half < delta ||
	       (far >= fmax(delta, judged->shared.least) && far - half > VERDICT_MARGIN * delta &&
		far >= significant_from(judged, shrink * se, n));
}

double judge_surely_found(const struct judge_terms *terms, double half, double least)
{
	double error = half / normal_quantile(0.5 + VERDICT_CONFIDENCE / 2);
	double needed =
		fmax(fmax(terms->delta_log, least), VERDICT_MARGIN * terms->delta_log + half);

	return fmax(needed, significant_at(terms) * error) + normal_quantile(0.9) * error;
}

double judge_narrows(double half, const struct widening *shared, size_t n, size_t most)
{
	double more = half_shared(shared), own = fmax(half * half - more * more, 0);
	double se = sqrt(own) / normal_quantile(0.5 + VERDICT_CONFIDENCE / 2);
	double shrink = sqrt((double)n / (double)most), both = se * se + shared->variance;

	if (!(shared->variance > 0))
		return shrink;
	return sqrt((shrink * se * shrink * se + shared->variance) / both);
}

size_t pairs_disturbed(const double *d, const double *sorted, size_t n, bool *out_which)
{
	double centre = quantile_sorted(sorted, n, 0.5), mad = mad_sorted(sorted, n);
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		bool far_off = mad > 0 && fabs(d[i] - centre) > DISTURBED_AT * mad;

		count += far_off;
		if (out_which)
			out_which[i] = far_off;
	}
	return count;
}

/* ln of n over k; log_factorial[0..n]. */
static double log_choose(const double *log_factorial, size_t n, size_t k)
{
	return k > n ? (double)-INFINITY
		     : log_factorial[n] - log_factorial[k] - log_factorial[n - k];
}

/* P(so many runs) of a values above and b below: the ways to cut each kind, over all orders. */
static double runs_exactly(const double *log_factorial, size_t runs, size_t a, size_t b)
{
	size_t half = runs / 2, rest = runs - half;
	double all = log_choose(log_factorial, a + b, a);

	return exp(log_choose(log_factorial, a - 1, half - 1) +
		   log_choose(log_factorial, b - 1, rest - 1) - all) +
	       exp(log_choose(log_factorial, a - 1, rest - 1) +
		   log_choose(log_factorial, b - 1, half - 1) - all);
}

/* ln of 0! to n!.  They stay: thousands of benchmarks need the same ones. */
static const double *log_factorials(size_t n)
{
	static _Thread_local double known[SIGNED_RANK_MAX + 1];
	static _Thread_local size_t n_known;

	for (; n_known <= n; n_known++)
		known[n_known] = lgamma((double)n_known + 1);
	return known;
}

/* P(at most so many runs), or what is above enough as soon as it is. */
static double runs_at_most(size_t runs, size_t a, size_t b, double enough)
{
	const double *log_factorial = log_factorials(a + b);
	double p = 0;

	for (size_t r = 2; r <= runs && p <= enough; r++)
		p += runs_exactly(log_factorial, r, a, b);
	return p;
}

double pairs_streaks(const double *d, const double *sorted, size_t n, double enough)
{
	double centre = quantile_sorted(sorted, n, 0.5);
	size_t above = 0, below = 0, runs = 0;
	int last = 0;

	for (size_t i = 0; i < n; i++) {
		int side = (d[i] > centre) - (d[i] < centre);

		above += side > 0;
		below += side < 0;
		runs += side && side != last;
		last = side ? side : last;
	}
	return above && below ? fmin(1, runs_at_most(runs, above, below, enough)) : 1;
}

static int check_terms(const struct judge_terms *terms, struct err *err)
{
	assert(terms->n_points > 0 && terms->m > 0);
	if (!(terms->delta_log >= 0) || isinf(terms->delta_log))
		return err_set(err, ERR_RANGE, "threshold %g is not a number from 0 on",
			       terms->delta_log);
	return 0;
}

/*
 * The smallest |change| that would have been called; significant: that has a p small enough where
 * the interval's length says how far p goes.  Of heavy or skewed tails it says too little: an
 * estimate from there on that was not called has a longer near side, or a larger p.
 */
static double least_found(const struct judgement *judged, double significant)
{
	double delta = judged->terms.delta_log, theta = fabs(judged->theta);
	double near =
		judged->theta < 0 ? judged->high - judged->theta : judged->theta - judged->low;
	double errors = normal_quantile(1 - 0.5 * judged->p);
	double least = fmax(
		fmax(fmax(delta, judged->shared.least), VERDICT_MARGIN * delta + half_of(judged)),
		significant);

	if (judged->call == CALL_REGRESSED || judged->call == CALL_IMPROVED || theta < least)
		return least;
	least = fmax(least, VERDICT_MARGIN * delta + near);
	return errors > 0 ? fmax(least, theta * significant_at(&judged->terms) / errors) : least;
}

/* What stands out, or sticks; sorted: the same values, upwards. */
static void judge_order(const double *d, const double *sorted, size_t n, struct judgement *out)
{
	out->n_disturbed = pairs_disturbed(d, sorted, n, NULL);
	out->sticks = pairs_streaks(d, sorted, n, VERDICT_STREAKS) <= VERDICT_STREAKS;
	out->steady_low = quantile_sorted(sorted, n, VERDICT_STEADY);
	out->steady_high = quantile_sorted(sorted, n, 1 - VERDICT_STEADY);
}

int judge_clusters(const double *d, const double *key, size_t n, const struct judge_terms *terms,
		   struct judgement *out, struct err *err)
{
	struct judgement made = { .terms = *terms, .n = n };
	struct walsh walsh = WALSH_INIT;
	struct signed_rank rank;
	int rc = -1;

	if (check_terms(terms, err) || walsh_build(d, n, &walsh, err) ||
	    clusters_suited(&walsh, d, key, VERDICT_CONFIDENCE, &rank, err))
		goto out;
	judge_order(d, walsh.x, n, &made);
	made.theta = rank.theta;
	made.low = rank.low;
	made.high = rank.high;
	made.p = rank.p;
	made.p_adjusted = fmin(1, times_points(&made) * (double)terms->m);
	made.call = call_of(&made);
	made.half = half_of(&made);
	made.noise_floor = least_found(&made, significant_from(&made, standard_error(&made), n));
	*out = made;
	rc = 0;
out:
	walsh_release(&walsh);
	return rc;
}

int judge_pairs(const double *d, size_t n, const struct judge_terms *terms, struct judgement *out,
		struct err *err)
{
	return judge_clusters(d, NULL, n, terms, out, err);
}

void judge_widen(struct judgement *judged, struct widening shared)
{
	double se = standard_error(judged), sum = se * se + shared.variance, more;

	assert(shared.variance >= 0 && (shared.df >= 1 || !(shared.variance > 0)));
	if (!judged->n || !isfinite(se) || !(shared.variance > 0 || shared.least > 0))
		return;
	judged->shared = shared;
	more = half_shared(&shared);
	if (shared.variance > 0) {
		judged->low = judged->theta - hypot(judged->theta - judged->low, more);
		judged->high = judged->theta + hypot(judged->high - judged->theta, more);
		judged->p = fmax(judged->p, student_two_sided(judged->theta / sqrt(sum),
							      df_of_both(se, judged->n, &shared)));
	}
	judged->p_adjusted = fmin(1, times_points(judged) * (double)judged->terms.m);
	judged->call = call_of(judged);
	judged->noise_floor = least_found(judged, significant_from(judged, se, judged->n));
}

void judge_counts(struct judgement *judged, const double *d, size_t n)
{
	double mean, half, delta = judged->terms.delta_log;

	if (n < 2)
		return;
	mean = sample_mean(d, n);
	half = student_quantile(0.5 + VERDICT_CONFIDENCE / 2, (double)(n - 1)) *
	       sqrt(sample_squares(d, n) / (double)(n - 1) / (double)n);
	judged->is_rare = !(-delta < mean - half && mean + half < delta);
	judged->call = call_of(judged);
}

int judge_family(struct judgement *judged, size_t m, struct err *err)
{
	double *p = calloc(m ? m : 1, sizeof(*p));
	int rc = -1;

	if (!p)
		return err_nomem(err);
	for (size_t i = 0; i < m; i++)
		p[i] = times_points(&judged[i]);
	if (adjust_bh(p, m, p, err))
		goto out;
	for (size_t i = 0; i < m; i++) {
		judged[i].p_adjusted = p[i];
		if (judged[i].n)
			judged[i].call = call_of(&judged[i]);
	}
	rc = 0;
out:
	free(p);
	return rc;
}
