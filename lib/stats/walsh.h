/*
 * walsh - the pairwise averages of one sample and every interval of its centre they give.
 *
 * A verdict needs several intervals of the same pairs (95 % to call, 90 % for "unchanged", the
 * FCR level for flagged ones).  Sorting the n(n+1)/2 averages is nearly the whole cost, so it is
 * done once here and the intervals are read off.
 *
 * Source: J. W. Tukey (the averages, named after J. E. Walsh); J. L. Hodges and E. L. Lehmann,
 *         Ann. Math. Statist. 34 (1963) 598-611 (the median of them);
 *         F. Wilcoxon, Biometrics Bulletin 1 (1945) 80-83 (the distribution).
 */
#ifndef PAWL_STATS_WALSH_H
#define PAWL_STATS_WALSH_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

/* More values than this are refused: 1000 cost 0.07 s and 6 MB, and 2^-n still is a double. */
enum { WALSH_MAX = 1000 };

struct walsh {
	size_t n;      /* values */
	size_t n_sums; /* n(n+1)/2 averages */
	double *w;     /* the averages, sorted; unit of the sample */
	double *tail;  /* tail[t] = P(T <= t), t = 0..n_sums/2, T = the signed-rank sum, no ties */
};

#define WALSH_INIT \
	{ \
		0, 0, NULL, NULL \
	}

/*
 * Builds *out from d[0..n).  walsh_release() accepts WALSH_INIT and what a failure left.
 *
 * Shape:  1 <= n <= WALSH_MAX, any order, not modified.
 * Errors: ERR_RANGE when n is 0 or a value is not finite, ERR_LIMIT when n > WALSH_MAX,
 *         ERR_NOMEM; *out is untouched.
 * Cost:   O(n^2 log n) for the averages, n^3/6 additions for the distribution.
 */
int walsh_build(const double *d, size_t n, struct walsh *out, struct err *err);
void walsh_release(struct walsh *walsh);

/* Hodges-Lehmann: the median of the averages. */
double walsh_median(const struct walsh *walsh);

/*
 * The exact interval at `confidence` (0 < confidence < 1): [W_(k+1), W_(N-k)], where k is the
 * largest t with P(T <= t) <= (1 - confidence)/2.
 *
 * Where no such t exists (n too small for the confidence) the interval is (-inf, +inf): that is
 * the honest answer, and no verdict follows from it.
 * Returns the confidence that the interval really has: >= confidence, 1 for the infinite one.
 */
double walsh_interval(const struct walsh *walsh, double confidence, double *out_low,
		      double *out_high);

/*
 * Fills tail[0..n(n+1)/4] (rounded down) with P(T <= t), T the sum of those of the ranks 1..n
 * whose fair coin fell heads.  Exact to n = 53, relative error below 1e-12 to n = WALSH_MAX.
 */
void walsh_null(size_t n, double *tail);

/*
 * P(T <= t) for n values without ties.
 *
 * Shape:  1 <= n <= WALSH_MAX; any t: 0 below the range, 1 above it.
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM.
 */
int walsh_tail(size_t n, double t, double *out, struct err *err);

/*
 * The largest t with P(T <= t) <= alpha/2; -1 when there is none.
 *
 * Shape:  1 <= n <= WALSH_MAX, 0 < alpha < 1.
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM.
 */
int walsh_cut(size_t n, double alpha, long *out, struct err *err);

#endif
