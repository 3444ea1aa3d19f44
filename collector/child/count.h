/*
 * count - the counters of a command, taken over into its run.
 *
 * Those of the processor are events that its process inherits; they stay open from one run to the
 * next.  Faults, switches and migrations are what the kernel tells of every process it ends.
 */
#ifndef PAWL_COLLECTOR_CHILD_COUNT_H
#define PAWL_COLLECTOR_CHILD_COUNT_H

#include "collector/unit/unit.h"
#include "harness/counter/child.h"
#include "lib/base/err.h"

struct child_count {
	struct counter_children with;
	struct counter_child events;
	bool open;
	int held_fd; /* pawl_counter_hold(), while they are open; negative: refused */
};

/* Looks what can be counted.  Cost: one open for each event, once. */
void child_count_init(const struct counter_calls *calls, struct child_count *out);

/* From here on one command is counted.  c NULL: nothing is, here and below. */
void child_count_begin(struct child_count *c);

/*
 * What it counted, each with its state and reason, to run->counters; its faults and switches are in
 * *run before.  Errors: ERR_NOMEM.
 */
int child_count_take(struct child_count *c, struct run *run, struct err *err);

/*
 * None of them, for a run that was not counted, with the reason of each that might have been;
 * faults are of the kernel, and told.  Errors: ERR_NOMEM.
 */
int child_count_none(const struct child_count *c, const char *why, struct run *run,
		     struct err *err);

/*
 * Closes the events until the next begin: whatever is started meanwhile would be counted too, and a
 * program that counts itself would lack the counters.
 */
void child_count_pause(struct child_count *c);

#endif
