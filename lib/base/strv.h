/*
 * strv - a growing list of strings, NULL-terminated so that it can be an argv.
 *
 * The list owns its strings.
 */
#ifndef PAWL_BASE_STRV_H
#define PAWL_BASE_STRV_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct strv {
	char **v; /* NULL, or n strings and a NULL */
	size_t n;
	size_t cap;
};

#define STRV_INIT \
	{ \
		NULL, 0, 0 \
	}

void strv_release(struct strv *list);

/* Appends a copy.  Errors: ERR_NOMEM. */
int strv_add(struct strv *list, const char *text, struct err *err);

/* Appends a formatted string.  Errors: ERR_NOMEM. */
int strv_addf(struct strv *list, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Appends copies of a NULL-terminated array.  Errors: ERR_NOMEM. */
int strv_add_all(struct strv *list, char *const *more, struct err *err);

/* Appends what is in line, unless it is empty, and empties it.  Errors: ERR_NOMEM, also its own. */
struct buf;
int strv_take(struct strv *list, struct buf *line, struct err *err);

/* Keeps the first n, n <= list->n. */
void strv_cut(struct strv *list, size_t n);

bool strv_has(const struct strv *list, const char *text);

/* Puts them in the order of their bytes. */
void strv_sort(struct strv *list);

/* The same, and keeps one of those that are equal. */
void strv_sort_unique(struct strv *list);

/* strv_has() of a list in that order.  Cost: O(log n). */
bool strv_has_sorted(const struct strv *list, const char *text);

/* The value of a variable in a list of "NAME=value"; NULL when it is not there. */
const char *strv_value(const struct strv *list, const char *name);

/*
 * Splits a command line as a POSIX shell splits words: blanks separate, '...'
 * is literal, "..." and \ quote.  No expansion of any kind is done.
 *
 * Errors: ERR_SYNTAX for an open quote or a closing backslash; *list keeps what it had.
 */
int words_split(const char *line, struct strv *list, struct err *err);

/* Appends argv quoted so that words_split() and a shell give it back. */
void words_quote(char *const *argv, struct buf *out);

/* A copy of text on the heap, or NULL with ERR_NOMEM.  text may be NULL: then NULL and no error. */
char *str_dup(const char *text, struct err *err);

/* Replaces *slot by a copy of text (NULL clears).  Errors: ERR_NOMEM, *slot untouched. */
int str_set(char **slot, const char *text, struct err *err);

bool str_starts(const char *text, const char *prefix);

/* Whether both are the same text, or both NULL. */
bool str_same(const char *a, const char *b);

/*
 * Whether it is that name, or, where the pattern ends in '*', begins with what is before that.  A
 * name that itself ends in '*' is written with a '\' before it.
 */
bool str_is_named(const char *text, const char *pattern);

/* Appends the pattern that names text alone. */
void str_add_pattern(const char *text, struct buf *out);

/* Whether text ends in end, and something is in front of it. */
bool str_ends(const char *text, const char *end);

/* Whether the text is one of n names, or starts with one of them. */
bool str_is_one_of(const char *text, const char *const *names, size_t n);
bool str_starts_one_of(const char *text, const char *const *names, size_t n);

/* The same of an array of names. */
#define STR_IS_ONE_OF(text, names) str_is_one_of(text, names, sizeof(names) / sizeof((names)[0]))
#define STR_STARTS_ONE_OF(text, names) \
	str_starts_one_of(text, names, sizeof(names) / sizeof((names)[0]))

/*
 * What lies below the folder: "b/c" of "a/b/c" in "a".  NULL when the path is the folder, or lies
 * elsewhere, as "ab/c" does.  Names of benchmarks are such paths too.
 */
const char *str_below(const char *path, const char *folder);

/* The last part of a path, inside it; the whole of one that ends in a slash. */
const char *path_base(const char *path);

#endif
