/* SPDX-License-Identifier: MIT */
/*
 * counter_passes - counts what the calling thread does.
 *
 * The events are rows of one table and are counted in passes of at most four, each pass one
 * group that is scheduled as a whole, so that none has to share a counter.
 *
 * A reading is a difference of two reads: resetting would clear neither the times nor what
 * was folded in.  Source: perf_event_open(2).
 */
#ifndef PAWL_HARNESS_COUNTER_PASSES_H
#define PAWL_HARNESS_COUNTER_PASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/counter/counter.h"

struct counter_group;

/* How something is counted. */
struct counter_how {
	bool inherit; /* with the threads that it starts while it is counted */
	bool self;    /* read from user space where the system allows it; not with inherit */
	struct counter_memory *memory; /* of the passes before; NULL: the system is asked anew */
};

/*
 * What is counted: run does it once, what counts of it between pawl_group_begin() and
 * pawl_group_end(), and tells how many iterations that were.  Returns NULL, or why there is nothing
 * to report; static storage.
 */
struct counter_work {
	const char *(*run)(void *arg, struct counter_group *g, uint64_t *out_n);
	void *arg;
};

/*
 * Counts all rows, per iteration.
 *
 * Shape:  out has COUNTER_MAX places, all of which are filled in the table's order.
 * Errors: none; each counter carries its own.
 * Cost:   the work once for each pass of which at least one event opened; three times for the pass
 *         of the kernel's counts, the least of which is reported.
 */
void pawl_counters_measure(const struct counter_calls *calls, const struct counter_how *how,
			   const struct counter_work *work, struct counter *out);

/* Around what is counted; called by the work, or by pawl_start() and pawl_stop(). */
void pawl_group_begin(struct counter_group *g);
void pawl_group_end(struct counter_group *g);

#endif
