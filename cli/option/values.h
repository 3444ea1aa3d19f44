/*
 * values - what an option or an argument may be: for completion, and for "did you mean".
 */
#ifndef PAWL_CLI_OPTION_VALUES_H
#define PAWL_CLI_OPTION_VALUES_H

#include "cli/option/options.h"
#include "lib/base/buf.h"
#include "lib/base/err.h"

/* name, as the scripts of completion know it */
#define VALUE_KINDS(X) \
	X(none)	     /* takes no value, or no more arguments */ \
	X(text)	     /* anything: a number, a time, a name of the user's */ \
	X(words)     /* one of a few */ \
	X(benchmark) /* a section of the configuration, or one that has results */ \
	X(machine)   /* one that has results */ \
	X(revision)  /* a commit or a range */ \
	X(file) \
	X(command) /* of pawl */

#define VALUE_ENUM(name) VALUE_##name,
enum value_kind { VALUE_KINDS(VALUE_ENUM) VALUE_KIND_N };
#undef VALUE_ENUM

struct value {
	enum value_kind kind;
	const char *words;		    /* VALUE_words: separated by blanks; or NULL and */
	void (*add_words)(struct buf *out); /* these, each with a blank behind */
};

const char *value_kind_name(enum value_kind kind);

/* Appends the words with blanks between; nothing for another kind. */
void value_add_words(const struct value *value, struct buf *out);

/* Of an option that the command offers: VALUE_none for one that takes no value. */
struct value value_of_option(const struct command *c, const struct option_row *row);

/* Of the n-th word that is no option, n from 1. */
struct value value_of_argument(const struct command *c, size_t n);

/*
 * Errors: ERR_USAGE, with the nearest or all there are, when the format is none of those that the
 * command of that name knows; format may be NULL.
 */
int format_check(const char *command, const char *format, struct err *err);

#endif
