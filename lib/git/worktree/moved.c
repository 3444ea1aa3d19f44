/*
 * moved - which submodules two trees have at other commits, and whether a file differs.
 */
#include <stdbool.h>
#include <string.h>

#include "lib/git/git_command.h"
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
