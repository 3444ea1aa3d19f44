/*
 * extent_run - runs a benchmark as it is measured, so that what it executes can be recorded.
 *
 * A command runs as it is.  Inside a program of benchmarks each has a process of its own, with the
 * iterations of a measured run first and EXTENT_MORE times as many the second time: what comes only
 * after more of them (a table that grows) makes the two recordings differ.
 */
#ifndef PAWL_COLLECTOR_COMPARE_EXTENT_RUN_H
#define PAWL_COLLECTOR_COMPARE_EXTENT_RUN_H

#include "collector/extent/executed.h"
#include "collector/run/runner.h"

/*
 * A recording serves later comparisons, which do not calibrate the benchmark anew: their runs would
 * have other numbers of iterations, as calibrating scatters, but on this machine not so many more.
 */
#define EXTENT_MORE 4

struct named_files;
struct touched;

struct extent_run {
	const struct process_runner *runner;
	const struct unit *unit;
	const struct side *side; /* of extent_run_look(); NULL: of the way, the base */
	const struct unit *as;	 /* with as many iterations as that; NULL: it is calibrated */
	const char *here;	 /* of extent_run_here() */
	uint64_t until_ns; /* CLOCK_MONOTONIC, behind which nothing is recorded; 0: no limit */

	/* its own */
	bool is_beside;	   /* the base looked for files beside itself, where its copy has none */
	struct unit probe; /* borrows all but its failure */
	struct touched *touched;
};

/*
 * What decides what a program does beside itself: the machine, how fast it is set to be, its
 * kernel, the libraries that are installed, the limits that it inherits.  A recording is of no
 * other. free() it; NULL: ERR_NOMEM.
 */
char *extent_run_here(const struct machine *m, struct err *err);

/* By the configuration or by who started pawl: memory that is not used counts, too. */
bool extent_run_has_little_memory(const struct bench_config *b);

/* Whether the time for it is over. */
bool extent_run_is_late(const struct extent_run *r);

/* What it runs with on that side: see executed_path().  Errors: ERR_NOMEM. */
int extent_run_key(const struct extent_run *r, const struct side *side, struct strv *out,
		   struct err *err);

/*
 * The way for executed_find(), on the base; before its first run a benchmark inside a program is
 * calibrated.  Errors of the way: ERR_ABSENT it failed, or asks what is not known beforehand;
 * ERR_STOPPED, ERR_NOMEM.
 */
struct executed_way extent_run_way(struct extent_run *r);

/*
 * Runs it once on its side, to see which files it asks for: out gets them.  That it
 * failed is none: *out_ended_well (may be NULL) tells, and what was seen until then is there.
 * Errors: ERR_STOPPED, ERR_NOMEM.
 */
int extent_run_look(struct extent_run *r, struct named_files *out, bool *out_ended_well,
		    struct err *err);
void extent_run_release(struct extent_run *r);

#endif
