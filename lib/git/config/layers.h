/*
 * layers - the files git's configuration consists of, lowest first.
 *
 * Internal to lib/git.  Which files there are is decided here, as libgit2 knows neither the
 * variables that move them nor a worktree's own file.  It reads those that include others or have a
 * fault.
 */
#ifndef PAWL_GIT_CONFIG_LAYERS_H
#define PAWL_GIT_CONFIG_LAYERS_H

#include "lib/base/err.h"
#include "lib/git/backend.h"

struct git_repository;

/* Appends system, global, local and worktree files; a missing one is fine.  repo may be NULL. */
int gitconfig_layers(const struct repo *repo, struct git_repository *git, gitconfig_wanted *wanted,
		     struct gitconfig *out, struct err *err);

/* The same without libgit2.  -1: a file needs it; *out may have got some values. */
int gitconfig_layers_plain(const struct repo *repo, gitconfig_wanted *wanted,
			   struct gitconfig *out);

/* Appends what `git -c` and GIT_CONFIG_COUNT hand down, as origin "command". */
int gitconfig_parameters(gitconfig_wanted *wanted, struct gitconfig *out, struct err *err);

#endif
