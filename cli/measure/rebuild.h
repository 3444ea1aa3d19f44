/*
 * rebuild - what a collection found becomes a comparison of two builds.
 */
#ifndef PAWL_CLI_MEASURE_REBUILD_H
#define PAWL_CLI_MEASURE_REBUILD_H

#include "cli/command.h"
#include "lib/record/history.h"

/*
 * Where stored samples give rise to a suspicion, or the base's kept program was faster or slower,
 * or would be but for what layouts do here: builds both commits alike, runs them side by side as a
 * comparison does, puts what that gave in the place of what was found and judges the summary again.
 * Where that cannot be done what was found stays, and a warning says why.  Where both builds are
 * the same code and not what was measured, what was called is left open.
 * Only where a build is configured.  Errors: ERR_NOMEM.
 */
int rebuild_suspects(const struct context *c, uint64_t wait_ns, struct summary *s,
		     const struct history *history, struct err *err);

#endif
