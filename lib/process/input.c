#include "lib/process/input.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

/* A signal that comes just before poll() does not end it. */
#define LOOK_FOR_STOP_MS 200

/* 1: there was something; 0: nothing yet; 2: the end; -1: failed. */
static int read_piece(const char *name, size_t max, size_t left, struct buf *out, struct err *err)
{
	struct pollfd p = { STDIN_FILENO, POLLIN, 0 };
	char piece[65536];
	ssize_t n;

	if (poll(&p, 1, LOOK_FOR_STOP_MS) <= 0)
		return 0;
	n = read(STDIN_FILENO, piece, sizeof(piece));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n < 0)
		return err_sys(err, ERR_IO, "cannot read '%s'", name);
	if ((size_t)n > left)
		return err_set(err, ERR_LIMIT, "'%s' is larger than %zu bytes", name, max);
	buf_add(out, piece, (size_t)n);
	return buf_check(out, err) ? -1 : n ? 1 : 2;
}

int input_read(const char *name, size_t max, struct buf *out, struct err *err)
{
	size_t before = out->len;
	int result = 0;

	while (result >= 0 && result != 2 && !stop_signal)
		result = read_piece(name, max, max - (out->len - before), out, err);
	if (result == 2)
		return 0;
	buf_truncate(out, before);
	return result < 0 ? -1 : err_set(err, ERR_STOPPED, "stopped by a signal");
}

int input_read_named(const char *path, size_t max, struct buf *out, struct err *err)
{
	return strcmp(path, "-") ? file_read_named(path, max, out, err)
				 : input_read("standard input", max, out, err);
}
