/* SPDX-License-Identifier: MIT */
/*
 * os - what the harness asks of the system beyond the C library and the clocks.
 *
 * os/posix.c answers on Linux, macOS and other POSIX systems, os/windows.c on Windows.  What a
 * system does not have is said to be unknown or unsupported, never made up.
 */
#ifndef PAWL_HARNESS_OS_OS_H
#define PAWL_HARNESS_OS_OS_H

#include <stdbool.h>
#include <stddef.h>

/* The number of the processor that the calling thread is on; below 0: unknown. */
int pawl_os_processor(void);

/*
 * The run delay, in ns, of a line of Linux's schedstat: time on a processor, run delay, how often.
 * NaN when it is no such line, or all 0: the kernel then counts none of them.
 */
double pawl_os_run_delay(const char *schedstat);

/* The part of a path behind its folders. */
const char *pawl_os_file_name(const char *path);

/* Whether a collector can hand over a descriptor here; otherwise why not, static storage. */
bool pawl_os_has_wire(const char **out_reason);

/* Keeps the descriptor, and PAWL_FD, from the programs that the benchmark starts. */
void pawl_os_wire_keep(int fd);

/*
 * Writes n bytes.  A reader that has gone is an error, not a signal.
 *
 * Errors: -errno; -ETIMEDOUT when the descriptor takes nothing for so long.
 */
int pawl_os_wire_write(int fd, const char *at, size_t n, int patience_ms);

/*
 * Waits for bytes and takes them: at most size of them, and none behind a newline.  Returns how
 * many.
 *
 * Errors: -EPIPE at the end of the stream, else -errno.
 */
int pawl_os_wire_take(int fd, char *out, size_t size);

#endif
