/*
 * gzip - a reply made smaller for clients that know no zstd, browsers and scripts.
 */
#ifndef PAWL_SERVER_HTTP_GZIP_H
#define PAWL_SERVER_HTTP_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"

/*
 * Appends bytes[0..n) as one member of gzip (RFC 1952), at zlib's fastest level.  False where
 * nothing is gained, or without memory: out is as it was.
 * Cost: of JSON about 10 ms a MB; 270 KB while it works, and as much as the result.
 */
bool gzip(const void *bytes, size_t n, struct buf *out);

#endif
