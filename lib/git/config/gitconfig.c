#include "lib/git/config/gitconfig.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/file.h"
#include "lib/git/backend.h"
#include "lib/git/config/layers.h"
#include "lib/git/config/scan.h"

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

/* Faults that libgit2 lets pass, or of which it does not say where. */
static int refuse_faults(const char *path, const struct buf *text, struct err *err)
{
	struct gitconfig_scan scan;
	int result = 0;

	gitconfig_scan_init(&scan, buf_str(text), text->len);
	while (gitconfig_scan_next(&scan))
		;
	if (scan.fault_line)
		result = bad_line(path, scan.fault_line, scan.fault, err);
	gitconfig_scan_release(&scan);
	return result;
}

/* What must not reach libgit2. */
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
		return refuse_faults(path, text, err);
	err_set(err, ERR_CONFIG, "'%s' line %d: a committed file may not include others",
		path_base(path), line);
	return err_hint(err, "write the settings into '%s' itself", path_base(path));
}

/*
 * Gives the entries from number first on their lines.  Both walks must see the same keys in
 * the same order: libgit2 1.5 takes the line behind a continued comment for part of the
 * value, where git does not, and what two readers take for different things is refused.
 */
static int number_lines(const char *path, const struct buf *text, struct gitconfig *c, size_t first,
			struct err *err)
{
	struct gitconfig_scan scan;
	size_t i = first;
	bool agree = true;

	gitconfig_scan_init(&scan, buf_str(text), text->len);
	while (agree && gitconfig_scan_next(&scan)) {
		agree = i < c->n && !strcmp(buf_str(&scan.key), c->v[i].key);
		if (agree)
			c->v[i++].line = scan.key_line;
	}
	agree = agree && i == c->n;
	if (!agree)
		bad_line(path, scan.key_line, "git and libgit2 do not agree on this", err);
	gitconfig_scan_release(&scan);
	return agree ? 0 : -1;
}

static bool want_all(const char *key)
{
	(void)key;
	return true;
}

int gitconfig_read_file(const char *path, struct gitconfig *out, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t before = out->n;
	int result = -1;

	if (read_text(path, &text, err) || refuse_hostile(path, &text, err))
		goto out;
	result = gitconfig_layer(path, path, NULL, want_all, out, err);
	if (!result)
		result = number_lines(path, &text, out, before, err);
	if (result)
		gitconfig_cut(out, before);
out:
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
