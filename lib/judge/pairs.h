/*
 * pairs - a benchmark judged by its pairs: for the collector, which ends when it is decided, and
 * for the reporter, which says what was decided.
 *
 * Both judge the same series by the same code, whatever the metric.
 */
#ifndef PAWL_JUDGE_PAIRS_H
#define PAWL_JUDGE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"
#include "lib/stats/verdict.h"

/* What each pair of a metric moved by, positive where the head is worse. */
struct pair_changes {
	double *d; /* NULL: there are none; behind its n values the layouts, where they are told */
	size_t n;
	bool by_totals;	       /* see below */
	bool by_difference;    /* head - base in the metric's unit; else ln(head / base) */
	double base_size;      /* mean size of the base's values; only then */
	double threshold;      /* the smallest change that counts, on the scale of d */
	const double *layouts; /* which layout each pair ran: d + n; NULL: not told */
};

/*
 * The changes of a metric's pairs: ln(head / base), or where a metric that counts has no ratio, the
 * differences: from 0 allocations to 5 is the regression that people look for.  The threshold is
 * then the share of the mean of the base that the benchmark's own is; of a base that is all 0 any
 * difference counts.  Times have a ratio or nothing: one of 0 was not measured.
 *
 * Where the two took turns, a pair's value is the median over its slices: that shrugs off what
 * hit one slice.  But it is blind to a cost that the program itself has in few slices (a buffer
 * that grows, a collection): when the totals of the runs stand apart from the slices, by half
 * the threshold or more and beyond their own noise, the totals are taken, and by_totals says so.
 *
 * Release with pair_changes_release().  Errors: ERR_NOMEM.
 */
int pair_changes_of(const struct bench *b, const struct metric *m, struct pair_changes *out,
		    struct err *err);

void pair_changes_release(struct pair_changes *c);

/* The smallest difference that counts where the threshold is a share of the base; never 0. */
double pairs_least_difference(double threshold, double base_size);

/*
 * Judges the changes d[0..n) of a metric of that unit, of which several pairs of one layout say
 * nothing about other layouts (judge_clusters(); layouts NULL: not told): where it is what a
 * program counts (no time, and nothing by the second), with judge_counts(), of the layouts' means.
 */
int pairs_judge_series(const double *d, const double *layouts, size_t n, const char *unit,
		       const struct judge_terms *terms, struct judgement *out, struct err *err);

/*
 * Judges metric m (of b) as the only significant one of `together` benchmarks, by
 * pairs_judge_series(), and widened where one layout is all there was (widening.h).  Where there
 * are no changes, out->n is 0. *out_how: what was judged, without the values; nothing to release.
 * Errors: those of judge_pairs().
 */
int pairs_judge(const struct bench *b, const struct metric *m, size_t together,
		struct judgement *out, struct pair_changes *out_how, struct err *err);

/*
 * What of metric m (of b) scatters between layouts and within: into *out but its reason; n is 0
 * where no layouts were drawn, the rest NaN where it cannot be told.  Errors: ERR_NOMEM.
 */
int pairs_layouts(const struct bench *b, const struct metric *m, struct layout_spread *out,
		  struct err *err);

/*
 * Head less base of metric m (of b) with its interval, in the metric's unit, whether or not there
 * is a ratio: into the fields `difference` of *out alone, NaN without pairs and for a time. Errors:
 * those of judge_pairs().
 */
int pairs_difference(const struct bench *b, const struct metric *m, struct delta *out,
		     struct err *err);

/*
 * The figures and the verdict of what was judged: from the log scale, where worse is positive, to
 * ratios head / base, or differences.
 */
void pairs_delta(const struct judgement *judged, enum better better, bool by_difference,
		 struct delta *out);

#endif
