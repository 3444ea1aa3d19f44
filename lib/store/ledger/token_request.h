/*
 * token_request - what `pawld token` and `pawl token` do: one piece of code for both.
 */
#ifndef PAWL_STORE_LEDGER_TOKEN_REQUEST_H
#define PAWL_STORE_LEDGER_TOKEN_REQUEST_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* As written on the command line; what was not said is NULL. */
struct token_request {
	const char *verb;  /* "add", "list" or "revoke" */
	const char *id;	   /* revoke: which one */
	const char *store; /* "sqlite:PATH" */
	const char *project;
	const char *scope; /* "write,read" */
	const char *label;
	const char *expires; /* "365d" (when NULL), "12h", "never" */
	bool untrusted;
};

/*
 * Appends to out what is to be printed: the new token, or the list.
 * Errors: ERR_USAGE for a part that is missing or does not fit, and those of the ledger.
 */
int token_request_run(const struct token_request *rq, struct buf *out, struct err *err);

#endif
