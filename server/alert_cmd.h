/*
 * alert_cmd - pawld alert: who is to hear of regressions.
 */
#ifndef PAWL_SERVER_ALERT_CMD_H
#define PAWL_SERVER_ALERT_CMD_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * argv[0] is the word behind "alert".  Appends what is to be printed.
 * Errors: ERR_USAGE, ERR_ABSENT, ERR_CONFIG, ERR_NET (a test that was not delivered), those of the
 *         ledger.
 */
int alert_command(int argc, char **argv, struct buf *out, struct err *err);

#endif
