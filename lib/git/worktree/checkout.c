#include "lib/git/worktree/checkout.h"

#include <string.h>
#include <sys/statvfs.h>

#include "lib/base/file.h"
#include "lib/process/guard.h"
#include "lib/process/stop.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

#define TIME_NS (UINT64_C(3600) * 1000000000)

static bool says_one_of(const char *words, const char *const *parts)
{
	for (; *parts; parts++)
		if (strstr(words, *parts))
			return true;
	return false;
}

/* Some of git's messages about a failed write leave out the reason. */
static bool is_full(const char *path, const char *words)
{
	static const char *const parts[] = { "No space left on device", "Disk quota exceeded",
					     NULL };
	struct statvfs st;

	return says_one_of(words, parts) ||
	       (!statvfs(path, &st) && (!st.f_bavail || (st.f_files && !st.f_favail)));
}

static bool is_object_missing(const char *words)
{
	static const char *const parts[] = { "unable to read sha1 file",
					     "unable to read tree",
					     "unable to read blob",
					     "failed to unpack tree object",
					     "could not fetch",
					     "lazy fetching disabled",
					     "transport 'file' not allowed",
					     "transport 'https' not allowed",
					     "transport 'http' not allowed",
					     "transport 'ssh' not allowed",
					     "transport 'git' not allowed",
					     "bad object",
					     "missing blob",
					     "invalid object",
					     NULL };

	return says_one_of(words, parts);
}

/* The first line of git's own; what a filter prints may stand before it. */
static const char *reason_in(const char *words)
{
	static const char *const starts[] = { "fatal: ", "error: " };
	const char *at;
	size_t i;

	for (i = 0; i < 2; i++) {
		at = strstr(words, starts[i]);
		if (at && (at == words || at[-1] == '\n'))
			return at + strlen(starts[i]);
	}
	return words;
}

int checkout_fault(const char *path, const char *words, int status, struct err *err)
{
	const char *reason = reason_in(words);
	size_t n = strcspn(reason, "\n");

	if (stop_signal)
		return err_stopped(err);
	if (is_full(path, words)) {
		err_set(err, ERR_FULL, "no space to check out files in '%s'", path);
		return err_hint(err, "free some, or set pawl.cacheSize lower");
	}
	if (is_object_missing(words)) {
		err_set(err, ERR_ABSENT, "an object of the commit is not in this repository: %.*s",
			(int)n, reason);
		return err_hint(err, "fetch it: in a partial clone 'git fetch --refetch "
				     "--no-filter', in a shallow one 'git fetch --unshallow'");
	}
	if (!n)
		return err_set(err, ERR_GIT, "git ended with status %d in '%s'", status, path);
	return err_set(err, ERR_GIT, "cannot check out files in '%s': %.*s", path, (int)n, reason);
}

/* Runs git in it; a status other than 0 is ERR_FULL, ERR_ABSENT or ERR_GIT with git's words. */
static int run_git(const struct checkout *c, const char *const *args, struct buf *out,
		   struct err *err)
{
	const struct git_run how = {
		.dir = c->path, .environment = c->environment, .timeout_ns = TIME_NS, .stops = true
	};
	struct buf words = BUF_INIT;
	int status, result = -1;

	if (!git_run(&how, args, out, &words, &status, err))
		result = status ? checkout_fault(c->path, buf_str(&words), status, err) : 0;
	buf_release(&words);
	return result;
}

int checkout_files(const struct checkout *c, const char *id, struct err *err)
{
	/* The user's sparse checkout and recursion are for his work tree, not for a build. */
	const char *const args[] = {
		"-c",	   "core.sparseCheckout=false", "-c",	     "core.splitIndex=false",
		"-c",	   "submodule.recurse=false",	"read-tree", "-u",
		"--reset", "--no-recurse-submodules",	id,	     NULL
	};

	guard_open(); /* filters run, as long as they like */
	return run_git(c, args, NULL, err);
}

int checkout_apart(const char *git_dir, const char *id, const char *path,
		   struct checkout_gaps *gaps, struct err *err)
{
	struct strv environment = STRV_INIT;
	struct buf index = BUF_INIT;
	struct checkout c = { path, git_dir, NULL };
	int result = -1;

	buf_addf(&index, "%s.index", path);
	if (buf_check(&index, err) || strv_addf(&environment, err, "GIT_DIR=%s", git_dir) ||
	    strv_addf(&environment, err, "GIT_WORK_TREE=%s", path) ||
	    strv_addf(&environment, err, "GIT_INDEX_FILE=%s", buf_str(&index)) ||
	    strv_add(&environment, "GIT_LFS_SKIP_SMUDGE=1", err))
		goto out;
	c.environment = (const char *const *)environment.v;
	result = checkout_files(&c, id, err) || (gaps && checkout_lfs(&c, gaps, err)) ? -1 : 0;
	file_remove_tree(buf_str(&index), NULL);
out:
	buf_release(&index);
	strv_release(&environment);
	return result;
}
