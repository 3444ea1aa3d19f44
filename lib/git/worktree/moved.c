/*
 * moved - which submodules two trees have at other commits, and whether a file differs.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/git/git_command.h"
#include "lib/git/ids.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

/* ":OLD-MODE NEW-MODE ..." of diff-tree */
static bool is_of_submodule(const char *entry)
{
	const char *second = strchr(entry, ' ');

	return !strncmp(entry, ":160000 ", 8) || (second && !strncmp(second, " 160000 ", 8));
}

int tree_moved(struct repo *repo, const char *from, const char *to, const char *file,
	       bool *out_file, struct strv *out, struct err *err)
{
	const char *const args[] = { "diff-tree", "-r", "-z", "--no-renames", from, to, NULL };
	struct buf text = BUF_INIT;
	size_t at, path;
	int result = -1;

	*out_file = false;
	if (git_answer(repo, NULL, args, &text, err))
		goto out;
	for (at = 0; at < text.len; at = path + strlen(text.data + path) + 1) {
		path = at + strlen(text.data + at) + 1;
		if (path >= text.len)
			break;
		*out_file = *out_file || !strcmp(text.data + path, file);
		if (is_of_submodule(text.data + at) && strv_add(out, text.data + path, err))
			goto out;
	}
	result = 0;
out:
	buf_release(&text);
	return result;
}

/* Of both ends; one that came and went between them is in .gitmodules there. */
static int add_paths(struct repo *repo, const char *from, const char *to, struct strv *words,
		     struct err *err)
{
	struct strv paths = STRV_INIT;
	size_t i;
	int result = -1;

	if (tree_submodules(repo, from, &paths, err) || tree_submodules(repo, to, &paths, err) ||
	    strv_add(&paths, ".gitmodules", err))
		goto out;
	strv_sort(&paths);
	for (i = 0; i < paths.n; i++)
		if ((!i || strcmp(paths.v[i], paths.v[i - 1]) != 0) &&
		    strv_addf(words, err, ":(top,literal)%s", paths.v[i]))
			goto out;
	result = 0;
out:
	strv_release(&paths);
	return result;
}

int tree_moves_between(struct repo *repo, const char *from, const char *to, bool *out,
		       struct err *err)
{
	struct strv words = STRV_INIT, found = STRV_INIT;
	int result = -1;

	if (strv_add(&words, "rev-list", err) || strv_add(&words, "--max-count=1", err) ||
	    strv_add(&words, "--full-history", err) || strv_add(&words, to, err) ||
	    strv_addf(&words, err, "^%s", from) || strv_add(&words, "--", err) ||
	    add_paths(repo, from, to, &words, err) ||
	    ids_list(repo, (const char *const *)words.v, &found, err))
		goto out;
	*out = found.n > 0;
	result = 0;
out:
	strv_release(&words);
	strv_release(&found);
	return result;
}
