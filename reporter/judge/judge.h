/*
 * judge - from samples to verdicts: the rule that decides whether a push is red.
 *
 * A benchmark whose base ran side by side is judged by its pairs, all of them together, by the one
 * rule (lib/stats/verdict.h).  Against stored samples only a suspicion can come out, never a
 * verdict.
 */
#ifndef PAWL_REPORTER_JUDGE_JUDGE_H
#define PAWL_REPORTER_JUDGE_JUDGE_H

#include "lib/base/err.h"
#include "lib/record/history.h"
#include "lib/record/summary.h"

/*
 * Describes every metric with samples, and fills deltas and n_disturbed.
 * history: the ancestors, nearest first, for benchmarks without a rerun base; may be empty.
 *
 * Pairs that give no ratio (a counter that stayed 0) leave their benchmark inconclusive, with
 * the reason in detail; so does, with a note, a benchmark of which more than every tenth pair
 * failed and was repeated.
 *
 * Where a calibration is known, nothing is called regressed or improved that moved less than
 * identical code did here; and the verdict of two builds that each ran in one layout alone is
 * widened by what layouts do, or carries a note where that is not known and the change is called.
 *
 * Errors: ERR_CONFIG for a gate that was not measured, with the cure; ERR_RANGE for samples that
 *         no figure can be made of; ERR_NOMEM.  The summary may then be partly judged.
 * Cost:   O(benchmarks x metrics x n^2 log n).
 */
int judge(struct summary *s, const struct history *history, struct err *err);

/* What all verdicts of a summary come to, in the order in which they win. */
struct tally {
	size_t n[VERDICT_N];
	size_t n_suspect;  /* of the inconclusive ones */
	size_t n_accepted; /* regressed and accepted: not in n[VERDICT_REGRESSED] */
	size_t n_benchmarks;
	size_t n_unmeasured; /* the time budget ended before their turn */
};
void tally_of(const struct summary *s, struct tally *out);

/*
 * The exit status, as pawl(1) lists them: 4 when something failed, else 1 for a regression that
 * nobody accepted, else 3 for an inconclusive one when strict, else 0.
 */
int judge_exit(const struct summary *s, bool strict);

#endif
