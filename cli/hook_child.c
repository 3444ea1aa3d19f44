#include "cli/hook_child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/process/stop.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

#define NS_PER_S UINT64_C(1000000000)
#define GRACE_NS (5 * NS_PER_S) /* between the two signals */
#define PAUSE_NS 5000000	/* between two looks */

static int start(char *const *argv, pid_t *out, struct err *err)
{
	posix_spawn_file_actions_t actions;
	int error;

	if (posix_spawn_file_actions_init(&actions))
		return err_nomem(err);
	error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
	if (!error)
		error = posix_spawn(out, "/proc/self/exe", &actions, NULL, argv, environ);
	if (error == ENOENT) /* no /proc */
		error = posix_spawnp(out, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (!error)
		return 0;
	errno = error;
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
	pid_t pid, got;

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
