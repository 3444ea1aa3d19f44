/*
 * again - a configuration that pawl init may write anew.
 *
 * Where no benchmark was found its last line says so, with a digest of what is before it: as long
 * as nobody changed the file, nothing is lost.
 */
#ifndef PAWL_CLI_INIT_AGAIN_H
#define PAWL_CLI_INIT_AGAIN_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/* Appends that line.  Errors: ERR_NOMEM. */
int again_add(struct buf *text, struct err *err);

/* Whether the file is as pawl init wrote it, with that line. */
bool again_may_write(const char *path);

#endif
