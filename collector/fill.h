/*
 * fill - what the units' runs gave, as the benchmarks of a summary.
 */
#ifndef PAWL_COLLECTOR_FILL_H
#define PAWL_COLLECTOR_FILL_H

#include "collector/plan.h"
#include "lib/record/history.h"
#include "lib/record/summary.h"

/*
 * Appends one benchmark a unit, and one with status removed for each benchmark that the
 * nearest ancestor had and the plan has not (unless out->settings.partial).  Deltas are
 * not computed here. Errors: ERR_NOMEM.
 */
int fill_summary(const struct plan *plan, const struct history *history, struct summary *out,
		 struct err *err);

/* Appends what a benchmark runs, quoted for a shell, as its document says it. */
void fill_command(const struct bench_config *config, struct buf *out);

#endif
