#include "lib/git/config/gitconfig.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/git/backend.h"
#include "lib/git/config/layers.h"
#include "lib/git/config/scan.h"
#include "lib/git/git_command.h"

#include "lib/base/banned.h"

#define FILE_MAX ((size_t)1 << 20)

static int bad_line(const char *path, int line, const char *what, struct err *err)
{
	err_set(err, ERR_CONFIG, "'%s' line %d: %s", path_base(path), line, what);
	return err_hint(err, "correct that line; pawl-config(5) shows the syntax");
}

/* A link to a device or a pipe would block or never end. */
static int read_text(const char *path, struct buf *text, struct err *err)
{
	struct stat st;

	if (stat(path, &st))
		return err_sys(err, errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_IO,
			       "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_CONFIG, "'%s' is not an ordinary file", path);
	if (!file_read_whole(path, FILE_MAX, text, err))
		return 0;
	if (err && err->code == ERR_LIMIT)
		err->code = ERR_CONFIG;
	return -1;
}

/* What a committed file may not hold. */
static int refuse_hostile(const char *path, const struct buf *text, struct err *err)
{
	const char *nul = memchr(buf_str(text), '\0', text->len);
	const char *p;
	int line = 1;

	if (nul) {
		for (p = text->data; p < nul; p++)
			line += *p == '\n';
		return bad_line(path, line, "a NUL byte", err);
	}
	line = gitconfig_scan_include(buf_str(text), text->len);
	if (!line)
		return 0;
	err_set(err, ERR_CONFIG, "'%s' line %d: a committed file may not include others",
		path_base(path), line);
	return err_hint(err, "write the settings into '%s' itself", path_base(path));
}

static int add_variables(const char *path, const struct buf *text, struct gitconfig *out,
			 struct err *err)
{
	struct gitconfig_scan scan;
	int result = 0;

	gitconfig_scan_init(&scan, buf_str(text), text->len);
	while (!result && gitconfig_scan_next(&scan)) {
		if (buf_check(&scan.key, err) || buf_check(&scan.value, err))
			result = -1;
		else
			result = gitconfig_add(out, buf_str(&scan.key),
					       scan.has_value ? buf_str(&scan.value) : NULL, path,
					       scan.key_line, err);
		if (!result)
			out->v[out->n - 1].is_cut = scan.is_cut;
	}
	if (!result && scan.fault_line)
		result = bad_line(path, scan.fault_line, scan.fault, err);
	gitconfig_scan_release(&scan);
	return result;
}

static int add_checked(const char *path, const struct buf *text, struct gitconfig *out,
		       struct err *err)
{
	size_t before = out->n;
	int result = -1;

	if (!refuse_hostile(path, text, err))
		result = add_variables(path, text, out, err);
	if (result)
		gitconfig_cut(out, before);
	return result;
}

int gitconfig_read_file(const char *path, struct gitconfig *out, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	if (!read_text(path, &text, err))
		result = add_checked(path, &text, out, err);
	buf_release(&text);
	return result;
}

/* What `cat-file --batch --follow-symlinks` says instead of "ID KIND SIZE": nothing is read. */
static int no_blob(const char *path, const char *commit, const char *head, struct err *err)
{
	static const struct {
		const char *word, *what;
	} links[] = {
		{ "symlink ", "is a link out of the commit" },
		{ "dangling ", "is a link to nothing that the commit has" },
		{ "loop ", "is a link to itself" },
		{ "notdir ", "is a link through a file" },
	};
	size_t i;

	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (str_starts(head, links[i].word)) {
			err_set(err, ERR_CONFIG, "'%s' of %.12s %s", path, commit, links[i].what);
			return err_hint(err, "let it lead to a file that is committed as well");
		}
	return err_set(err, ERR_ABSENT, "there is no '%s:%s'", commit, path);
}

/* text: "ID blob SIZE", and in the next line the bytes, with a line end; it becomes them. */
static int cut_to_bytes(const char *path, const char *commit, struct buf *text, struct err *err)
{
	const char *const end = text->len ? memchr(text->data, '\n', text->len) : NULL;
	size_t n_head = end ? (size_t)(end - text->data) : 0;
	char head[256], kind[16];
	unsigned long long size;

	if (!n_head || n_head >= sizeof(head))
		return err_set(err, ERR_GIT, "git cannot read '%s:%s'", commit, path);
	memcpy(head, text->data, n_head);
	head[n_head] = '\0';
	if (sscanf(head, "%*[0-9a-f]%*[ ]%15[a-z] %llu", kind, &size) != 2)
		return no_blob(path, commit, head, err);
	if (strcmp(kind, "blob") != 0)
		return err_set(err, ERR_CONFIG, "'%s' of %.12s is not an ordinary file", path,
			       commit);
	if (size > FILE_MAX)
		return err_set(err, ERR_CONFIG, "'%s:%s' is larger than %zu bytes", commit, path,
			       FILE_MAX);
	if (text->len < n_head + 1 + size)
		return err_set(err, ERR_GIT, "git cannot read '%s:%s'", commit, path);
	memmove(text->data, text->data + n_head + 1, size);
	buf_truncate(text, size);
	return 0;
}

int gitconfig_read_committed(struct repo *repo, const char *commit, const char *path,
			     struct gitconfig *out, struct err *err)
{
	/* A link leads where it leads in a work tree, as long as that is in the commit. */
	const char *const args[] = { "cat-file", "--batch", "--follow-symlinks", NULL };
	struct buf name = BUF_INIT, text = BUF_INIT;
	const struct git_run how = { .repo = repo, .input = &name, .stops = true, .graced = true };
	int status, result = -1;

	buf_addf(&name, "%s:%s\n", commit, path);
	if (!buf_check(&name, err) && !git_run(&how, args, &text, NULL, &status, err) &&
	    !cut_to_bytes(path, commit, &text, err))
		result = add_checked(path, &text, out, err);
	buf_release(&name);
	buf_release(&text);
	return result;
}

static bool is_ours(const char *key)
{
	return str_starts(key, "pawl.") ||
	       (str_starts(key, "benchmark.") && strchr(key, '.') != strrchr(key, '.'));
}

int gitconfig_read_git(struct repo *repo, struct gitconfig *out, struct err *err)
{
	size_t before = out->n;
	int result = repo ? repo->backend->read_config(repo, is_ours, out, err)
			  : gitconfig_layers(NULL, NULL, is_ours, out, err);

	if (!result)
		result = gitconfig_parameters(is_ours, out, err);
	if (result)
		gitconfig_cut(out, before);
	return result;
}
