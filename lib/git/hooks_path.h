/*
 * hooks_path - where git looks for the hooks of a repository, and which its configuration names.
 */
#ifndef PAWL_GIT_HOOKS_PATH_H
#define PAWL_GIT_HOOKS_PATH_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

struct hooks_path {
	char *dir;	   /* absolute */
	char *scope;	   /* of core.hooksPath: "local", "global", ...; NULL: it is not set */
	struct strv named; /* "hook.pawl.command" ...: those of pawl's that are in the repository's
			      own configuration */
};

#define HOOKS_PATH_INIT \
	{ \
		NULL, NULL, STRV_INIT \
	}

void hooks_path_release(struct hooks_path *p);

/*
 * core.hooksPath as git's files have it, not what `git -c` says for one call; else the hooks folder
 * of the repository, which all its worktrees share.  A relative one is below the top of the work
 * tree. Errors: ERR_GIT, ERR_NOMEM.  Cost: one git command.
 */
int hooks_path_find(struct repo *repo, struct hooks_path *out, struct err *err);

/*
 * Whether git tracks the file.  Errors: ERR_GIT, ERR_NOMEM.  Cost: one git command, none below
 * .git.
 */
int hooks_path_is_tracked(struct repo *repo, const char *path, bool *out, struct err *err);

/* Whether git runs hooks that its configuration names: from 2.54 on.  Errors: ERR_ABSENT, ERR_GIT.
 */
int hooks_in_config(bool *out, struct err *err);

/* Whether hook.NAME.command is among those named. */
bool hooks_path_names(const struct hooks_path *p, const char *name);

/*
 * Sets hook.NAME.event and hook.NAME.command in the repository's own configuration, or with
 * command NULL removes that section; is_there: hooks_path_names() says that it is there.
 * Errors: ERR_GIT with git's words; ERR_NOMEM.
 */
int hooks_config_set(struct repo *repo, const char *name, const char *event, const char *command,
		     bool is_there, struct err *err);

#endif
