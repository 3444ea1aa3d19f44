/*
 * The repository as its files show it: where it lies, which commit HEAD is, and its configuration.
 *
 * Most commands ask nothing else, and to open libgit2 takes longer than all the rest of a report
 * (11 of its 15 million instructions).  Only the plain form is known: a `.git` of ours in format 0,
 * or a linked work tree of one.  For all that is unusual, and for every other question, the
 * repository is opened by libgit2 or git, once, and these answer from there on.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/strv.h"
#include "lib/git/backend.h"
#include "lib/git/config/layers.h"
#include "lib/git/config/scan.h"

#include "lib/base/banned.h"

#define HEAD_BYTES 4096
#define CONFIG_BYTES (1u << 20)
#define PACKED_BYTES (64u << 20)
#define SHA1_DIGITS 40

static int not_plain(struct err *err)
{
	return err_set(err, ERR_GIT, "this repository is not a plain one");
}

/* git reads nothing of somebody else's without being told to. */
static bool is_own(const char *path, mode_t type)
{
	struct stat st;

	return !lstat(path, &st) && (st.st_mode & S_IFMT) == type && st.st_uid == geteuid();
}

static bool has(const char *folder, const char *name)
{
	char *path = path_join(folder, name, NULL);
	bool found = path && file_exists(path);

	free(path);
	return found;
}

/* The content of a small file of one line, without its end. */
static bool read_line(const char *folder, const char *name, struct buf *out)
{
	char *path = path_join(folder, name, NULL);
	bool read = path && !file_read_whole(path, HEAD_BYTES, out, NULL) && out->len &&
		    !memchr(out->data, '\0', out->len);

	if (read && out->data[out->len - 1] == '\n')
		buf_truncate(out, out->len - 1);
	free(path);
	return read && out->len && !memchr(out->data, '\n', out->len);
}

/* A linked work tree's `.git` names its folder: absolute, as git writes it, and no link. */
static char *follow_file(const char *top)
{
	static const char intro[] = "gitdir: ";
	struct buf line = BUF_INIT;
	char *real = NULL;

	if (read_line(top, ".git", &line) && str_starts(buf_str(&line), intro) &&
	    line.data[strlen(intro)] == '/')
		real = realpath(line.data + strlen(intro), NULL);
	if (real && strcmp(real, line.data + strlen(intro)) != 0) {
		free(real);
		real = NULL;
	}
	buf_release(&line);
	return real;
}

/* The folder that all worktrees share. */
static char *find_common(const char *git_dir)
{
	struct buf line = BUF_INIT, path = BUF_INIT;
	char *real = NULL;

	if (!has(git_dir, "commondir"))
		return str_dup(git_dir, NULL);
	if (read_line(git_dir, "commondir", &line)) {
		if (*line.data != '/')
			buf_addf(&path, "%s/", git_dir);
		buf_adds(&path, line.data);
		if (!path.failed)
			real = realpath(buf_str(&path), NULL);
	}
	buf_release(&line);
	buf_release(&path);
	return real;
}

/* Upwards, as git goes; top gets the folder that has a `.git`. */
static int find_top(const char *path, struct buf *top, struct err *err)
{
	struct stat st;
	dev_t device;

	if (stat(path, &st))
		return not_plain(err);
	device = st.st_dev;
	buf_adds(top, path);
	for (;;) {
		char *slash;

		if (buf_check(top, err) || stat(top->data, &st) || st.st_dev != device)
			return not_plain(err);
		if (has(top->data, ".git"))
			return 0;
		slash = strrchr(top->data, '/');
		/* Inside a bare repository, or in a `.git`; or git may not look further up. */
		if (has(top->data, "HEAD") || slash == top->data ||
		    getenv("GIT_CEILING_DIRECTORIES"))
			return not_plain(err);
		buf_truncate(top, (size_t)(slash - top->data));
	}
}

/* Whether the repository's own file says nothing that would change where things are. */
static bool is_plain_config(const char *common_dir)
{
	char *path = path_join(common_dir, "config", NULL);
	struct gitconfig_scan scan;
	struct buf text = BUF_INIT;
	bool plain = path && !file_read_whole(path, CONFIG_BYTES, &text, NULL);

	gitconfig_scan_init(&scan, buf_str(&text), text.len);
	while (plain && gitconfig_scan_next(&scan)) {
		const char *key = buf_str(&scan.key), *value = buf_str(&scan.value);

		plain = !scan.key.failed && !scan.value.failed && strcmp(key, "core.worktree") &&
			!str_starts(key, "extensions.");
		if (!strcmp(key, "core.bare"))
			plain = plain && !strcmp(value, "false");
		if (!strcmp(key, "core.repositoryformatversion"))
			plain = plain && !strcmp(value, "0");
	}
	plain = plain && !scan.fault_line;
	gitconfig_scan_release(&scan);
	buf_release(&text);
	free(path);
	return plain;
}

static int plain_open(struct repo *repo, const char *path, struct err *err)
{
	struct buf top = BUF_INIT;
	char *git = NULL;
	int result = -1;

	if (find_top(path, &top, err))
		goto out;
	git = path_join(top.data, ".git", err);
	if (!git)
		goto out;
	repo->top = str_dup(top.data, err);
	if (is_own(git, S_IFDIR))
		repo->git_dir = str_dup(git, err);
	else if (is_own(git, S_IFREG))
		repo->git_dir = follow_file(top.data);
	if (repo->git_dir)
		repo->common_dir = find_common(repo->git_dir);
	if (repo->top && repo->common_dir && is_own(repo->top, S_IFDIR) &&
	    is_own(repo->git_dir, S_IFDIR) && is_own(repo->common_dir, S_IFDIR) &&
	    has(repo->git_dir, "HEAD") && has(repo->common_dir, "objects") &&
	    has(repo->common_dir, "refs") && is_plain_config(repo->common_dir))
		result = 0;
	else
		not_plain(err);
out:
	free(git);
	buf_release(&top);
	return result;
}

static void plain_close(struct repo *repo)
{
	(void)repo;
}

/* From here on another answers; where the repository lies stays as it was said. */
static int hand_over(struct repo *repo, struct err *err)
{
	struct repo *other = NULL;

	if (repo_open_reader(repo->top, &other, err))
		return -1;
	repo->backend = other->backend;
	repo->handle = other->handle;
	free(other->top);
	free(other->git_dir);
	free(other->common_dir);
	free(other);
	return 0;
}

/* The reference that HEAD stands for, or an id; false when it is neither of the usual ones. */
static bool read_head(const struct repo *repo, struct buf *out)
{
	static const char intro[] = "ref: ";
	size_t n = strlen(intro);

	if (!read_line(repo->git_dir, "HEAD", out))
		return false;
	if (!str_starts(out->data, intro))
		return out->len == SHA1_DIGITS && oid_is_whole(out->data);
	memmove(out->data, out->data + n, out->len - n);
	buf_truncate(out, out->len - n);
	return str_starts(out->data, "refs/heads/") && !strstr(out->data, "..") &&
	       !isspace((unsigned char)out->data[out->len - 1]);
}

/* "ID NAME" among the references in one file. */
static bool find_packed(const struct repo *repo, const char *name, char out[OID_TEXT])
{
	char *path = path_join(repo->common_dir, "packed-refs", NULL);
	struct buf text = BUF_INIT;
	size_t n = strlen(name);
	bool found = false;
	const char *p;

	if (path && !file_read_whole(path, PACKED_BYTES, &text, NULL))
		for (p = buf_str(&text); !found && (p = strstr(p, name)); p += n) {
			found = p - text.data > SHA1_DIGITS && p[-1] == ' ' &&
				(p[n] == '\n' || !p[n]) &&
				(p - text.data == SHA1_DIGITS + 1 || p[-SHA1_DIGITS - 2] == '\n');
			if (found) {
				memcpy(out, p - SHA1_DIGITS - 1, SHA1_DIGITS);
				out[SHA1_DIGITS] = '\0';
			}
		}
	buf_release(&text);
	free(path);
	return found && oid_is_whole(out);
}

static bool resolve_head(const struct repo *repo, char out[OID_TEXT])
{
	struct buf head = BUF_INIT, id = BUF_INIT;
	bool found = read_head(repo, &head);
	bool is_id = found && oid_is_whole(head.data);

	if (found && (is_id || (has(repo->common_dir, head.data) &&
				read_line(repo->common_dir, head.data, &id)))) {
		const char *text = is_id ? head.data : id.data;

		found = strlen(text) == SHA1_DIGITS && oid_is_whole(text);
		if (found)
			memcpy(out, text, SHA1_DIGITS + 1);
	} else if (found) {
		found = !has(repo->common_dir, head.data) && find_packed(repo, head.data, out);
	}
	buf_release(&head);
	buf_release(&id);
	return found;
}

static int plain_resolve(struct repo *repo, const char *rev, char out[OID_TEXT], struct err *err)
{
	if (!strcmp(rev, "HEAD") && resolve_head(repo, out))
		return 0;
	return hand_over(repo, err) || repo->backend->resolve(repo, rev, out, err) ? -1 : 0;
}

static int plain_read_commit(struct repo *repo, const char *id, struct buf *out, struct err *err)
{
	return hand_over(repo, err) || repo->backend->read_commit(repo, id, out, err) ? -1 : 0;
}

static int plain_head_ref(struct repo *repo, char **out, struct err *err)
{
	return hand_over(repo, err) || repo->backend->head_ref(repo, out, err) ? -1 : 0;
}

static int plain_is_dirty(struct repo *repo, bool *out, struct err *err)
{
	return hand_over(repo, err) || repo->backend->is_dirty(repo, out, err) ? -1 : 0;
}

/* libgit2 knows which includes hold, and says what is wrong with a file. */
static int plain_read_config(struct repo *repo, gitconfig_wanted *wanted, struct gitconfig *out,
			     struct err *err)
{
	size_t before = out->n;

	if (!gitconfig_layers_plain(repo, wanted, out))
		return 0;
	gitconfig_cut(out, before);
	return hand_over(repo, err) || repo->backend->read_config(repo, wanted, out, err) ? -1 : 0;
}

const struct git_backend backend_plain = {
	.name = "its files",
	.open = plain_open,
	.close = plain_close,
	.resolve = plain_resolve,
	.read_commit = plain_read_commit,
	.head_ref = plain_head_ref,
	.is_dirty = plain_is_dirty,
	.read_config = plain_read_config,
};
