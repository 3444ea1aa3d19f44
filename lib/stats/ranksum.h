/*
 * ranksum - two samples that are not paired: Mann-Whitney test and Hodges-Lehmann shift.
 *
 * For results without pairs (imported ones, `report A..B` over stored samples).  Shown, never a
 * verdict: runs of two sessions differ by more than their noise for no fault of the code.
 *
 * Source: H. B. Mann and D. R. Whitney, Ann. Math. Statist. 18 (1947) 50-60; J. L. Hodges and
 *         E. L. Lehmann, Ann. Math. Statist. 34 (1963) 598-611.
 */
#ifndef PAWL_STATS_RANKSUM_H
#define PAWL_STATS_RANKSUM_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

/* Up to this many values a side, p and interval are exact; beyond, normal. */
enum { RANK_SUM_EXACT_MAX = 50 };
/* More differences than this are refused (32 MB). */
enum { RANK_SUM_PRODUCT_MAX = 4000000 };

struct rank_sum {
	size_t n_x, n_y;
	double statistic;   /* number of pairs with y > x, plus half of those equal */
	double p;	    /* two-sided: p_exact where exact, else p_corrected */
	bool exact;	    /* also with ties: conditional on them */
	double p_corrected; /* normal, with continuity correction */
	double p_normal;    /* normal, without */
	double shift;	    /* median of all y - x; unit of the values */
	double low, high;   /* interval of shift; infinite when there are too few values */
	double confidence;  /* as asked */
};

/*
 * How far y lies above x.
 *
 * Shape:  n_x >= 1, n_y >= 1, any order, not modified.
 * Errors: ERR_RANGE when a side is empty, a value is not finite, the shift does not fit a double,
 * or confidence is not inside (0, 1); ERR_LIMIT when n_x * n_y > RANK_SUM_PRODUCT_MAX; ERR_NOMEM.
 * *out is untouched. Cost:   O(n_x n_y log) for the shift; exact p: (n_x + n_y) n_x^2 n_y at most,
 * 30 + 30: 1 ms.
 */
int rank_sum(const double *x, size_t n_x, const double *y, size_t n_y, double confidence,
	     struct rank_sum *out, struct err *err);

/*
 * P(U <= u) without ties, m and n values.
 *
 * Shape:  1 <= m, n <= RANK_SUM_EXACT_MAX; any u: 0 below the range, 1 above.
 * Errors: ERR_RANGE, ERR_NOMEM.
 */
int rank_sum_tail(double u, size_t m, size_t n, double *out, struct err *err);

/* The largest u with P(U <= u) <= alpha/2; -1 when there is none.  As rank_sum_tail. */
int rank_sum_cut(size_t m, size_t n, double alpha, long *out, struct err *err);

#endif
