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

/*
 * Appends what n letters of the alphabet for addresses stand for, without padding (RFC 7515, 2).
 * False for anything else, also a blank, '=' or bits that stand for nothing: each text of bytes is
 * the only one.  out may then hold some of them.
 */
bool base64url_read(const char *text, size_t n, struct buf *out);

#endif
