/* SPDX-License-Identifier: MIT */
/*
 * count - counters over further iterations of a benchmark, after it was timed.
 */
#ifndef PAWL_HARNESS_ENGINE_COUNT_H
#define PAWL_HARNESS_ENGINE_COUNT_H

#include "harness/counter/counter.h"
#include "include/pawl.h"

/* How it was timed before, which is how it is counted. */
enum counter_timed { TIMED_UNKNOWN, TIMED_WHOLE, TIMED_BY_HAND };

struct count_how {
	bool inherit; /* with the threads that it starts while it is counted */
	bool self;    /* read from user space where the system allows it; not with inherit */
	enum counter_timed timed;
	struct counter_memory *memory; /* of this process; NULL: none */
};

/*
 * Counts all rows over n iterations each pass.
 *
 * Shape, errors: of pawl_counters_measure().
 * Cost:          one run of n iterations for each pass of which at least one event opened; three
 *                for the pass of the kernel's counts.
 */
void pawl_count_bench(const struct counter_calls *calls, const struct count_how *how,
		      const struct pawl_bench *bench, uint64_t n, struct counter *out);

#endif
