#include "server/alert/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/banned.h"

static int check(int fd, const char *path, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_sys(err, ERR_IO, "cannot read '%s'", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_CONFIG, "'%s' is no file", path);
	if (st.st_mode & S_IROTH) {
		err_set(err, ERR_CONFIG, "everybody may read the secret in '%s'", path);
		return err_hint(err, "chmod o-r %s", path);
	}
	return 0;
}

int secret_read(const char *path, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), result = -1;
	char bytes[SECRET_MOST + 1];
	ssize_t n = 0;
	size_t length;

	if (fd < 0)
		return err_sys(err, errno == ENOENT ? ERR_ABSENT : ERR_IO, "cannot open '%s'",
			       path);
	if (check(fd, path, err))
		goto out;
	n = read(fd, bytes, sizeof(bytes));
	if (n < 0) {
		err_sys(err, ERR_IO, "cannot read '%s'", path);
		goto out;
	}
	length = 0;
	while (length < (size_t)n && bytes[length] && !strchr("\r\n", bytes[length]))
		length++;
	if (!length || length > SECRET_MOST) {
		err_set(err, ERR_CONFIG, "the first line of '%s' is %s", path,
			length ? "too long" : "empty");
		goto out;
	}
	buf_add(out, bytes, length);
	result = buf_check(out, err);
out:
	explicit_bzero(bytes, sizeof(bytes));
	close(fd);
	return result;
}

void secret_release(struct buf *secret)
{
	if (secret->data)
		explicit_bzero(secret->data, secret->len);
	buf_release(secret);
}
