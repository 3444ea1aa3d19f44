/*
 * widening - what verdicts of two builds that each ran in one layout alone are widened by.
 *
 * The interval of their pairs is true of these builds, and where the linker put things is a part of
 * what they differ by.  Whoever judges pairs asks here: the report, the points that a history
 * reads, and the collector, which ends when the report is decided.
 */
#ifndef PAWL_JUDGE_WIDENING_H
#define PAWL_JUDGE_WIDENING_H

#include <stdbool.h>

#include "lib/record/summary.h"
#include "lib/stats/verdict.h"

/* Whether both sides of b's pairs were other code, each in one layout. */
bool widening_is_due(const struct bench *b);

/*
 * Of b's metric m, where that decides: by what layouts do (calibration.layouts), where that is due
 * and known, and by what identical code differed by (calibration.floor).  It is of ratios: where m
 * is judged by differences there is none.
 */
struct widening widening_of(const struct bench *b, const struct metric *m);

#endif
