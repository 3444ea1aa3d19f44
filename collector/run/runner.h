/*
 * runner - how the schedule gets its numbers: real processes, or a fake in the tests.
 *
 * A run that fails is not an error of the call: it is reported in run.failure.  The calls
 * fail (-1) only when measuring as a whole cannot go on.
 */
#ifndef PAWL_COLLECTOR_RUN_RUNNER_H
#define PAWL_COLLECTOR_RUN_RUNNER_H

#include "collector/code/stage.h"
#include "collector/unit/unit.h"
#include "lib/base/err.h"

struct child_count;
struct pool;
struct shared;

struct runner {
	/*
	 * Fixes u->iterations, u->slices and u->run_ns on the given side's executable, or sets
	 * u->failure; u->unreached where the runner's most_ns did not suffice, unless u->run_ns, of
	 * the other side, is RUNNER_STUCK times less.  Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM.
	 */
	int (*calibrate)(void *ctx, struct unit *u, const struct side *side, struct err *err);
	/* One run of the head (and, when u->has_base, of the base beside it) in p->order. */
	int (*pair)(void *ctx, const struct unit *u, struct pair *p, struct err *err);
	void *ctx;
};

/* What runs for longer than the whole budget is no part of it; and a start takes its time, too. */
#define RUNNER_LEAST_NS 1000000000u

/* How many times as long as the other side one runs that is stuck, and not short of time. */
#define RUNNER_STUCK 10

/* process_runner.most_ns of a budget; 0: there is none. */
uint64_t runner_most_ns(uint64_t budget_ns);

/* The real one. */
struct process_runner {
	const char *top; /* working directory of the benchmarks */
	int cpu;	 /* to pin to, or -1 */
	uint64_t min_time_ns;
	uint64_t most_ns;    /* of a question and of a calibration; 0: as long as a run may take */
	bool fits;	     /* a run lasts that long, and not up to twice as long by doubling */
	uint64_t epoch_ns;   /* CLOCK_MONOTONIC at the start of the collection */
	struct stage *stage; /* where the pairs run from; NULL: where their executables lie */
	struct pool *pool;   /* of layouts; NULL: everything runs as it was built */
	struct child_count *counters; /* of commands; NULL: they are not counted */
	struct shared *shared;	      /* NULL: a process runs one benchmark */
};

/* Takes as most_ns what is left until then (CLOCK_MONOTONIC; 0: no limit); false: nothing is. */
bool runner_until(struct process_runner *r, uint64_t until_ns);

struct runner process_runner_of(struct process_runner *ctx);

/*
 * The same, where a process of a libpawl program may run several benchmarks (shared.h).
 * process_runner_end() ends those processes, and the counting of commands.
 */
struct runner process_runner_sharing(struct process_runner *ctx);
void process_runner_end(struct process_runner *ctx);

/*
 * The names of the benchmarks inside a libpawl executable.  *out_speaks false: the program
 * ended without a hello, it is a plain command.
 * Errors: ERR_CHILD with how it ended, ERR_SYNTAX a broken record, ERR_STOPPED, ERR_IO.
 */
int runner_list(const struct process_runner *r, const struct bench_config *config,
		const struct side *side, struct strv *out, bool *out_speaks, struct err *err);

#endif
