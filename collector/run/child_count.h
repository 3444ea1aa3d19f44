/*
 * child_count - the processor's and the kernel's counters of a command, taken over into its run.
 */
#ifndef PAWL_COLLECTOR_RUN_CHILD_COUNT_H
#define PAWL_COLLECTOR_RUN_CHILD_COUNT_H

#include "collector/unit/unit.h"
#include "harness/counter/child.h"
#include "lib/base/err.h"

/* Around one child that is started and waited for; nothing between the two when with is NULL. */
struct child_count {
	struct counter_child events;
	bool open;
};

void child_count_begin(struct child_count *c, const struct counter_children *with);

/* What it counted, each with its state and reason, to run->counters.  Errors: ERR_NOMEM. */
int child_count_take(struct child_count *c, struct run *run, struct err *err);

/* Closes what was begun and not taken. */
void child_count_release(struct child_count *c);

#endif
