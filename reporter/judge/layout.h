/*
 * judge_layout - verdicts of two builds that each ran in one layout alone: the interval of their
 * pairs is true of these builds, and where the linker put things is a part of what they differ by.
 */
#ifndef PAWL_REPORTER_JUDGE_LAYOUT_H
#define PAWL_REPORTER_JUDGE_LAYOUT_H

#include "lib/base/err.h"
#include "lib/judge/pairs.h"
#include "lib/record/summary.h"
#include "lib/stats/verdict.h"

/*
 * Widens what was judged of b's pairs (b->layouts is known) by what layouts do to it, where that is
 * known (calibration.layouts) and both sides are other code, each in one layout.
 */
void judge_layout_widen(const struct bench *b, const struct pair_changes *how,
			struct judgement *judged);

/* What a reader has to know of it, "" where nothing: of a judged m, b's gate. */
void judge_layout_note(const struct bench *b, const struct metric *m, struct buf *out);

#endif
