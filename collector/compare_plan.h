/*
 * compare_plan - how many pairs a comparison runs, and how long each lasts: planned beforehand.
 */
#ifndef PAWL_COLLECTOR_COMPARE_PLAN_H
#define PAWL_COLLECTOR_COMPARE_PLAN_H

#include <stdint.h>

#include "collector/compare.h"

/*
 * Of a run of a libpawl benchmark, unless minTime says otherwise: long enough that starting the
 * process is a small part of it.  A run five times as long costs five times as much and has a
 * variance of a fifth: nothing is lost by short ones, and they decide sooner.
 */
#define COMPARE_RUN_NS 20000000u
#define COMPARE_QUICK_NS 10000000u /* with --quick, unless minTime is less */

/* Fewest and most pairs of the request: between them lie the decision points. */
void compare_plan_runs(const struct compare_request *rq, int *out_min, int *out_max);

uint64_t compare_plan_min_time_ns(const struct compare_request *rq);

#endif
