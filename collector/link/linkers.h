/*
 * linkers - the names that linkers have, and where a program of such a name is found.
 */
#ifndef PAWL_COLLECTOR_LINK_LINKERS_H
#define PAWL_COLLECTOR_LINK_LINKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "lib/base/buf.h"

#define LINKERS_SEARCH "COMPILER_PATH" /* where compilers look for them first */

/* Within that folder: all names, for compilers that are given -B, which comes before. */
#define LINKERS_NAMED "named"

/* What the script of recorder_install() calls a variable that it sets aside. */
#define LINKERS_SET_ASIDE(name) "PAWL_BUILD_" name

#define LINKERS_NAMES 5
extern const char *const linkers_names[LINKERS_NAMES]; /* the first one is there in any case */

/*
 * Files that stand in for linkers: they are never found, nor is a script FOLDER/NAME beside which
 * FOLDER/pawl/NAME is one of them.
 */
struct linkers_ours {
	struct stat v[2];
	size_t n;
};

/* The first program of that name in a list of folders, parted by ':', goes to out; false: none. */
bool linkers_search(const char *folders, const char *name, const struct linkers_ours *ours,
		    struct buf *out);

/*
 * What a clang that started us would have taken for that name: it says so itself, as it may have
 * one for each target and beside itself; false: it is no clang, or knows of none.
 */
bool linkers_of_clang(const char *name, const struct linkers_ours *ours, struct buf *out);

#endif
