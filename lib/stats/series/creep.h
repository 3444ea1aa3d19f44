/*
 * creep - many small steps in one direction: what they sum up to, and how sure that is.
 *
 * Each step's delta may lie below what a gate minds, and below what it can see.  The errors of
 * chained deltas add up, so the sum asks for a direct comparison of both ends; it never gates.
 */
#ifndef PAWL_STATS_SERIES_CREEP_H
#define PAWL_STATS_SERIES_CREEP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

/* How many standard errors the sum must lie from 0. */
#define CREEP_SIGMAS 3.0

/* One step from a commit to the next; logarithms of ratios. */
struct creep_step {
	double d;  /* estimate; 0 for the same machine code */
	double se; /* its standard error; 0 where there is no doubt */
};

struct creep {
	size_t n;
	double change; /* sum of d; exp(change) - 1 is the change as a ratio */
	double se;     /* root of the sum of the squares of se */
	double z;      /* change / se; NaN when se is 0 */
	bool flagged;  /* |change| >= delta_log and |change| > 3 se */
};

/*
 * Sums step[0..n).
 *
 * Shape:  n >= 0 (nothing moved), delta_log = ln(1 + threshold) >= 0.
 * Errors: ERR_RANGE when a number is not finite or an se negative; *out is untouched.
 * Cost:   O(n), no allocation.
 */
int creep_of(const struct creep_step *step, size_t n, double delta_log, struct creep *out,
	     struct err *err);

/*
 * The standard error behind an interval of the normal kind: its width over twice the quantile.
 * NaN when an end is not finite or 0 < confidence < 1 does not hold.
 */
double creep_se(double low, double high, double confidence);

#endif
