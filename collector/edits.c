#include "collector/edits.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/build/trees.h"
#include "collector/compare/alike.h"
#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define CURE "collect again, and leave the work tree alone meanwhile"

/* Of what cannot be read it is not known: no. */
static bool is_same(const char *a, const char *b)
{
	struct stat of_a, of_b;
	int no_a = lstat(a, &of_a), no_b = lstat(b, &of_b);

	if (no_a || no_b)
		return no_a && no_b;
	if (S_ISLNK(of_a.st_mode) && S_ISLNK(of_b.st_mode))
		return alike_link(a, b);
	return S_ISREG(of_a.st_mode) && S_ISREG(of_b.st_mode) && of_a.st_size == of_b.st_size &&
	       !((of_a.st_mode ^ of_b.st_mode) & S_IXUSR) && alike_file(a, b);
}

/* The first tracked file that is neither the commit's nor what its build left at built. */
static int find_other(const struct edits *e, const char *built, char **out, struct err *err)
{
	struct buf here = BUF_INIT, there = BUF_INIT;
	struct strv paths = STRV_INIT;
	int result = -1;
	size_t i;

	if (tree_edited(e->repo, e->commit, &paths, err))
		goto out;
	/* It is in no file, such as the commit of a submodule, or was taken back by now. */
	if (!paths.n && str_set(out, "", err))
		goto out;
	for (i = 0; i < paths.n && !*out; i++) {
		buf_reset(&here);
		buf_reset(&there);
		buf_addf(&here, "%s/%s", repo_top(e->repo), paths.v[i]);
		buf_addf(&there, "%s/%s", built, paths.v[i]);
		if (buf_check(&here, err) || buf_check(&there, err) ||
		    (!is_same(buf_str(&here), buf_str(&there)) && str_set(out, paths.v[i], err)))
			goto out;
	}
	result = 0;
out:
	buf_release(&here);
	buf_release(&there);
	strv_release(&paths);
	return result;
}

/*
 * *out_changed: whether tracked files changed at all.  *out_path: of one that is edited, "" where
 * that is not known; NULL: none is; free() it.
 */
static int find(const struct edits *e, bool *out_changed, char **out_path, struct err *err)
{
	const struct trees_request rq = {
		.repo = e->repo, .config = e->config, .state_dir = e->state_dir, .talk = e->talk
	};
	struct tree tree = TREE_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (repo_is_dirty(e->repo, out_changed, err))
		return -1;
	if (!*out_changed)
		return 0;
	if (!e->built || !e->state_dir)
		return str_set(out_path, "", err);
	if (tree_open(&rq, e->commit, NULL, &tree, &fault)) {
		if (err_is_fatal(&fault))
			*err = fault;
		else
			result = str_set(out_path, "", err);
		goto out;
	}
	result = find_other(e, tree.path, out_path, err);
out:
	tree_close(&tree);
	return result;
}

static void tell(const struct edits *e, const char *path, const char *when)
{
	talk_warn(e->talk, CURE, "files of the work tree changed while %s%s%s%s", when,
		  *path ? ": '" : "", path, *path ? "'" : "");
}

int edits_after_build(struct edits *e, struct summary *s, struct err *err)
{
	char *path = NULL;
	int result = -1;

	if (s->commit.dirty)
		return 0;
	if (find(e, &e->by_build, &path, err))
		goto out;
	if (path) {
		tell(e, path, "building");
		s->commit.dirty = true;
	} else if (e->by_build) {
		talk_warn(e->talk, "let the build write only files that git ignores",
			  "the build changed files that git tracks: the commit is built twice, to "
			  "tell "
			  "that from an edit");
	}
	result = 0;
out:
	free(path);
	return result;
}

/* Where the build changed nothing, what changed since is no build's. */
static int find_later(const struct edits *e, char **out_path, struct err *err)
{
	struct edits later = *e;
	bool changed;

	later.built = e->built && e->by_build;
	return find(&later, &changed, out_path, err);
}

int edits_after_runs(const struct edits *e, struct summary *s, struct err *err)
{
	struct git_commit now = GIT_COMMIT_INIT;
	char *path = NULL;
	int result = -1;

	if (repo_commit(e->repo, "HEAD", &now, err))
		goto out;
	if (strcmp(now.id, e->commit) != 0) {
		talk_warn(e->talk, CURE, "HEAD moved while building or measuring");
		s->commit.dirty = true;
	} else if (!s->commit.dirty) {
		if (find_later(e, &path, err))
			goto out;
		if (path) {
			tell(e, path, "measuring");
			s->commit.dirty = true;
		}
	}
	result = 0;
out:
	git_commit_release(&now);
	free(path);
	return result;
}
