/*
 * squeeze - text made smaller by zstd, which is opened when it is first needed.
 *
 * Only texts go through it: samples are noise below the bits that column.h leaves out.
 */
#ifndef PAWL_SQUEEZE_SQUEEZE_H
#define PAWL_SQUEEZE_SQUEEZE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends bytes[0..n), smaller.  False when there is no zstd, or nothing is gained: out is as it
 * was. Cost: 0.15 ms the first time; 10 ms a MB.
 */
bool squeeze(const void *bytes, size_t n, struct buf *out);

/*
 * Appends the `full` bytes that bytes[0..n) were made of.
 * Errors: ERR_CORRUPT; ERR_IO without zstd, with the cure; ERR_NOMEM.
 */
int unsqueeze(const void *bytes, size_t n, size_t full, struct buf *out, struct err *err);

#endif
