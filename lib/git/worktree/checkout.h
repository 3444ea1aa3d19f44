/*
 * checkout - writes the files of a tree into a folder, filters included, hooks not.
 *
 * Internal to lib/git; worktree.h is what others use.
 */
#ifndef PAWL_GIT_WORKTREE_CHECKOUT_H
#define PAWL_GIT_WORKTREE_CHECKOUT_H

#include <stdbool.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/git/repo.h"

/* A folder and the repository whose files it gets. */
struct checkout {
	const char *path;
	const char *common_dir;
	/* NULL: path has a .git of its own.  Else "GIT_DIR=...", "GIT_WORK_TREE=..." and so on. */
	const char *const *environment;
};

/* What a checkout leaves out. */
struct checkout_gaps {
	struct buf note; /* in words; empty for nothing */
	bool absent;	 /* something is only not here, and may be later */
};

#define CHECKOUT_GAPS_INIT \
	{ \
		BUF_INIT, false \
	}

/* Writes the files of a tree or commit (an id).  Errors: as worktree_make(). */
int checkout_files(const struct checkout *c, const char *id, struct err *err);

/*
 * Writes the files of a tree of the repository in git_dir into folder path, which exists;
 * nothing in git_dir is written.  gaps: NULL, or as checkout_lfs().
 * Errors: as worktree_make().
 */
int checkout_apart(const char *git_dir, const char *id, const char *path,
		   struct checkout_gaps *gaps, struct err *err);

/*
 * Fills files of Git LFS in from what is here; adds to gaps when some stay pointers.
 * Errors: as worktree_make().
 */
int checkout_lfs(const struct checkout *c, struct checkout_gaps *gaps, struct err *err);

/*
 * Fills the folders of the submodules of a tree, checked out in path, from repositories that are
 * here already, one level deep; adds to gaps those that are not.  With fill false it only
 * notes that there are some.
 */
int checkout_submodules(struct repo *repo, const char *id, const char *path, bool fill,
			struct checkout_gaps *gaps, struct err *err);

/* What git_run() failed with, or its status, as an error about path. */
int checkout_fault(const char *path, const char *words, int status, struct err *err);

#endif
