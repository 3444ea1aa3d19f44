/*
 * beside - programs that look for files beside themselves: no copy may replace them.
 *
 * Who names /proc/self/exe is known by that (side->stays).  Other ways (AT_EXECFN, dladdr(), a path
 * that is put together) are in many programs that ask for something else with them: such a one is
 * run once from its copy, and what it asks the system for there tells.  So is one with shared
 * objects of its own: the way to their copies is shown to what it opens and starts, too.
 */
#ifndef PAWL_COLLECTOR_COMPARE_BESIDE_H
#define PAWL_COLLECTOR_COMPARE_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/run/runner.h"
#include "collector/unit/units.h"
#include "lib/base/talk.h"

#define BESIDE_SEEN "it looks for files beside itself, so no other file can replace it"

struct beside_request {
	const struct process_runner *runner;
	uint64_t until_ns; /* CLOCK_MONOTONIC, behind which none is run; 0: no limit */
	const struct talk *talk;
};

/*
 * Lets both sides of each unit that looks beside itself run where they were built, in one layout;
 * of a base that only the cache has, it is given up, and the unit says so.  Where such a run cannot
 * be seen, the same.
 * Errors: ERR_STOPPED, ERR_NOMEM.  Cost: of those with side->may_ask or objects of
 * their own a run of each side.
 */
int compare_beside(const struct beside_request *rq, struct plan *plan, struct err *err);

/* That of one unit; why: static.  Errors: ERR_NOMEM. */
int compare_beside_settle(struct unit *u, const char *why, struct err *err);

#endif
