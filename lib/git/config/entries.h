/*
 * entries - the values of a configuration, each with its place.
 */
#ifndef PAWL_GIT_CONFIG_ENTRIES_H
#define PAWL_GIT_CONFIG_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

/* One value.  Keys as git writes them: "pawl.runs", "benchmark.deflate.command"; the
 * section and the last part are lower case, the middle part keeps its case. */
struct gitconfig_entry {
	char *key;
	char *value;  /* NULL when there is no '=': git's short form of true */
	char *origin; /* "/repo/.pawlconfig", or git's level: "system", "global", "local" ... */
	int line;     /* of a file read by gitconfig_read_file(), else 0 */
	bool is_cut;  /* of such a file: git ends it at a ';' that a shell would go on behind */
};

struct gitconfig {
	struct gitconfig_entry *v; /* in order of appearance; a later one wins */
	size_t n, cap;
};

#define GITCONFIG_INIT \
	{ \
		NULL, 0, 0 \
	}

void gitconfig_release(struct gitconfig *c);

/* Appends a copy of one value.  Errors: ERR_NOMEM. */
int gitconfig_add(struct gitconfig *c, const char *key, const char *value, const char *origin,
		  int line, struct err *err);

/* Takes back all values from number n on. */
void gitconfig_cut(struct gitconfig *c, size_t n);

#endif
