#include "lib/process/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

static bool is_pipe(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISFIFO(st.st_mode);
}

static int open_special(const char *path, int *out, struct err *err)
{
	while (!stop_signal) {
		*out = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
		if (*out >= 0)
			return 0;
		if (errno != ENXIO || !is_pipe(path)) /* ENXIO: nobody reads it */
			return err_sys(err, ERR_IO, "cannot open '%s'", path);
		poll(NULL, 0, STOP_LOOK_MS);
	}
	return err_set(err, ERR_STOPPED, "stopped by a signal");
}

static int write_special(const char *path, const char *bytes, size_t n, struct err *err)
{
	struct pollfd p = { -1, POLLOUT, 0 };
	int result = open_special(path, &p.fd, err);
	ssize_t done;

	while (!result && n) {
		if (stop_signal) {
			result = err_set(err, ERR_STOPPED, "stopped by a signal");
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

int output_write_named(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err)
{
	return file_is_special(path) ? write_special(path, bytes, n, err)
				     : file_write_whole(path, bytes, n, mode, err);
}
