#include "lib/judge/pairs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/timeunit.h"
#include "lib/judge/widening.h"
#include "lib/stats/clusters.h"
#include "lib/stats/sample.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static const double APART = 0.95; /* confidence that totals and slices are not the same */
static const double LAYOUT_FLOOR_SDS = 1.959963984540054; /* 95 of 100 lie within */

/* A track with one value of each pair of the metric; NULL: there is none. */
static const double *track_of(const struct bench *b, const struct metric *m, const char *name)
{
	size_t i;

	for (i = 0; i < b->n_tracks; i++)
		if (!strcmp(b->tracks[i].name, name) && b->tracks[i].n_head == m->n)
			return b->tracks[i].head;
	return NULL;
}

/* The pairs' values by slices, as they were recorded for this metric; NULL when they were not. */
static const double *slices_of(const struct bench *b, const struct metric *m)
{
	char name[SUMMARY_MAX_NAME + 16];

	snprintf(name, sizeof(name), "log_ratio.%s", m->name);
	return track_of(b, m, name);
}

/* Whether the totals stand apart from the slices; scratch has room for n. */
static bool stand_apart(const double *totals, const double *slices, size_t n, double threshold,
			double *scratch)
{
	struct signed_rank apart;
	size_t i;

	for (i = 0; i < n; i++)
		scratch[i] = totals[i] - slices[i];
	return !signed_rank(scratch, n, APART, &apart, NULL) && (apart.low > 0 || apart.high < 0) &&
	       fabs(apart.theta) >= log1p(threshold) / 2;
}

/* *out NULL without an error: a value is 0 and has no ratio. */
static int take_ratios(const struct bench *b, const struct metric *m, struct pair_changes *c,
		       struct err *err)
{
	const double *slices = slices_of(b, m);
	double *d = malloc(2 * m->n * sizeof(*d)), *scratch = malloc(m->n * sizeof(*scratch));
	bool totals;
	size_t i;

	if (!d || !scratch) {
		free(d);
		free(scratch);
		return err_nomem(err);
	}
	totals = !pairs_log_ratio(m->baseline_samples, m->samples, m->n, d, NULL);
	if (slices && !(totals && stand_apart(d, slices, m->n, b->threshold, scratch)))
		memcpy(d, slices, m->n * sizeof(*d));
	else if (totals)
		c->by_totals = slices != NULL;
	free(scratch);
	if (!slices && !totals) {
		free(d);
		return 0;
	}
	for (i = 0; m->better == BETTER_HIGHER && i < m->n; i++)
		d[i] = -d[i];
	c->d = d;
	c->n = m->n;
	return 0;
}

/* The mean size of the base's values. */
static double base_size(const struct metric *m)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < m->n_baseline; i++)
		sum += fabs(m->baseline_samples[i]);
	return sum / (double)m->n_baseline;
}

static int take_differences(const struct bench *b, const struct metric *m, struct pair_changes *c,
			    struct err *err)
{
	double sign = m->better == BETTER_HIGHER ? -1 : 1;
	size_t i;

	c->d = malloc(2 * m->n * sizeof(*c->d));
	if (!c->d)
		return err_nomem(err);
	for (i = 0; i < m->n; i++)
		c->d[i] = sign * (m->samples[i] - m->baseline_samples[i]);
	c->n = m->n;
	c->by_difference = true;
	c->base_size = base_size(m);
	c->threshold = pairs_least_difference(b->threshold, c->base_size);
	return 0;
}

double pairs_least_difference(double threshold, double base_size)
{
	/* Never 0: sides that are equal in every pair lie inside of it. */
	return fmax(threshold * base_size, DBL_MIN);
}

static bool has_pairs(const struct bench *b, const struct metric *m)
{
	return b->paired && m->n && m->n == m->n_baseline && m->n <= SIGNED_RANK_MAX;
}

/* Which layout each pair ran goes behind the changes, so that it lives as long as they do. */
static void take_layouts(const struct bench *b, const struct metric *m, struct pair_changes *c)
{
	const double *layouts = track_of(b, m, SUMMARY_LAYOUTS);

	if (!c->d || !layouts)
		return;
	memcpy(c->d + c->n, layouts, c->n * sizeof(*layouts));
	c->layouts = c->d + c->n;
}

int pair_changes_of(const struct bench *b, const struct metric *m, struct pair_changes *out,
		    struct err *err)
{
	*out = (struct pair_changes){ .threshold = log1p(b->threshold) };
	if (!has_pairs(b, m))
		return 0;
	if (take_ratios(b, m, out, err) ||
	    (!out->d && !time_unit_is(m->unit) && take_differences(b, m, out, err)))
		return -1;
	take_layouts(b, m, out);
	return 0;
}

void pair_changes_release(struct pair_changes *c)
{
	free(c->d);
	c->d = NULL;
	c->layouts = NULL;
	c->n = 0;
}

/* Of what a program counts nothing is disturbed: what the pairs of a layout share is their mean. */
static int judge_counted(const double *d, const double *layouts, size_t n, struct judgement *out,
			 struct err *err)
{
	double *means;

	if (!layouts || clusters_count(layouts, n) == 1) {
		judge_counts(out, d, n);
		return 0;
	}
	means = malloc(n * sizeof(*means));
	if (!means)
		return err_nomem(err);
	judge_counts(out, means, clusters_means(d, layouts, n, means));
	free(means);
	return 0;
}

int pairs_judge_series(const double *d, const double *layouts, size_t n, const char *unit,
		       const struct judge_terms *terms, struct judgement *out, struct err *err)
{
	if (judge_clusters(d, layouts, n, terms, out, err))
		return -1;
	return time_unit_is(unit) || strchr(unit, '/') ? 0 : judge_counted(d, layouts, n, out, err);
}

static int judge_changes(const struct pair_changes *c, const char *unit,
			 const struct judge_terms *terms, struct judgement *out, struct err *err)
{
	return pairs_judge_series(c->d, c->layouts, c->n, unit, terms, out, err);
}

int pairs_judge(const struct bench *b, const struct metric *m, size_t together,
		struct judgement *out, struct pair_changes *out_how, struct err *err)
{
	struct judge_terms terms = { 0, b->looks.n ? b->looks.n : 1, together };
	int result = 0;

	if (pair_changes_of(b, m, out_how, err))
		return -1;
	terms.delta_log = out_how->threshold;
	if (out_how->d)
		result = judge_changes(out_how, m->unit, &terms, out, err);
	else
		*out = (struct judgement){ .terms = terms, .p = 1, .p_adjusted = 1 };
	if (!result && !out_how->by_difference)
		judge_widen(out, widening_of(b, m));
	pair_changes_release(out_how);
	return result;
}

int pairs_layouts(const struct bench *b, const struct metric *m, struct layout_spread *out,
		  struct err *err)
{
	struct clusters_spread spread;
	struct pair_changes c;

	out->n = 0;
	out->between = out->within = out->floor = (double)NAN;
	if (!track_of(b, m, SUMMARY_LAYOUTS))
		return 0;
	if (pair_changes_of(b, m, &c, err))
		return -1;
	if (c.d && c.layouts) {
		clusters_spread(c.d, c.layouts, c.n, &spread);
		out->n = spread.n;
		out->between = c.by_difference ? (double)NAN : spread.between;
		out->within = c.by_difference ? (double)NAN : spread.within;
		out->floor = expm1(LAYOUT_FLOOR_SDS * sqrt(out->between));
	}
	pair_changes_release(&c);
	return 0;
}

/* Only the fields of a difference. */
static void take_difference(const struct judgement *judged, double sign, struct delta *out)
{
	double a = sign * judged->low, b = sign * judged->high;

	out->difference = sign * judged->theta + 0.0; /* never -0 */
	out->difference_low = fmin(a, b) + 0.0;
	out->difference_high = fmax(a, b) + 0.0;
	if (!isfinite(a) || !isfinite(b))
		out->difference_low = out->difference_high = (double)NAN;
}

int pairs_difference(const struct bench *b, const struct metric *m, struct delta *out,
		     struct err *err)
{
	struct judge_terms terms = { 0, b->looks.n ? b->looks.n : 1, 1 };
	struct pair_changes c = { .d = NULL };
	struct judgement judged;
	int result;

	out->difference = out->difference_low = out->difference_high = (double)NAN;
	if (!has_pairs(b, m) || time_unit_is(m->unit))
		return 0;
	if (take_differences(b, m, &c, err))
		return -1;
	terms.delta_log = c.threshold;
	take_layouts(b, m, &c);
	result = judge_changes(&c, m->unit, &terms, &judged, err);
	pair_changes_release(&c);
	if (!result)
		take_difference(&judged, m->better == BETTER_HIGHER ? -1 : 1, out);
	return result;
}

static void fill_ratio(const struct judgement *judged, double sign, struct delta *out)
{
	double a = exp(sign * judged->low), b = exp(sign * judged->high);

	out->ratio = exp(sign * judged->theta);
	out->low = a < b ? a : b;
	out->high = a < b ? b : a;
	if (!isfinite(judged->low) || !isfinite(judged->high))
		out->low = out->high = (double)NAN; /* too few pairs for an interval */
	out->noise_floor = isfinite(judged->noise_floor) ? expm1(judged->noise_floor) : (double)NAN;
	/* What was found could be found. */
	if ((judged->call == CALL_REGRESSED || judged->call == CALL_IMPROVED) &&
	    expm1(fabs(judged->theta)) < out->noise_floor)
		out->noise_floor = expm1(fabs(judged->theta));
}

static void fill_difference(const struct judgement *judged, double sign, struct delta *out)
{
	out->ratio = out->low = out->high = out->noise_floor = (double)NAN;
	take_difference(judged, sign, out);
}

void pairs_delta(const struct judgement *judged, enum better better, bool by_difference,
		 struct delta *out)
{
	static const enum verdict verdicts[] = { [CALL_REGRESSED] = VERDICT_REGRESSED,
						 [CALL_IMPROVED] = VERDICT_IMPROVED,
						 [CALL_UNCHANGED] = VERDICT_UNCHANGED,
						 [CALL_INCONCLUSIVE] = VERDICT_INCONCLUSIVE };

	(by_difference ? fill_difference : fill_ratio)(judged, better == BETTER_HIGHER ? -1 : 1,
						       out);
	out->by_difference = by_difference;
	out->verdict = verdicts[judged->call];
	out->confidence = VERDICT_CONFIDENCE;
	out->p = judged->p;
	out->p_adjusted = judged->p_adjusted;
}
