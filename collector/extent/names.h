/*
 * names - what an object is called on both sides of a comparison, wherever its tree lies.
 */
#ifndef PAWL_COLLECTOR_EXTENT_NAMES_H
#define PAWL_COLLECTOR_EXTENT_NAMES_H

#include "lib/base/err.h"

/*
 * Without the folder of the built tree (top) and what compilers name at random: "tree/src/a.o",
 * "tree/lib.a:b.o", "passing 0".  folder: what a relative name is in.  free() it; NULL: ERR_NOMEM.
 */
char *names_of_object(const char *top, const char *folder, const char *file, const char *member,
		      struct err *err);

/* A word of the linker's command line likewise. */
char *names_of_word(const char *top, const char *word, struct err *err);

#endif
