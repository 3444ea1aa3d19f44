/*
 * walsh - the pairwise averages of one sample and every interval of its centre they give.
 *
 * A verdict needs several intervals of the same pairs (95 % to call, 90 % for "unchanged", the
 * FCR level for flagged ones), thus a handful of the n(n+1)/2 averages.  They are never written
 * out: with the values in order their rows and columns are in order too, and the one of a given
 * rank is found in it.  The distribution of a number of values is worked out once in a process.
 *
 * Narrowed, only those of values that are near each other in order are taken: the ranks of the test
 * then rise to a quarter of the values and stay there, so that how far out the others lie does
 * not matter.  Where the tails are heavy half of the values, or fewer, tell as much; of normal ones
 * it takes a quarter more.
 *
 * Source: J. W. Tukey (the averages, named after J. E. Walsh); J. L. Hodges and E. L. Lehmann,
 *         Ann. Math. Statist. 34 (1963) 598-611 (the median of them);
 *         F. Wilcoxon, Biometrics Bulletin 1 (1945) 80-83 (the distribution);
 *         G. E. Noether, J. Amer. Statist. Assoc. 68 (1973) 716-719 (scores that stop rising; that
 *         they are those of averages of near values is seen by moving the centre past one: two
 *         values change ranks, and only if neither is beyond the last score does the sum);
 *         R. V. Hogg, J. Amer. Statist. Assoc. 69 (1974) 909-923 (scores chosen by the tails);
 *         J. F. Monahan, ACM Trans. Math. Software 10 (1984) 265-270 (selecting by the middle of a
 *         row drawn at random).
 */
#ifndef PAWL_STATS_WALSH_H
#define PAWL_STATS_WALSH_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

/* More values than this are refused: 2^-n still is a double, and 2^n. */
enum { WALSH_MAX = 1000 };

#define WALSH_SUITS_FROM 12
#define WALSH_TAIL_AT 2.2 /* scaled MADs */

struct walsh {
	size_t n;      /* values */
	size_t reach;  /* averages are of values fewer than so many places apart in order; n: of all
			*/
	size_t n_sums; /* so many averages: n(n+1)/2 of all */
	double *x;     /* the values, sorted; unit of the sample */
	size_t *cuts;  /* room for walsh_nth() */
	const double
		*tail; /* tail[t] = P(T <= t), t = 0..n_sums/2, T = the signed-rank sum, of
			  ranks to reach, no ties; shared with all others of the same n, or own */
	double *own;   /* tail, when it is not shared */
};

#define WALSH_INIT \
	{ \
		0, 0, 0, NULL, NULL, NULL, NULL \
	}

/*
 * Builds *out from d[0..n).  walsh_release() accepts WALSH_INIT and what a failure left.
 *
 * Shape:  1 <= n <= WALSH_MAX, any order, not modified.
 * Errors: ERR_RANGE when n is 0 or a value is not finite, ERR_LIMIT when n > WALSH_MAX,
 *         ERR_NOMEM; *out is untouched.
 * Cost:   O(n log n) and 40 n bytes; the first time that this n is met, n^3/12 additions and
 *         2 n^2 bytes more for the distribution, which stay.
 */
int walsh_build(const double *d, size_t n, struct walsh *out, struct err *err);
void walsh_release(struct walsh *walsh);

/*
 * Narrows *walsh, just built, to averages within a quarter of the values: a reach of (n + 3) / 4.
 * Errors: ERR_NOMEM; *walsh is as it was.  Cost: as for the distribution of walsh_build().
 */
int walsh_narrow(struct walsh *walsh, struct err *err);

/*
 * Whether the tails are heavy as seen from that centre: of at least WALSH_SUITS_FROM values a tenth
 * or more lie further from it than WALSH_TAIL_AT scaled MADs, where of normal ones 3 in 100 do.
 * False where the centre is not finite.
 *
 * It says nothing about on which side of the centre the values lie.  So a test that this centre is
 * the true one may take other ranks where it is true, and its p stays exact.
 *
 * Cost: O(n).
 */
bool walsh_is_heavy(const struct walsh *walsh, double centre);

/*
 * The average of rank k from below, k = 0..n_sums-1: the very bits that sorting them all would
 * give.
 *
 * Not from two threads at once for one *walsh.
 * Cost: O(n log n) expected, for any values.
 */
double walsh_nth(const struct walsh *walsh, size_t k);

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
 * Fills tail[0..half of all] (rounded down) with P(T <= t), T the sum of those of the ranks 1..n
 * whose fair coin fell heads, each rank above `reach` (1..n) as reach.  Exact to n = 53, relative
 * error below 1e-12 to n = WALSH_MAX.
 */
void walsh_null(size_t n, size_t reach, double *tail);

#endif
