/*
 * pull - a JSON document, read once from its begin to its end: the one place where pawl takes JSON
 * apart.
 *
 * The reader asks for the values in the order in which they come, and what is not asked for is
 * skipped, checked all the same.  lib/record/reader/reader.h stands above it for documents of a
 * known form, jtree.h for those of any.
 *
 * What is accepted: an object or an array, at most max_depth levels and max values of it, no
 * duplicate keys, finite numbers, whole numbers that fit into an int64_t, valid UTF-8 without NUL,
 * nothing behind the document.
 *
 * The first fault ends it: from then on every call does nothing and returns a neutral value.
 *
 * Source: RFC 8259; strings are UTF-8 (RFC 3629).
 */
#ifndef PAWL_JSON_PULL_H
#define PAWL_JSON_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

enum pull_kind {
	PULL_NONE, /* after a fault */
	PULL_NULL,
	PULL_BOOL,
	PULL_NUMBER,
	PULL_STRING,
	PULL_ARRAY,
	PULL_OBJECT
};

/* A string or a key, undone; behind a string, and a key that is kept, a NUL. */
struct pull_text {
	const char *text;
	size_t n;
	bool is_plain; /* printable ASCII, none of it was escaped */
	bool in_place; /* it lies in the document; each eight characters that begin in it end there,
			  too */
};

/* A key of an object that is open, or was. */
struct pull_member {
	struct pull_text key;
	uint32_t id;	 /* of all that were kept, 1 and up */
	uint32_t before; /* that in front of it, 0: none; of the few that stand in front of it none
			    is the same */
	uint32_t bits;	 /* of all keys up to here: pull_key_bit() */
};

struct pull_number {
	double real;   /* the nearest one, of a whole number, too */
	int64_t whole; /* where is_whole */
	bool is_whole; /* without fraction and exponent */
};

/* An array or object that is open. */
struct pull_frame {
	size_t n;	  /* its items or members, so far */
	size_t first_key; /* its first one among all keys */
	char *to;	  /* where its strings begin */
	uint32_t bits;	  /* of its keys: pull_key_bit() */
	bool is_object;
};

struct pull {
	const char *json, *end, *p;
	char *text; /* of as many bytes: a string takes at most what it took in the document */
	char *to;   /* behind the last string that is kept */
	bool keeps; /* every string and key stays until pull_release(): else a value until the next
		       call, a key until its object is left */
	struct pull_frame *frames; /* the arrays and objects that are open, depth of them */
	unsigned depth, max_depth;
	struct pull_member *keys; /* of the open objects */
	size_t n_keys, cap_keys, max_keys;
	size_t n_seen;	  /* from n_keys up to it are keys of objects that are closed, or ahead */
	uint32_t n_kept;  /* keys, ever */
	const char *sure; /* no object of many members that begins before it has a key twice */
	size_t n, max;	  /* values that were read, keys among them; n may be set back */
	const char
		*within; /* NULL: what holds too many is the document; else item `element` of it */
	size_t element;
	bool is_pending; /* a value is next, and was not read */
	bool is_loose;	 /* set behind pull_open(): NaN, Infinity and huge whole numbers count */
	bool failed;
	struct err *err; /* ERR_SYNTAX ("not JSON: line 2, column 5: ..."; so many characters of
			    the line are in front), ERR_LIMIT, ERR_NOMEM */
};

/* Begins; the value that is next is the document.  *s is to be released in any case.  json must
 * stay. */
void pull_open(struct pull *s, const char *json, size_t n, size_t max, unsigned max_depth,
	       struct err *err);

/* Accepts a zeroed one. */
void pull_release(struct pull *s);

/* Skips what is left, with all that is open: 0 where nothing of it is broken, else -1. */
int pull_finish(struct pull *s);

/* What the next value is.  Where none was read since one of an array or object was reached, there
 * must be one: pull_key(), pull_item(). */
enum pull_kind pull_kind(struct pull *s);

/* Opens the array or object that is next. */
bool pull_enter(struct pull *s);

/*
 * The key of the next member of the object, whose value is next then; or the next item of the
 * array.  A value that was not read before is skipped.  false: it is closed, behind the last one.
 * No key is given twice: an object of many members is gone through once more for that.
 */
bool pull_key(struct pull *s, struct pull_text *out);
bool pull_item(struct pull *s);

/* The value that is next, which must be of that kind: else false, too. */
bool pull_string(struct pull *s, struct pull_text *out);
bool pull_number(struct pull *s, struct pull_number *out);

/* null, true or false: whether it is true. */
bool pull_word(struct pull *s);
void pull_skip(struct pull *s);

/* A place to come back to, while the array or object that is open is still what it was read in. */
struct pull_mark {
	const char *p;
	char *to;
	struct pull_frame frame;
	unsigned depth;
	size_t n_keys, n;
	bool is_pending;
};
void pull_mark(const struct pull *s, struct pull_mark *out);
void pull_back(struct pull *s, const struct pull_mark *mark);

/*
 * Of the array that is open, as many of the items that are next as are short numbers (six digits,
 * as most measured ones are), at most `most`: how many.  Those behind them, which may be such, too,
 * are for pull_item().
 */
size_t pull_short(struct pull *s, double *out, size_t most);
/* The same for whole numbers that are not kept, eight characters at a time. */
size_t pull_pass(struct pull *s, size_t most);

#endif
