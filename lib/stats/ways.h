/*
 * ways - in how many ways some of the weights add up to each sum: of fair coins, one a weight, the
 * distribution of the sum of those that fell heads.
 *
 * One weight after the other, in their order: that fixes how sums above 2^53 are rounded, and with
 * it every bit of the answer.  As many ways lead to s as to the sum of all less s, to the very bit,
 * so only the lower half is ever added up.
 *
 * Source: F. Wilcoxon, Biometrics Bulletin 1 (1945) 80-83 (the recursion).
 */
#ifndef PAWL_STATS_WAYS_H
#define PAWL_STATS_WAYS_H

#include <stddef.h>

#include "lib/base/err.h"

enum { WAYS_MAX_WEIGHTS = 1000 }; /* 2^n has to be a double */

/*
 * Fills ways[0..most]: ways[s] is the number of subsets of weight[0..n) whose sum is s.
 *
 * Shape: n <= WAYS_MAX_WEIGHTS, weights >= 1, none smaller than the one before; most is at most
 *        half of the sum of all.
 * Cost:  n * most additions where most is half of the sum: a third of them, four at a time.
 */
void ways_fill(const size_t *weight, size_t n, double *ways, size_t most);

/*
 * *out: the part of all 2^n subsets whose sum is at most `most`.
 *
 * Of 256 weights and more, both halves are filled and their sums joined: half of the additions.  Of
 * 400 and more nothing is added up where the transform tells it (inversion.h).  Both change the
 * last digits: the relative error is below 1e-12.
 *
 * Shape: as of ways_fill().  Errors: ERR_NOMEM.
 * Cost:  for 1,000 weights as ties make them 84 million additions, four at a time, and 4 MB while
 *        it works; by the transform about a tenth of that time, and 56 kB.
 */
int ways_tail(const size_t *weight, size_t n, size_t most, double *out, struct err *err);

#endif
