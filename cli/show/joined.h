/*
 * joined - a suite that several jobs measured (pawl collect --shard), shown as one result.
 */
#ifndef PAWL_CLI_SHOW_JOINED_H
#define PAWL_CLI_SHOW_JOINED_H

#include "cli/command.h"
#include "lib/store/local/store.h"

/*
 * Where *s, the newest result of its commit, is a part of a run, the benchmarks of the run's other
 * parts join it, each part as it was measured last, in the order of their numbers.  What is known
 * of the run as a whole stays that of *s; parts of other machines and parts that are not stored are
 * told.  Parts with uncommitted changes and parts without do not join.  A damaged part is passed
 * over, and noted among the warnings of *s.
 *
 * Errors: ERR_NOMEM, those of the store; *s may lack benchmarks then.
 */
int join_parts(const struct context *c, struct store *store, struct summary *s, struct err *err);

/* Whether the row is another result of that one's code: uncommitted changes are another code. */
bool joined_is_other(const struct summary *s, const struct store_row *row);

#endif
