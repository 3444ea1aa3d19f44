/*
 * fsck_cmd - `pawld fsck`, on the machine of the store.
 */
#ifndef PAWL_SERVER_FSCK_CMD_H
#define PAWL_SERVER_FSCK_CMD_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * What is to be printed on stdout goes to out; *out_well: nothing is damaged, or not any more.
 * Errors: ERR_USAGE, and those of the ledger.
 */
int fsck_command(int argc, char **argv, struct buf *out, bool *out_well, struct err *err);

#endif
