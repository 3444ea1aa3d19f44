#include "lib/base/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

#define ERRORS_KEPT 8192

struct pipe_pair {
	int read_fd, write_fd;
};

static int open_pipe(struct pipe_pair *p, struct err *err)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, ERR_IO, "cannot create a pipe");
	p->read_fd = fds[0];
	p->write_fd = fds[1];
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int spawn(const char *dir, char *const *argv, int out_fd, int err_fd, pid_t *out,
		 struct err *err)
{
	posix_spawn_file_actions_t actions;
	int rc = posix_spawn_file_actions_init(&actions);

	if (rc)
		return err_nomem(err);
	if (dir)
		rc = posix_spawn_file_actions_addchdir_np(&actions, dir);
	if (!rc)
		rc = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, out_fd, 1);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&actions, err_fd, 2);
	if (!rc)
		rc = posix_spawnp(out, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (!rc)
		return 0;
	errno = rc;
	return err_sys(err, rc == ENOENT ? ERR_ABSENT : ERR_IO, "cannot run '%s'", argv[0]);
}

/* Reads what is ready; closes at the end.  Keeps the tail only when keep is not 0. */
static void drain(int *fd, struct buf *out, size_t keep)
{
	char chunk[16384];
	ssize_t n = read(*fd, chunk, sizeof(chunk));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close_fd(fd);
		return;
	}
	if (!out)
		return;
	if (!keep || out->len + (size_t)n <= keep)
		buf_add(out, chunk, (size_t)n);
}

/* Feeds out and errors until both pipes close; kills at the deadline or the limit. */
static int collect(pid_t pid, const char *name, int fds[2], size_t max, uint64_t timeout_ns,
		   struct buf *out, struct buf *errors, struct err *err)
{
	uint64_t end = when_monotonic_ns() + timeout_ns;
	size_t before = out ? out->len : 0;

	while (fds[0] >= 0 || fds[1] >= 0) {
		struct pollfd p[2] = { { fds[0], POLLIN, 0 }, { fds[1], POLLIN, 0 } };
		uint64_t now = when_monotonic_ns();
		int ms = now >= end ? 0
				    : (int)((end - now) / 1000000 > 3600000
						    ? 3600000
						    : (end - now) / 1000000 + 1);

		if (now >= end || poll(p, 2, ms) == 0) {
			kill(pid, SIGKILL);
			return err_set(err, ERR_TIMEOUT, "'%s' did not finish in time", name);
		}
		if (p[0].revents)
			drain(&fds[0], out, 0);
		if (p[1].revents)
			drain(&fds[1], errors, ERRORS_KEPT);
		if (out && out->len - before > max) {
			kill(pid, SIGKILL);
			return err_set(err, ERR_LIMIT, "'%s' printed more than %zu bytes", name,
				       max);
		}
	}
	return 0;
}

int proc_capture(const char *dir, char *const *argv, size_t max, uint64_t timeout_ns,
		 struct buf *out, struct buf *out_errors, int *out_status, struct err *err)
{
	struct pipe_pair a = { -1, -1 }, b = { -1, -1 };
	pid_t pid = -1;
	int result = -1, status = 0, fds[2];

	if (open_pipe(&a, err) || open_pipe(&b, err) ||
	    spawn(dir, argv, a.write_fd, b.write_fd, &pid, err))
		goto out;
	close_fd(&a.write_fd);
	close_fd(&b.write_fd);
	fds[0] = a.read_fd;
	fds[1] = b.read_fd;
	result = collect(pid, argv[0], fds, max, timeout_ns, out, out_errors, err);
	a.read_fd = fds[0];
	b.read_fd = fds[1];
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!result && ((out && buf_check(out, err)) || (out_errors && buf_check(out_errors, err))))
		result = -1;
	if (!result)
		*out_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
out:
	close_fd(&a.read_fd);
	close_fd(&a.write_fd);
	close_fd(&b.read_fd);
	close_fd(&b.write_fd);
	return result;
}
