/*
 * exec_path - where the files lie that were installed with this pawl: what CI calls, pawl.mk.
 */
#ifndef PAWL_CLI_EXEC_PATH_H
#define PAWL_CLI_EXEC_PATH_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends the folder that holds ci/shell/pawl-step: share/pawl beside the folder of this program,
 * wherever the installed tree was moved to; for one that was built and not installed, the sources.
 * Errors: ERR_ABSENT with the cure; ERR_NOMEM.
 */
int exec_path(struct buf *out, struct err *err);

#endif
