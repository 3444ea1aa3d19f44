/*
 * compare_plan - how many pairs a comparison runs, and how long each lasts: fixed beforehand.
 */
#ifndef PAWL_COLLECTOR_COMPARE_PLAN_H
#define PAWL_COLLECTOR_COMPARE_PLAN_H

#include <stdint.h>

#include "collector/compare.h"
#include "collector/plan.h"

#define COMPARE_QUICK_NS 50000000u /* of a run with --quick, unless minTime is less */

/* Fewest and most pairs of the request, over all benchmarks. */
void compare_plan_runs(const struct compare_request *rq, int *out_min, int *out_max);

uint64_t compare_plan_min_time_ns(const struct compare_request *rq);

/*
 * Sets the looks of every unit that will run: those of the depth, or of the configured number of
 * runs where there is a plan for it; none for a fixed number.  Errors: those of
 * sequential_plan_find().
 */
int compare_plan_looks(const struct compare_request *rq, struct plan *plan, struct err *err);

#endif
