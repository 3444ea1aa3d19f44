/*
 * target - what a request asks for: the path in decoded segments, the query in decoded pairs.
 */
#ifndef PAWL_SERVER_HTTP_TARGET_H
#define PAWL_SERVER_HTTP_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

#define TARGET_MAX_BYTES 4096
#define TARGET_MAX_SEGMENTS 8
#define TARGET_MAX_PARAMETERS 16

struct target {
	char *text; /* what the rest points into */
	const char *segments[TARGET_MAX_SEGMENTS];
	size_t n_segments; /* 0 for "/" */
	struct {
		const char *name, *value;
	} parameters[TARGET_MAX_PARAMETERS];
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
int target_parse(const char *raw, struct target *out, struct err *err);
void target_release(struct target *url);

/* The value of a parameter, or NULL. */
const char *target_parameter(const struct target *url, const char *name);

/* The same, or NULL where it is empty, as fields of a form are that nobody filled. */
const char *target_given(const struct target *url, const char *name);

/*
 * That each parameter is one of known, which ends with NULL: a filter that is misspelt must not
 * silently show everything.  Errors: ERR_SYNTAX.
 */
int target_only(const struct target *url, const char *const *known, struct err *err);

/*
 * Whether a list such as "gzip, br;q=0.5, zstd" has that word, and not with q=0; list may be NULL.
 */
bool target_accepts(const char *list, const char *word);

/*
 * Which of types[0..n) a list such as "text/csv, application/json;q=0.5" wants most, the first of
 * those that are wanted equally; n: none of them.  An empty list, or none (NULL), wants the first.
 *
 * Source: RFC 9110, 12.5.1: of several ranges that fit a type the most precise one counts.
 */
size_t target_prefers(const char *list, const char *const *types, size_t n);

#endif
