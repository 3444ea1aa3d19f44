/* SPDX-License-Identifier: MIT */
/*
 * instruments - what the engine reads while it times a benchmark.
 */
#ifndef PAWL_HARNESS_ENGINE_INSTRUMENTS_H
#define PAWL_HARNESS_ENGINE_INSTRUMENTS_H

#include <stdint.h>

#include "harness/clock/clock.h"
#include "harness/os/usage.h"

/* Everything the engine reads.  A clock whose state is not 0 is not read; wall must be there. */
struct instruments {
	struct clock wall, thread, process;
	double region_ticks;  /* of wall: an empty pawl_start() .. pawl_stop(), called ... */
	double inlined_ticks; /* ... and inlined */
	double thread_ns;     /* an empty chunk, as the thread's CPU clock sees it */
	double process_ns;    /* ... and as the process's does */
	double empty_ns;      /* an empty operation; NaN: not measured */
	/* Another clock, in ns, that tells whether wall jumped; NULL: there is none. */
	uint64_t (*witness)(void);
	int (*where)(void); /* the processor's number; below 0: unknown */
	void (*usage)(struct usage *out);
};

/*
 * Opens the clocks of this machine.  wall: the row wanted, or NULL for pawl_clock_open_wall().
 * Errors: that of the wall clock, whose state and reason are in out->wall.  Cost: some ms.
 */
int pawl_instruments_open(struct instruments *out, const struct clock_row *wall);

/*
 * Opens clocks without measuring anything about them, so that this takes the same steps whatever
 * they say; no overhead is taken off the times.  Errors: as above.
 */
int pawl_instruments_open_steady(struct instruments *out);

/* Measures the overheads; the clocks are open. */
void pawl_instruments_calibrate(struct instruments *in);

#endif
