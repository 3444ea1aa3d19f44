/* Files that the user named: a pipe or a device is meant. */
#include "lib/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/banned.h"

int file_read_named(const char *path, size_t max, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), result;

	if (fd < 0)
		return err_sys(err, errno == ENOENT || errno == ENOTDIR ? ERR_ABSENT : ERR_IO,
			       "cannot open '%s'", path);
	result = file_read_fd(fd, path, max, out, err);
	close(fd);
	return result;
}

bool file_is_special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static int write_special(const char *path, const void *bytes, size_t n, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), result;

	if (fd < 0)
		return err_sys(err, ERR_IO, "cannot open '%s'", path);
	result = file_write_fd(fd, path, bytes, n, err);
	if (close(fd) && !result)
		result = err_sys(err, ERR_IO, "cannot write '%s'", path);
	return result;
}

int file_write_named(const char *path, const void *bytes, size_t n, mode_t mode, struct err *err)
{
	return file_is_special(path) ? write_special(path, bytes, n, err)
				     : file_write_whole(path, bytes, n, mode, err);
}
