/*
 * link - the header that leads to the next page of a list (RFC 8288).
 */
#ifndef PAWL_SERVER_HTTP_LINK_H
#define PAWL_SERVER_HTTP_LINK_H

#include "lib/base/buf.h"

/*
 * Puts into out, which must be empty: <the same address with that cursor>; rel="next".  target is
 * the request's as it came; a byte that could end the header is written as %XX.
 */
void link_next(const char *target, const char *cursor, struct buf *out);

#endif
