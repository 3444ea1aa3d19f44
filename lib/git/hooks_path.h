/*
 * hooks_path - where git looks for the hooks of a repository.
 */
#ifndef PAWL_GIT_HOOKS_PATH_H
#define PAWL_GIT_HOOKS_PATH_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/git/repo.h"

struct hooks_path {
	char *dir;   /* absolute */
	char *scope; /* of core.hooksPath: "local", "global", ...; NULL: it is not set */
};

#define HOOKS_PATH_INIT \
	{ \
		NULL, NULL \
	}

void hooks_path_release(struct hooks_path *p);

/*
 * core.hooksPath as git's files have it, not what `git -c` says for one call; else the hooks folder
 * of the repository, which all its worktrees share.  A relative one is below the top of the work
 * tree. Errors: ERR_GIT, ERR_NOMEM.  Cost: one git command.
 */
int hooks_path_find(struct repo *repo, struct hooks_path *out, struct err *err);

/* Whether git tracks the file.  Errors: ERR_GIT, ERR_NOMEM. */
int hooks_path_is_tracked(struct repo *repo, const char *path, bool *out, struct err *err);

/* Whether git runs hooks that its configuration names: from 2.54 on.  Errors: ERR_ABSENT, ERR_GIT.
 */
int hooks_in_config(bool *out, struct err *err);

/*
 * Sets hook.NAME.event and hook.NAME.command in the repository's own configuration, or with
 * command NULL removes that section; *out_was tells whether it was there.
 * Errors: ERR_GIT with git's words; ERR_NOMEM.
 */
int hooks_config_set(struct repo *repo, const char *name, const char *event, const char *command,
		     bool *out_was, struct err *err);

/* Whether the section is there, with a command.  Errors: as above. */
int hooks_config_has(struct repo *repo, const char *name, bool *out, struct err *err);

#endif
