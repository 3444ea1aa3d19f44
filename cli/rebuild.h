/*
 * rebuild - a suspicion against stored samples becomes a comparison of two builds.
 */
#ifndef PAWL_CLI_REBUILD_H
#define PAWL_CLI_REBUILD_H

#include "cli/command.h"
#include "lib/record/history.h"

/*
 * Builds the baseline of every suspected benchmark beside what was collected, runs both side by
 * side, puts what that gave in the place of the suspicion and judges the summary again.  Where
 * that cannot be done the suspicion stays, and a warning says why.
 * Only where a build is configured.  Errors: ERR_STOPPED, ERR_NOMEM.
 */
int rebuild_suspects(const struct context *c, uint64_t wait_ns, struct summary *s,
		     const struct history *history, struct err *err);

#endif
