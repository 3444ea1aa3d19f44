/*
 * tree - the ids of trees: of uncommitted work, and of parts of a commit.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/process/guard.h"
#include "lib/git/backend.h"
#include "lib/git/git_command.h"
#include "lib/git/worktree/checkout.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* A folder for an index that is not the user's. */
static int scratch_folder(struct buf *out, struct err *err)
{
	const char *tmp = getenv("TMPDIR");

	buf_addf(out, "%s/pawl-index.XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (buf_check(out, err))
		return -1;
	if (!mkdtemp(out->data)) {
		err_sys(err, ERR_IO, "cannot create folder '%s'", out->data);
		buf_reset(out);
		return -1;
	}
	return 0;
}

/* Runs git on the work tree with another index. */
static int run_on_index(struct repo *repo, const char *index, const char *const *args,
			struct buf *out, struct err *err)
{
	struct strv environment = STRV_INIT;
	struct git_run how = { .repo = repo,
			       .timeout_ns = UINT64_C(3600) * 1000000000,
			       .stops = true };
	struct buf words = BUF_INIT;
	int status, result = -1;

	if (strv_addf(&environment, err, "GIT_INDEX_FILE=%s", index))
		goto out;
	how.environment = (const char *const *)environment.v;
	if (git_run(&how, args, out, &words, &status, err))
		goto out;
	result = status ? checkout_fault(repo->git_dir, buf_str(&words), status, err) : 0;
out:
	strv_release(&environment);
	buf_release(&words);
	return result;
}

/*
 * With its time: git takes a file that is as old as the index for possibly changed, however alike
 * its size and time are.  A copy that looks younger would hide an edit of the same moment.
 */
static int copy_index(struct repo *repo, const char *to, struct err *err)
{
	struct buf from = BUF_INIT;
	struct timespec times[2];
	struct stat st;
	int result = -1;

	buf_addf(&from, "%s/index", repo->git_dir);
	if (buf_check(&from, err))
		goto out;
	if (stat(buf_str(&from), &st)) {
		result = 0; /* none yet */
		goto out;
	}
	if (file_copy(buf_str(&from), to, 0600, err))
		goto out;
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	result = utimensat(AT_FDCWD, to, times, 0)
			 ? err_sys(err, ERR_IO, "cannot set the time of '%s'", to)
			 : 0;
out:
	buf_release(&from);
	return result;
}

/* Takes the flag off by which files were to be believed unchanged; skipped ones stay skipped. */
static int believe_nothing(struct repo *repo, const char *index, struct err *err)
{
	const char *const list[] = { "ls-files", "-v", "-z", NULL };
	struct strv words = STRV_INIT;
	struct buf text = BUF_INIT;
	size_t at;
	int result = -1;

	if (run_on_index(repo, index, list, &text, err) || strv_add(&words, "update-index", err) ||
	    strv_add(&words, "--no-assume-unchanged", err) || strv_add(&words, "--", err))
		goto out;
	for (at = 0; at < text.len; at += strlen(text.data + at) + 1)
		if (text.data[at] >= 'a' && text.data[at] <= 'z' && text.data[at + 1] == ' ' &&
		    strv_add(&words, text.data + at + 2, err))
			goto out;
	result = words.n > 3 ? run_on_index(repo, index, (const char *const *)words.v, NULL, err)
			     : 0;
out:
	strv_release(&words);
	buf_release(&text);
	return result;
}

/* Work inside a submodule is in no tree of the repository above it. */
static int refuse_submodules(struct repo *repo, struct err *err)
{
	const char *const status[] = { "status", "--porcelain=v2",	     "-z",
				       "-uno",	 "--ignore-submodules=none", NULL };
	struct buf text = BUF_INIT;
	size_t at;
	int result = -1;

	if (git_answer(repo, NULL, status, &text, err))
		goto out;
	for (at = 0; at < text.len; at += strlen(text.data + at) + 1) {
		const char *entry = text.data + at; /* "1 .M SCMU ..." with the path at the end */

		if ((entry[0] != '1' && entry[0] != '2') || strlen(entry) < 9 || entry[5] != 'S' ||
		    (entry[7] != 'M' && entry[8] != 'U'))
			continue;
		err_set(err, ERR_GIT,
			"submodule '%s' has uncommitted work, which cannot be "
			"compared from here",
			strrchr(entry, ' ') + 1);
		err_hint(err, "commit it in the submodule");
		goto out;
	}
	result = 0;
out:
	buf_release(&text);
	return result;
}

int worktree_id(struct repo *repo, char out[OID_TEXT], struct err *err)
{
	const char *const add[] = { "-c",  "core.splitIndex=false",
				    "-c",  "advice.addEmbeddedRepo=false",
				    "add", "-A",
				    NULL };
	const char *const write[] = { "write-tree", NULL };
	struct buf folder = BUF_INIT, index = BUF_INIT, text = BUF_INIT;
	int result = -1;

	if (!repo->top) {
		err_set(err, ERR_ABSENT, "'%s' is a bare repository: it has no uncommitted work",
			repo->git_dir);
		return -1;
	}
	guard_open(); /* filters run, as in a checkout */
	if (refuse_submodules(repo, err) || scratch_folder(&folder, err))
		goto out;
	buf_addf(&index, "%s/index", buf_str(&folder));
	if (buf_check(&index, err) || copy_index(repo, buf_str(&index), err) ||
	    believe_nothing(repo, buf_str(&index), err) ||
	    run_on_index(repo, buf_str(&index), add, NULL, err) ||
	    run_on_index(repo, buf_str(&index), write, &text, err))
		goto out;
	if (text.len && text.data[text.len - 1] == '\n')
		buf_truncate(&text, text.len - 1);
	if (!oid_is_whole(buf_str(&text))) {
		err_set(err, ERR_GIT, "cannot understand `git write-tree`");
		goto out;
	}
	memcpy(out, text.data, text.len + 1);
	result = 0;
out:
	if (folder.len)
		file_remove_tree(buf_str(&folder), NULL);
	buf_release(&folder);
	buf_release(&index);
	buf_release(&text);
	return result;
}

/* A path as git's trees name it: no "./", no slash twice or at the end. */
static int add_normal(const char *path, struct strv *out, struct err *err)
{
	struct buf name = BUF_INIT;
	int result = -1;

	while (*path) {
		size_t n = strcspn(path, "/");

		if (n && !(n == 1 && *path == '.')) {
			buf_adds(&name, name.len ? "/" : "");
			buf_add(&name, path, n);
		}
		path += n;
		path += *path == '/';
	}
	if (!buf_check(&name, err))
		result = strv_add(out, buf_str(&name), err);
	buf_release(&name);
	return result;
}

/* The line of one path; *out NULL: it is not there.  The whole tree has the path "". */
static const char *find_entry(const struct buf *text, const char *path)
{
	size_t at;

	for (at = 0; at < text->len; at += strlen(text->data + at) + 1) {
		const char *tab = strchr(text->data + at, '\t');

		if (tab && !strcmp(tab + 1, path))
			return text->data + at;
	}
	return NULL;
}

static int add_entry(const struct buf *text, const char *path, const char *top_id, struct strv *out,
		     struct err *err)
{
	const char *entry = find_entry(text, path);

	if (!*path)
		return strv_addf(out, err, "040000 tree %s .", top_id);
	if (!entry)
		return strv_addf(out, err, "absent %s", path);
	return strv_addf(out, err, "%.*s %s", (int)strcspn(entry, "\t"), entry, path);
}

/* The id of the tree that treeish, the id of a tree or the name of a commit, stands for. */
static int find_tree(struct repo *repo, const char *treeish, char out[OID_TEXT], struct err *err)
{
	struct git_commit commit = GIT_COMMIT_INIT;
	struct err fault = ERR_INIT;
	int result = repo_commit(repo, treeish, &commit, &fault);

	if (!result) {
		snprintf(out, OID_TEXT, "%s", commit.tree);
	} else if (fault.code == ERR_ABSENT && oid_is_whole(treeish)) {
		snprintf(out, OID_TEXT, "%s", treeish); /* git says so when it is none */
		result = 0;
	} else if (err) {
		*err = fault;
	}
	git_commit_release(&commit);
	return result;
}

int tree_entries(struct repo *repo, const char *treeish, const struct strv *paths, struct strv *out,
		 struct err *err)
{
	struct strv names = STRV_INIT, args = STRV_INIT;
	struct buf text = BUF_INIT;
	char id[OID_TEXT];
	size_t i;
	int result = -1;

	if (find_tree(repo, treeish, id, err))
		goto out;
	for (i = 0; i < paths->n; i++)
		if (add_normal(paths->v[i], &names, err))
			goto out;
	/* -t: without it a folder is left out when something in it is asked for too. */
	if (strv_add(&args, "--literal-pathspecs", err) || strv_add(&args, "ls-tree", err) ||
	    strv_add(&args, "-zt", err) || strv_add(&args, "--full-tree", err) ||
	    strv_add(&args, id, err) || strv_add(&args, "--", err))
		goto out;
	for (i = 0; i < names.n; i++)
		if (*names.v[i] && strv_add(&args, names.v[i], err))
			goto out;
	if (git_answer(repo, NULL, (const char *const *)args.v, &text, err))
		goto out;
	for (i = 0; i < names.n; i++)
		if (add_entry(&text, names.v[i], id, out, err))
			goto out;
	result = 0;
out:
	strv_release(&names);
	strv_release(&args);
	buf_release(&text);
	return result;
}

/* Appends what git answers, one path after the other. */
static int list_paths(struct repo *repo, const char *const *args, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t at;
	int result = -1;

	if (git_answer(repo, NULL, args, &text, err))
		goto out;
	for (at = 0; at < text.len; at += strlen(text.data + at) + 1)
		if (strv_add(out, text.data + at, err))
			goto out;
	result = 0;
out:
	buf_release(&text);
	return result;
}

int tree_files(struct repo *repo, const char *commit, struct strv *out, struct err *err)
{
	struct git_commit c = GIT_COMMIT_INIT;
	const char *args[] = { "ls-tree", "-r", "-z", "--name-only", NULL, NULL };
	int result = -1;

	if (!repo_commit(repo, commit, &c, err)) {
		args[4] = c.tree;
		result = list_paths(repo, args, out, err);
	}
	git_commit_release(&c);
	return result;
}

int tree_changes(struct repo *repo, const char *a, const char *b, struct strv *out, struct err *err)
{
	const char *const args[] = { "diff-tree",   "-r",	    "-z", "--no-commit-id",
				     "--name-only", "--no-renames", a,	  b,
				     NULL };

	return list_paths(repo, args, out, err);
}

int tree_edited(struct repo *repo, const char *commit, struct strv *out, struct err *err)
{
	const char *const args[] = { "diff",
				     "-z",
				     "--name-only",
				     "--no-renames",
				     "--no-ext-diff",
				     "--ignore-submodules=all",
				     commit,
				     "--",
				     NULL };

	guard_open(); /* filters run */
	return list_paths(repo, args, out, err);
}
