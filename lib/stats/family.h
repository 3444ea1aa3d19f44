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

#define FAMILY_FDR 0.05	    /* rate of false discoveries that pawl allows over everything run */
#define FAMILY_DISTANCE 0.5 /* from 0 that a called interval keeps, in lengths of its near arm */

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
 * that was run, then the threshold, then the distance from 0.
 *
 * Fills p_adjusted (of min(1, n_looks * p)) and flagged.  A regressed or improved benchmark that
 * is flagged gets the wider of its interval and the one at the FCR level 1 - q k/m, k the number
 * flagged, `confidence` saying so.  It keeps its call if that interval comes no nearer to 0 than
 * FAMILY_DISTANCE times the arm towards 0 of the one it had by itself.  Where nothing is gated
 * (gates false: a history, in which each step is a comparison of its own) its own interval has to
 * keep that distance, and the wider one only to leave out 0.
 *
 * Why a distance: where pairs scatter by less than 2/3 of the threshold, an estimate that reaches D
 * keeps it anyway, and nothing changes.  Where they scatter by more, the threshold filters nothing,
 * and a quiet benchmark judged alone would be called regressed once in 40 times at q = 0.05.  An
 * interval half as wide again that still leaves out 0 comes by chance once in 400 (simulated, 30
 * pairs), and needs no p that few pairs cannot have.
 *
 * One that was significant only by itself, or that comes too near to 0, becomes inconclusive (it
 * cannot be unchanged: its estimate reached D).  All others keep what they had.  pairs_needed of
 * what is inconclusive with an estimate from D on asks for flag and distance; noise_floor becomes
 * max(D, (1 + FAMILY_DISTANCE) (high - low)/2), the smallest effect that one benchmark alone would
 * have needed.
 *
 * Shape:  m >= 1 members, n_looks >= 1, 0 < q < 1.
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM; the members may then be partly filled.
 * Cost:   O(m log m), and signed_rank()'s for each flagged one.
 */
int judge_family(struct family_member *member, size_t m, double q, bool gates, struct err *err);

/*
 * What judge_family() makes of one of m members, at FAMILY_FDR and gated, when no other one
 * is flagged: the least that it can come to, so that a call stands whatever the others bring.
 *
 * Shape, errors and cost: those of judge_family() for this one.
 */
int judge_in_family(struct family_member *member, size_t m, struct err *err);

#endif
