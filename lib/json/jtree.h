/*
 * jtree - a JSON document as a tree, read only: what pull.h reads, all of it at hand.
 *
 * For what other programs write; documents of a known form are read without a tree, by
 * lib/record/reader/reader.h.  Every call accepts NULL, which stands for what is not there.  Values
 * live as long as their root.
 *
 * A tree is one array of 16 bytes a value, and one of the strings
 * (docs/decisions/0029-json-reader.md).
 *
 * Source: RFC 8259; strings are UTF-8 (RFC 3629).
 */
#ifndef PAWL_JSON_JTREE_H
#define PAWL_JSON_JTREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
 * Parses n bytes, an object or an array: at most max_bytes and max_depth levels, no duplicate keys,
 * finite numbers, whole numbers that fit into an int64_t, valid UTF-8 without NUL, nothing behind
 * the document.  NULL with ERR_SYNTAX ("not JSON: line 2, column 5: ..."; so many characters of the
 * line are in front), ERR_LIMIT or ERR_NOMEM. Cost: 1 to 4 ns a byte.
 */
struct jtree *jtree_parse(const char *json, size_t n, size_t max_bytes, int max_depth,
			  struct err *err);

/* The same of at most max_tree bytes of memory; beyond it ERR_LIMIT. */
struct jtree *jtree_parse_within(const char *json, size_t n, size_t max_tree, int max_depth,
				 struct err *err);

/*
 * jtree_parse() of what programs write that print numbers as they are: NaN, Infinity and -Infinity
 * are numbers, which jtree_print() writes as null, and whole ones beyond an int64_t are the nearest
 * double.
 */
struct jtree *jtree_parse_loose(const char *json, size_t n, size_t max_bytes, int max_depth,
				struct err *err);

void jtree_free(struct jtree *root);

enum jtree_kind jtree_kind(const struct jtree *v);

/* A field of an object; NULL for anything else. */
const struct jtree *jtree_get(const struct jtree *v, const char *key);
/* Of an array or an object; 0 for anything else. */
size_t jtree_count(const struct jtree *v);
/* An item of an array; NULL beyond its end and for anything else.  Cost: O(i). */
const struct jtree *jtree_item(const struct jtree *v, size_t i);
/* Its first item, and the one behind an item of it; NULL when there is none.  Cost: O(1). */
const struct jtree *jtree_first(const struct jtree *array);
const struct jtree *jtree_after(const struct jtree *array, const struct jtree *item);
/* Whether it is an array of numbers only; out[0..jtree_count()) are they. */
bool jtree_numbers(const struct jtree *array, double *out);
/* NULL unless it is a string. */
const char *jtree_text(const struct jtree *v);
/* Its bytes; 0 unless it is a string. */
size_t jtree_length(const struct jtree *v);
/* NaN unless it is a number. */
double jtree_number(const struct jtree *v);
/* Whether it is a number without fraction and exponent; *out is it. */
bool jtree_whole(const struct jtree *v, int64_t *out);

/* false for anything but true. */
bool jtree_is_true(const struct jtree *v);

/* The fields of an object in their order: begins with *at NULL; false behind the last one. */
struct jtree_field {
	const char *key;
	const struct jtree *value;
	const void *at; /* NULL to begin with */
};
bool jtree_next(const struct jtree *object, struct jtree_field *field);

/*
 * Appends the value, at most JSONW_DEPTH levels deep, as JSON on one line; a string without its
 * quotes when bare.  Errors: ERR_NOMEM.
 */
int jtree_print(const struct jtree *v, bool bare, struct buf *out, struct err *err);

#endif
