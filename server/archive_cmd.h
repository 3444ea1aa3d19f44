/*
 * archive_cmd - pawld export, pawld import, pawld retain.
 */
#ifndef PAWL_SERVER_ARCHIVE_CMD_H
#define PAWL_SERVER_ARCHIVE_CMD_H

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * argv are the words behind the command; what is to be printed goes to out.
 * Errors: ERR_USAGE, those of lib/store/archive.
 */
int export_command(int argc, char **argv, struct buf *out, struct err *err);
int import_command(int argc, char **argv, struct buf *out, struct err *err);
int retain_command(int argc, char **argv, struct buf *out, struct err *err);

#endif
