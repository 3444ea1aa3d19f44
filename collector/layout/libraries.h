/*
 * libraries - the libraries of the system that a program is linked with, in a form that GNU ld
 * takes in at once.
 *
 * Half of a small link is reading libc, libm, libstdc++.  All layouts of a program are linked with
 * the same few symbols of them, so that each library is written once with these alone (slim.h),
 * into a folder that is searched first.  It is used only where the same program comes of it, to the
 * byte.
 */
#ifndef PAWL_COLLECTOR_LAYOUT_LIBRARIES_H
#define PAWL_COLLECTOR_LAYOUT_LIBRARIES_H

#include "collector/layout/layout.h"
#include "lib/base/err.h"

/*
 * Makes the folder: under the lock, once.  reference: the program linked as it was; printed: what
 * the linker said meanwhile, with --verbose.  Where it cannot be had, or another program comes of
 * it, there is none: no error.
 * Errors: ERR_STOPPED, ERR_NOMEM.
 * Cost: two links; none where it would spare little.
 */
int libraries_make(const struct layouts *l, const char *reference, const char *printed,
		   struct err *err);

/* The folder, if there is one; free() it.  NULL: none.  Errors: none. */
char *libraries_find(const struct layouts *l);

/* The words of the link, with that folder searched first.  Errors: ERR_NOMEM. */
int libraries_words(const struct layouts *l, const char *folder, struct strv *out, struct err *err);

#endif
