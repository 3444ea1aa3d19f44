/*
 * sequential - looking at the data before the end without being fooled by it.
 *
 * A schedule of looks is fixed beforehand and each look is judged at its own nominal level, so
 * that the chance of any false alarm over all looks stays at the overall level.
 *
 * Source: S. J. Pocock, Biometrika 64 (1977) 191-199; P. C. O'Brien and T. R. Fleming, Biometrics
 *         35 (1979) 549-556.  The levels are those of the exact signed-rank test, simulated, as its
 *         p values are too coarse at 10 pairs for the normal tables: 1,000,000 runs each with
 *         random signs and random ranks of the sizes (test_stats_sequential_levels.c).
 *         Under the levels below 4.8 to 5.0 % of these runs were rejected at some look where 5 %
 *         are allowed, 0.96 to 1.01 % where 1 % is; the simulation's standard error is 0.022 % and
 *         0.010 %.  The signs must be fair coins given the sizes; the sizes may have any continuous
 *         distribution, the same for all pairs.
 */
#ifndef PAWL_STATS_SEQUENTIAL_H
#define PAWL_STATS_SEQUENTIAL_H

#include <stddef.h>

#include "lib/base/err.h"

enum sequential_kind { SEQUENTIAL_POCOCK, SEQUENTIAL_OBRIEN_FLEMING };

enum { SEQUENTIAL_LOOKS_MAX = 5 };

struct sequential_plan {
	enum sequential_kind kind;
	double alpha; /* overall level */
	size_t n_looks;
	unsigned pairs[SEQUENTIAL_LOOKS_MAX]; /* at which to look, rising */
	double level[SEQUENTIAL_LOOKS_MAX];   /* nominal alpha of each look */
};

/*
 * The plan for these looks.  There are plans for
 *   Pocock, 0.05: {20,30} {20,25,30} {15,20,25,30} {10,15,20,25,30} {20,30,60} {25,50,100}
 *                 {25,50,100,200,400}
 *   Pocock, 0.01: {20,25,30} {10,15,20,25,30} {20,30,60} {25,50,100} {25,50,100,200,400}
 *   O'Brien-Fleming, 0.05: {20,25,30}
 * and no others: a level for another schedule would have to be simulated.
 *
 * Errors: ERR_ABSENT when there is no such plan; *out is untouched.
 */
int sequential_plan_find(enum sequential_kind kind, double alpha, const unsigned *pairs,
			 size_t n_looks, struct sequential_plan *out, struct err *err);

/*
 * The p value that a run of n_looks looks brings into a family: min(1, n_looks * p) of the look
 * it stopped at.  Valid for any stopping reason.  n_looks = 1 changes nothing, 0 counts as 1;
 * NaN stays NaN.
 */
double sequential_p(double p_look, size_t n_looks);

#endif
