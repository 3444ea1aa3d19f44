/*
 * base64 - bytes as letters (RFC 4648).
 */
#ifndef PAWL_REPORTER_DELIVER_BASE64_H
#define PAWL_REPORTER_DELIVER_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"

/* is_url: the alphabet that addresses may hold, '-' and '_' for '+' and '/'.  Padded with '='. */
void base64_add(const char *bytes, size_t n, bool is_url, struct buf *out);

#endif
