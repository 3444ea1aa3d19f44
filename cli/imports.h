/*
 * imports - what several calls of pawl import stored of one commit, as one result.
 */
#ifndef PAWL_CLI_IMPORTS_H
#define PAWL_CLI_IMPORTS_H

#include "cli/command.h"
#include "lib/store/local/store.h"

/*
 * *s, an imported result, gets the benchmarks that it lacks of earlier imports of its commit on its
 * machine: each as it was imported last.  Those with uncommitted changes and those without do not
 * join.  A damaged one is passed over.
 *
 * Errors: ERR_LIMIT, ERR_NOMEM, those of the store; *s may lack benchmarks then.
 */
int join_imports(const struct context *c, struct store *store, struct summary *s, struct err *err);

#endif
