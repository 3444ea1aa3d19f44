/*
 * token_cmd - `pawld token add|list|revoke`, on the machine of the store.
 */
#ifndef PAWL_SERVER_TOKEN_CMD_H
#define PAWL_SERVER_TOKEN_CMD_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * argv[0] is "add", "list" or "revoke".  What is to be printed on stdout goes to out.
 * Errors: ERR_USAGE, and those of the ledger.
 */
int token_command(int argc, char **argv, struct buf *out, struct err *err);

#endif
