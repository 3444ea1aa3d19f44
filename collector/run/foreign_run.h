/*
 * foreign_run - processes of other harnesses' benchmarks: asked, run, and their answers read.
 *
 * One process run gives one sample: the time per iteration that the harness reports.
 */
#ifndef PAWL_COLLECTOR_RUN_FOREIGN_RUN_H
#define PAWL_COLLECTOR_RUN_FOREIGN_RUN_H

#include "collector/run/runner.h"

/*
 * The benchmarks of a program, and what picks each; no selectors where it runs all it has.
 * Errors: ERR_CHILD with how it ended or what is wrong with its answer, ERR_TIMEOUT, ERR_STOPPED,
 *         ERR_IO, ERR_NOMEM.
 * Cost: google: none.  go, catch2: one iteration of everything.  Others: a whole run.
 */
int foreign_run_list(const struct process_runner *r, const struct bench_config *config,
		     enum bench_format format, const struct side *side, struct strv *out_names,
		     struct strv *out_selectors, struct err *err);

/* runner.calibrate and runner.pair of such a unit. */
int foreign_run_calibrate(const struct process_runner *r, struct unit *u, const struct side *side,
			  struct err *err);
int foreign_run_pair(const struct process_runner *r, const struct unit *u, struct pair *p,
		     struct err *err);

/*
 * Appends the options for a run of the unit with n iterations.  Errors: ERR_CHILD where its
 * harness chooses them itself; ERR_NOMEM.
 */
int foreign_run_words(const struct unit *u, uint64_t n, struct strv *argv, struct err *err);

/*
 * Appends the options of a timed run of a unit that is calibrated, with n iterations, or of that
 * time where its harness chooses them itself.  Errors: ERR_NOMEM.
 */
int foreign_run_order(const struct unit *u, uint64_t n, uint64_t min_time_ns, struct strv *argv,
		      struct err *err);

#endif
