/* SPDX-License-Identifier: MIT */
/*
 * engine - times one benchmark: the cold call, slices of iterations, batches inside them.
 *
 * A slice is cut into chunks, each one call of run with the clocks read around it.  A chunk
 * grows until it lasts one batch; shorter ones are joined.  Bookkeeping lies between the
 * chunks and is in no time that is reported.  Knows nothing of options, descriptors or
 * output, and takes its clocks as a table, so that tests run it on a clock of their own.
 */
#ifndef PAWL_HARNESS_ENGINE_ENGINE_H
#define PAWL_HARNESS_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/engine/instruments.h"
#include "harness/engine/run.h"
#include "harness/engine/spread.h"
#include "harness/engine/sums.h"
#include "harness/engine/tally.h"

/* Iterations; nothing takes so little time that more were needed. */
#define ENGINE_MOST ((uint64_t)1 << 48)

/* An iteration that keeps a thread for less is none: the fastest processor does not even count to
 * one in it. */
#define ENGINE_LEAST_NS 1e-3

/* What is timed in one go lasts at least so many steps of the clock. */
#define ENGINE_COARSE_STEPS 20

struct team;

/* How the iterations were chosen. */
enum strategy { STRATEGY_GMPBENCH, STRATEGY_BATCHES, STRATEGY_ITERATIONS };

/*
 * What the estimate is, under every strategy: the median of the clean batches; where batches were
 * dropped and none is clean, the CPU time of the whole stretch if it was delayed only; else the
 * mean of the whole stretch, which may also have been too short for a batch.
 */
enum estimate { ESTIMATE_MEAN, ESTIMATE_CLEAN, ESTIMATE_CPU };

/* Why a batch is not clean; the first that holds. */
enum cause { CAUSE_CLOCK, CAUSE_FAILED, CAUSE_MIGRATED, CAUSE_PREEMPTED, CAUSE_N };

/* What a reader of the figures must know. */
enum note {
	NOTE_SLOW = 1,	  /* one iteration took longer than the least time */
	NOTE_DIRTY = 2,	  /* there is no clean batch, since others take the processor */
	NOTE_APART = 4,	  /* the batches did not agree before the time was over */
	NOTE_COARSE = 8,  /* the stretch, or those timed by hand, are short of steps of the clock */
	NOTE_JUMPED = 16, /* the wall clock jumped */
	NOTE_WAITS = 32,  /* the operation gives the processor away; how batches are then judged */
	NOTE_DELAYED = 64, /* ... and does not get it back in time in most batches */
	NOTE_CPU = 128,	   /* without a clean batch the estimate is CPU time, ... */
	NOTE_MEAN = 256,   /* ... or the mean */
	NOTE_LAST = NOTE_MEAN,
};

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
	double mean_ns;	    /* elapsed / iterations */
	double estimate_ns; /* what an iteration takes, beside others too: see enum estimate */
	enum estimate estimated;
	double net_ns;		 /* at least: the estimate less an empty operation's loop */
	double throughput_per_s; /* 1 / estimate */
	double cpu_ratio;	 /* of CPU time to wall time */
	enum strategy strategy;
	unsigned notes; /* enum note, joined */
	struct usage usage;
	double migrations;
	/* Batches that were not clean, as long as the clean ones: sum of the causes. */
	uint64_t dropped;
	uint64_t dropped_by[CAUSE_N];
	/* Of the clean, the preempted and the migrated: those in which the operation waited. */
	uint64_t waiting;
	struct spread_figures clean; /* ns per iteration, of the clean batches */
	unsigned threads;	     /* 1, or of the team, ... */
	unsigned processors;	     /* ... that these many may be used by; 0: not known */
	bool pinned;		     /* ... each of them by one thread */
	struct tally tally;
};

struct engine {
	const struct instruments *with;
	const struct pawl_bench *bench;
	struct pawl_run run;
	double batch_ns; /* a batch lasts at least this long */
	uint64_t step;	 /* iterations of the next chunk */
	double first_ns;
	uint64_t errors, dropped_by[CAUSE_N], waiting;
	enum strategy strategy;
	unsigned notes;
	int where;
	bool steady;
	struct team *team;	 /* NULL: one thread */
	struct tally now, tally; /* of the chunk under way; of the stretch */
	struct sums stretch, batch;
	struct usage usage, batch_usage; /* of the stretch, of the batch, ... */
	struct usage seen;		 /* ... from this on */
	/* Of clean batches; of those that had the processor.  See pawl_engine_clean(). */
	struct spread spread, busy;
};

/*
 * Sets the argument and calls setup.  Returns 0 or the code of setup; then there is nothing to
 * close.
 */
int pawl_engine_open(struct engine *e, const struct instruments *with,
		     const struct pawl_bench *bench);

/* How many threads do the operation at once. */
uint64_t pawl_engine_threads(const struct engine *e);

/* Starts the benchmark's threads.  Errors: of pawl_team_open(). */
int pawl_engine_staff(struct engine *e);

/* What the system counts from here on is of the stretch, as soon as it is noted. */
void pawl_engine_look(struct engine *e);

/* Adds what it has counted since then, or since the last note, to the stretch and the batch. */
void pawl_engine_note(struct engine *e);

/* Ends its threads: nothing can be run any more. */
void pawl_engine_dismiss(struct engine *e);

/* Dismisses, and calls teardown. */
void pawl_engine_close(struct engine *e);

/*
 * Slices are not cut into chunks any more, and the system is asked for its counts only around
 * them: what is done depends on no clock.
 */
void pawl_engine_hold_steady(struct engine *e);

/* The first call, alone, timed as first_ns. */
void pawl_engine_first(struct engine *e);

/* Forgets the stretch so far, not the size of a chunk. */
void pawl_engine_clear(struct engine *e);

/* Runs n >= 1 iterations in one call and adds them to the stretch; not the usage, when steady. */
void pawl_engine_chunk(struct engine *e, uint64_t n);

/* Runs n >= 1 iterations, cut into chunks, and adds them to the stretch. */
void pawl_engine_slice(struct engine *e, uint64_t n, struct slice *out);

/*
 * Doubles n from 1 until a slice of n iterations lasts min_ns; that slice is the stretch.
 * Where operations fail or are timed by hand it also ends when min_ns are spent on failed
 * ones, or ten times min_ns in all.
 *
 * Errors: -ETIME when many millions of iterations take no time: the clock stands still, the
 *         compiler has removed the operation, or run does not do it n times.
 */
int pawl_engine_double(struct engine *e, double min_ns);

/*
 * Runs batches until the 95 % confidence interval of the mean of at least 11 clean ones is
 * within 1 % of it to either side, at most for longest_ns, or twice that while none is clean;
 * by hand that much is timed, and ten times longest_ns are spent in all.  Errors: as above.
 *
 * The time limit of batches is short, and the median of those that had the processor to
 * themselves is right where a neighbour takes half of it: a time slice is longer than a batch.
 * With none the estimate is the CPU time, if the system says that the thread was ready for the
 * rest of the time, and never waited; else the mean.
 */
int pawl_engine_batches(struct engine *e, double longest_ns);

/*
 * Time of an empty operation's loop, measured with the engine's memory.  NaN: unknown, since
 * there is no clean batch.  Cost: 5 ms, or 30 ms beside others.
 */
double pawl_engine_empty(struct engine *e, const struct instruments *with);

/*
 * The clean batches so far.  Those judged by their run delay are among them where most batches are
 * judged so.  Else it is not the operation that waits there: a stop, a debugger, or a page that
 * others had driven out.
 */
struct spread *pawl_engine_clean(struct engine *e);

void pawl_engine_result(struct engine *e, struct measured *out);

/* "gmpbench", ...; "mean", "clean", "cpu"; "clock", "failed", ...; the sentence of one note.
 * Static storage. */
const char *pawl_strategy_name(enum strategy strategy);
const char *pawl_estimate_name(enum estimate estimate);
const char *pawl_cause_name(enum cause cause);
const char *pawl_note_text(enum note note);

#endif
