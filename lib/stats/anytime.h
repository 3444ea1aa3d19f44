/*
 * anytime - a t test that may be looked at after every pair, for ever.
 *
 * The price is power: with the heavy tails of benchmark times and 30 pairs it finds +2 % where the
 * schedules of sequential.h find it twice as surely.  Report only.
 *
 * Source: T. L. Lai, Ann. Statist. 4 (1976) 265-280; H. Wang and A. Ramdas, arXiv:2310.03722.
 */
#ifndef PAWL_STATS_ANYTIME_H
#define PAWL_STATS_ANYTIME_H

#include <stddef.h>

#include "lib/base/err.h"

/*
 * ln of the evidence against "the mean is 0" after n values with t statistic t; c > 0 is the prior
 * weight (about how many values the effect looked for would take; 8 is the method's).
 *
 * Shape:  n >= 2.  t infinite gives the limit.
 * Rejecting as soon as it reaches ln(1/alpha) errs with probability alpha at most, however often
 * one looks.
 */
double anytime_log_e(double t, size_t n, double c);

/*
 * The same from the values: p = min(1, exp(-log_e)) of paired_t(d).
 *
 * Errors: ERR_RANGE when n < 2, a value is not finite, or c is not above 0; *out is untouched.
 */
int anytime_p(const double *d, size_t n, double c, double *out, struct err *err);

#endif
