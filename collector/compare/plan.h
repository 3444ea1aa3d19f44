/*
 * plan - how many pairs a comparison runs, and how long each lasts: planned beforehand.
 */
#ifndef PAWL_COLLECTOR_COMPARE_PLAN_H
#define PAWL_COLLECTOR_COMPARE_PLAN_H

#include <stdint.h>

#include "collector/compare.h"
#include "collector/unit/units.h"

struct pool;

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

/*
 * One identical unit for each configured benchmark, where both trees are the same: their names
 * inside are only known once built.  What identifies their code is what it would be built from.
 * Errors: ERR_CONFIG an unknown name is asked for; those of plan_add().
 */
int compare_plan_identical(const struct compare_request *rq, const char *tree_id, struct plan *plan,
			   struct err *err);

/*
 * Opens the pool of layouts (pool_close() it), for as many as a verdict takes; NULL where nothing
 * is held against a base, or none are asked for.  Errors: ERR_NOMEM.
 */
int compare_plan_layouts(const struct compare_request *rq, const struct plan *plan,
			 const struct settings *settings, struct pool **out, struct err *err);

/* Notes why what ran did so in one layout alone; of pool NULL nothing.  Errors: ERR_NOMEM. */
int compare_plan_note(const struct pool *pool, struct plan *plan, struct err *err);

#endif
