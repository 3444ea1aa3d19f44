/*
 * family - the layouts of what runs on one side: of the program, and of the project's shared
 * objects that it loads.
 *
 * Layout k of a family is layout k of each file of it that has several; the others stay as they
 * were built.
 */
#ifndef PAWL_COLLECTOR_POOL_FAMILY_H
#define PAWL_COLLECTOR_POOL_FAMILY_H

#include <stdbool.h>

#include "collector/layout/layout.h"
#include "collector/unit/side.h"

struct family_member {
	char *file; /* that runs: the program, or a shared object */
	struct layouts layouts;
};

struct family {
	struct family_member *v;
	size_t n;
	char *rest; /* which files have one layout alone, the first one with the reason; NULL: none
		     */
};

/*
 * The family of a side that was built for this comparison (side->dir is its tree).
 * Errors: ERR_ABSENT none of its files has several layouts, and why the program has not; else those
 *         of layouts_open().
 */
int family_open(const struct side *side, struct family *out, struct err *err);
void family_close(struct family *f);

/*
 * Makes that layout of all members, and adds to out for each the file and what runs in its place.
 * Errors: those of layout_make(): ERR_CORRUPT that number cannot be had.
 */
int family_make(struct family *f, unsigned number, struct strv *out, struct err *err);

/* Whether it lies there already. */
bool family_is_made(const struct family *f, unsigned number);

#endif
