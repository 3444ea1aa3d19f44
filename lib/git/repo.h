/*
 * repo - what pawl needs to know of a git repository, read and never written.
 *
 * Where a plain repository lies, its HEAD and its configuration are read from its files.  For all
 * else libgit2 reads; where it cannot open the repository (sha256, reftable, an unknown extension)
 * the git command line answers the same questions.  Nothing here fetches,
 * runs hooks or follows submodules.  Object ids are hex text, 40 or 64 digits.
 */
#ifndef PAWL_GIT_REPO_H
#define PAWL_GIT_REPO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

#define OID_TEXT 65

/* Whether text is a whole object id: 40 or 64 lower-case hex digits. */
bool oid_is_whole(const char *text);

struct repo; /* opaque */

/* One commit; owned strings. */
struct git_commit {
	char *id;
	char *tree;
	struct strv parents;
	char *subject; /* first line of the message, bytes as stored: may be no UTF-8 */
	int64_t author_time_us, commit_time_us;
	bool truncated; /* shallow: it has parents, but they are not here */
};

#define GIT_COMMIT_INIT \
	{ \
		NULL, NULL, STRV_INIT, NULL, 0, 0, false \
	}

/*
 * Opens the repository that holds folder path (searching upwards as git does, up to
 * GIT_CEILING_DIRECTORIES and never into another file system).
 *
 * The path alone decides: GIT_DIR, GIT_WORK_TREE and the like are ignored.  A hook exports
 * them for the repository that is pushed, and pawl looks at others from there; git starts
 * its hooks inside the work tree, so repo_open(".") finds the right one without them.
 *
 * Errors: ERR_ABSENT no repository here; ERR_GIT it cannot be read, with the cure
 *         (safe.directory for a foreign owner); ERR_NOMEM.
 */
int repo_open(const char *path, struct repo **out, struct err *err);
void repo_close(struct repo *repo); /* accepts NULL */

/* All absolute, without a slash at the end; valid until repo_close(). */
const char *repo_top(const struct repo *repo); /* work tree, NULL when bare */
const char *repo_git_dir(const struct repo *repo);
const char *repo_common_dir(const struct repo *repo); /* shared by all worktrees */
bool repo_is_shallow(const struct repo *repo);
/* libgit2's version, as it is loaded; NULL when it is not there. */
const char *repo_library_version(void);
/* "its files", "libgit2" or "git": who answered last, for doctor and tests. */
const char *repo_reader(const struct repo *repo);

/*
 * The id of the commit that rev names.  That it is here is only known when it is read; HEAD of a
 * plain repository is answered by two small files.  Errors: as repo_commit().
 */
int repo_resolve(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err);

/*
 * The commit that rev names ("HEAD", "main~2", an id, a tag: peeled).
 * Errors: ERR_ABSENT unknown rev, or an unborn HEAD (text says which); ERR_GIT.
 */
int repo_commit(struct repo *repo, const char *rev, struct git_commit *out, struct err *err);
void git_commit_release(struct git_commit *commit);

/*
 * The first parent of commit id, as stored in the object (grafts ignored).
 * Errors: ERR_ABSENT for a root commit, and for a parent cut off by a shallow clone
 *         (then the hint says `git fetch --deepen`); ERR_GIT.
 */
int repo_first_parent(struct repo *repo, const char *id, char out[OID_TEXT], struct err *err);

/* The branch HEAD is on ("main"); *out NULL when detached.  free() it. */
int repo_branch(struct repo *repo, char **out, struct err *err);

/*
 * Whether tracked files differ from HEAD or the index.  Untracked files do not count.  Of a
 * submodule only the commit it is checked out at counts, its files are not looked at.  A
 * bare repository is clean.
 *
 * Cost: one stat() per tracked file; when libgit2 sees a difference git is asked too, as
 *       only git runs clean filters and knows sparse checkouts.
 */
int repo_is_dirty(struct repo *repo, bool *out, struct err *err);

/*
 * The same without running anything that git's configuration names: filters are left out, so that a
 * file behind one may count as changed though it is not.  *out_filters: there are some.
 * Errors: ERR_TIMEOUT after 10 s; ERR_GIT; ERR_NOMEM.
 */
int repo_seems_dirty(struct repo *repo, bool *out, bool *out_filters, struct err *err);

/*
 * A project name: the last part of remote origin's path without .git, else the name of the
 * folder that holds the common git folder, so that all worktrees agree.  free() it.
 * Errors: ERR_ABSENT when nothing bears a name ("/"); ERR_CONFIG, ERR_GIT, ERR_NOMEM.
 */
int repo_project_name(struct repo *repo, char **out, struct err *err);

#endif
