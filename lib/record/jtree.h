/*
 * jtree - a JSON document of any shape, read only: for what other programs write.
 *
 * For documents of a known form reader.h is the way: it names the path of a fault.  Every call
 * accepts NULL, which stands for what is not there.  Values live as long as their root.
 */
#ifndef PAWL_RECORD_JTREE_H
#define PAWL_RECORD_JTREE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"

struct jtree; /* opaque: one value */

enum jtree_kind {
	JTREE_ABSENT,
	JTREE_NULL,
	JTREE_BOOL,
	JTREE_NUMBER,
	JTREE_STRING,
	JTREE_ARRAY,
	JTREE_OBJECT
};

/*
 * Parses n bytes: at most max_bytes and max_depth levels, no duplicate keys, finite numbers, valid
 * UTF-8 without NUL, nothing behind the document.  NULL with ERR_SYNTAX (line and column),
 * ERR_LIMIT or ERR_NOMEM.
 */
struct jtree *jtree_parse(const char *json, size_t n, size_t max_bytes, int max_depth,
			  struct err *err);
void jtree_free(struct jtree *root);

enum jtree_kind jtree_kind(const struct jtree *v);

/* A field of an object; NULL for anything else. */
const struct jtree *jtree_get(const struct jtree *v, const char *key);
/* Of an array or an object; 0 for anything else. */
size_t jtree_count(const struct jtree *v);
/* An item of an array; NULL beyond its end and for anything else. */
const struct jtree *jtree_item(const struct jtree *v, size_t i);
/* NULL unless it is a string. */
const char *jtree_text(const struct jtree *v);
/* NaN unless it is a number. */
double jtree_number(const struct jtree *v);

/* false for anything but true. */
bool jtree_is_true(const struct jtree *v);

/* The fields of an object in their order: begins with *at NULL; false behind the last one. */
struct jtree_field {
	const char *key;
	const struct jtree *value;
	void *at; /* NULL to begin with */
};
bool jtree_next(const struct jtree *object, struct jtree_field *field);

/*
 * Appends the value, at most JSONW_DEPTH levels deep, as JSON on one line; a string without its
 * quotes when bare.  Errors: ERR_NOMEM.
 */
int jtree_print(const struct jtree *v, bool bare, struct buf *out, struct err *err);

#endif
