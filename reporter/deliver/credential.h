/*
 * credential - the token for the results server, from where the user keeps it.
 */
#ifndef PAWL_REPORTER_DELIVER_CREDENTIAL_H
#define PAWL_REPORTER_DELIVER_CREDENTIAL_H

#include "lib/base/err.h"

/*
 * given (PAWL_TOKEN) when it is neither NULL nor empty, else what git's credential helpers
 * know for that server: the password of `git credential fill` with its protocol, host and
 * path.  dir is the folder to ask git in (NULL: here).  Nothing is ever asked of the user:
 * no terminal, no askpass program, no window.  *out is NULL when there is none; else release
 * it with credential_free().
 *
 * Errors: ERR_CONFIG for an address that cannot be read or a token of more than one word,
 *         ERR_NOMEM.  No git, a helper that fails or hangs (10 s): no token and no error.
 */
int credential_token(const char *given, const char *server, const char *dir, char **out,
		     struct err *err);

/* Wipes and releases; accepts NULL. */
void credential_free(char *token);

#endif
