/*
 * multiple - many benchmarks at once: p values adjusted so that the errors do not add up.
 *
 * Source: Y. Benjamini and Y. Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300.
 */
#ifndef PAWL_STATS_MULTIPLE_H
#define PAWL_STATS_MULTIPLE_H

#include <stddef.h>

#include "lib/base/err.h"

/*
 * Benjamini-Hochberg: benchmark i is flagged at false discovery rate q exactly when out[i] <= q.
 *
 * Shape:  m >= 1 p values in any order; out has room for m and may be p itself.  All benchmarks
 *         that were run must be in it, not only the interesting ones.
 * Errors: ERR_RANGE when m is 0 or a p is not in [0, 1]; ERR_NOMEM; out is untouched.
 * Cost:   O(m log m).
 */
int adjust_bh(const double *p, size_t m, double *out, struct err *err);

#endif
