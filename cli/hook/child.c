#include "cli/hook/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/base/when.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

#define NS_PER_S UINT64_C(1000000000)
#define GRACE_NS (5 * NS_PER_S) /* between the two signals */
#define PAUSE_NS 5000000	/* between two looks */

/* Runs in the child; errno where it returns. */
static void become(char *const *argv, pid_t parent)
{
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* It ends in good order when we are killed. */
	if (null_fd < 0 || dup2(null_fd, STDIN_FILENO) < 0 ||
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0 || prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) ||
	    getppid() != parent)
		return;
	execv("/proc/self/exe", argv);
	if (errno == ENOENT) /* no /proc */
		execvp(argv[0], argv);
}

/* What comes back through the pipe is why it could not be started. */
static int start(char *const *argv, pid_t *out, struct err *err)
{
	pid_t parent = getpid(), pid;
	int fds[2], error = 0;
	ssize_t n;

	if (pipe2(fds, O_CLOEXEC))
		return err_sys(err, ERR_IO, "cannot create a pipe");
	pid = fork();
	if (!pid) {
		become(argv, parent);
		error = errno ? errno : ESRCH;
		n = write(fds[1], &error, sizeof(error));
		_exit(n < 0 ? 126 : 127);
	}
	file_close(&fds[1]);
	while (pid > 0 && (n = read(fds[0], &error, sizeof(error))) < 0 && errno == EINTR)
		;
	file_close(&fds[0]);
	if (pid > 0 && !error) {
		*out = pid;
		return 0;
	}
	if (pid > 0) {
		waitpid(pid, NULL, 0);
		errno = error;
	}
	return err_sys(err, ERR_IO, "cannot start 'pawl'");
}

/* Sends what is due: SIGTERM at the end of the time or when we are stopped, later SIGKILL. */
static void press(pid_t pid, uint64_t *end_ns, struct hook_child *out)
{
	uint64_t now = when_monotonic_ns();
	bool is_time = now >= *end_ns;

	if (!is_time && !(stop_signal && !out->late))
		return;
	kill(pid, out->late ? SIGKILL : SIGTERM);
	out->late = true;
	*end_ns = now + GRACE_NS;
}

int hook_child_run(const struct strv *words, uint64_t timeout_ns, struct hook_child *out,
		   struct err *err)
{
	const struct timespec pause = { 0, PAUSE_NS };
	uint64_t end_ns = when_monotonic_ns() + timeout_ns;
	struct hook_child child = { 0, false };
	struct strv argv = STRV_INIT;
	int status, result = -1;
	pid_t pid = -1, got;

	if (strv_add(&argv, "pawl", err) || strv_add_all(&argv, words->v, err) ||
	    start(argv.v, &pid, err))
		goto out;
	while ((got = waitpid(pid, &status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		press(pid, &end_ns, &child);
		nanosleep(&pause, NULL);
	}
	child.status = got < 0		     ? 1
		       : WIFSIGNALED(status) ? 128 + WTERMSIG(status)
					     : WEXITSTATUS(status);
	if (got < 0) {
		err_sys(err, ERR_IO, "cannot wait for 'pawl'");
		goto out;
	}
	*out = child;
	result = 0;
out:
	strv_release(&argv);
	return result;
}
