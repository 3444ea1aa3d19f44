/*
 * gitconfig_layers - the files git's configuration consists of, lowest first.
 *
 * Internal to lib/git.  libgit2 reads the files; which ones there are is decided here, as
 * libgit2 knows neither the variables that move them nor a worktree's own file.
 */
#ifndef PAWL_GIT_CONFIG_LAYERS_H
#define PAWL_GIT_CONFIG_LAYERS_H

#include "lib/base/err.h"
#include "lib/git/backend.h"

struct git_repository;

/*
 * Appends the wanted values of one file under that origin.  git (may be NULL) decides
 * conditional includes.  Errors: ERR_CONFIG with file and line; ERR_NOMEM.
 */
int gitconfig_layer(const char *path, const char *origin, struct git_repository *git,
		    gitconfig_wanted *wanted, struct gitconfig *out, struct err *err);

/* Appends system, global, local and worktree files; a missing one is fine.  repo may be NULL. */
int gitconfig_layers(const struct repo *repo, struct git_repository *git, gitconfig_wanted *wanted,
		     struct gitconfig *out, struct err *err);

/* Appends what `git -c` and GIT_CONFIG_COUNT hand down, as origin "command". */
int gitconfig_parameters(gitconfig_wanted *wanted, struct gitconfig *out, struct err *err);

#endif
