/*
 * trial - whether a program that told its benchmarks on one side only runs on the other.
 *
 * One that dies before it can tell them looks like a program that has none, and nothing would be
 * compared: its benchmarks would be removed, and the program, as a whole, added.
 */
#ifndef PAWL_COLLECTOR_COMPARE_TRIAL_H
#define PAWL_COLLECTOR_COMPARE_TRIAL_H

#include "collector/run/runner.h"
#include "collector/unit/units.h"

/*
 * Before the plans of both sides are joined: a unit that is a whole program, of which the other
 * side has benchmarks, is run once; what that run says is wrong becomes its failure.  Where one of
 * these was asked for, the whole program is in the plan (plan_request.wholes).  One that has not
 * ended by until_ns (CLOCK_MONOTONIC; 0: no limit) is unreached: whether it runs is not known.
 * Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM.
 */
int compare_trial(const struct process_runner *r, uint64_t until_ns, struct plan *base,
		  struct plan *head, struct err *err);

#endif
