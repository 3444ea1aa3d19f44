/*
 * sequential - looking at the data before the end without being fooled by it.
 *
 * A schedule of looks is fixed beforehand and each look is judged at one lower, nominal level, so
 * that the chance of any false alarm over all looks stays at the overall level.
 *
 * Source: S. J. Pocock, Biometrika 64 (1977) 191-199.  The levels are those of the exact
 * signed-rank test, simulated, as its p values are too coarse at 10 pairs for the normal tables:
 *         1,000,000 runs each with random signs and random ranks of the sizes
 *         (test_stats_sequential_levels.c).
 *         Under the levels below 4.8 to 5.0 % of these runs were rejected at some look where 5 %
 *         are allowed, 0.96 to 1.01 % where 1 % is; the simulation's standard error is 0.022 % and
 *         0.010 %.  The signs must be fair coins given the sizes; the sizes may have any continuous
 *         distribution, the same for all pairs.
 */
#ifndef PAWL_STATS_SEQUENTIAL_H
#define PAWL_STATS_SEQUENTIAL_H

#include <stddef.h>

#include "lib/base/err.h"

enum { SEQUENTIAL_LOOKS_MAX = 5 };

struct sequential_plan {
	double alpha; /* overall level */
	double level; /* nominal alpha of each look */
	size_t n_looks;
	unsigned pairs[SEQUENTIAL_LOOKS_MAX]; /* at which to look, rising */
};

/*
 * The plan for these looks.  There are plans at 0.05 and 0.01 for {20,25,30} {10,15,20,25,30}
 * {25,50,100} {25,50,100,200,400}, and no others: a level for another schedule would have to be
 * simulated.
 *
 * Errors: ERR_ABSENT when there is no such plan; *out is untouched.
 */
int sequential_plan_find(double alpha, const unsigned *pairs, size_t n_looks,
			 struct sequential_plan *out, struct err *err);

/*
 * The p value that a run of n_looks looks brings into a family: min(1, n_looks * p) of the look
 * it stopped at.  Valid for any stopping reason.  n_looks = 1 changes nothing, 0 counts as 1;
 * NaN stays NaN.
 */
double sequential_p(double p_look, size_t n_looks);

#endif
