/*
 * fill_counters - what was counted in one unit's runs, as metrics of a summary.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_FILL_COUNTERS_H
#define PAWL_COLLECTOR_SCHEDULE_FILL_COUNTERS_H

#include "collector/unit/unit.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * Appends a metric for each counter of the first run of a unit that has pairs, unless the benchmark
 * has one of that name.  What did not count in every run, or in another unit, is told as absent.
 * Errors: ERR_NOMEM.
 */
int fill_counters(const struct unit *u, struct bench *b, struct err *err);

#endif
