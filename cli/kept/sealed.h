/*
 * sealed - a summary document in a file, with a digest of itself: damage makes no other answer of
 * it.
 *
 * The document's last member is "sum", the SHA-256 of the document without it.
 */
#ifndef PAWL_CLI_KEPT_SEALED_H
#define PAWL_CLI_KEPT_SEALED_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/record/summary.h"

/* Replaces the file.  Errors: those of summary_encode() and file_write_whole(). */
int sealed_write(const char *path, const struct summary *s, struct err *err);

/*
 * Reads at most max bytes of it.  *out is to be released on success only.
 * Errors: ERR_ABSENT; ERR_CORRUPT it is not as it was written, with the cure; ERR_LIMIT; ERR_IO;
 *         ERR_NOMEM.
 */
int sealed_read(const char *path, size_t max, struct summary *out, struct err *err);

#endif
