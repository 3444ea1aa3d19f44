/*
 * copy_cmd - pawld backup and pawld restore: a store as one file, and back.
 */
#ifndef PAWL_SERVER_COPY_CMD_H
#define PAWL_SERVER_COPY_CMD_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * argv[0] is the first option or the file.  What is to be printed on stdout goes to out.
 * Errors: ERR_USAGE, those of ledger_open() and ledger_copy().
 */
int backup_command(int argc, char **argv, struct buf *out, struct err *err);
int restore_command(int argc, char **argv, struct buf *out, struct err *err);

#endif
