#include "lib/git/worktree/worktree.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/process/stop.h"
#include "lib/git/backend.h"
#include "lib/git/git_command.h"
#include "lib/git/maker.h"
#include "lib/git/worktree/checkout.h"

#include "lib/base/banned.h"

#define SMALL_FILE 65536
#define GONE \
	"pawl-gone." /* in .git/worktrees: one that is being removed, by the process of that \
			number */

/* What lies in a small file, its last line end cut; "" when it cannot be read. */
static void read_small(const char *folder, const char *name, struct buf *out)
{
	struct buf path = BUF_INIT;

	buf_reset(out);
	buf_addf(&path, "%s/%s", folder, name);
	file_read_whole(buf_str(&path), SMALL_FILE, out, NULL);
	if (out->len && out->data[out->len - 1] == '\n')
		buf_truncate(out, out->len - 1);
	buf_release(&path);
}

/* Whether the work tree at link (".../.git") is the one of folder path, or lies below it. */
static bool is_link_of(const char *link, const char *path, bool below)
{
	const char *rest = str_below(link, path);

	return rest && !strstr(link, "/../") && (below || !strcmp(rest, ".git"));
}

/* One registered work tree of a pawl. */
struct registered {
	char *admin; /* its folder in .git/worktrees */
	char *path;  /* of its files */
};

static void registered_release(struct registered *r)
{
	free(r->admin);
	free(r->path);
	memset(r, 0, sizeof(*r));
}

/*
 * What one name in .git/worktrees is: false for anything that no pawl made there.  gitdir and
 * locked are described in gitrepository-layout(5).
 */
static bool read_registered(const char *worktrees, const char *name, const char *path, bool below,
			    bool gone_only, struct registered *out)
{
	struct buf admin = BUF_INIT, link = BUF_INIT, reason = BUF_INIT;
	bool ours;

	buf_addf(&admin, "%s/%s", worktrees, name);
	read_small(buf_str(&admin), "gitdir", &link);
	read_small(buf_str(&admin), "locked", &reason);
	ours = name[0] != '.' && str_starts(buf_str(&reason), "pawl ") &&
	       is_link_of(buf_str(&link), path, below) &&
	       (!gone_only || maker_is_gone(buf_str(&reason)));
	if (ours) {
		buf_truncate(&link, link.len - strlen("/.git"));
		out->admin = buf_detach(&admin);
		out->path = buf_detach(&link);
		ours = out->admin && out->path;
		if (!ours)
			registered_release(out);
	}
	buf_release(&admin);
	buf_release(&link);
	buf_release(&reason);
	return ours;
}

/* The real name of a folder, also of one that is gone while its parent is there. */
static char *real_name(const char *path, struct err *err)
{
	char *parent = NULL, *real = realpath(path, NULL), *slash;
	struct buf name = BUF_INIT;

	if (real)
		return real;
	parent = str_dup(path, err);
	slash = parent ? strrchr(parent, '/') : NULL;
	if (slash && slash > parent) {
		*slash = '\0';
		real = realpath(parent, NULL);
	}
	if (real)
		buf_addf(&name, "%s/%s", real, slash + 1);
	else
		buf_adds(&name, path);
	free(parent);
	free(real);
	real = buf_detach(&name);
	if (!real)
		err_nomem(err);
	return real;
}

/*
 * Unregisters one: what `git worktree remove` does when the files are gone already.  First it gets
 * a name that says whose it is: of one that is cut off half way nothing else may be left.
 */
static int unregister(const char *worktrees, const char *admin, struct err *err)
{
	struct buf gone = BUF_INIT;
	int result = -1;

	buf_addf(&gone, "%s/" GONE "%ld", worktrees, (long)getpid());
	if (buf_check(&gone, err) || file_remove_tree(buf_str(&gone), err))
		goto out;
	result = rename(admin, buf_str(&gone)) && errno != ENOENT
			 ? err_sys(err, ERR_IO, "cannot rename '%s'", admin)
			 : file_remove_tree(buf_str(&gone), err);
	rmdir(worktrees); /* git keeps no empty one */
out:
	buf_release(&gone);
	return result;
}

/* What somebody was cut off removing. */
static int drop_gone(const char *worktrees, const char *name, struct err *err)
{
	char *path = path_join(worktrees, name, err);
	int result = path ? file_remove_tree(path, err) : -1;

	free(path);
	rmdir(worktrees);
	return result;
}

/*
 * Unregisters pawls' work trees at path, or below it.  gone_only: those whose maker is gone, and
 * their files with them.
 */
static int unregister_all(struct repo *repo, const char *path, bool below, bool gone_only,
			  struct err *err)
{
	struct registered r = { NULL, NULL };
	struct buf worktrees = BUF_INIT;
	struct dirent *e;
	DIR *d = NULL;
	int result = -1;

	buf_addf(&worktrees, "%s/worktrees", repo->common_dir);
	if (buf_check(&worktrees, err))
		goto out;
	d = opendir(buf_str(&worktrees));
	result = 0;
	while (!result && d && (e = readdir(d))) {
		if (gone_only && str_starts(e->d_name, GONE)) {
			result = drop_gone(buf_str(&worktrees), e->d_name, err);
			continue;
		}
		if (!read_registered(buf_str(&worktrees), e->d_name, path, below, gone_only, &r))
			continue;
		if (gone_only)
			result = file_remove_tree(r.path, err);
		if (!result)
			result = unregister(buf_str(&worktrees), r.admin, err);
		registered_release(&r);
	}
out:
	if (d)
		closedir(d);
	buf_release(&worktrees);
	return result;
}

int worktree_detach(struct repo *repo, const char *path, struct err *err)
{
	char *real = real_name(path, err);
	struct buf link = BUF_INIT;
	int result = -1;

	buf_addf(&link, "%s/.git", path);
	if (!real || buf_check(&link, err) || unregister_all(repo, real, false, false, err))
		goto out;
	result = unlink(buf_str(&link)) && errno != ENOENT && errno != ENOTDIR
			 ? err_sys(err, ERR_IO, "cannot remove '%s'", buf_str(&link))
			 : 0;
out:
	buf_release(&link);
	free(real);
	return result;
}

int worktree_prune(struct repo *repo, const char *root, struct err *err)
{
	char *real = real_name(root, err);
	int result = real ? unregister_all(repo, real, true, true, err) : -1;

	free(real);
	return result;
}

/*
 * Registers an empty work tree.  A git that is cut off there leaves half an entry, which says
 * neither whose it is nor where: a signal waits until it is whole, and can be taken back.
 */
static int add(struct repo *repo, const char *commit, const char *path, struct err *err)
{
	struct buf reason = BUF_INIT, words = BUF_INIT;
	const struct git_run how = { .repo = repo, .stops = true, .apart = true };
	const char *args[] = { "-c",	   "worktree.useRelativePaths=false",
			       "worktree", "add",
			       "--quiet",  "--no-checkout",
			       "--detach", "--lock",
			       "--reason", NULL,
			       "--",	   path,
			       commit,	   NULL };
	int status, result = -1;

	if (maker_name(&reason, err))
		goto out;
	args[9] = buf_str(&reason);
	if (!git_run(&how, args, NULL, &words, &status, err))
		result = status ? checkout_fault(path, buf_str(&words), status, err) : 0;
	if (!result && stop_signal)
		result = err_stopped(err);
out:
	buf_release(&reason);
	buf_release(&words);
	return result;
}

/* Whether a work tree can be registered. */
static bool can_register(const struct repo *repo)
{
	struct buf worktrees = BUF_INIT;
	bool can;

	buf_addf(&worktrees, "%s/worktrees", repo->common_dir);
	can = !faccessat(AT_FDCWD, buf_str(&worktrees), W_OK | X_OK, AT_EACCESS) ||
	      (errno == ENOENT && !faccessat(AT_FDCWD, repo->common_dir, W_OK | X_OK, AT_EACCESS));
	buf_release(&worktrees);
	return can;
}

static int make_registered(struct repo *repo, const char *commit, const char *tree,
			   const char *path, struct checkout_gaps *gaps, struct err *err)
{
	static const char *const environment[] = { "GIT_LFS_SKIP_SMUDGE=1", NULL };
	const struct checkout c = { path, repo->common_dir, environment };

	if (add(repo, commit, path, err) || checkout_files(&c, tree, err))
		return -1;
	return checkout_lfs(&c, gaps, err);
}

static int make_apart(struct repo *repo, const char *tree, const char *path,
		      struct checkout_gaps *gaps, struct err *err)
{
	if (mkdir(path, 0777))
		return err_sys(err, ERR_IO, "cannot create '%s'", path);
	return checkout_apart(repo->common_dir, tree, path, gaps, err);
}

/* Takes away what a failed worktree_make() left; what it failed with stays in err. */
static void take_back(struct repo *repo, const char *path)
{
	worktree_detach(repo, path, NULL);
	file_remove_tree(path, NULL);
}

int worktree_make(struct repo *repo, const char *commit, const char *tree, const char *path,
		  bool submodules, char **out_note, bool *out_whole, struct err *err)
{
	const char *id = tree ? tree : commit;
	struct checkout_gaps gaps = CHECKOUT_GAPS_INIT;
	struct stat st;
	int result = -1;

	assert(path[0] == '/');
	if (!oid_is_whole(commit) || !oid_is_whole(id))
		return err_set(err, ERR_GIT, "'%s' is not the whole id of an object",
			       oid_is_whole(commit) ? id : commit);
	if (!lstat(path, &st))
		return err_set(err, ERR_IO, "cannot check out into '%s': it exists", path);
	if (stop_signal)
		return err_stopped(err);
	if (can_register(repo) ? make_registered(repo, commit, id, path, &gaps, err)
			       : make_apart(repo, id, path, &gaps, err))
		goto out;
	if (checkout_submodules(repo, id, path, submodules, &gaps, err))
		goto out;
	if (out_note)
		*out_note = gaps.note.len ? buf_detach(&gaps.note) : NULL;
	if (out_whole)
		*out_whole = !gaps.absent;
	result = 0;
out:
	if (result)
		take_back(repo, path);
	buf_release(&gaps.note);
	return result;
}
