/*
 * series - which stored results may be held against each other, and on what scale.
 */
#ifndef PAWL_JUDGE_SERIES_H
#define PAWL_JUDGE_SERIES_H

#include <stdbool.h>

#include "lib/record/summary.h"
#include "lib/stats/screen.h"

/* The facts of a machine that begin a series anew, beside its kernel and its governor. */
#define SERIES_FACTS 3
extern const char *const series_facts[SERIES_FACTS];

/*
 * NULL when results of a and b belong to one series; else what differs, in a word: another kernel,
 * governor, microcode, anchor program or compiler begins a series anew.
 */
const char *series_break(const struct machine *a, const struct machine *b);

/*
 * One session of a benchmark: the logs of its runs, those of a time less the mean log of the two
 * anchors that ran in the same round.  False when it has no samples, a sample without a log, or a
 * time without anchors.
 */
bool series_session(const struct bench *b, const char *metric, struct session *out);

#endif
