/*
 * anchors - the two anchor benchmarks beside the project's own, and a runner for both kinds.
 *
 * Anchors are measured with a shorter time than the benchmarks, so each kind has a runner.
 */
#ifndef PAWL_COLLECTOR_ANCHORS_H
#define PAWL_COLLECTOR_ANCHORS_H

#include "collector/run/launch.h"
#include "collector/run/runner.h"
#include "collector/unit/unit.h"
#include "lib/base/err.h"
#include "lib/config/config.h"
#include "lib/record/summary.h"

#define ANCHORS_MOST 2

/* All zero is valid, and none. */
struct anchors {
	struct unit v[ANCHORS_MOST];
	size_t n; /* 0: there are none */
	struct bench_config config;
	struct process_runner runner;
};

void anchors_release(struct anchors *a);

/* They run as the benchmarks do, but for 5 ms at most. */
void anchors_run_as(struct anchors *a, const struct process_runner *units);

/*
 * As units of their own, their program in cache_dir; none where that is NULL, or has no room: then
 * only the stored screen is lost.  a stays where it is: its units point to it.  Errors: ERR_NOMEM.
 */
int anchors_make(struct anchors *a, const char *cache_dir, struct err *err);

/*
 * Notes which anchors ran: a screen holds only results with the same ones together.  One that
 * failed is of a pawl too old for this one: it is removed, and the next run makes a new one.
 * Errors: ERR_NOMEM.
 */
int anchors_note(const struct anchors *a, struct machine *machine, struct err *err);

struct both_runners {
	struct runner units;
	struct anchors *anchors;
};

/* Runs each unit with the runner of its kind; both stays as long as it. */
struct runner both_runner(struct both_runners *both);

#endif
