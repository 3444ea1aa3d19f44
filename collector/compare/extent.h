/*
 * extent - benchmarks that execute nothing of what changed: they are not measured.
 *
 * What changed is read from the objects of both builds, what a benchmark
 * executes is recorded of the base (collector/extent).  Where anything is not known it is measured.
 */
#ifndef PAWL_COLLECTOR_COMPARE_EXTENT_H
#define PAWL_COLLECTOR_COMPARE_EXTENT_H

#include <stdint.h>
#include <time.h>

#include "collector/run/runner.h"
#include "collector/unit/units.h"
#include "lib/base/talk.h"

#define EXTENT_SHARE 3 /* the part of a budget that recording may take: 1 of so many */

struct extent_request {
	const struct process_runner *runner;
	const struct machine *machine; /* that they run on */
	bool measure_identical;	       /* only look where it is to be explained */
	bool explain;	       /* name all that is executed, where something is at any rate too */
	uint64_t until_ns;     /* CLOCK_MONOTONIC, behind which nothing is recorded; 0: no limit */
	struct timespec since; /* CLOCK_REALTIME_COARSE: both were built before it, none had run */
	const struct talk *talk;
};

/*
 * Fills in the changes of each unit that has two sides of different code, and makes those identical
 * that execute none.  Errors: ERR_STOPPED, ERR_NOMEM.
 */
int compare_extent(const struct extent_request *rq, struct plan *plan, struct err *err);

#endif
