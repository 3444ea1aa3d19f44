#include "lib/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

void file_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

int file_each_piece(int fd, const char *name, file_take *take, void *ctx, struct err *err)
{
	char piece[65536];
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, ERR_IO, "cannot read '%s'", name);
		if (take(ctx, piece, (size_t)n, err))
			return -1;
	}
	return 0;
}

struct reading {
	const char *name;
	size_t max, left;
	struct buf *out;
};

static int keep_piece(void *ctx, const char *bytes, size_t n, struct err *err)
{
	struct reading *r = ctx;

	if (n > r->left)
		return err_set(err, ERR_LIMIT, "'%s' is larger than %zu bytes", r->name, r->max);
	r->left -= n;
	buf_add(r->out, bytes, n);
	return buf_check(r->out, err);
}

int file_read_fd(int fd, const char *name, size_t max, struct buf *out, struct err *err)
{
	struct reading r = { name, max, max, out };
	size_t before = out->len;

	if (!file_each_piece(fd, name, keep_piece, &r, err))
		return buf_check(out, err);
	buf_truncate(out, before);
	return -1;
}

int file_open(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return err_sys(err, errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_IO,
			       "cannot open '%s'", path);
	if (!fstat(fd, &st) && S_ISFIFO(st.st_mode)) {
		file_close(&fd);
		err_set(err, ERR_IO, "cannot read '%s': it is a pipe", path);
	}
	return fd;
}

int file_read_whole(const char *path, size_t max, struct buf *out, struct err *err)
{
	int fd = file_open(path, err), result = fd < 0 ? -1 : file_read_fd(fd, path, max, out, err);

	file_close(&fd);
	return result;
}

int file_write_fd(int fd, const char *name, const void *bytes, size_t n, struct err *err)
{
	const char *p = bytes;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return err_sys(err, ERR_IO, "cannot write '%s'", name);
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

int file_write_new(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	int result;

	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot create '%s'", path);
	result = file_write_fd(fd, path, bytes, n, err);
	if (close(fd) && !result)
		result = err_sys(err, ERR_IO, "cannot close '%s'", path);
	if (result)
		unlink(path);
	return result;
}

/* The folder that holds path. */
static int name_folder(const char *path, struct buf *out, struct err *err)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		buf_adds(out, ".");
	else
		buf_add(out, path, slash == path ? 1 : (size_t)(slash - path));
	return buf_check(out, err);
}

/* So that a new name in it survives a power cut. */
static int sync_folder(const char *folder, struct err *err)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), result = 0;

	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		result = err_sys(err, ERR_IO, "cannot sync '%s'", folder);
	if (fd >= 0)
		close(fd);
	return result;
}

#define BESIDE ".tmp."
#define BESIDE_RANDOM 6 /* signs behind it */
#define LEFT_OVER_S (24 * 3600)

/* The temporary file beside path, open for writing; its name goes to out. */
static int open_beside(const char *path, mode_t mode, struct buf *out, struct err *err)
{
	int fd;

	buf_addf(out, "%s" BESIDE "XXXXXX", path);
	if (buf_check(out, err))
		return -1;
	fd = mkostemp(out->data, O_CLOEXEC);
	if (fd < 0) {
		err_sys(err, ERR_IO, "cannot create a file beside '%s'", path);
		buf_reset(out);
		return -1;
	}
	if (fchmod(fd, mode)) {
		err_sys(err, ERR_IO, "cannot set the mode of '%s'", out->data);
		close(fd);
		unlink(out->data);
		buf_reset(out);
		return -1;
	}
	return fd;
}

/* Syncs, closes and renames the temporary file, or removes it when ok is false. */
static int finish_beside(int fd, struct buf *tmp, const char *path, bool ok, struct err *err)
{
	struct buf folder = BUF_INIT;
	int result = -1;

	/* Before the rename: what needs memory behind it would tell of a file that is not there. */
	ok = ok && !name_folder(path, &folder, err);
	if (ok && fsync(fd))
		ok = !err_sys(err, ERR_IO, "cannot sync '%s'", tmp->data);
	if (close(fd) && ok)
		ok = !err_sys(err, ERR_IO, "cannot close '%s'", tmp->data);
	if (ok && rename(tmp->data, path))
		ok = !err_sys(err, ERR_IO, "cannot rename '%s' to '%s'", tmp->data, path);
	if (ok)
		result = sync_folder(buf_str(&folder), err);
	else
		unlink(tmp->data);
	buf_release(&folder);
	return result;
}

void file_drop_left_overs(const char *folder)
{
	DIR *d = opendir(folder);
	time_t now = time(NULL);
	struct dirent *e;
	struct stat st;

	while (d && (e = readdir(d))) {
		const char *mark = strstr(e->d_name, BESIDE);

		if (mark && strlen(mark) == strlen(BESIDE) + BESIDE_RANDOM &&
		    !fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) &&
		    st.st_mtim.tv_sec < now - LEFT_OVER_S)
			unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
}

int file_write_whole(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err)
{
	struct buf tmp = BUF_INIT;
	int fd = open_beside(path, mode, &tmp, err), result = -1;

	if (fd >= 0)
		result =
			finish_beside(fd, &tmp, path, !file_write_fd(fd, path, bytes, n, err), err);
	buf_release(&tmp);
	return result;
}

static int copy_bytes(int in, int out, const char *from, const char *to, struct err *err)
{
	char chunk[65536];
	ssize_t n;

	while ((n = read(in, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_sys(err, ERR_IO, "cannot read '%s'", from);
		if (file_write_fd(out, to, chunk, (size_t)n, err))
			return -1;
	}
	return 0;
}

int file_copy(const char *from, const char *to, mode_t mode, struct err *err)
{
	struct buf tmp = BUF_INIT;
	int in, out, result = -1;

	in = file_open(from, err);
	if (in < 0)
		return -1;
	out = open_beside(to, mode, &tmp, err);
	if (out >= 0)
		result = finish_beside(out, &tmp, to, !copy_bytes(in, out, from, to, err), err);
	close(in);
	buf_release(&tmp);
	return result;
}

/* A folder may be there although mkdir cannot say EEXIST (read-only or automounted above). */
static int make_dir(const char *path, mode_t mode, struct err *err)
{
	struct stat st;
	int number;

	if (!mkdir(path, mode))
		return 0;
	number = errno;
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return 0;
	errno = number == EEXIST ? ENOTDIR : number;
	return err_sys(err, ERR_IO, "cannot create folder '%s'", path);
}

int file_make_dirs(const char *path, mode_t mode, struct err *err)
{
	char *copy, *p;
	int result = -1;

	if (!*path)
		return err_set(err, ERR_IO, "cannot create a folder without a name");
	copy = str_dup(path, err);
	if (!copy)
		return -1;
	for (p = copy + 1;; p++) {
		char held = *p;

		if (held != '/' && held != '\0')
			continue;
		*p = '\0';
		if (make_dir(copy, mode, err))
			goto out;
		*p = held;
		if (!held)
			break;
	}
	result = 0;
out:
	free(copy);
	return result;
}

#define REMOVE_TRIES 100 /* while another process removes what we are looking at */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path) && errno != ENOENT ? -1 : 0;
}

int file_remove_tree(const char *path, struct err *err)
{
	struct stat st;
	int tries = REMOVE_TRIES;

	do {
		if (lstat(path, &st))
			return errno == ENOENT || errno == ENOTDIR
				       ? 0
				       : err_sys(err, ERR_IO, "cannot look at '%s'", path);
		if (!nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS))
			return 0;
	} while (errno == ENOENT && --tries);
	return err_sys(err, ERR_IO, "cannot remove '%s'", path);
}

void file_clear_place(const char *path)
{
	struct stat st;

	if (!lstat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		unlink(path);
}

bool file_first_line(const char *path, char *out, size_t size)
{
	ssize_t n;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	n = read(fd, out, size - 1);
	close(fd);
	if (n < 0)
		return false;
	out[n] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return true;
}

char *path_join(const char *folder, const char *name, struct err *err)
{
	struct buf path = BUF_INIT;
	char *text;

	buf_addf(&path, "%s/%s", folder, name);
	text = buf_detach(&path);
	if (!text)
		err_nomem(err);
	return text;
}
