/*
 * gitconfig - configuration in git's syntax, with the place of every value.
 *
 * Not `git config --list`: a child of 1.7 ms where this takes 0.5 M instructions, and no line
 * numbers (docs/decisions/0024-libraries-tried.md).
 */
#ifndef PAWL_GIT_CONFIG_GITCONFIG_H
#define PAWL_GIT_CONFIG_GITCONFIG_H

#include "lib/base/err.h"
#include "lib/git/config/entries.h"
#include "lib/git/repo.h"

/*
 * Appends all of one file that somebody else may have written.
 *
 * Errors: ERR_ABSENT no such file; ERR_CONFIG with file and line of the fault: syntax, an
 *         open quote, a NUL byte, an [include] section (it could name any file of this
 *         machine, so it is refused before libgit2 sees it), no ordinary file, more than
 *         1 MiB; ERR_IO; ERR_NOMEM.  On failure *out is as before.
 */
int gitconfig_read_file(const char *path, struct gitconfig *out, struct err *err);

/*
 * The same of a file as a commit has it: "HEAD", ".pawlconfig".  A link is followed within the
 * commit.
 *
 * Errors: those; ERR_ABSENT also where there is no such commit; ERR_CONFIG also a link to what the
 *         commit does not have; ERR_GIT.
 */
int gitconfig_read_committed(struct repo *repo, const char *commit, const char *path,
			     struct gitconfig *out, struct err *err);

/*
 * Appends every "pawl.*" and "benchmark.*.*" value of git's own configuration (system,
 * global, local, worktree, command, in rising priority) as `git config` sees it, with its
 * includes; repo may be NULL.  GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM and
 * GIT_CONFIG_NOSYSTEM count, and so do `git -c KEY=VALUE pawl ...` and GIT_CONFIG_COUNT.
 *
 * Errors: ERR_CONFIG naming the file and line; ERR_GIT; ERR_NOMEM.
 */
int gitconfig_read_git(struct repo *repo, struct gitconfig *out, struct err *err);

#endif
