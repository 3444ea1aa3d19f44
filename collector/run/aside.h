/*
 * aside - what a command wants run before and after each of its runs; it is in no figure.
 */
#ifndef PAWL_COLLECTOR_RUN_ASIDE_H
#define PAWL_COLLECTOR_RUN_ASIDE_H

#include "collector/run/runner.h"

/* Whether there is any. */
bool aside_is_wanted(const struct bench_config *config);

/*
 * Gives sh -c the line of `prepare` (before), or of `cleanup`, in the side's folder, with its
 * variables; nothing where there is none.  What it leaves running is ended.  *failure gets why it
 * failed, or ran longer than that, unless the run has failed already.
 * Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM.
 */
int aside_run(const struct process_runner *r, const struct bench_config *config,
	      const struct side *side, bool before, uint64_t timeout_ns, char **failure,
	      struct err *err);

#endif
