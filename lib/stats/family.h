/*
 * family - the benchmarks of one comparison judged together.
 *
 * Twenty benchmarks judged one by one at 5 % raise a false alarm on 61 % of harmless commits;
 * together, with the threshold, on 2 %.
 *
 * Source: multiple.h for the adjustment and the level of the intervals.
 */
#ifndef PAWL_STATS_FAMILY_H
#define PAWL_STATS_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/stats/verdict.h"

#define FAMILY_FDR 0.05	  /* rate of false discoveries that pawl allows over everything run */
#define FAMILY_SURE 0.002 /* p_adjusted up to which it calls a weak change all the same */

/* One benchmark of a family. */
struct family_member {
	const double *d; /* as given to judge_pairs(); not owned */
	size_t n;	 /* 0: it was run but failed, and counts with p = 1 */
	double alpha;
	double delta_log;
	size_t n_looks;		 /* looks of the schedule; 1 when n was fixed */
	struct judgement judged; /* in: from judge_pairs(); out: see judge_family() */
	bool flagged;		 /* out: p_adjusted <= q */
};

/*
 * Judges all benchmarks of one comparison together: Benjamini-Hochberg at rate q over everything
 * that was run, then the threshold, then the strength of what is left.
 *
 * Strength: where pairs scatter by less than the threshold, an estimate that reaches D is far from
 * 0 anyway.  Where they scatter by more, the threshold filters nothing, and a quiet benchmark
 * judged alone would be called regressed once in 40 times at q = 0.05.  So a change is *weak* when
 * its interval comes nearer to 0 than half of D (of the estimate, where the interval's half-width
 * exceeds D), and a weak one is called only when p_adjusted <= sure.  What is not weak is as sure
 * without, also with pairs too few for so small a p.
 *
 * Fills p_adjusted (of min(1, n_looks * p)) and flagged.  A regressed or improved benchmark that
 * is flagged keeps its call and gets the wider of its interval and the one at the FCR level
 * 1 - q k/m, k the number flagged, `confidence` saying so; should ties in d make that interval
 * reach 0, it becomes inconclusive.  One that was significant only by itself, or that is weak and
 * not sure, becomes inconclusive (it cannot be unchanged: its estimate reached D) with the pairs it
 * would need.  All others keep what they had.
 *
 * noise_floor becomes the smallest effect that one benchmark alone would have needed:
 * max(D, c (high - low)/2), c the normal quantile that FAMILY_SURE needs over that of alpha (1.58
 * at 0.05), at most 2, from where on nothing is weak.
 *
 * Shape:  m >= 1 members, n_looks >= 1, 0 < sure <= q < 1; sure = q: weak ones are called, too.
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM; the members may then be partly filled.
 * Cost:   O(m log m), and signed_rank()'s for each flagged one.
 */
int judge_family(struct family_member *member, size_t m, double q, double sure, struct err *err);

/*
 * What judge_family() makes of one of m members, at FAMILY_FDR and FAMILY_SURE, when no other one
 * is flagged: the least that it can come to, so that a call stands whatever the others bring.  In:
 * all but judged and flagged.
 *
 * Errors and cost: those of judge_pairs() and judge_family().
 */
int judge_in_family(struct family_member *member, size_t m, bool sequential, struct err *err);

#endif
