/*
 * links - which link of a tree leads away from some of its paths.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/git/git_command.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define LINK "120000 "

/* Of a line of tree_entries(): the path, "" for the whole tree. */
static const char *path_of(const char *line)
{
	int words = str_starts(line, "absent ") ? 1 : 3;

	while (words-- > 0)
		line += strcspn(line, " ") + 1;
	return strcmp(line, ".") ? line : "";
}

/* "MODE blob ID\tPATH" or "MODE blob ID PATH" of a link, to both lists. */
static int add_link(const char *line, const char *path, struct strv *ids, struct strv *places,
		    struct err *err)
{
	const char *id = line + strlen(LINK "blob ");

	return strv_addf(ids, err, "%.*s", (int)strcspn(id, " \t"), id) ||
			       strv_add(places, path, err)
		       ? -1
		       : 0;
}

/* Links on the way to a path. */
static int find_before(struct repo *repo, const char *treeish, const struct strv *names,
		       struct strv *ids, struct strv *places, struct err *err)
{
	struct strv folders = STRV_INIT, lines = STRV_INIT;
	size_t i;
	int result = -1;

	for (i = 0; i < names->n; i++) {
		const char *name = names->v[i], *end = name;

		while ((end = strchr(end, '/'))) {
			if (strv_addf(&folders, err, "%.*s", (int)(end - name), name))
				goto out;
			end++;
		}
	}
	if (folders.n && tree_entries(repo, treeish, &folders, &lines, err))
		goto out;
	for (i = 0; i < lines.n; i++)
		if (str_starts(lines.v[i], LINK) &&
		    add_link(lines.v[i], path_of(lines.v[i]), ids, places, err))
			goto out;
	result = 0;
out:
	strv_release(&folders);
	strv_release(&lines);
	return result;
}

/* Links that are such a path, or lie below it. */
static int find_below(struct repo *repo, const char *treeish, const struct strv *names,
		      struct strv *ids, struct strv *places, struct err *err)
{
	static const char *const words[] = { "--literal-pathspecs", "ls-tree", "-rz",
					     "--full-tree" };
	struct strv args = STRV_INIT;
	struct buf text = BUF_INIT;
	size_t i, at;
	int result = -1;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strv_add(&args, words[i], err))
			goto out;
	if (strv_add(&args, treeish, err) || strv_add(&args, "--", err))
		goto out;
	/* The whole tree is what is listed where no path is given. */
	if (!strv_has(names, ""))
		for (i = 0; i < names->n; i++)
			if (strv_add(&args, names->v[i], err))
				goto out;
	if (git_answer(repo, NULL, (const char *const *)args.v, &text, err))
		goto out;
	for (at = 0; at < text.len; at += strlen(text.data + at) + 1) {
		const char *line = text.data + at, *tab = strchr(line, '\t');

		if (str_starts(line, LINK) && tab && add_link(line, tab + 1, ids, places, err))
			goto out;
	}
	result = 0;
out:
	strv_release(&args);
	buf_release(&text);
	return result;
}

/* Where each leads, as `git cat-file --batch` prints it: "ID blob SIZE", the text, a line end. */
static int read_targets(struct repo *repo, const struct strv *ids, struct strv *out,
			struct err *err)
{
	const char *const args[] = { "cat-file", "--batch", NULL };
	struct buf questions = BUF_INIT, text = BUF_INIT;
	const struct git_run how = {
		.repo = repo, .input = &questions, .stops = true, .graced = true
	};
	size_t i, at = 0;
	int status, result = -1;

	for (i = 0; i < ids->n; i++)
		buf_addf(&questions, "%s\n", ids->v[i]);
	if (buf_check(&questions, err) || git_run(&how, args, &text, NULL, &status, err))
		goto out;
	buf_addc(&text, '\0');
	if (buf_check(&text, err))
		goto out;
	for (i = 0; i < ids->n; i++) {
		const char *head = text.data + at, *line = strchr(head, '\n');
		unsigned long long size;

		if (!line || sscanf(head, "%*[0-9a-f] blob %llu\n", &size) != 1 ||
		    size >= text.len - (size_t)(line + 1 - text.data)) {
			err_set(err, ERR_GIT, "git cannot read the link %.12s", ids->v[i]);
			goto out;
		}
		if (strv_addf(out, err, "%.*s", (int)size, line + 1))
			goto out;
		at = (size_t)(line + 1 - text.data) + size + 1;
	}
	result = 0;
out:
	buf_release(&questions);
	buf_release(&text);
	return result;
}

/* Where a link leads, from the top; false: out of it, or nobody knows without following others. */
static bool resolve(const char *path, const char *target, struct buf *out)
{
	const char *end = strrchr(path, '/');
	bool is_down = false;

	buf_add(out, path, end ? (size_t)(end - path) : 0);
	if (*target == '/')
		return false;
	while (*target) {
		size_t n = strcspn(target, "/");

		if (n == 2 && !strncmp(target, "..", 2)) {
			if (is_down || !out->len)
				return false;
			end = strrchr(buf_str(out), '/');
			buf_truncate(out, end ? (size_t)(end - buf_str(out)) : 0);
		} else if (n && !(n == 1 && *target == '.')) {
			is_down = true;
			if (out->len)
				buf_addc(out, '/');
			buf_add(out, target, n);
		}
		target += n + (target[n] == '/');
	}
	return !out->failed;
}

/* What is named, or lies below. */
static bool is_named(const struct strv *names, const char *path)
{
	size_t i;

	for (i = 0; i < names->n; i++)
		if (!*names->v[i] || !strcmp(path, names->v[i]) || str_below(path, names->v[i]))
			return true;
	return false;
}

int tree_link_away(struct repo *repo, const char *treeish, const struct strv *paths, char **out,
		   struct err *err)
{
	struct strv lines = STRV_INIT, names = STRV_INIT, ids = STRV_INIT;
	struct strv places = STRV_INIT, targets = STRV_INIT;
	struct buf to = BUF_INIT;
	size_t i;
	int result = -1;

	*out = NULL;
	if (tree_entries(repo, treeish, paths, &lines, err))
		goto out;
	for (i = 0; i < lines.n; i++)
		if (strv_add(&names, path_of(lines.v[i]), err))
			goto out;
	if (find_before(repo, treeish, &names, &ids, &places, err) ||
	    find_below(repo, treeish, &names, &ids, &places, err) ||
	    (ids.n && read_targets(repo, &ids, &targets, err)))
		goto out;
	for (i = 0; i < targets.n && !*out; i++) {
		buf_reset(&to);
		if ((!resolve(places.v[i], targets.v[i], &to) || !is_named(&names, buf_str(&to))) &&
		    str_set(out, places.v[i], err))
			goto out;
	}
	result = 0;
out:
	strv_release(&lines);
	strv_release(&names);
	strv_release(&ids);
	strv_release(&places);
	strv_release(&targets);
	buf_release(&to);
	return result;
}
