/*
 * command - runs of plain commands: one side after the other, or both at once on one processor.
 */
#ifndef PAWL_COLLECTOR_RUN_COMMAND_H
#define PAWL_COLLECTOR_RUN_COMMAND_H

#include "collector/run/launch.h"

/* One run of one side.  placed: of the pair; NULL: a calibration.  A launch_run_fn. */
int command_run(const void *ctx, const struct process_runner *r, const struct unit *u,
		const struct side *side, const struct stage_pair *placed, struct run *run,
		struct err *err);

/*
 * Both sides at once on the unit's processor, started in the pair's order.  What the machine does
 * meanwhile hits both.  Their wall time, what they waited for the processor and what a processor
 * counts for both together are not known of such a run: NaN, or absent with the reason.
 *
 * u->pinned and u->has_base.  Without a processor to pin them to (r->cpu < 0) the head failed.
 * Errors: as launch_pair().
 */
int command_at_once(const struct process_runner *r, const struct unit *u, struct pair *p,
		    struct err *err);

#endif
