/*
 * energy - the energy distance of two neighbouring stretches of a series, and where it is largest.
 *
 * Source: D. S. Matteson and N. A. James, J. Amer. Statist. Assoc. 109 (2014) 334-345.
 */
#ifndef PAWL_STATS_ENERGY_H
#define PAWL_STATS_ENERGY_H

#include <stddef.h>

#include "lib/base/err.h"

enum { ENERGY_POINTS_MAX = 1000 };

/*
 * The energy distance of x[start..tau) and x[tau..kappa):
 *   2/(m+n) S_xy - 2m/((m+n)(n-1)) S_x - 2n/((m+n)(m-1)) S_y,
 * n points before and m after, S sums of |x_i - x_j| over pairs; the term of a side with one
 * point is 0.
 *
 * Shape:  start < tau < kappa <= the length of x.  Cost: O((kappa - start)^2).
 */
double energy_distance(const double *x, size_t start, size_t tau, size_t kappa);

/*
 * The tau and kappa in (0, n] with the largest energy distance, with `least` points or more in
 * x[0..tau), x[tau..kappa) and x[tau..n); of equal ones the first.
 *
 * Shape:  least >= 1, 2 * least <= n <= ENERGY_POINTS_MAX.
 * Errors: ERR_RANGE, ERR_NOMEM.
 * Cost:   O(n^2) time and memory.
 */
int energy_candidate(const double *x, size_t n, size_t least, size_t *out_tau, size_t *out_kappa,
		     double *out_q, struct err *err);

#endif
