/*
 * receipt - decided comparisons, kept so that a hook, or a job of CI on the same machine, need not
 * measure twice.
 *
 * <state>/receipts/KEY.json is the summary document.  KEY stands for both commits, the machine, the
 * compilers and the environment, the configuration, the options that decide how it is measured, and
 * the files outside the work tree that the command lines name: what differs is compared anew.
 */
#ifndef PAWL_CLI_KEPT_RECEIPT_H
#define PAWL_CLI_KEPT_RECEIPT_H

#include "cli/command.h"
#include "collector/compare.h"

/* The receipt of one request. */
struct receipt {
	const struct options *o;
	const struct context *c;
	const struct compare_request *rq;
	struct buf path; /* empty: there can be none */
	bool is_asked;	 /* path is made: it takes starting the compilers */
	bool is_found;
};

#define RECEIPT_OF(o, c, rq) \
	{ \
		o, c, rq, BUF_INIT, false, false \
	}

void receipt_release(struct receipt *r);

/*
 * To be called before anything is measured, with --reuse or not: the files may change meanwhile.
 * With --reuse fills *out with what was found out before, and tells so; initialises it only where
 * there is nothing (out->commit.id is NULL then).  A damaged receipt counts as none.
 * Errors: with --reuse those of repo_resolve() and trees_toolchain(); ERR_NOMEM.
 */
int receipt_find(struct receipt *r, struct summary *out, struct err *err);

/*
 * Keeps a judged summary where every benchmark is decided, and that was not itself found; one of a
 * commit that was built without some of its parts must not be given, as these may come.  A folder
 * that cannot be written is no error.  Errors: those of receipt_find() with --reuse.
 */
int receipt_keep(struct receipt *r, const struct summary *s, struct err *err);

#endif
