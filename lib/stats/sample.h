/*
 * sample - what every statistic here does first: check the numbers, sort them, add them up.
 */
#ifndef PAWL_STATS_SAMPLE_H
#define PAWL_STATS_SAMPLE_H

#include <stddef.h>

#include "lib/base/err.h"

/*
 * Refuses what no statistic can use.
 *
 * Shape:  n >= least values.
 * Errors: ERR_RANGE when n < least or a value is NaN or infinite.  Nothing is ever dropped:
 *         a sample with one bad value has no statistic.
 * Cost:   O(n).
 */
int sample_check(const double *x, size_t n, size_t least, struct err *err);

/* ERR_RANGE unless 0 < confidence < 1.  NaN is refused too. */
int sample_check_confidence(double confidence, struct err *err);

/*
 * The k-th value from below, 0 <= k < n; on return none before x[k] is above it, and none behind it
 * below.  Finite values.  Cost: O(n) expected.
 */
double sample_select(double *x, size_t n, size_t k);

/*
 * A copy of x[0..n) in order, upwards, to be freed by the caller; NULL and ERR_NOMEM when memory
 * ran out.  No value may be NaN.  Cost: O(n log n).
 */
double *sample_sorted(const double *x, size_t n, struct err *err);

/* Arithmetic mean, summed in long double so that 1e6 values of 1e9 ns keep all their digits. */
double sample_mean(const double *x, size_t n);

/* Sum of squared distances from their mean (divide by n - 1 for the variance). */
double sample_squares(const double *x, size_t n);

/* The middle of sorted x[0..n), n >= 1; of the two middle ones, their mean. */
double sample_median_sorted(const double *x, size_t n);

#endif
