/*
 * ttest - the difference of two means with Student's distribution, for change points and screens.
 *
 * Where the values have no spread at all, the shift is taken as exact: t is 0 with p = 1 when
 * the shift is 0, else infinite with p = 0, and the interval has no width.
 *
 * Source: "Student", Biometrika 6 (1908) 1-25.
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
 * mean(y) - mean(x), one common variance.
 *
 * Shape:  n_x >= 1, n_y >= 1, together 3 or more; order does not matter, values are not modified.
 * Errors: ERR_RANGE when there are too few values, one is not finite or so large that the result
 *         does not fit a double, or confidence is outside its range; *out is untouched.
 * Cost:   O(n), no allocation.
 */
int pooled_t(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	     struct t_test *out, struct err *err);

/* Fills t, p, low and high from shift, se >= 0, df > 0 and confidence. */
void t_test_finish(struct t_test *test);

#endif
