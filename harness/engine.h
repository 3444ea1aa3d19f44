/* SPDX-License-Identifier: MIT */
/*
 * engine - times one benchmark: the cold call, slices of iterations, batches inside them.
 *
 * A slice is cut into chunks, each one call of run with the clocks read around it.  A chunk
 * grows until it lasts one batch; shorter ones are joined.  Bookkeeping lies between the
 * chunks and is in no time that is reported.  Knows nothing of options, descriptors or
 * output, and takes its clocks as a table, so that tests run it on a clock of their own.
 */
#ifndef PAWL_HARNESS_ENGINE_H
#define PAWL_HARNESS_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/clock.h"
#include "harness/run.h"
#include "harness/spread.h"
#include "harness/usage.h"

/* Everything the engine reads.  A clock whose state is not 0 is not read; wall must be there. */
struct instruments {
	struct clock wall, thread, process;
	double region_ticks; /* of wall: an empty pawl_start() .. pawl_stop() */
	double thread_ns;    /* an empty chunk, as the thread's CPU clock sees it */
	double process_ns;   /* ... and as the process's does */
	int (*where)(void);  /* the processor's number; below 0: unknown */
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

/* Measures the three overheads; the clocks are open. */
void pawl_instruments_calibrate(struct instruments *in);

/*
 * NaN: cannot be had.  Here as below wall times are corrected by what pawl_clock_settle() knows
 * of the frequency at that moment, the engine's own sums and limits are not.
 */
struct slice {
	uint64_t iterations; /* in the time: without the failed ones */
	double wall_ns, cpu_ns;
};

/* The timed stretch, as it is reported.  NaN: cannot be had. */
struct measured {
	uint64_t iterations, errors;
	double wall_ns, cpu_ns, process_cpu_ns, first_ns;
	double mean_ns, throughput_per_s;
	struct usage usage;
	double migrations;
	uint64_t dropped;	     /* batches that were not clean */
	struct spread_figures clean; /* ns per iteration, of the clean batches */
};

/* Sums over the stretch, or over the batch that is being filled. */
struct sums {
	uint64_t iterations;
	double wall_ns, outer_ns, cpu_ns, process_ns;
	uint64_t migrations;
};

struct engine {
	const struct instruments *with;
	const struct pawl_bench *bench;
	struct pawl_run run;
	double batch_ns; /* a batch lasts at least this long */
	uint64_t step;	 /* iterations of the next chunk */
	double first_ns;
	uint64_t errors, dropped;
	int where;
	struct sums stretch, batch;
	struct usage usage;
	struct spread spread;
};

/* Calls setup.  Returns 0 or the code of setup; then there is nothing to close. */
int pawl_engine_open(struct engine *e, const struct instruments *with,
		     const struct pawl_bench *bench);

/* Calls teardown. */
void pawl_engine_close(struct engine *e);

/* Slices are not cut into chunks any more: what is done depends on no clock. */
void pawl_engine_hold_steady(struct engine *e);

/* The first call, alone, timed as first_ns. */
void pawl_engine_first(struct engine *e);

/* Forgets the stretch so far, not the size of a chunk. */
void pawl_engine_clear(struct engine *e);

/* Runs n >= 1 iterations and adds them to the stretch. */
void pawl_engine_slice(struct engine *e, uint64_t n, struct slice *out);

/*
 * Doubles n from 1 until a slice of n iterations lasts min_ns; that slice is the stretch.
 * Where operations fail or are timed by hand it also ends when min_ns are spent on failed
 * ones, or ten times min_ns in all.
 *
 * Errors: -ETIME when many millions of iterations take no time: the clock stands still, or
 *         the compiler has removed the operation.
 */
int pawl_engine_double(struct engine *e, double min_ns);

void pawl_engine_result(struct engine *e, struct measured *out);

#endif
