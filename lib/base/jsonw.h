/*
 * jsonw - writes JSON into a buf, commas and nesting kept by itself.
 *
 * Strings: bytes that are not UTF-8 become U+FFFD; control characters, quote and
 * backslash are escaped, and a '#' after another one, which a runner's log takes for a command
 * (runner_is_hash()).  Numbers: number_print(); NaN and infinities become null,
 * they never leave the program.  Misuse is an assert: a key outside an object, a value
 * without a key inside one, an end that does not fit its beginning, too deep a nesting.
 *
 * The only writer; lib/json only reads.  1,000 benchmarks of 30 pairs take 1.7 MB, where a tree and
 * its text would take 7.8 MB (docs/decisions/0024-libraries-tried.md).
 */
#ifndef PAWL_BASE_JSONW_H
#define PAWL_BASE_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/buf.h"

#define JSONW_DEPTH 32

struct jsonw {
	struct buf *out;
	int depth;
	int indent;		     /* 0: one line; else blanks a level */
	bool has_items[JSONW_DEPTH]; /* a comma is due */
	bool flat[JSONW_DEPTH];	     /* items of this level stay on one line */
	bool object[JSONW_DEPTH];    /* this level is an object: every value needs a key */
	bool after_key;
};

/* Starts writing at the end of out; indent 0 gives one line. */
void jsonw_init(struct jsonw *w, struct buf *out, int indent);

void jsonw_object(struct jsonw *w);	/* { */
void jsonw_object_end(struct jsonw *w); /* } */
void jsonw_array(struct jsonw *w);	/* [ */
void jsonw_array_flat(struct jsonw *w); /* [ with all its items on one line */
void jsonw_array_end(struct jsonw *w);	/* ] */
void jsonw_key(struct jsonw *w, const char *key);
void jsonw_string(struct jsonw *w, const char *text); /* NULL gives null */
void jsonw_number(struct jsonw *w, double value);
void jsonw_integer(struct jsonw *w, int64_t value);
void jsonw_bool(struct jsonw *w, bool value);
void jsonw_null(struct jsonw *w);
void jsonw_raw(struct jsonw *w, const char *json, size_t n); /* ready JSON, trusted */

/* key and value in one call */
void jsonw_kstring(struct jsonw *w, const char *key, const char *text);
void jsonw_knumber(struct jsonw *w, const char *key, double value);
void jsonw_kinteger(struct jsonw *w, const char *key, int64_t value);
void jsonw_kbool(struct jsonw *w, const char *key, bool value);
void jsonw_knumbers(struct jsonw *w, const char *key, const double *x, size_t n);

/* Appends text as a JSON string, quotes included. */
void json_quote(struct buf *out, const char *text, size_t n);

#endif
