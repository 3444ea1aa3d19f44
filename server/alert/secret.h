/*
 * secret - what a target is signed or logged in with: read from its file each time, so that a new
 * one needs no restart, and kept nowhere else.
 */
#ifndef PAWL_SERVER_ALERT_SECRET_H
#define PAWL_SERVER_ALERT_SECRET_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

#define SECRET_MOST 4096 /* bytes */

/*
 * The first line of the file.  Errors: ERR_ABSENT, ERR_IO; ERR_CONFIG: it is no file, empty, too
 * long, or everybody may read it; its content is in no text.
 */
int secret_read(const char *path, struct buf *out, struct err *err);

/* Wipes and releases. */
void secret_release(struct buf *secret);

#endif
