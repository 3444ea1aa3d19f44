/*
 * libtool - the program behind a libtool wrapper, and where the libraries of its build lie.
 *
 * As long as a program is not installed, what lies at its place is a script that sets
 * LD_LIBRARY_PATH and runs .libs/NAME.  The script has no code identity, starts a shell in every
 * run and is no ELF file; the program alone would load the libraries that are installed.
 *
 * Source: GNU Libtool 2.4.7, the wrapper that its link mode writes (func_emit_wrapper).
 */
#ifndef PAWL_COLLECTOR_CODE_LIBTOOL_H
#define PAWL_COLLECTOR_CODE_LIBTOOL_H

#include "collector/code/cache.h"
#include "lib/base/err.h"

struct libtool {
	char *exe;	    /* absolute path of the program; NULL: no wrapper was there */
	char *library_path; /* folders of the build, as for LD_LIBRARY_PATH; NULL: none */
};

#define LIBTOOL_INIT \
	{ \
		NULL, NULL \
	}

void libtool_release(struct libtool *lt);

/*
 * Looks whether path is a wrapper, or is the program behind one; neither is no error.
 *
 * Errors: ERR_CHILD when the program behind a wrapper is not there; ERR_NOMEM.
 */
int libtool_find(const char *path, struct libtool *out, struct err *err);

/*
 * Whether the loader takes the libraries that the build made, and not others of the same name that
 * are installed: one of `top`'s .libs folders must not hold what b found elsewhere.
 *
 * Errors: ERR_CHILD with the library that would be loaded in its place; ERR_NOMEM.
 * Cost:   a walk through the folders of top.
 */
int libtool_check(const struct bundle *b, const char *top, struct err *err);

#endif
