/*
 * output - what the user wants in a file that he named, a pipe too, written, or given up when a
 * signal asks us to stop.
 */
#ifndef PAWL_PROCESS_OUTPUT_H
#define PAWL_PROCESS_OUTPUT_H

#include <stddef.h>
#include <sys/types.h>

#include "lib/base/err.h"

/*
 * As file_write_whole(); but a device or a pipe, or a link to one, is written to and stays what it
 * is, and of a pipe whoever reads is waited for; and what stands for a descriptor of ours
 * (/dev/stdout, /dev/fd/3) is that, wherever it leads.  What a link leads to is replaced, not the
 * link.  Errors: and ERR_STOPPED (stop.h).
 */
int output_write_named(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err);

#endif
