/*
 * receipt - decided comparisons, kept so that a hook, or a job of CI on the same machine, need not
 * measure twice.
 *
 * <state>/receipts/KEY.json is the summary document.  KEY stands for both commits, the machine, the
 * compilers and the environment, the configuration and the options that decide how it is measured:
 * what differs is compared anew.
 */
#ifndef PAWL_CLI_RECEIPT_H
#define PAWL_CLI_RECEIPT_H

#include "cli/command.h"
#include "collector/compare.h"

/*
 * With --reuse: fills *out with what was found out before, and tells so; initialises it only where
 * there is nothing (out->commit.id is NULL then).  A damaged receipt counts as none.
 * Errors: those of repo_commit() and trees_toolchain(); ERR_NOMEM.
 */
int receipt_find(const struct options *o, const struct context *c, const struct compare_request *rq,
		 struct summary *out, struct err *err);

/*
 * Keeps a judged summary where every benchmark is decided; one of a commit that was built without
 * some of its parts must not be given, as these may come.  A folder that cannot be written is no
 * error.  Errors: ERR_NOMEM.
 */
int receipt_keep(const struct options *o, const struct context *c, const struct compare_request *rq,
		 const struct summary *s, struct err *err);

#endif
