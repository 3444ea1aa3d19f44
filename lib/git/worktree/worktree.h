/*
 * worktree - other commits checked out beside the user's work tree, to build them.
 *
 * By the git command, as only it runs filters (LFS, line ends).  No hook runs, nothing is
 * fetched, and nothing of the user's is touched: his index, HEAD, refs and stash stay as they are.
 */
#ifndef PAWL_GIT_WORKTREE_WORKTREE_H
#define PAWL_GIT_WORKTREE_WORKTREE_H

#include <stdbool.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/git/repo.h"

/*
 * Checks a tree out at path, which must not exist, as a linked work tree with its HEAD detached at
 * commit.  tree: the id of another tree to check out in its place (uncommitted work), or NULL.
 * Until worktree_detach() it is registered with the repository, locked, its reason naming this
 * process.  Where the repository cannot be written, nothing is registered: the files alone come.
 *
 * submodules: also check out those that are here already; nothing is fetched.  *out_note (may be
 * NULL; free() it) says which stayed empty, and which files of LFS are pointers only.  *out_whole
 * (may be NULL) is false when one that was asked for, or a file of LFS, is not here: the same call
 * may give other files once it is.
 *
 * commit and tree are whole ids.  path is absolute.
 *
 * Errors: ERR_ABSENT git is not installed, or an object is not here (partial or shallow clone),
 *         with the cure; ERR_FULL, ERR_IO; ERR_GIT with git's words, or no whole id; ERR_STOPPED;
 *         ERR_NOMEM.  Nothing is left behind at path then.
 */
int worktree_make(struct repo *repo, const char *commit, const char *tree, const char *path,
		  bool submodules, char **out_note, bool *out_whole, struct err *err);

/* Unregisters it and keeps its files, without .git.  Errors: ERR_GIT, ERR_IO, ERR_NOMEM. */
int worktree_detach(struct repo *repo, const char *path, struct err *err);

/*
 * Appends what decides beside the commit what worktree_make() writes, "NAME=VALUE" each: variables
 * of git's configuration (line ends, links, filters), and files of attributes by their digest.
 * Not what a filter's program is.  Errors: ERR_GIT, ERR_IO, ERR_NOMEM.
 */
int worktree_way(struct repo *repo, struct strv *out, struct err *err);

/*
 * Unregisters and removes the work trees below folder root whose maker is gone (killed).
 * Errors: as worktree_detach().
 */
int worktree_prune(struct repo *repo, const char *root, struct err *err);

/*
 * The id of the tree that a commit of everything in the work tree would have, untracked files that
 * are not ignored included.  Writes loose objects, and nothing else.
 * Errors: ERR_ABSENT a bare repository; ERR_GIT, also for uncommitted work in a submodule, which is
 *         in no tree of this repository; ERR_FULL, ERR_IO, ERR_NOMEM.
 */
int worktree_id(struct repo *repo, char out[OID_TEXT], struct err *err);

/*
 * Appends the paths of the submodules that two trees or commits have at other commits, or one of
 * them not at all; *out_file: whether they have another file of that path.  Errors: ERR_ABSENT an
 * unknown id; ERR_GIT, ERR_NOMEM.  Cost: one git command.
 */
int tree_moved(struct repo *repo, const char *from, const char *to, const char *file,
	       bool *out_file, struct strv *out, struct err *err);

/*
 * Whether a commit of from..to (whole ids of commits) moves a submodule, or changes .gitmodules.
 * Errors: as tree_moved().  Cost: three git commands.
 */
int tree_moves_between(struct repo *repo, const char *from, const char *to, bool *out,
		       struct err *err);

/* Appends the paths of the submodules of a tree or commit.  Errors: as tree_moved(). */
int tree_submodules(struct repo *repo, const char *tree, struct strv *out, struct err *err);

/*
 * Whether what moved between two trees is here, as the second one has it; top: where that one is
 * checked out.  Errors: ERR_ABSENT with the cure: it is not here, or moved submodules of its own,
 * which are not checked out; ERR_GIT, ERR_NOMEM.
 */
int tree_submodules_check(struct repo *repo, const char *top, const char *from, const char *to,
			  const struct strv *paths, struct err *err);

/*
 * Appends "MODE TYPE ID PATH" of each path (relative to the top; a folder is one entry) as it is in
 * a tree or commit; a path that is not there is appended as "absent PATH".  Two commits with the
 * same lines have the same sources, if none is absent: a wrong path is absent everywhere.
 * Errors: ERR_ABSENT an unknown revision; ERR_GIT, ERR_NOMEM.
 */
int tree_entries(struct repo *repo, const char *treeish, const struct strv *paths, struct strv *out,
		 struct err *err);

/*
 * A link at one of the paths, on the way to it or below it, that leads to none of them, nor below
 * one: what is read through it is not of these paths.  *out NULL: there is none; free() it.
 * Errors: as tree_entries().
 */
int tree_link_away(struct repo *repo, const char *treeish, const struct strv *paths, char **out,
		   struct err *err);

/* Appends the paths of a commit's files.  Errors: ERR_ABSENT; ERR_GIT, ERR_LIMIT, ERR_NOMEM. */
int tree_files(struct repo *repo, const char *commit, struct strv *out, struct err *err);

/*
 * Appends the paths that differ between two commits, whole ids.  Errors: ERR_GIT, ERR_NOMEM.
 */
int tree_changes(struct repo *repo, const char *a, const char *b, struct strv *out,
		 struct err *err);

/*
 * Appends the paths of tracked files that are not in the work tree, or the index, as a commit, a
 * whole id, has them; submodules aside.  Errors: ERR_GIT, ERR_LIMIT, ERR_NOMEM.
 */
int tree_edited(struct repo *repo, const char *commit, struct strv *out, struct err *err);

#endif
