/*
 * signedrank - the signed-rank test, its estimate and its interval, exact.
 *
 * Run on the log-ratios of pairs whose order a fair coin decided, the p value is exact under
 * "both sides are the same" whatever the noise looks like: given |d|, the signs are fair coins.
 *
 * Source: F. Wilcoxon, Biometrics Bulletin 1 (1945) 80-83; J. L. Hodges and E. L. Lehmann,
 *         Ann. Math. Statist. 34 (1963) 598-611; J. W. Pratt, J. Amer. Statist. Assoc. 54 (1959)
 *         655-667 (zeros keep their ranks).
 */
#ifndef PAWL_STATS_SIGNEDRANK_H
#define PAWL_STATS_SIGNEDRANK_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/stats/walsh.h"

enum { SIGNED_RANK_MAX = WALSH_MAX };

struct signed_rank {
	size_t n;
	double theta;	  /* Hodges-Lehmann estimate, of the averages that walsh takes; unit of d */
	double low, high; /* exact interval, low <= theta <= high; infinite when n is too small */
	double confidence;	 /* as asked, 0..1 */
	double exact_confidence; /* what the interval really has without ties, >= confidence */
	double p;		 /* two-sided, exact also with ties; 0 < p <= 1 */
	double statistic;	 /* V: number of Walsh averages > 0, plus half of those == 0 */
};

/*
 * One-sample location and test against 0 of d[0..n).
 *
 * d is a sample of log-ratios of pairs (see pairs_log_ratio) or any other sample whose centre is
 * wanted: for a plain sample, theta and the interval are its location and p has no use.
 *
 * Shape:  1 <= n <= SIGNED_RANK_MAX, any order, not modified.  n < 6 has no finite 95 % interval.
 * Units:  theta, low, high carry the unit of d.
 * Ties:   p is conditional on |d|: exact with equal |d| and with zeros (all zeros: p = 1).
 *         The interval uses the cut for untied values, which with ties is on the safe side.
 *         Without ties and zeros, p <= 1 - confidence exactly when 0 is outside [low, high].
 * Errors: ERR_RANGE when n is 0, a value is not finite, or confidence is not inside (0, 1);
 *         ERR_LIMIT when n > SIGNED_RANK_MAX; ERR_NOMEM.  *out is untouched.
 * Cost:   O(n log n), and walsh_build()'s distribution the first time that this n is met; with ties
 *         one of its own (ways.h), n^3/6 additions at most.
 */
int signed_rank(const double *d, size_t n, double confidence, struct signed_rank *out,
		struct err *err);

/*
 * The same of the d that walsh was built from, narrowed or not, for callers that need more of it.
 * Ties of narrowed ranks: a midrank counts as much as the last rank that counts, at most.
 */
int signed_rank_from(const struct walsh *walsh, double confidence, struct signed_rank *out,
		     struct err *err);

/*
 * out[i] = ln(head[i] / base[i]): positive where head is larger.
 *
 * Swapping the sides negates every bit, and equal ratios give equal numbers (100/101 and 200/202),
 * so that ties of a coarse clock are seen as ties.
 *
 * Shape:  n >= 1 pairs; out has room for n and may be head or base.
 * Errors: ERR_RANGE when a value is not a finite number above 0 or the quotient does not fit a
 *         double; out is then partly written.
 */
int pairs_log_ratio(const double *base, const double *head, size_t n, double *out, struct err *err);

#endif
