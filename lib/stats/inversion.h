/*
 * inversion - of fair coins with weights, how likely the weights of those that fell heads add up to
 * at most so much: from the transform of the sum, not by counting.
 *
 * The coins are loaded so that the sum's middle comes to where it is asked for; then some hundred
 * values of the transform near 0 are all that counts.  That the others count nothing is not taken
 * for granted but shown, for the very weights: where it cannot be (few different weights, whose
 * sums are on a grid) there is no answer, and the caller counts (ways.h).
 *
 * Source: J. Abate, W. Whitt, Oper. Res. Lett. 12 (1992) 245-251 (the inversion, what is folded);
 *         H. E. Daniels, Int. Statist. Rev. 55 (1987) 37-48 (loading the coins);
 *         W. Hoeffding, J. Amer. Statist. Assoc. 58 (1963) 13-30 (the bound on what is folded).
 */
#ifndef PAWL_STATS_INVERSION_H
#define PAWL_STATS_INVERSION_H

#include <stdbool.h>
#include <stddef.h>

/*
 * *out: the part of all 2^n subsets of weight[0..n) whose sum is at most `most`.
 *
 * Shape:   weights >= 1, none smaller than the one before; most is at most half of the sum of all.
 * Returns: false, and *out is untouched, where the relative error is not shown to be below
 *          1e-12, or memory is missing.
 * Cost:    some hundred complex multiplications and some thousand cosines, by recurrence, for each
 *          different weight.
 */
bool inversion_tail(const size_t *weight, size_t n, size_t most, double *out);

#endif
