/* SPDX-License-Identifier: MIT */
/*
 * glob - patterns over names, the same on every system and in every locale.
 *
 *	*             any text, also none
 *	?             any one character
 *	[a-z_] [!ab]  one character of the set, or none of it; [:digit:] and the other classes of
 *	              ctype.h inside it
 *	\c            the character c itself
 *
 * A character is a byte of ASCII or a sequence of UTF-8.  A [ that is never closed is itself.
 * What fnmatch(3) with no flag says of ASCII text, this says too.
 */
#ifndef PAWL_HARNESS_SESSION_GLOB_H
#define PAWL_HARNESS_SESSION_GLOB_H

#include <stdbool.h>

/* Whether the pattern takes the whole text.  Cost: O(length of both, multiplied). */
bool pawl_glob_takes(const char *pattern, const char *text);

#endif
