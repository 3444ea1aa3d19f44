/*
 * checkout_submodules - the files of submodules, from what is already on this machine.
 *
 * `git submodule update` would clone into every linked work tree, over the network; here the
 * repositories that the user's own checkout has are read in place.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/git/backend.h"
#include "lib/git/git_command.h"
#include "lib/git/worktree/checkout.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* One submodule of a tree. */
struct submodule {
	const char *path; /* relative to the top */
	const char *id;	  /* of the commit that belongs there */
};

/* The name that .gitmodules gives it, "" for none.  Its place in .git/modules. */
static int name_of(const char *top, const char *path, struct buf *out, struct err *err)
{
	const char *const args[] = { "config", "-f",	       ".gitmodules",
				     "-z",     "--get-regexp", "^submodule\\..*\\.path$",
				     NULL };
	struct buf text = BUF_INIT;
	int status, result = -1;
	size_t at;

	if (git_capture(NULL, top, args, &text, NULL, &status, err))
		goto out;
	for (at = 0; !status && at < text.len; at += strlen(text.data + at) + 1) {
		char *value = strchr(text.data + at, '\n');

		if (!value || strcmp(value + 1, path))
			continue;
		buf_reset(out);
		buf_add(out, text.data + at + strlen("submodule."),
			(size_t)(value - text.data) - at - strlen("submodule..path"));
	}
	result = buf_check(out, err);
out:
	buf_release(&text);
	return result;
}

/* Whether a name from .gitmodules, which anybody may have written, stays where it is put. */
static bool is_harmless(const char *name)
{
	const char *p;

	if (!*name || *name == '/')
		return false;
	for (p = name; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (!strncmp(p, "..", 2) && (!p[2] || p[2] == '/'))
			return false;
	}
	return true;
}

/* The repository of a submodule in the user's own checkout; "" when it is not here. */
static int find_repository(const struct repo *repo, const char *top, const char *path,
			   struct buf *out, struct err *err)
{
	struct buf name = BUF_INIT;
	bool is_here = false;
	int i, result = -1;

	if (name_of(top, path, &name, err))
		goto out;
	/* A linked work tree has its own; the last is one added by an old git, or with
	 * `git submodule add` of a repository that was there. */
	for (i = is_harmless(buf_str(&name)) ? 0 : 2; i < 3 && !is_here; i++) {
		if (i == 2 && !repo->top)
			break;
		buf_reset(out);
		if (i < 2)
			buf_addf(out, "%s/modules/%s", i ? repo->git_dir : repo->common_dir,
				 buf_str(&name));
		else
			buf_addf(out, "%s/%s/.git", repo->top, path);
		if (buf_check(out, err) || file_is_in(buf_str(out), "HEAD", &is_here, err))
			goto out;
	}
	if (!is_here)
		buf_reset(out);
	result = 0;
out:
	buf_release(&name);
	return result;
}

/* Whether the folder of a submodule lies where its path says, with no link on the way. */
static int is_in_place(const char *top, const char *path, bool *out, struct err *err)
{
	char real[PATH_MAX], *real_top = realpath(top, NULL);
	struct buf folder = BUF_INIT, want = BUF_INIT;
	int result = -1;

	*out = false;
	buf_addf(&folder, "%s/%s", top, path);
	buf_addf(&want, "%s/%s", real_top ? real_top : "", path);
	if (buf_check(&folder, err) || buf_check(&want, err))
		goto out;
	if (real_top && realpath(buf_str(&folder), real)) {
		*out = !strcmp(real, buf_str(&want));
	} else if (errno == ENOMEM) {
		err_nomem(err);
		goto out;
	}
	result = 0;
out:
	buf_release(&folder);
	buf_release(&want);
	free(real_top);
	return result;
}

static int has_commit(const char *git_dir, const char *id, bool *out, struct err *err)
{
	const char *const args[] = { "cat-file", "-e", id, NULL };
	struct strv environment = STRV_INIT;
	struct git_run how = { .dir = git_dir, .stops = true, .graced = true };
	int status = -1, result = -1;

	if (!strv_addf(&environment, err, "GIT_DIR=%s", git_dir)) {
		how.environment = (const char *const *)environment.v;
		result = git_run(&how, args, NULL, NULL, &status, err);
	}
	*out = !result && !status;
	strv_release(&environment);
	return result;
}

/* Its repository, where that has the commit that belongs there and the folder is its own. */
static int find_filler(const struct repo *repo, const char *top, const struct submodule *sub,
		       struct buf *out, bool *out_is_here, struct err *err)
{
	*out_is_here = false;
	if (find_repository(repo, top, sub->path, out, err) ||
	    is_in_place(top, sub->path, out_is_here, err))
		return -1;
	*out_is_here = *out_is_here && out->len;
	return *out_is_here ? has_commit(buf_str(out), sub->id, out_is_here, err) : 0;
}

static int fill_one(const struct repo *repo, const char *top, const struct submodule *sub,
		    struct checkout_gaps *gaps, struct err *err)
{
	struct buf git_dir = BUF_INIT, folder = BUF_INIT;
	bool is_here;
	int result = -1;

	if (find_filler(repo, top, sub, &git_dir, &is_here, err))
		goto out;
	if (!is_here) {
		gaps->absent = true;
		buf_addf(&gaps->note,
			 "%ssubmodule '%s' is not here and stays empty: "
			 "'git submodule update --init' brings it",
			 gaps->note.len ? "; " : "", sub->path);
		result = buf_check(&gaps->note, err);
		goto out;
	}
	buf_addf(&folder, "%s/%s", top, sub->path);
	result = buf_check(&folder, err) || checkout_apart(buf_str(&git_dir), sub->id,
							   buf_str(&folder), gaps, err)
			 ? -1
			 : 0;
out:
	buf_release(&git_dir);
	buf_release(&folder);
	return result;
}

/* Splits one "MODE TYPE ID TAB PATH" of ls-tree; false for what is no submodule. */
static bool parse_entry(char *line, struct submodule *out)
{
	char *tab = strchr(line, '\t');

	if (!tab || !str_starts(line, "160000 commit "))
		return false;
	*tab = '\0';
	out->id = line + strlen("160000 commit ");
	out->path = tab + 1;
	return oid_is_whole(out->id);
}

/* All of a tree, entry by entry. */
static int list_tree(struct repo *repo, const char *id, struct buf *out, struct err *err)
{
	const char *const args[] = { "ls-tree", "-r", "-z", "--full-tree", id, NULL };

	return git_answer(repo, NULL, args, out, err);
}

int checkout_submodules(struct repo *repo, const char *id, const char *path, bool fill,
			struct checkout_gaps *gaps, struct err *err)
{
	struct buf text = BUF_INIT, modules = BUF_INIT;
	struct submodule sub;
	size_t at, next, n = 0;
	int result = -1;

	buf_addf(&modules, "%s/.gitmodules", path);
	if (buf_check(&modules, err))
		goto out;
	if (!file_exists(buf_str(&modules))) {
		result = 0;
		goto out;
	}
	if (list_tree(repo, id, &text, err))
		goto out;
	for (at = 0; at < text.len; at = next) {
		next = at + strlen(text.data + at) + 1;
		if (!parse_entry(text.data + at, &sub))
			continue;
		n++;
		if (fill && fill_one(repo, path, &sub, gaps, err))
			goto out;
	}
	if (n && !fill)
		buf_addf(&gaps->note,
			 "%s%zu submodule%s left empty: '--submodules' fills what is here",
			 gaps->note.len ? "; " : "", n, n == 1 ? " is" : "s are");
	result = buf_check(&gaps->note, err);
out:
	buf_release(&text);
	buf_release(&modules);
	return result;
}

int tree_submodules(struct repo *repo, const char *tree, struct strv *out, struct err *err)
{
	struct buf text = BUF_INIT;
	struct submodule sub;
	size_t at, next;
	int result = list_tree(repo, tree, &text, err);

	for (at = 0; !result && at < text.len; at = next) {
		next = at + strlen(text.data + at) + 1;
		if (parse_entry(text.data + at, &sub))
			result = strv_add(out, sub.path, err);
	}
	buf_release(&text);
	return result;
}

/* ---- those that moved ------------------------------------------------------------------------ */

/* The commit that a tree has of a submodule; "" for none. */
static int id_in(struct repo *repo, const char *tree, char *path, struct buf *out, struct err *err)
{
	static const char kind[] = "160000 commit ";
	const struct strv paths = { &path, 1, 1 };
	struct strv entries = STRV_INIT;
	int result = tree_entries(repo, tree, &paths, &entries, err);

	if (!result && entries.n && str_starts(entries.v[0], kind))
		buf_add(out, entries.v[0] + strlen(kind),
			strcspn(entries.v[0] + strlen(kind), " "));
	strv_release(&entries);
	return result || buf_check(out, err) ? -1 : 0;
}

/* Whether it has submodules of its own, of which one moved from one of its commits to the other. */
static int moves_inner(const char *git_dir, const char *from, const char *to, bool *out,
		       struct err *err)
{
	const char *const both[] = { "diff-tree", "-r", "-z", "--no-renames", from, to, NULL };
	const char *const all[] = { "ls-tree", "-r", "-z", to, NULL };
	struct strv environment = STRV_INIT;
	struct git_run how = { .dir = git_dir, .stops = true, .graced = true };
	struct buf text = BUF_INIT;
	int status = -1, result = -1;
	size_t at;

	if (!strv_addf(&environment, err, "GIT_DIR=%s", git_dir)) {
		how.environment = (const char *const *)environment.v;
		result = git_run(&how, *from ? both : all, &text, NULL, &status, err);
	}
	*out = status != 0;
	for (at = 0; !*out && at < text.len; at += strlen(text.data + at) + 1)
		*out = str_starts(text.data + at, ":160000 ") ||
		       str_starts(text.data + at, "160000 ") ||
		       (text.data[at] == ':' && !strncmp(text.data + at + 7, " 160000 ", 8));
	strv_release(&environment);
	buf_release(&text);
	return result;
}

static int refuse_absent(const char *path, struct err *err)
{
	err_set(err, ERR_ABSENT,
		"submodule '%s' moved and is not here: what it changes would not be seen", path);
	return err_hint(err, "'git submodule update --init' brings it; where no benchmark "
			     "needs it: git config pawl.submodules false");
}

static int refuse_inner(const char *path, struct err *err)
{
	err_set(err, ERR_ABSENT,
		"submodule '%s' moved one of its own, which is not checked out: what that "
		"changes would not be seen",
		path);
	return err_hint(err, "where no benchmark needs it: git config pawl.submodules false");
}

static int check_one(struct repo *repo, const char *top, const char *from, const char *to,
		     char *path, struct err *err)
{
	struct buf git_dir = BUF_INIT, id = BUF_INIT, before = BUF_INIT;
	bool is_here = false, moves = false;
	int result = -1;

	if (id_in(repo, to, path, &id, err) || id_in(repo, from, path, &before, err))
		goto out;
	result = 0;
	if (!id.len)
		goto out;
	if (find_repository(repo, top, path, &git_dir, err) ||
	    (git_dir.len && has_commit(buf_str(&git_dir), buf_str(&id), &is_here, err)) ||
	    (is_here &&
	     moves_inner(buf_str(&git_dir), buf_str(&before), buf_str(&id), &moves, err)))
		result = -1;
	else if (!is_here)
		result = refuse_absent(path, err);
	else if (moves)
		result = refuse_inner(path, err);
out:
	buf_release(&git_dir);
	buf_release(&id);
	buf_release(&before);
	return result;
}

int tree_submodules_check(struct repo *repo, const char *top, const char *from, const char *to,
			  const struct strv *paths, struct err *err)
{
	size_t i;

	for (i = 0; i < paths->n; i++)
		if (check_one(repo, top, from, to, paths->v[i], err))
			return -1;
	return 0;
}
