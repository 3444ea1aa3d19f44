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

#define FAMILY_FDR 0.05 /* rate of false discoveries that pawl allows over everything run */

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
 * that was run, then the threshold.
 *
 * Fills p_adjusted (of min(1, n_looks * p)) and flagged.  A regressed or improved benchmark that
 * is flagged keeps its call and gets the wider of its interval and the one at the FCR level
 * 1 - q k/m, k the number flagged, `confidence` saying so; should ties in d make that interval
 * reach 0, it becomes inconclusive.  One that was significant only by itself becomes inconclusive
 * (it cannot be unchanged: its estimate reached D) with the pairs it would need.  All others keep
 * what they had.
 *
 * Shape:  m >= 1 members, n_looks >= 1, 0 < q < 1.
 * Errors: ERR_RANGE, ERR_LIMIT, ERR_NOMEM; the members may then be partly filled.
 * Cost:   O(m log m), and signed_rank()'s for each flagged one.
 */
int judge_family(struct family_member *member, size_t m, double q, struct err *err);

#endif
