#include "cli/kept/files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

#define DEPTH_MAX 64
#define BETWEEN " \t\r\n'\"`<>|;&()=,:@+%!^#" /* what may stand around a path */
#define MADE "*?[]{}\\$~"		      /* of what a shell makes another one */

struct look {
	struct digest *d;
	size_t n; /* files so far */
	bool is_all;
};

static void look_at(struct look *l, const char *path, int depth);

static void look_into(struct look *l, const char *path, int depth)
{
	struct dirent **names = NULL;
	struct buf entry = BUF_INIT;
	int n = depth < DEPTH_MAX ? scandir(path, &names, NULL, alphasort) : -1, i;

	l->is_all = l->is_all && n >= 0;
	for (i = 0; i < n; i++) {
		const char *name = names[i]->d_name;

		if (l->is_all && strcmp(name, ".") && strcmp(name, "..")) {
			buf_reset(&entry);
			buf_addf(&entry, "%s/%s", path, name);
			l->is_all = !buf_check(&entry, NULL);
			look_at(l, buf_str(&entry), depth + 1);
		}
		free(names[i]);
	}
	free(names);
	buf_release(&entry);
}

/* A link inside a folder that leads to another one is not followed: it might go round for ever. */
static void look_at(struct look *l, const char *path, int depth)
{
	struct stat st;
	bool is_link = depth && !lstat(path, &st) && S_ISLNK(st.st_mode);

	digest_adds(l->d, path);
	if (stat(path, &st)) {
		l->is_all = l->is_all && (errno == ENOENT || errno == ENOTDIR);
		return;
	}
	l->is_all = l->is_all && ++l->n <= RECEIPT_MAX_FILES;
	if (S_ISREG(st.st_mode)) {
		digest_add(l->d, &st.st_dev, sizeof(st.st_dev));
		digest_add(l->d, &st.st_ino, sizeof(st.st_ino));
		digest_add(l->d, &st.st_size, sizeof(st.st_size));
		digest_add(l->d, &st.st_mtim, sizeof(st.st_mtim));
		digest_add(l->d, &st.st_ctim, sizeof(st.st_ctim));
	} else if (S_ISDIR(st.st_mode) && is_link) {
		l->is_all = false;
	} else if (S_ISDIR(st.st_mode)) {
		look_into(l, path, depth);
	}
}

/* Cuts the last part off: where that folder is not, nothing longer is either. */
static bool has_folder(struct buf *path)
{
	struct stat st;

	buf_truncate(path, (size_t)(strrchr(path->data, '/') - path->data) + 1);
	return !lstat(path->data, &st);
}

/* Where a path ends only its file can tell: a sign that stands around paths may be in one, too. */
static void look_at_all(struct look *l, const char *from, size_t n)
{
	struct buf path = BUF_INIT;
	struct stat st;

	buf_add(&path, from, n);
	if (!buf_check(&path, NULL))
		look_at(l, buf_str(&path), 0);
	while (from[n] && n < PATH_MAX) {
		n += 1 + strcspn(from + n + 1, BETWEEN);
		buf_reset(&path);
		buf_add(&path, from, n);
		if (buf_check(&path, NULL))
			break;
		if (!lstat(path.data, &st))
			look_at(l, path.data, 0);
		else if (!has_folder(&path))
			break;
	}
	l->is_all = l->is_all && !buf_check(&path, NULL);
	buf_release(&path);
}

/* Whether a shell would make another path of it. */
static bool is_made(const char *word, size_t n)
{
	return memchr(word, '/', n) && strchr("/-$~", *word) && strcspn(word, MADE) < n;
}

bool receipt_files(const char *text, struct digest *d)
{
	struct look l = { d, 0, true };
	struct stat st;
	size_t n;

	if (text[0] == '/' && !lstat(text, &st)) {
		look_at(&l, text, 0);
		return l.is_all;
	}
	for (; *text; text += n + (text[n] != '\0')) {
		const char *from;

		n = strcspn(text, BETWEEN);
		from = *text == '-' ? memchr(text, '/', n) : text;
		l.is_all = l.is_all && !(n && is_made(text, n));
		if (n && from && *from == '/')
			look_at_all(&l, from, n - (size_t)(from - text));
	}
	return l.is_all;
}
