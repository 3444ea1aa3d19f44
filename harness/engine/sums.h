/* SPDX-License-Identifier: MIT */
/*
 * sums - what was read around one call of run, or around several.
 */
#ifndef PAWL_HARNESS_ENGINE_SUMS_H
#define PAWL_HARNESS_ENGINE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over the stretch, or over the batch that is being filled. */
struct sums {
	uint64_t iterations;
	double wall_ns, cpu_ns, process_ns; /* without what failed */
	double outer_ns;		    /* ... with what pawl_start() leaves out */
	double held_ns;			    /* ... of all threads, each from its own start */
	double late_ns;			    /* ... from the first one's to the last one's */
	/* Of the thread that is worst off: without the processor; ready, beyond its switches. */
	double lost_ns, delay_ns;
	double spent_ns; /* all of it */
	uint64_t migrations;
	bool jumped; /* the clock */
};

#endif
