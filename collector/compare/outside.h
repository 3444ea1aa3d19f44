/*
 * compare_outside - programs that no commit has a part in.
 */
#ifndef PAWL_COLLECTOR_COMPARE_OUTSIDE_H
#define PAWL_COLLECTOR_COMPARE_OUTSIDE_H

#include "collector/run/runner.h"
#include "collector/unit/units.h"

/*
 * Refuses a benchmark that would be measured against itself: its program lies in neither tree, no
 * word of its command names anything of them, and run once it opens nothing there.  Of several
 * benchmarks it fails alone.
 *
 * Cost:   a run of each command whose program and words are all from elsewhere.
 * Errors: ERR_CONFIG with what to name instead; those of touch_tree().
 */
int compare_refuse_outside(const struct process_runner *r, struct plan *plan, const char *base_top,
			   const char *head_top, struct err *err);

#endif
