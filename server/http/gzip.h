/*
 * gzip - for clients that know no zstd, browsers and scripts: a reply made smaller, and a document
 * that came so.
 */
#ifndef PAWL_SERVER_HTTP_GZIP_H
#define PAWL_SERVER_HTTP_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

/*
 * Appends bytes[0..n) as one member of gzip (RFC 1952), at zlib's fastest level.  False where
 * nothing is gained, or without memory: out is as it was.
 * Cost: of JSON about 10 ms a MB; 270 KB while it works, and as much as the result.
 */
bool gzip(const void *bytes, size_t n, struct buf *out);

/*
 * Puts into out, in place of what it held, what the one member of gzip in bytes[0..n) was made of:
 * at most `most` bytes, and at most SQUEEZE_MOST_TIMES as many as it has.  No more memory than that
 * is touched.  Errors: ERR_SYNTAX no gzip, a broken one, or one with bytes behind it; ERR_LIMIT
 * beyond `most`; ERR_RANGE beyond SQUEEZE_MOST_TIMES; ERR_NOMEM.
 */
int gunzip_document(const void *bytes, size_t n, size_t most, struct buf *out, struct err *err);

#endif
