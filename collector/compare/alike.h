/*
 * alike - whether files are the same in two built trees, as far as a program can see that reads
 * them, or only looks at them.
 */
#ifndef PAWL_COLLECTOR_COMPARE_ALIKE_H
#define PAWL_COLLECTOR_COMPARE_ALIKE_H

#include <stdbool.h>

#include "lib/base/strv.h"

/* Whether both are files that can be read, of the same bytes. */
bool alike_file(const char *one, const char *other);

/* Whether both are links that can be read, to the same target. */
bool alike_link(const char *one, const char *other);

/* Whether those files are there, and the same, in both trees. */
bool alike_files(const struct strv *files, const char *one, const char *other);

/*
 * Whether a file, or what there is of that name, looks the same in both trees to who does not open
 * it: kind, rights, size, link target, and where links on the way lead; or is in neither.
 */
bool alike_look(const char *file, const char *one, const char *other);

/* Whether links on the way to it, and it itself, lead to the same place in both trees. */
bool alike_way(const char *file, const char *one, const char *other);

/*
 * Whether both trees have files of the same names, sizes and link targets, but for sources, what
 * compilers make of them, programs (of any size), pages of text, and pawl's own files: nobody sees
 * that a program looked for a file that is not there, or at one without opening it.
 */
bool alike_names(const char *one, const char *other);

#endif
