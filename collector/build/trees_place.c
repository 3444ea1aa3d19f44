/*
 * trees_place - names, marker and lock of one built tree.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/build/trees_local.h"
#include "lib/digest/digest.h"
#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/process/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define ASK_AGAIN_MS 100
#define MARKER_MAX (1 << 20)

char *trees_root(const char *state_dir, struct err *err)
{
	struct buf path = BUF_INIT;
	char *real = NULL;

	buf_addf(&path, "%s/trees", state_dir);
	if (!buf_check(&path, err) && !file_make_dirs(buf_str(&path), 0700, err)) {
		real = realpath(buf_str(&path), NULL);
		if (!real)
			err_sys(err, ERR_IO, "cannot find '%s'", buf_str(&path));
	}
	buf_release(&path);
	return real;
}

static int name(const char *root, const char *key, const char *tail, char **out, struct err *err)
{
	struct buf path = BUF_INIT;

	buf_addf(&path, "%s/%s%s", root, key, tail);
	*out = buf_detach(&path);
	return *out ? 0 : err_nomem(err);
}

static int log_name(const char *state_dir, const char *key, char **out, struct err *err)
{
	struct buf path = BUF_INIT;
	int result = -1;

	buf_addf(&path, "%s/log", state_dir);
	if (buf_check(&path, err) || file_make_dirs(buf_str(&path), 0700, err))
		goto out;
	buf_addf(&path, "/build-%s.log", key);
	*out = buf_detach(&path);
	result = *out ? 0 : err_nomem(err);
out:
	buf_release(&path);
	return result;
}

void trees_place_release(struct trees_place *p)
{
	free(p->dir);
	free(p->tree);
	free(p->built);
	free(p->files);
	free(p->lock);
	free(p->log);
	memset(p, 0, sizeof(*p));
}

int trees_place(const char *state_dir, const char *key, struct trees_place *out, struct err *err)
{
	struct trees_place p;
	char *root = trees_root(state_dir, err);
	int result = -1;

	memset(&p, 0, sizeof(p));
	memset(out, 0, sizeof(*out));
	memcpy(p.key, key, TREES_KEY);
	if (!root || name(root, key, "", &p.dir, err) || name(root, key, "/tree", &p.tree, err) ||
	    name(root, key, "/built", &p.built, err) || name(root, key, "/files", &p.files, err) ||
	    name(root, key, ".lock", &p.lock, err) || log_name(state_dir, key, &p.log, err))
		goto out;
	*out = p;
	memset(&p, 0, sizeof(p));
	result = 0;
out:
	trees_place_release(&p);
	free(root);
	return result;
}

void trees_marker_release(struct trees_marker *m)
{
	free(m->id);
	free(m->build);
	free(m->maker);
	memset(m, 0, sizeof(*m));
}

int trees_marker_write(const char *path, const struct trees_marker *m, struct err *err)
{
	struct buf text = BUF_INIT, all = BUF_INIT;
	char sum[DIGEST_HEX];
	int result = -1;

	buf_addf(&text, "%s\n%s\n%llu\n%s\n%s\n%s%s", m->id, m->maker, (unsigned long long)m->bytes,
		 m->lacks_parts ? "lacking" : "whole", m->lists, m->build ? "=" : "",
		 m->build ? m->build : "");
	if (buf_check(&text, err) || digest_of(text.data, text.len, sum, err))
		goto out;
	buf_addf(&all, "%s\n%s", sum, buf_str(&text));
	if (!buf_check(&all, err))
		result = file_write_whole(path, all.data, all.len, 0600, err);
out:
	buf_release(&text);
	buf_release(&all);
	return result;
}

int trees_lists_digest(const struct trees_place *p, char out[DIGEST_HEX], struct err *err)
{
	struct buf path = BUF_INIT, text = BUF_INIT;
	char sum[DIGEST_HEX];
	int result = -1;

	buf_addf(&path, "%s/" TREES_OUTSIDE, p->dir);
	if (buf_check(&path, err) || digest_of_file(p->files, sum, err))
		goto out;
	buf_adds(&text, sum);
	if (digest_of_file(buf_str(&path), sum, err))
		goto out;
	buf_adds(&text, sum);
	result = buf_check(&text, err) || digest_of(text.data, text.len, out, err) ? -1 : 0;
out:
	buf_release(&path);
	buf_release(&text);
	return result;
}

/* Whether the first line is the digest of the rest, which has no NUL. */
static bool is_whole(const struct buf *text)
{
	static const size_t n = DIGEST_HEX; /* with its line end */
	char sum[DIGEST_HEX];

	return text->len > n && strlen(text->data) == text->len && text->data[n - 1] == '\n' &&
	       !digest_of(text->data + n, text->len - n, sum, NULL) &&
	       !strncmp(text->data, sum, n - 1);
}

/* Cuts the next line off; NULL when there is none. */
static char *cut_line(char **rest)
{
	char *line = *rest, *end = line ? strchr(line, '\n') : NULL;

	if (!end)
		return NULL;
	*end = '\0';
	*rest = end + 1;
	return line;
}

int trees_marker_read(const char *path, struct trees_marker *out, struct err *err)
{
	struct buf text = BUF_INIT;
	struct trees_marker m;
	char *rest, *id, *maker, *bytes, *parts, *lists;
	int result = -1;

	memset(&m, 0, sizeof(m));
	if (file_read_whole(path, MARKER_MAX, &text, err))
		goto out;
	rest = is_whole(&text) ? text.data + DIGEST_HEX : NULL;
	id = cut_line(&rest);
	maker = cut_line(&rest);
	bytes = cut_line(&rest);
	parts = cut_line(&rest);
	lists = cut_line(&rest);
	if (!lists || strlen(lists) != DIGEST_HEX - 1 || !number_u64(bytes, &m.bytes)) {
		err_set(err, ERR_CORRUPT, "'%s' is damaged", path);
		goto out;
	}
	m.lacks_parts = strcmp(parts, "whole") != 0;
	memcpy(m.lists, lists, DIGEST_HEX);
	if (str_set(&m.id, id, err) || str_set(&m.maker, maker, err) ||
	    (*rest == '=' && str_set(&m.build, rest + 1, err)))
		goto out;
	*out = m;
	memset(&m, 0, sizeof(m));
	result = 0;
out:
	trees_marker_release(&m);
	buf_release(&text);
	return result;
}

/* Whether the file that was locked is still the one of that name. */
static bool is_current(int fd, const char *path)
{
	struct stat ours, named;

	return !fstat(fd, &ours) && !lstat(path, &named) && ours.st_ino == named.st_ino &&
	       ours.st_dev == named.st_dev;
}

/* One attempt: 0 taken, 1 held by another, -1 fault. */
static int try_lock(const char *path, int operation, int *out_fd, struct err *err)
{
	int fd;

	file_clear_place(path);
	for (;;) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0)
			return err_sys(err, ERR_IO, "cannot open '%s'", path);
		if (flock(fd, operation | LOCK_NB)) {
			int reason = errno;

			close(fd);
			errno = reason;
			return reason == EWOULDBLOCK || reason == EINTR
				       ? 1
				       : err_sys(err, ERR_IO, "cannot lock '%s'", path);
		}
		if (is_current(fd, path))
			break;
		close(fd);
	}
	*out_fd = fd;
	return 0;
}

int trees_lock(const char *path, int operation, uint64_t wait_ns, const struct talk *talk,
	       int *out_fd, struct err *err)
{
	uint64_t start = when_monotonic_ns();
	bool told = false;
	int busy;

	while ((busy = try_lock(path, operation, out_fd, err))) {
		if (busy < 0)
			return -1;
		if (stop_signal)
			return err_stopped(err);
		if (when_monotonic_ns() - start >= wait_ns) {
			err_set(err, ERR_BUSY, "another process holds '%s'", path);
			return err_hint(err, "see who it is with 'fuser %s'", path);
		}
		if (!told)
			talk_note(talk, "another pawl uses or builds this commit: waiting for it");
		told = true;
		poll(NULL, 0, ASK_AGAIN_MS);
	}
	return 0;
}
