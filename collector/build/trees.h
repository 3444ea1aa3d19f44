/*
 * trees - built commits, kept so that a commit is built once.
 *
 * <common dir>/pawl/trees/<key>/ holds a checked out and built tree; key is 16 hex digits over the
 * tree's id, the build command, the compilers and linker by content and the variables that reach a
 * build: what it can see.  A header of the system that the build read and that changed since builds
 * it again, as far as the compiler told what it read.  All paths have the same length, as the
 * length of a path can move a program in memory.  A folder is used by one pawl at a time for
 * building and by many for running.  What was built is used again only while every file is as the
 * build left it; files that came later, such as a benchmark's output, are removed first, when
 * nobody uses the folder.  What was built while submodules or files of LFS were missing is used by
 * the process that built it alone.  A build sees no repository and one time for all files.
 */
#ifndef PAWL_COLLECTOR_BUILD_TREES_H
#define PAWL_COLLECTOR_BUILD_TREES_H

#include <stdbool.h>
#include <time.h>

#include "lib/base/err.h"
#include "lib/base/talk.h"
#include "lib/config/config.h"
#include "lib/git/repo.h"

/* Beside a tree, what others keep of it (collector/compare/opened.h): no part of what was built. */
#define TREES_OPENED "opened"

#define TREES_KEY 17 /* 16 hex digits and the NUL */

struct trees_request {
	struct repo *repo;
	const struct config *config; /* build, build_timeout_ns, cache_bytes */
	const char *state_dir;
	const struct strv *env; /* "NAME=value" for this build; NULL: nothing of its own */
	bool submodules;	/* or by config */
	bool rebuild;		/* do not take what is kept */
	bool explain;		/* say of each tree why it is built, or is not */
	bool is_variant;  /* that it is built in another way than before is what was asked for */
	const char *role; /* what messages call the commit, "base"; NULL: nothing but its id */
	const struct talk *talk;
};

/* A built tree in use: it is not pruned until it is released. */
struct tree {
	char *path;	  /* of the checked out and built tree; no slash at the end */
	char *id;	  /* of the git tree that was built, hex */
	char *build;	  /* what it was built with; NULL: nothing was found to build */
	char *log_path;	  /* what the build printed; NULL: not built */
	bool kept;	  /* it was built before */
	bool lacks_parts; /* submodules or files of LFS were not here; they may be the next time */
	int lock_fd;
};

#define TREE_INIT \
	{ \
		NULL, NULL, NULL, NULL, false, false, -1 \
	}

/*
 * Checks out and builds a commit; tree: another tree to build in its place (uncommitted work), or
 * NULL.  The build is the configured one, else what build_detect() finds.
 *
 * It may wait for the others who use the tree.  Who holds one tree while opening another, as for
 * a comparison, holds the lock of runlock.h too, or two of them could wait for each other, and
 * finds no files in it that another comparison's benchmarks have left; and runs nothing in a tree
 * before the last one is open.
 *
 * Errors: ERR_CHILD the build failed: the line that says why in the text, its log as hint, the end
 *         of its output told through talk; ERR_TIMEOUT; ERR_FULL; those of worktree_make();
 *         ERR_BUSY another pawl built it for too long.
 */
int tree_open(const struct trees_request *rq, const char *commit, const char *tree,
	      struct tree *out, struct err *err);
void tree_close(struct tree *t); /* accepts TREE_INIT */

/*
 * Builds what tree_open() would have to build, and keeps hold of nothing: so that the machine's
 * lock need not be held meanwhile.  Where a tree is there, whether it is still whole is left to
 * tree_open().  Errors: those of tree_open().
 */
int tree_build(const struct trees_request *rq, const char *commit, const char *tree,
	       struct err *err);

/* When the build of a built tree had ended.  -1: that is not known, as of a folder of another kind.
 */
int trees_built_at(const char *tree, struct timespec *out);

/*
 * A name for the compilers and the environment that builds, and then benchmarks, get.  It starts
 * the compilers, to ask for their versions, unless state_dir (may be NULL) remembers their answer.
 * Errors: ERR_NOMEM, ERR_IO.
 */
int trees_toolchain(const char *state_dir, char out_key[TREES_KEY], struct err *err);

/*
 * A name for the build command (NULL: it is the commit's own) with the compilers and the
 * environment that it gets, for two builds of the work tree.  Errors: those of trees_toolchain().
 */
int trees_way(const char *state_dir, const char *build, char out_key[TREES_KEY], struct err *err);

/* Removes kept trees, used longest ago first, until at most max bytes are left, and leftovers. */
int trees_trim(const char *state_dir, struct repo *repo, uint64_t max_bytes, struct err *err);

#endif
