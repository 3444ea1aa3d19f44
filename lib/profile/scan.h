/*
 * scan - words and numbers of one line of a profile.
 */
#ifndef PAWL_PROFILE_SCAN_H
#define PAWL_PROFILE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct scan {
	const char *at, *end; /* what is left of the line */
	unsigned line_number;
};

/* ERR_SYNTAX with the line's number; -1. */
int scan_wrong(const struct scan *s, const char *what, struct err *err);

void scan_blanks(struct scan *s);

/*
 * A decimal number, or a hexadecimal one behind 0x.
 * Errors: ERR_SYNTAX there is none, ERR_RANGE it is more than most.
 */
int scan_number(struct scan *s, double most, double *out, struct err *err);

/* Whether the rest begins with these letters, which are then behind us. */
bool scan_take(struct scan *s, const char *letters);

/* The next word; its length, 0 at the end. */
size_t scan_word(struct scan *s, const char **out);
bool scan_is(const char *text, size_t n, const char *wanted);

#endif
