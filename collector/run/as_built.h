/*
 * as_built - whether a program in another layout does what it does as it was built.
 *
 * A layout is checked by its bytes (collector/layout/traits.h).  A program that takes data of
 * several objects for one table, in the order of the link, is another one all the same.  So the
 * first pair of a benchmark in a layout is compared with its warm-up, which ran as it was built.
 */
#ifndef PAWL_COLLECTOR_RUN_AS_BUILT_H
#define PAWL_COLLECTOR_RUN_AS_BUILT_H

#include "collector/run/runner.h"

typedef int as_built_pair_fn(const struct process_runner *r, const struct unit *u, struct pair *p,
			     struct err *err);

/*
 * p is the first pair that is kept, as `run` gave it.  Where it seems to have done something else,
 * in what it printed, how it ended, or in less than half or more than twice the processor time,
 * more are run; where these agree, the program has one layout from now on, and p is of that.
 * Errors: those of run.
 */
int as_built_check(const struct process_runner *r, const struct unit *u, as_built_pair_fn *run,
		   struct pair *p, struct err *err);

#endif
