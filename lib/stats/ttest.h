/*
 * ttest - differences of means with Student's distribution: Welch, paired, pooled, trimmed.
 *
 * Shown beside the verdict, never in place of it: on the skewed, spiked times of benchmarks a
 * mean needs half as many runs again for what signed_rank() sees.
 *
 * Where the values have no spread at all, the shift is taken as exact: t is 0 with p = 1 when
 * the shift is 0, else infinite with p = 0, and the interval has no width.
 *
 * Source: "Student", Biometrika 6 (1908) 1-25; B. L. Welch, Biometrika 34 (1947) 28-35;
 *         F. E. Satterthwaite, Biometrics Bulletin 2 (1946) 110-114; K. K. Yuen, Biometrika 61
 *         (1974) 165-170, in the one-sample form of J. W. Tukey and D. H. McLaughlin, Sankhya A 25
 *         (1963) 331-352.
 */
#ifndef PAWL_STATS_TTEST_H
#define PAWL_STATS_TTEST_H

#include <stddef.h>

#include "lib/base/err.h"

struct t_test {
	double shift;	   /* unit of the values */
	double se;	   /* standard error of shift; same unit */
	double t;	   /* shift / se; may be infinite */
	double df;	   /* degrees of freedom */
	double p;	   /* two-sided */
	double low, high;  /* interval of shift at `confidence` */
	double confidence; /* as asked */
};

/*
 * All four:
 * Shape:  order does not matter, values are not modified.
 * Errors: ERR_RANGE when there are too few values, one is not finite or so large that the result
 *         does not fit a double, or confidence (or trim) is outside its range; yuen() also
 * ERR_NOMEM.  *out is untouched. Cost:   O(n), no allocation; yuen() O(n log n) and one copy.
 */

/* mean(y) - mean(x), different variances allowed.  n_x >= 2, n_y >= 2. */
int welch(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	  struct t_test *out, struct err *err);

/* mean(y) - mean(x), one common variance.  n_x >= 1, n_y >= 1, together 3 or more. */
int pooled_t(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	     struct t_test *out, struct err *err);

/* mean(d) of the differences of pairs.  n >= 2. */
int paired_t(const double *d, size_t n, double confidence, struct t_test *out, struct err *err);

/*
 * Mean of d without the floor(trim n) smallest and largest, its error from the winsorized
 * variance.  0 <= trim < 0.5, and 2 or more values must stay.  trim = 0 is paired_t().
 */
int yuen(const double *d, size_t n, double trim, double confidence, struct t_test *out,
	 struct err *err);

/* Fills t, p, low and high from shift, se >= 0, df > 0 and confidence. */
void t_test_finish(struct t_test *test);

#endif
