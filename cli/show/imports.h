/*
 * imports - what several calls of pawl import stored of one commit, as one result.
 */
#ifndef PAWL_CLI_SHOW_IMPORTS_H
#define PAWL_CLI_SHOW_IMPORTS_H

#include "cli/command.h"
#include "lib/store/local/store.h"

/*
 * *s, an imported result, gets the benchmarks that it lacks of earlier imports of its commit on its
 * machine: each as it was imported last.  Those with uncommitted changes and those without do not
 * join.  Where one joins, *s is no stored result any more and gets an id of its own, the same for
 * the same results.  A damaged one is passed over.  Does nothing to what was measured.
 *
 * Errors: ERR_LIMIT, ERR_NOMEM, those of the store; *s may lack benchmarks then.
 */
int join_imports(const struct context *c, struct store *store, struct summary *s, struct err *err);

/*
 * All that was imported for two commits, whatever was measured on them since: of one machine, the
 * one that most lately had a result of the head, where there is one that has both.  Those with
 * uncommitted changes only where a commit has no others; a warning of *out_head says so.
 *
 * Errors: ERR_ABSENT nothing was imported for one of them; those of join_imports().
 */
int imports_of_both(const struct context *c, struct store *store, const char *base,
		    const char *head, struct summary *out_base, struct summary *out_head,
		    struct err *err);

#endif
