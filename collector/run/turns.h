/*
 * turns - a pair of libpawl processes that run their slices in turns.
 */
#ifndef PAWL_COLLECTOR_RUN_TURNS_H
#define PAWL_COLLECTOR_RUN_TURNS_H

#include "collector/run/runner.h"

/*
 * Runs the head, and beside it the base where there is one, and fills p as runner.pair() does.
 * What one side does wrong is that side's failure only; of a pair with one side that could not
 * be started, the other one keeps no figures.  Errors: ERR_STOPPED, ERR_IO, ERR_NOMEM.
 */
int turns_pair(const struct process_runner *r, const struct unit *u, struct pair *p,
	       struct err *err);

#endif
