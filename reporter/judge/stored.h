/*
 * judge_stored - a benchmark whose base could not be run again, held against stored samples.
 *
 * Machines drift by percents between sessions, so this never gives a verdict: the delta is
 * inconclusive, marked `suspect` when it stands out from how far earlier sessions lay apart.
 */
#ifndef PAWL_REPORTER_JUDGE_STORED_H
#define PAWL_REPORTER_JUDGE_STORED_H

#include "lib/base/err.h"
#include "lib/record/history.h"
#include "lib/record/summary.h"

/*
 * Fills the gate metric's delta of b when it has baseline samples; else does nothing.  Samples
 * without a ratio leave it without one, with the reason in detail.
 * history: nearest first.  Errors: ERR_RANGE, ERR_NOMEM.
 */
int judge_stored(const struct summary *s, struct bench *b, const struct history *history,
		 struct err *err);

#endif
