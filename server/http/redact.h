/*
 * redact - text of a client without the tokens that may be in it.
 */
#ifndef PAWL_SERVER_HTTP_REDACT_H
#define PAWL_SERVER_HTTP_REDACT_H

#include "lib/base/buf.h"

/*
 * Appends text; what looks like a token of pawld, or the beginning of one, is pawl_s_*** instead,
 * also when it came with %XX, in which case all of the text is decoded.
 */
void redact(const char *text, struct buf *out);

#endif
