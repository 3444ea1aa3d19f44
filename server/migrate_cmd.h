/*
 * migrate_cmd - `pawld migrate`: a store of one engine as one of another.
 */
#ifndef PAWL_SERVER_MIGRATE_CMD_H
#define PAWL_SERVER_MIGRATE_CMD_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * What is to be printed on stdout goes to out.
 * Errors: ERR_USAGE, and those of ledger_move().
 */
int migrate_command(int argc, char **argv, struct buf *out, struct err *err);

#endif
