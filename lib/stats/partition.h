/*
 * partition - the best split of a series into stretches of one level each.
 *
 * A second opinion beside changepoint.h: it has no windows and no p values, only a price for each
 * change.
 *
 * Source: B. Jackson et al., IEEE Signal Process. Lett. 12 (2005) 105-108 (optimal partition);
 *         F. R. Hampel, J. Amer. Statist. Assoc. 69 (1974) 383-393 (MAD).
 */
#ifndef PAWL_STATS_PARTITION_H
#define PAWL_STATS_PARTITION_H

#include <stddef.h>

#include "lib/base/err.h"

enum { PARTITION_MAX = 20000 };

/*
 * The split of x[0..n) into stretches that minimises the sum over stretches of
 * sum((x - mean)^2)/sigma^2 plus `penalty` for each change: starts of all stretches but the first
 * in out_cuts (room for n), rising.
 *
 * Shape:  1 <= n <= PARTITION_MAX, sigma > 0, penalty >= 0 (3 ln n, cautious: 8 ln n).
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM.
 * Cost:   O(n^2) time, O(n) memory.
 */
int partition_optimal(const double *x, size_t n, double sigma, double penalty, size_t *out_cuts,
		      size_t *out_n, double *out_cost, struct err *err);

/*
 * The noise of x from its steps, which a few changes of level do not disturb: scaled MAD of
 * x[i+1] - x[i], over the square root of 2.  May be 0.
 *
 * Shape:  n >= 2.  Errors: ERR_RANGE, ERR_NOMEM; *out is untouched.
 */
int partition_sigma(const double *x, size_t n, double *out, struct err *err);

#endif
