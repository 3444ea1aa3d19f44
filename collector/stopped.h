/*
 * stopped - what a collection or comparison keeps when a signal ends it.
 */
#ifndef PAWL_COLLECTOR_STOPPED_H
#define PAWL_COLLECTOR_STOPPED_H

#include "collector/unit/units.h"
#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/record/summary.h"

/*
 * What becomes of a measurement that failed with *err: where a signal ended it and there is
 * something to keep, 0, with *err cleared; else -1, and the plan may be incomplete.
 *
 * The units that have too few runs to be judged leave the plan: with a base the others are cut back
 * to their last decision point, without one they have VERDICT_FEWEST_PAIRS or all that were
 * planned.  The summary is marked as partial, so that nothing counts as removed, and says how many
 * are complete. Errors: ERR_STOPPED nothing is kept, ERR_NOMEM, and whatever else it was.
 */
int stopped_end(struct plan *plan, const struct talk *talk, struct summary *s, struct err *err);

#endif
