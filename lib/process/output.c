#include "lib/process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

/*
 * The descriptor of ours that the path stands for; -1: none.  Where it is that of a file, the path
 * must not be replaced: root may do that, and nobody would have a /dev/stdout any more.
 */
static int descriptor_of(const char *path)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	uint64_t fd = 0;
	size_t i;

	if (!strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (str_starts(path, folders[i]) && number_u64(path + strlen(folders[i]), &fd))
			return fd < INT_MAX ? (int)fd : -1;
	return -1;
}

static bool is_pipe(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

static int open_special(const char *path, int *out, struct err *err)
{
	int fd = descriptor_of(path);

	if (fd >= 0) {
		*out = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		return *out < 0 ? err_sys(err, ERR_IO, "cannot open '%s'", path) : 0;
	}
	while (!stop_signal) {
		*out = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (*out >= 0)
			return 0;
		if (errno != ENXIO || !is_pipe(path)) /* ENXIO: nobody reads it */
			return err_sys(err, ERR_IO, "cannot open '%s'", path);
		poll(NULL, 0, STOP_LOOK_MS);
	}
	return err_stopped(err);
}

static int write_special(const char *path, const char *bytes, size_t n, struct err *err)
{
	struct pollfd p = { -1, POLLOUT, 0 };
	int result = open_special(path, &p.fd, err);
	ssize_t done;

	while (!result && n) {
		if (stop_signal) {
			result = err_stopped(err);
			continue;
		}
		if (poll(&p, 1, STOP_LOOK_MS) <= 0)
			continue;
		done = write(p.fd, bytes, n);
		if (done >= 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno != EINTR && errno != EAGAIN) {
			result = err_sys(err, ERR_IO, "cannot write '%s'", path);
		}
	}
	if (p.fd >= 0 && close(p.fd) && !result)
		result = err_sys(err, ERR_IO, "cannot write '%s'", path);
	return result;
}

/* Where a link leads, which stays a link, as with the shell's >; NULL: it is none, or leads
 * nowhere. */
static char *end_of_link(const char *path)
{
	struct stat st;

	return !lstat(path, &st) && S_ISLNK(st.st_mode) ? realpath(path, NULL) : NULL;
}

int output_write_named(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err)
{
	char *end;
	int result;

	if (descriptor_of(path) >= 0 || file_is_special(path))
		return write_special(path, bytes, n, err);
	end = end_of_link(path);
	result = file_write_whole(end ? end : path, bytes, n, mode, err);
	free(end);
	return result;
}
