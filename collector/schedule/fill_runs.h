/*
 * fill_runs - the samples, counters and tracks of one unit's runs, as a benchmark of a summary.
 */
#ifndef PAWL_COLLECTOR_SCHEDULE_FILL_RUNS_H
#define PAWL_COLLECTOR_SCHEDULE_FILL_RUNS_H

#include "collector/unit/unit.h"
#include "lib/base/err.h"
#include "lib/record/summary.h"

/*
 * Appends the metrics and tracks of a unit that has pairs.  What some run did not know is left
 * out, or told as absent: an array with holes would not stay paired.  Errors: ERR_NOMEM.
 */
int fill_runs(const struct unit *u, struct bench *b, struct err *err);

#endif
