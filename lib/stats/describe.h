/*
 * describe - the classic figures of one sample: centre, spread, ends, and the mean's interval.
 *
 * These are shown for every sample.  They never decide a verdict: verdict.h does.
 *
 * Source: "Student" (W. S. Gosset), "The probable error of a mean", Biometrika 6 (1908) 1-25;
 *         R. J. Hyndman and Y. Fan, Amer. Statist. 50 (1996) 361-365 (quantile definition 7).
 */
#ifndef PAWL_STATS_DESCRIBE_H
#define PAWL_STATS_DESCRIBE_H

#include <stddef.h>

#include "lib/base/err.h"

/* Makes the median absolute deviation of a normal sample estimate its standard deviation. */
#define MAD_SCALE 1.4826022185056

/* Everything but n in the unit of the sample. */
struct description {
	size_t n;
	double mean;
	double sd; /* with n - 1; NaN when n == 1 */
	double min, max, median;
	double mad;		/* median |x - median|, times MAD_SCALE; 0 when n == 1 */
	double p99;		/* quantile definition 7 */
	double ci_low, ci_high; /* of the mean, Student, at the confidence asked; NaN when n == 1 */
};

/*
 * Describes x[0..n).
 *
 * Shape:  n >= 1, any order, not modified.  One value has no spread: sd, ci_low and ci_high are
 *         NaN then, the rest is that value (mad 0).
 * Errors: ERR_RANGE when n is 0, a value is not finite, confidence is not inside (0, 1), or the
 *         values are so large that a figure does not fit a double; ERR_NOMEM.  *out is untouched.
 * Cost:   O(n log n), one copy.
 */
int describe(const double *x, size_t n, double confidence, struct description *out,
	     struct err *err);

/*
 * The mean, the median and the ends alone, as describe() gives them.
 *
 * Shape:  n >= 1, any order, not modified; finite values of which no sum of squares is too large
 *         for a double.
 * Errors: ERR_NOMEM; *out is untouched.
 * Cost:   O(n) expected, one copy.
 */
struct middle {
	double mean, median, min, max;
};
int describe_middle(const double *x, size_t n, struct middle *out, struct err *err);

/*
 * The quantile of sorted x[0..n) at p, definition 7 (R's default): between the values whose
 * ranks enclose (n - 1) p + 1, in proportion.
 *
 * Shape:  n >= 1, sorted, 0 <= p <= 1.
 */
double quantile_sorted(const double *x, size_t n, double p);

/*
 * median |x - median| of sorted x[0..n), times MAD_SCALE.
 *
 * Shape: n >= 1, sorted.  Cost: O(n).
 */
double mad_sorted(const double *x, size_t n);

/* The same of the distances from another centre: |x - centre|. */
double mad_from(const double *x, size_t n, double centre);

#endif
