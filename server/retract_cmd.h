/*
 * retract_cmd - pawld retract: results that are not to be shown.
 */
#ifndef PAWL_SERVER_RETRACT_CMD_H
#define PAWL_SERVER_RETRACT_CMD_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * argv[0] is the first option.  What is to be printed on stdout goes to out.
 * Errors: ERR_USAGE, ERR_ABSENT, and those of the ledger.
 */
int retract_command(int argc, char **argv, struct buf *out, struct err *err);

#endif
