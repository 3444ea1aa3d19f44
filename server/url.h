/*
 * url - what a request asks for: the path in decoded segments, the query in decoded pairs.
 */
#ifndef PAWL_SERVER_URL_H
#define PAWL_SERVER_URL_H

#include <stddef.h>

#include "lib/base/err.h"

#define URL_MAX_BYTES 4096
#define URL_MAX_SEGMENTS 8
#define URL_MAX_PARAMETERS 16

struct url {
	char *text; /* what the rest points into */
	const char *segments[URL_MAX_SEGMENTS];
	size_t n_segments; /* 0 for "/" */
	struct {
		const char *name, *value;
	} parameters[URL_MAX_PARAMETERS];
	size_t n_parameters;
};

/*
 * Reads the request target as it stands in the request line.  Segments are split before
 * they are decoded, so that %2F is a character of a name.  In the query + is a blank.
 *
 * Errors: ERR_SYNTAX (not a path, a bad %XX, %00, bytes that are not UTF-8, a parameter
 *         twice), ERR_LIMIT (too many parameters), ERR_NOMEM.  A path of too many segments
 *         keeps the first ones and counts one more: it matches no route.
 */
int url_parse(const char *raw, struct url *out, struct err *err);
void url_release(struct url *url);

/* The value of a parameter, or NULL. */
const char *url_parameter(const struct url *url, const char *name);

#endif
