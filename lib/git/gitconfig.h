/*
 * gitconfig - configuration in git's syntax, with the place of every value.
 */
#ifndef PAWL_GIT_GITCONFIG_H
#define PAWL_GIT_GITCONFIG_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/git/repo.h"

/* One value.  Keys as git writes them: "pawl.runs", "benchmark.deflate.command"; the
 * section and the last part are lower case, the middle part keeps its case. */
struct gitconfig_entry {
	char *key;
	char *value;
	char *origin; /* "/repo/.pawlconfig", or git's level: "system", "global", "local" ... */
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

/*
 * Appends all of one file.  Errors: ERR_ABSENT no such file; ERR_CONFIG with file and line
 * of the fault; ERR_NOMEM.  include.path inside it is not followed.
 */
int gitconfig_read_file(const char *path, struct gitconfig *out, struct err *err);

/*
 * Appends every "pawl.*" and "benchmark.*.*" value of git's own configuration (system,
 * global, local, worktree, in rising priority) as `git config` sees it; repo may be NULL.
 */
int gitconfig_read_git(struct repo *repo, struct gitconfig *out, struct err *err);

/*
 * The line of a file where section and key (as in the entry) last appear, or 0: for
 * messages that must name the place.
 */
int gitconfig_line_of(const char *path, const char *key);

#endif
