/*
 * stopped - what a collection keeps when a signal ends it.
 */
#ifndef PAWL_COLLECTOR_STOPPED_H
#define PAWL_COLLECTOR_STOPPED_H

#include <stdbool.h>

#include "collector/unit/units.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/record/summary.h"

/*
 * Takes the units out of the plan that have too few runs to be judged: with a base they are cut
 * back to their last decision point, without one VERDICT_FEWEST_PAIRS or all that were planned.
 * Where others are left, which were measured, *out_kept is set, the summary is marked as partial,
 * so that nothing counts as removed, and says how many are complete. Errors: ERR_NOMEM.
 */
int stopped_keep(struct plan *plan, const struct talk *talk, struct summary *s, bool *out_kept,
		 struct err *err);

#endif
