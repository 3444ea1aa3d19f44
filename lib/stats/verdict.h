/*
 * verdict - regressed, improved, unchanged or inconclusive, from the log-ratios of pairs.
 *
 * The one rule of pawl.  d[i] = ln(head) - ln(base) of pair i, for a metric where less is better;
 * negate d where more is better: "regressed" then always means d > 0.  D = ln(1 + threshold) is the
 * smallest change that counts, theta the Hodges-Lehmann estimate, [low, high] its exact signed-rank
 * interval at VERDICT_CONFIDENCE: the one that is printed.
 *
 *   regressed     theta >= D, low > D/2, and the change is significant
 *   improved      theta <= -D, high < -D/2, and the change is significant
 *                 (either only beyond what the same code differed by: struct widening)
 *   unchanged     [low, high] lies strictly inside (-D, D); of differences of what is counted the
 *                 interval of their mean does, too (judge_counts())
 *   inconclusive  otherwise
 *
 * Where something sticks to one side for many pairs neither interval nor p can be trusted: then all
 * pairs but a tenth at either end lie where the interval has to, beyond D/2 or inside of (-D, D),
 * so that it is so in each of the states.
 *
 * Significant: the p value, times the number of decision points that were planned (points.h), and
 * adjusted for all benchmarks judged together (Benjamini-Hochberg), is at most VERDICT_RATE.
 *
 * Every decision point of a comparison asks this rule, with the p of a benchmark that is the only
 * significant one of all: what is called then stays so when all are judged together.  So is the
 * number of pairs at which it may end, and what layouts widen it by (lib/judge/widening.h):
 * measuring never stops on another figure than is reported.
 *
 * Why these numbers: tests/unit/collector/schedule/test_collector_schedule_rates.c counts what they
 * come to through the collector's own schedule; docs/decisions/0020-one-rule.md has the table.
 *
 * Source: C. E. Bonferroni (1936) (times the decision points); multiple.h (all benchmarks);
 *         D. J. Schuirmann, J. Pharmacokin. Biopharm. 15 (1987) 657-680 (unchanged: both one-sided
 *         tests); F. R. Hampel, J. Amer. Statist. Assoc. 69 (1974) 383-393 (MAD as a yardstick for
 *         outliers); signedrank.h (estimate, interval, p); G. Y. Zou and A. Donner, Statist. Med.
 * 27 (2008) 1693-1702 (an interval of a sum from those of its parts: judge_widen()); B. L. Welch,
 *         Biometrika 34 (1947) 28-35 (its degrees of freedom).
 */
#ifndef PAWL_STATS_VERDICT_H
#define PAWL_STATS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

#define VERDICT_RATE 0.005	/* of false discoveries, over everything that was run */
#define VERDICT_CONFIDENCE 0.98 /* of the printed interval */
#define VERDICT_MARGIN 0.5	/* of D: what a called interval lies beyond */
#define VERDICT_STREAKS 0.001
#define VERDICT_STEADY \
	0.1 /* the share of pairs at either end that may be in no state of their own */
#define VERDICT_FEWEST_PAIRS 9 /* with fewer no p can be as small as VERDICT_RATE */

enum call { CALL_REGRESSED, CALL_IMPROVED, CALL_UNCHANGED, CALL_INCONCLUSIVE };

/*
 * What pairs share and could not see, a draw of its own in the change: normal, of mean 0 and of a
 * variance that was estimated elsewhere with df degrees of freedom.  variance 0: nothing.
 */
struct widening {
	double variance, df; /* of a logarithm; df >= 1 unless variance is 0 */
	double least;	     /* what the same code differed by, a logarithm: no less is called */
};

/* What a benchmark is judged by. */
struct judge_terms {
	double delta_log; /* D; >= 0 and finite */
	size_t n_points;  /* decision points that were planned; 1 for a number of pairs fixed before
			   */
	size_t m;	  /* benchmarks that are judged together, itself included; >= 1 */
};

/* theta, low, high and noise_floor on the log scale: exp(x) - 1 is the change as a ratio. */
struct judgement {
	struct judge_terms terms;
	enum call call;
	double theta;	    /* Hodges-Lehmann estimate of the change */
	double low, high;   /* its interval at VERDICT_CONFIDENCE, exact where pairs share nothing;
			       infinite below 7 pairs, and with 2 to 6 layouts used again */
	double p;	    /* two-sided, exact, of these pairs alone */
	double p_adjusted;  /* as the rule takes it; of the only significant one of m until
			       judge_family() was called */
	double noise_floor; /* the smallest |change| that the rule would have called in this
			       spread, half of the time; >= D, may be infinite */
	size_t n;	    /* 0: it was run and gave nothing; p is 1 */
	size_t n_disturbed; /* pairs further from the median than 5 scaled MADs; kept in all
			       figures. 0 when the MAD is 0 (half of the pairs equal: nothing to
			       scale by) */
	double half;	    /* half of the interval of the pairs alone: more pairs narrow it */
	struct widening shared; /* and what it was widened by, which they do not */
	bool is_rare; /* of counts: the few pairs that differ move the mean by D and more, or may */
	double steady_low, steady_high; /* the pairs, but for VERDICT_STEADY at either end */
	bool sticks; /* something stays with one side for many pairs: pairs_streaks() is at
			most VERDICT_STREAKS; neither interval nor p can be trusted then */
};

/*
 * Judges one benchmark by its pairs, as the only significant one of terms->m.
 *
 * Shape:  1 <= n <= SIGNED_RANK_MAX.
 * Errors: ERR_RANGE for terms outside their range or a d that is not finite: a pair without a ratio
 *         is void, and it is the caller who decided to repeat it.  ERR_LIMIT, ERR_NOMEM.  *out is
 *         untouched.
 * Cost:   that of signed_rank().
 */
int judge_pairs(const double *d, size_t n, const struct judge_terms *terms, struct judgement *out,
		struct err *err);

/*
 * The same of pairs of which those with the same key share something, their layouts: estimate and
 * order are of all pairs, interval and p hold over clusters (clusters_signed_rank()).  key NULL:
 * they share nothing.
 */
int judge_clusters(const double *d, const double *key, size_t n, const struct judge_terms *terms,
		   struct judgement *out, struct err *err);

/*
 * Widens what judge_pairs() made of pairs that share a cause which it could not see: both sides in
 * one layout alone.  The interval is that of the sum; p is the larger of the exact one and
 * Student's of the sum; call and noise_floor follow.
 *
 * Shape:  a variance and a least >= 0 and finite.  Where there is no interval, or both are 0,
 *         nothing changes.
 */
void judge_widen(struct judgement *judged, struct widening shared);

/*
 * Looks at differences of what a program counts, d[0..n) of judge_pairs(): the estimate is that of
 * the typical pair, and what happens in one run of ten does not move it, nor its interval.  Of
 * times that is the machine's doing; of counts it is the program's.  So they are unchanged only
 * where Student's interval of the mean lies inside (-D, D), too; n >= 2.
 */
void judge_counts(struct judgement *judged, const double *d, size_t n);

/*
 * Judges m benchmarks together: fills p_adjusted and call from what judge_pairs() made of each.
 * All that were run must be among them; one that gave nothing has n 0 and stays as it is.
 *
 * Shape:  m >= 1.  Errors: ERR_RANGE for a p outside [0, 1]; ERR_NOMEM.  Cost: O(m log m).
 */
int judge_family(struct judgement *judged, size_t m, struct err *err);

/*
 * Whether n pairs would decide it if the estimate moved by `moved` standard errors of the pairs,
 * whichever way suits best, and the spread stayed: 0 for a forecast, 1 for the question whether
 * going on is in vain.  What it was widened by stays.  Looks at terms, theta, n, half and shared
 * alone.  False while it has no interval.
 */
bool judge_would_decide(const struct judgement *judged, size_t n, double moved);

/*
 * The error of an estimate by `most` pairs over that by n, whose interval is so wide with what they
 * share: half of it is half.  sqrt(n / most) where they share nothing; 1 where that is all.
 */
double judge_narrows(double half, const struct widening *shared, size_t n, size_t most);

/*
 * The smallest |change| that is called nine times in ten, where half of the interval of the pairs
 * is `half` when measuring ends, and nothing less than `least` is called: log scale.  An estimate
 * lies on either side of its truth, so that a change of the threshold is called half of the time.
 */
double judge_surely_found(const struct judge_terms *terms, double half, double least);

/*
 * How many of d[0..n) are disturbed (see n_disturbed), and which: out_which has room for n, or is
 * NULL.  sorted: the same values, upwards.  n >= 1, finite values.
 */
size_t pairs_disturbed(const double *d, const double *sorted, size_t n, bool *out_which);

/*
 * The chance that d[0..n), were each pair independent of the one before, changed between above and
 * below their median as seldom as they do (A. Wald and J. Wolfowitz, Ann. Math. Statist. 11 (1940)
 * 147-162; exact).  Small: something stays with one side for many pairs, and neither interval nor p
 * hold.  1 when half of the values are equal.  Of a chance above enough any value above it is
 * given, which costs less; enough 1: the chance itself.  sorted: the same values, upwards.
 * 1 <= n <= SIGNED_RANK_MAX, finite values.
 */
double pairs_streaks(const double *d, const double *sorted, size_t n, double enough);

#endif
