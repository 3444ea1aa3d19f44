/*
 * outside - programs that no commit has a part in, and objects that two have.
 */
#ifndef PAWL_COLLECTOR_COMPARE_OUTSIDE_H
#define PAWL_COLLECTOR_COMPARE_OUTSIDE_H

#include "collector/run/runner.h"
#include "collector/unit/units.h"

/*
 * Refuses a benchmark that would be measured against itself: its program lies in neither tree, no
 * word of its command names anything of them, and run once it opens nothing there.  Of several
 * benchmarks it fails alone.  One whose turn comes behind until_ns (CLOCK_MONOTONIC; 0: no limit)
 * is unreached: what it opens is not known.
 *
 * Cost:   a run of each command whose program and words are all from elsewhere.
 * Errors: ERR_CONFIG with what to name instead; those of touch_tree().
 */
int compare_refuse_outside(const struct process_runner *r, uint64_t until_ns, struct plan *plan,
			   const char *base_top, const char *head_top, struct err *err);

/*
 * Refuses a benchmark whose sides load one shared object that the build of one of them wrote over
 * that of the other: it lies in neither tree.  Of several benchmarks it fails alone.
 *
 * Cost:   reads each program and what it loads once.
 * Errors: ERR_CONFIG with the cure; ERR_NOMEM.
 */
int compare_refuse_overwritten(struct plan *plan, struct err *err);

#endif
