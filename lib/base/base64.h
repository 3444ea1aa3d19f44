/*
 * base64 - bytes as letters (RFC 4648), by nettle.
 */
#ifndef PAWL_BASE_BASE64_H
#define PAWL_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends n bytes, padded with '='.  is_url: the alphabet that addresses may hold, '-' and '_' for
 * '+' and '/'.  Nothing of the bytes is left on the stack: they may be a secret.
 *
 * Errors: ERR_NOMEM.
 */
int base64_add(const char *bytes, size_t n, bool is_url, struct buf *out, struct err *err);

#endif
