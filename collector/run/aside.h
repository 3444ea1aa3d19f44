/*
 * aside - what a command wants run before and after each of its runs; it is in no figure.
 */
#ifndef PAWL_COLLECTOR_RUN_ASIDE_H
#define PAWL_COLLECTOR_RUN_ASIDE_H

#include "collector/run/runner.h"

/* Whether there is any. */
bool aside_is_wanted(const struct bench_config *config);

/*
 * Gives sh -c the line of `prepare`, in the side's folder, with its variables; nothing where there
 * is none.  What it leaves running is ended.  *failure gets why it failed, or ran longer than that.
 * Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM.
 */
int aside_prepare(const struct process_runner *r, const struct bench_config *config,
		  const struct side *side, uint64_t timeout_ns, char **failure, struct err *err);

/*
 * The same with the line of `cleanup`, owed once aside_prepare() was called: also where that
 * failed, or the run, or a signal asked us to stop; then it may take ASIDE_GRACE_NS from there on.
 * result: of preparing and running, -1 with err filled.  What failed before it stays in *failure
 * and err; to a stop it adds that the cleanup failed.  Returns -1 where result is -1.
 * Errors: as aside_prepare().
 */
#define ASIDE_GRACE_NS 2000000000u
int aside_clean_up(const struct process_runner *r, const struct bench_config *config,
		   const struct side *side, uint64_t timeout_ns, int result, char **failure,
		   struct err *err);

#endif
