#include "lib/git/history/patch.h"

#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

/* What `git diff-tree` prints of it, however the user's git shows patches. */
static int read_patch(struct repo *repo, const char *id, const char *but, struct buf *out,
		      struct err *err)
{
	static const char *const options[] = { "diff-tree",	 "-p",		 "-U0",
					       "--no-commit-id", "--root",	 "--full-index",
					       "--no-renames",	 "--no-color",	 "--no-ext-diff",
					       "--no-textconv",	 "--no-relative" };
	struct git_commit c = GIT_COMMIT_INIT;
	struct strv args = STRV_INIT;
	size_t i;
	int result = -1;

	if (repo_commit(repo, id, &c, err))
		goto out;
	if (c.truncated) {
		err_set(err, ERR_ABSENT, "the parent of %.12s is not here", id);
		goto out;
	}
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (strv_add(&args, options[i], err))
			goto out;
	if ((c.parents.n && strv_add(&args, c.parents.v[0], err)) || strv_add(&args, c.id, err) ||
	    strv_add(&args, "--", err) || strv_add(&args, ":(top)", err) ||
	    strv_addf(&args, err, ":(top,exclude,literal)%s", but))
		goto out;
	result = git_answer(repo, NULL, (const char *const *)args.v, out, err);
out:
	git_commit_release(&c);
	strv_release(&args);
	return result;
}

/*
 * Without the places of what changed, and without the ids of the files but those of no text: of
 * these nothing else is shown.
 */
static void strip(const struct buf *patch, struct buf *out)
{
	const char *const text = buf_str(patch), *const end = text + patch->len;
	const char *line, *next, *index = NULL;
	size_t n_index = 0;
	bool in_head = true;

	for (line = text; line < end; line = next) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		next = stop ? stop + 1 : end;
		if (*line == 'd') { /* "diff --git"; a changed line begins with a sign */
			in_head = true;
			index = NULL;
		} else if (in_head && !strncmp(line, "index ", 6)) {
			index = line;
			n_index = (size_t)(next - line);
			continue;
		} else if (*line == '@') {
			in_head = false;
			continue;
		} else if (in_head && index && *line == 'B') { /* "Binary files ... differ" */
			buf_add(out, index, n_index);
		}
		buf_add(out, line, (size_t)(next - line));
	}
}

int patch_is_same(struct repo *repo, const char *a, const char *b, const char *but, bool *out,
		  struct err *err)
{
	struct buf text[2] = { BUF_INIT, BUF_INIT }, bare[2] = { BUF_INIT, BUF_INIT };
	int result = -1;

	if (read_patch(repo, a, but, &text[0], err) || read_patch(repo, b, but, &text[1], err))
		goto out;
	strip(&text[0], &bare[0]);
	strip(&text[1], &bare[1]);
	if (buf_check(&bare[0], err) || buf_check(&bare[1], err))
		goto out;
	*out = bare[0].len == bare[1].len &&
	       !memcmp(buf_str(&bare[0]), buf_str(&bare[1]), bare[0].len);
	result = 0;
out:
	buf_release(&text[0]);
	buf_release(&text[1]);
	buf_release(&bare[0]);
	buf_release(&bare[1]);
	return result;
}
