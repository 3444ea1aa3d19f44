/* The repository as the git command line reads it: sha256, reftable, what comes next. */
#include "lib/git/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/git/git_command.h"
#include "lib/process/guard.h"

#include "lib/base/banned.h"

/* One path that `git rev-parse` prints in folder dir; the line end is cut, no more. */
static int ask_path(const char *dir, const char *question, char **out, struct err *err)
{
	const char *const args[] = { "rev-parse", "--path-format=absolute", question, NULL };
	struct buf text = BUF_INIT;
	int result = -1;

	if (git_answer(NULL, dir, args, &text, err))
		goto out;
	if (text.len && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	*out = buf_detach(&text);
	result = *out ? 0 : err_nomem(err);
out:
	buf_release(&text);
	return result;
}

static int ask_bool(const char *dir, const char *question, bool *out, struct err *err)
{
	char *text = NULL;

	if (ask_path(dir, question, &text, err))
		return -1;
	*out = !strcmp(text, "true");
	free(text);
	return 0;
}

/* The work tree.  Asked from inside .git, git names none: then the folder above it is it. */
static int find_top(struct repo *repo, const char *path, struct err *err)
{
	bool is_bare, is_inside;
	size_t n = strlen(repo->git_dir);

	if (ask_bool(path, "--is-bare-repository", &is_bare, err) ||
	    ask_bool(path, "--is-inside-work-tree", &is_inside, err))
		return -1;
	if (is_inside)
		return ask_path(path, "--show-toplevel", &repo->top, err);
	if (is_bare)
		return 0;
	if (n > 5 && !strcmp(repo->git_dir + n - 5, "/.git")) {
		repo->top = strndup(repo->git_dir, n - 5);
		return repo->top ? 0 : err_nomem(err);
	}
	err_set(err, ERR_GIT, "'%s' is inside a git folder", path);
	return err_hint(err, "run pawl inside the work tree");
}

static int cli_open(struct repo *repo, const char *path, struct err *err)
{
	if (ask_path(path, "--absolute-git-dir", &repo->git_dir, err) ||
	    ask_path(path, "--git-common-dir", &repo->common_dir, err) || find_top(repo, path, err))
		return -1;
	return 0;
}

static void cli_close(struct repo *repo)
{
	(void)repo;
}

static int cli_resolve(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err)
{
	const char *args[] = { "rev-parse", "--verify", "--end-of-options", NULL, NULL };
	struct buf name = BUF_INIT, text = BUF_INIT, talk = BUF_INIT;
	int status, result = -1;

	buf_addf(&name, "%s^{commit}", rev);
	args[3] = buf_str(&name);
	if (buf_check(&name, err) || git_capture(repo, NULL, args, &text, &talk, &status, err))
		goto out;
	if (!status && text.len && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	if (!status && oid_is_whole(buf_str(&text))) {
		memcpy(out, text.data, text.len + 1);
		result = 0;
	} else if (strstr(buf_str(&talk), "is ambiguous")) {
		err_set(err, ERR_ABSENT, "revision '%s' is ambiguous", rev);
		err_hint(err, "give more digits of the commit id");
	} else {
		err_set(err, ERR_ABSENT, "unknown revision '%s'", rev);
	}
out:
	buf_release(&name);
	buf_release(&text);
	buf_release(&talk);
	return result;
}

static int cli_read_commit(struct repo *repo, const char *id, struct buf *out, struct err *err)
{
	const char *const exists[] = { "cat-file", "-e", id, NULL };
	const char *const type[] = { "cat-file", "-t", id, NULL };
	const char *const bytes[] = { "cat-file", "commit", id, NULL };
	struct buf text = BUF_INIT;
	int status, result = -1;

	if (git_capture(repo, NULL, exists, NULL, NULL, &status, err))
		goto out;
	if (status) {
		err_set(err, ERR_ABSENT, "commit %s is not here", id);
		goto out;
	}
	if (git_answer(repo, NULL, type, &text, err))
		goto out;
	if (strcmp(buf_str(&text), "commit\n")) {
		err_set(err, ERR_ABSENT, "object %s is not a commit", id);
		goto out;
	}
	result = git_answer(repo, NULL, bytes, out, err);
out:
	buf_release(&text);
	return result;
}

static int cli_head_ref(struct repo *repo, char **out, struct err *err)
{
	const char *const args[] = { "symbolic-ref", "--quiet", "HEAD", NULL };
	struct buf text = BUF_INIT;
	int status, result = -1;

	if (git_capture(repo, NULL, args, &text, NULL, &status, err))
		goto out;
	if (status > 1) {
		err_set(err, ERR_GIT, "cannot read HEAD of '%s'", repo->git_dir);
		goto out;
	}
	*out = NULL;
	if (!status && text.len) {
		buf_truncate(&text, text.len - 1);
		*out = buf_detach(&text);
	}
	result = status || *out ? 0 : err_nomem(err);
out:
	buf_release(&text);
	return result;
}

const char *const cli_changes_words[] = {
	"status",	"--porcelain", "-z", "--untracked-files=no", "--ignore-submodules=dirty",
	"--no-renames", NULL
};

int cli_is_dirty(struct repo *repo, bool *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct buf text = BUF_INIT;
	int result;

	guard_open(); /* filters run, as long as they like */
	result = git_answer(repo, NULL, cli_changes_words, &text, &fault);
	/* More differences than git_answer() holds are differences too. */
	if (!result || fault.code == ERR_LIMIT) {
		*out = result || text.len;
		result = 0;
	} else if (err) {
		*err = fault;
	}
	buf_release(&text);
	return result;
}

/* `git config -z --list --show-scope` prints "SCOPE NUL KEY [LF VALUE] NUL" for each. */
static int add_records(char *p, const char *end, gitconfig_wanted *wanted, struct gitconfig *out,
		       struct err *err)
{
	while (p < end) {
		char *scope = p, *key = p + strlen(p) + 1, *value;

		if (key >= end)
			return err_set(err, ERR_GIT, "cannot understand `git config --list`");
		p = key + strlen(key) + 1;
		value = strchr(key, '\n');
		if (value)
			*value++ = '\0';
		if (wanted(key) && gitconfig_add(out, key, value, scope, 0, err))
			return -1;
	}
	return 0;
}

static int cli_read_config(struct repo *repo, gitconfig_wanted *wanted, struct gitconfig *out,
			   struct err *err)
{
	const char *const args[] = { "config", "--includes", "-z", "--list", "--show-scope", NULL };
	struct buf text = BUF_INIT;
	int result = git_answer(repo, NULL, args, &text, err);

	if (!result && text.len)
		result = add_records(text.data, text.data + text.len, wanted, out, err);
	buf_release(&text);
	return result;
}

const struct git_backend backend_cli = {
	.name = "git",
	.open = cli_open,
	.close = cli_close,
	.resolve = cli_resolve,
	.read_commit = cli_read_commit,
	.head_ref = cli_head_ref,
	.is_dirty = cli_is_dirty,
	.read_config = cli_read_config,
};
