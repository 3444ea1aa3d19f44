/*
 * nearest - the known word a mistyped one was meant to be.
 */
#ifndef PAWL_CONFIG_NEAREST_H
#define PAWL_CONFIG_NEAREST_H

#include <stddef.h>

/*
 * Of known (NULL-terminated) the word fewest letters away from text, at most that many;
 * NULL when there is none.  Letters are inserted, removed, replaced or swapped with the
 * next; their case does not count.
 */
const char *nearest(const char *text, const char *const *known, size_t most);

/*
 * The only known word that text begins with, or that begins with text, in at least four letters;
 * NULL: none, or several.  Not where other words than the known ones are right, too.
 */
const char *nearest_begun(const char *text, const char *const *known);

#endif
