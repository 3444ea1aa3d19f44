/* SPDX-License-Identifier: MIT */
/*
 * wire - the descriptor to the collector: whole lines out, single bytes in.
 */
#ifndef PAWL_HARNESS_SPEAK_WIRE_H
#define PAWL_HARNESS_SPEAK_WIRE_H

#include <stddef.h>

#include "harness/base/text.h"

/* A reader that takes nothing for so long is taken for dead. */
#define WIRE_PATIENCE_MS 10000

/*
 * Writes the text and a newline, whole or with an error.  A reader that has gone is an error,
 * not a signal.
 *
 * Errors: -errno; -EMSGSIZE when the text is full; -ETIMEDOUT when the descriptor takes nothing
 *         for WIRE_PATIENCE_MS.
 */
int pawl_wire_send(int fd, struct text *t);

/* Waits for one byte.  Errors: -EPIPE at the end of the stream, else -errno. */
int pawl_wire_wait(int fd);

/*
 * Waits for a line and takes its newline away: NUL-terminated, less than size bytes.
 * Errors: as above; -EMSGSIZE when it is longer.
 */
int pawl_wire_line(int fd, char *out, size_t size);

#endif
