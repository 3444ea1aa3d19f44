/*
 * energy - the energy distance of two neighbouring stretches of a series, and where it is largest.
 *
 * Source: D. S. Matteson and N. A. James, J. Amer. Statist. Assoc. 109 (2014) 334-345.
 */
#ifndef PAWL_STATS_SERIES_ENERGY_H
#define PAWL_STATS_SERIES_ENERGY_H

#include <stddef.h>

#include "lib/base/err.h"

enum { ENERGY_POINTS_MAX = 1000 };

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
