#include "lib/process/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "lib/process/stop.h"

#include "lib/base/banned.h"

struct input {
	int fd;
	const char *name;
	size_t max, left;
	struct buf *out;
};

/* 1: there was something; 0: nothing yet; 2: the end; -1: failed. */
static int read_piece(struct input *in, struct err *err)
{
	struct pollfd p = { in->fd, POLLIN, 0 };
	char piece[65536];
	ssize_t n;

	/* The system says of a pipe that it is at its end only once somebody has written. */
	if (poll(&p, 1, STOP_LOOK_MS) <= 0)
		return 0;
	n = read(in->fd, piece, sizeof(piece));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n < 0)
		return err_sys(err, ERR_IO, "cannot read '%s'", in->name);
	if ((size_t)n > in->left)
		return err_set(err, ERR_LIMIT, "'%s' is larger than %zu bytes", in->name, in->max);
	in->left -= (size_t)n;
	buf_add(in->out, piece, (size_t)n);
	return buf_check(in->out, err) ? -1 : n ? 1 : 2;
}

static int read_all(int fd, const char *name, size_t max, struct buf *out, struct err *err)
{
	struct input in = { fd, name, max, max, out };
	size_t before = out->len;
	int result = 0;

	while (result >= 0 && result != 2 && !stop_signal)
		result = read_piece(&in, err);
	if (result == 2)
		return 0;
	buf_truncate(out, before);
	return result < 0 ? -1 : err_stopped(err);
}

int input_read(const char *name, size_t max, struct buf *out, struct err *err)
{
	return read_all(STDIN_FILENO, name, max, out, err);
}

int input_read_file(const char *path, size_t max, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), result;

	if (fd < 0)
		return err_sys(err, errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_IO,
			       "cannot open '%s'", path);
	result = read_all(fd, path, max, out, err);
	close(fd);
	return result;
}

int input_read_named(const char *path, size_t max, struct buf *out, struct err *err)
{
	return strcmp(path, "-") ? input_read_file(path, max, out, err)
				 : input_read("standard input", max, out, err);
}
