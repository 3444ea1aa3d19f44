/*
 * push_nearer - which stored results are not for the server: comparisons over several commits that
 * were made again in smaller steps, as `pawl backfill` does.
 *
 * A server takes each result for a step of its commit: of a change somewhere in a wide range it
 * would blame the last commit, though a nearer comparison has shown since that this one changed
 * nothing.
 */
#ifndef PAWL_CLI_PUSH_NEARER_H
#define PAWL_CLI_PUSH_NEARER_H

#include "cli/command.h"

/*
 * Passes over each result that was never queued, where another one of the same commit and machine
 * has all its benchmarks and was compared with a commit between both; *out_n of them.  They stay in
 * the store, and are not counted as missing at the server any more.
 *
 * Errors: ERR_NOMEM, those of the store.  Where the commits cannot be read any more, none is passed
 *         over.  Cost: reads the results of commits that have several, where any was never queued.
 */
int push_pass_over(const struct context *c, struct store *store, size_t *out_n, struct err *err);

#endif
