/*
 * groups - whether the values of a sample fall into two groups far apart.
 *
 * Some programs have two speeds (how their memory happens to be laid out, which core they got).
 * No one number then says how fast they are, and a reader should know.  This never decides a
 * verdict: the signed-rank test holds for any shape.
 *
 * The sample is cut at its widest gap that leaves at least a quarter of the values on either side:
 * a few spikes make no group.  The groups are far apart when the gap is
 * wider than GROUPS_GAP times the greater of their spreads (scaled MAD), and Ashman's
 * D = |m1 - m2| / sqrt((s1^2 + s2^2)/2), of medians and scaled MADs, is above GROUPS_D.
 *
 * One group was called two in this share of 100,000 simulated samples each: normal 0.10 % of those
 * of 20 values, 0.01 % of 25, 0.002 % of 30; normal with 10 % exponential spikes ten times as wide
 * 0.11, 0.003, 0.001 %; log-normal (sigma 1) 0.65, 0.11, 0.03 %; exponential 0.58, 0.08, 0.02 %;
 * uniform 0.31, 0.05, 0.02 %; none of these of 50 or 100 values.  Two normal groups of the same
 * size are found in nine of ten samples of 25 values from a distance of nine standard deviations
 * on.
 *
 * Source: K. M. Ashman, C. M. Bird and S. E. Zepf, Astron. J. 108 (1994) 2348-2361 (D; they ask for
 *         more than 2 of groups known beforehand, groups cut out of one sample need more);
 *         F. R. Hampel, J. Amer. Statist. Assoc. 69 (1974) 383-393 (MAD).
 */
#ifndef PAWL_STATS_GROUPS_H
#define PAWL_STATS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

#define GROUPS_LEAST 20 /* values; fewer are never found to be two groups */
#define GROUPS_GAP 3.0
#define GROUPS_D 6.0

struct groups {
	bool found;   /* two groups far apart; the rest is then filled too, else it may be NaN */
	size_t n_low; /* values in the lower one */
	double low, high; /* medians of the two; unit of the sample */
	double gap;	  /* widest gap over the greater spread; infinite when both are 0 */
	double d;	  /* Ashman's D; likewise */
};

/*
 * Shape:  n >= 1, any order, not modified.
 * Ties:   values of a coarse clock may all be equal inside their groups: the spread is 0 and any
 *         gap is wide.
 * Errors: ERR_RANGE when n is 0 or a value is not finite, ERR_NOMEM; *out is untouched.
 * Cost:   O(n log n), two copies.
 */
int groups_of(const double *x, size_t n, struct groups *out, struct err *err);

#endif
