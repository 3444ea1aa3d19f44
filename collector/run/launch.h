/*
 * launch - what every process run of a benchmark has in common: how it is started, what its
 * clocks say around it, and how its failure is kept.
 */
#ifndef PAWL_COLLECTOR_RUN_LAUNCH_H
#define PAWL_COLLECTOR_RUN_LAUNCH_H

#include "collector/child/child.h"
#include "collector/run/runner.h"

#define LAUNCH_TIMEOUT_NS 60000000000u /* where nothing is configured, and at least */

/* CPU time of all over that of the main thread, beyond which others worked too. */
#define LAUNCH_HELPERS 1.05

/* One side made ready to start: what child_spec points to. */
struct launch {
	struct strv env;
	char *input; /* its path */
	struct child_spec spec;
};

/* Fills all but the timeout, not pinned; release it also after a failure.  Errors: ERR_NOMEM. */
int launch_prepare(struct launch *l, const struct process_runner *r,
		   const struct bench_config *config, const struct side *side, struct err *err);
void launch_release(struct launch *l);

/*
 * Adds what docs/RECORD-LINES.md says the collector sets; inner may be NULL.  Who adds more to
 * env sets spec.env anew behind it.  Errors: ERR_NOMEM.
 */
int launch_ask(struct launch *l, const char *what, const char *inner, struct err *err);

/* Makes the environment larger by so many bytes and a name.  Errors: ERR_NOMEM. */
int launch_pad(struct launch *l, unsigned bytes, struct err *err);

/* The configured timeout, else ten times the expected run, at least LAUNCH_TIMEOUT_NS. */
uint64_t launch_timeout_ns(const struct unit *u);

/* That, of a question or a calibration: what the runner allows where that is less. */
uint64_t launch_limit_ns(const struct process_runner *r, uint64_t timeout_ns);

/* Of a run that is placed, a measured one, the first; of another one the second. */
uint64_t launch_run_limit_ns(const struct process_runner *r, const struct unit *u, bool is_placed);

/* How long a program may take to list its benchmarks; is_cut: whether that is the runner's wish. */
uint64_t launch_list_limit_ns(const struct process_runner *r, const struct bench_config *config);
bool launch_list_is_cut(const struct process_runner *r, const struct bench_config *config);

/* Whether a process used clearly more CPU time than its main thread; NaN: not known, no. */
bool launch_has_helpers(double process_ns, double thread_ns);

/*
 * Whether threads beside the main one worked, and not only the processes that it waited for.  This
 * does not depend on how many processors were free.
 */
bool launch_has_threads(const struct child_result *res);

/*
 * How long the run lasted, without what it waited for a processor.  That is known of the main
 * thread alone: where others worked too, theirs is in it, and what the main thread waited stays in
 * it. has_helpers and has_threads are set before.
 */
void launch_wall(struct run *run, const struct child_result *res);

/*
 * A process starts as a copy of us, and the kernel counts that: a peak that is not above our own
 * says nothing, and is NaN.
 */
double launch_peak_rss(uint64_t bytes);

/*
 * What surrounds a run: start, steal, pressure, the frequency of the processor it is pinned to
 * (-1: to none), and whether the machine slept or lost a processor between the two calls.  What
 * costs more than a short run is of the time since it was last read (around.h).
 */
void launch_begin(const struct process_runner *r, struct run *run);
void launch_end(const struct process_runner *r, int cpu, struct run *run);

/* Keeps the digest of what the run printed.  Errors: ERR_NOMEM. */
int launch_output(struct run *run, const struct child_result *res, struct err *err);

/* Takes over why a run failed; text may be empty: then it did not.  Errors: ERR_NOMEM. */
int launch_fail(struct run *run, struct buf *text, bool timed_out, struct err *err);

/*
 * A program that cannot be started (ERR_CHILD, ERR_REFUSED) failed, and does not stop the
 * others: *failure gets the text.  Errors: any other fault as it is; ERR_NOMEM.
 */
int launch_fault(char **failure, const struct err *fault, struct err *err);

/* ln(head / base); NaN unless both are above 0. */
double launch_log_ratio(double head, double base);

/* Runs one side once; a failure of the program stands in *run.  Errors: as launch_fault(). */
typedef int launch_run_fn(const void *ctx, const struct process_runner *r, const struct unit *u,
			  const struct side *side, const struct stage_pair *placed, struct run *run,
			  struct err *err);

/* Where the next pair runs from.  Errors: those of stage_place(). */
int launch_place(const struct process_runner *r, const struct unit *u, struct stage_pair *out,
		 struct err *err);

/*
 * Runs a pair, each side as a whole, in its order, from where the stage puts them.
 * Errors: those of stage_place() and of run.
 */
int launch_pair(const struct process_runner *r, const struct unit *u, launch_run_fn *run,
		const void *ctx, struct pair *p, struct err *err);

#endif
