/*
 * input - standard input or what the user named, a pipe too, read to its end, or until a signal
 * asks us to stop.
 */
#ifndef PAWL_PROCESS_INPUT_H
#define PAWL_PROCESS_INPUT_H

#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends at most max bytes of standard input.  On failure out is as it was.
 * Errors: ERR_IO, ERR_LIMIT, ERR_NOMEM; ERR_STOPPED (stop.h).
 */
int input_read(const char *name, size_t max, struct buf *out, struct err *err);

/* The same of a file; of a pipe, also where nobody writes to it yet.  Errors: and ERR_ABSENT. */
int input_read_file(const char *path, size_t max, struct buf *out, struct err *err);

/* The same of what somebody named: "-" is standard input, others are files. */
int input_read_named(const char *path, size_t max, struct buf *out, struct err *err);

#endif
