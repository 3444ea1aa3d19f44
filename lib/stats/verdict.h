/*
 * verdict - regressed, improved, unchanged or inconclusive, from the log-ratios of pairs.
 *
 * d[i] = ln(head) - ln(base) of pair i, for a metric where less is better; negate d where more is
 * better.  "Regressed" then always means d > 0.  D = delta_log = ln(1 + threshold) is the smallest
 * change that counts.  [low, high] is the exact signed-rank interval at 1 - alpha.
 *
 *   regressed     low > 0 and theta >= D
 *   improved      high < 0 and theta <= -D
 *   unchanged     otherwise, when [tost_low, tost_high] lies strictly inside (-D, D): two
 *                 one-sided tests at alpha each
 *   inconclusive  otherwise
 *
 * This is rule A (docs/decisions/0003-verdict-rule.md).
 *
 * A verdict of pawl asks for more: see family.h, which also raises the noise floor.
 *
 * The noise floor is max(D, (high - low)/2): the smallest |effect| that would have been called
 * regressed or improved in this comparison.  Why: were the true effect theta', the same spread
 * would have put an interval of the same width around an estimate near theta'; it leaves 0 out
 * only when theta' exceeds its half-width, and the estimate is called only from D on.  An effect
 * at the floor is found about half of the time; a smaller one mostly is not.  It is infinite
 * when there are too few pairs for an interval.
 *
 * Source: D. J. Schuirmann, J. Pharmacokin. Biopharm. 15 (1987) 657-680 (two one-sided tests);
 *         F. R. Hampel, J. Amer. Statist. Assoc. 69 (1974) 383-393 (MAD as a yardstick for
 *         outliers); signedrank.h for the interval.
 */
#ifndef PAWL_STATS_VERDICT_H
#define PAWL_STATS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

enum call { CALL_REGRESSED, CALL_IMPROVED, CALL_UNCHANGED, CALL_INCONCLUSIVE };

/* All but p and n on the log scale: exp(x) - 1 is the change as a ratio. */
struct judgement {
	enum call call;
	double theta;		    /* Hodges-Lehmann estimate of the change */
	double low, high;	    /* its exact interval at `confidence` */
	double confidence;	    /* 1 - alpha; judge_family() widens it for the flagged */
	double tost_low, tost_high; /* at 1 - 2 alpha, or at 1 - alpha in a sequential design */
	double p;		    /* two-sided, exact, of this look alone */
	double p_adjusted;	    /* p until judge_family() fills it */
	double noise_floor;	    /* see above; >= D, may be infinite */
	double pairs_needed;	    /* about how many pairs would decide, a whole number; NaN unless
				       inconclusive, and NaN when no number would */
	size_t n;
	size_t n_disturbed; /* pairs further from the median than 5 scaled MADs; kept in all
			       figures. 0 when the MAD is 0 (half of the pairs equal: nothing to
			       scale by) */
};

/*
 * Judges one benchmark by rule A.
 *
 * alpha is the level of this look: 0.05 for a number of pairs fixed beforehand (nearly so when
 * stopped by pairs_narrow_enough()), the nominal level of the schedule (sequential.h) when
 * `sequential`.
 *
 * Shape:  1 <= n <= SIGNED_RANK_MAX, 0 < alpha < 0.5, delta_log >= 0 and finite.  Below 6 pairs
 *         (at 0.05) the answer is always inconclusive.
 * Errors: ERR_RANGE for what is outside these or a d that is not finite: a pair without a ratio is
 *         void, and it is the caller who decided to repeat it.  ERR_LIMIT, ERR_NOMEM.  *out is
 *         untouched.
 * Cost:   that of signed_rank().
 */
int judge_pairs(const double *d, size_t n, double alpha, bool sequential, double delta_log,
		struct judgement *out, struct err *err);

/*
 * How many of d[0..n) are disturbed (see n_disturbed), and which: out_which has room for n, or is
 * NULL.  Errors: ERR_RANGE (n 0, a value), ERR_NOMEM.
 */
int pairs_disturbed(const double *d, size_t n, bool *out_which, size_t *out_n, struct err *err);

/* Rule A on intervals already made; only theta and the intervals are read. */
enum call call_rule_a(const struct judgement *judged, double delta_log);

/*
 * The rule for "start with 20 pairs, go on to 30": true when (high - low)/2 <= D/2 for the plain
 * interval at `confidence`.
 *
 * It looks at the spread, not at the sign of the effect, but it is not free: the width of the
 * interval depends a little on the signs of d, and stopping on a narrow one favours intervals
 * that are too narrow (Y. S. Chow and H. Robbins, Ann. Math. Statist. 36 (1965) 457-462).  With no
 * change, p <= 0.05 came in 5.3 % (spiked noise) and 5.5 % (normal) of 120,000 simulated runs of
 * 20 to 30 pairs, against 4.9 and 5.0 % at 30 pairs fixed.  Calls by rule A stayed below 0.1 %.
 * Where 5 % must hold exactly, fix the number of pairs or use a plan of sequential.h.
 *
 * Shape and errors: as judge_pairs(); *out is untouched on error.
 */
int pairs_narrow_enough(const double *d, size_t n, double confidence, double delta_log, bool *out,
			struct err *err);

#endif
