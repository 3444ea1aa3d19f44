#include "collector/child/orphans.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/child/child.h"
#include "lib/base/buf.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

#define ORPHANS_BYTES (1u << 20) /* of the list of our children */

/*
 * Kills and reaps one process if it is a child of ours; whether it was us who ended it, now or
 * with its group.  A number that is no child's is left alone, whatever the list said.
 */
static bool end_orphan(pid_t pid)
{
	int status = 0;
	pid_t reaped = waitpid(pid, &status, WNOHANG);

	if (reaped < 0)
		return false;
	if (!reaped) {
		if (kill(pid, SIGKILL)) /* it became another user's: it is not ours to wait for */
			return false;
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* Children that live on while others are finished; 0: free. */
static pid_t spared[CHILD_SPARED];

static bool is_spared(pid_t pid)
{
	for (size_t i = 0; i < CHILD_SPARED; i++)
		if (spared[i] == pid)
			return true;
	return false;
}

static void exchange_spared(pid_t from, pid_t to)
{
	for (size_t i = 0; i < CHILD_SPARED; i++)
		if (spared[i] == from) {
			spared[i] = to;
			return;
		}
}

void orphans_spare(pid_t pid)
{
	if (!is_spared(pid))
		exchange_spared(0, pid);
}

void orphans_unspare(pid_t pid)
{
	exchange_spared(pid, 0);
}

/* Ends the children on the list but keep, and those that are spared; whether there were any. */
static bool end_orphans(const char *list, pid_t keep, int *killed)
{
	bool found = false;
	char *end;

	for (;;) {
		long pid = strtol(list, &end, 10);

		if (end == list)
			return found;
		list = end;
		if (pid == keep || is_spared((pid_t)pid))
			continue;
		found = true;
		*killed += end_orphan((pid_t)pid);
	}
}

int orphans_reap(pid_t keep, bool *out_any)
{
	struct buf list = BUF_INIT;
	siginfo_t info;
	char path[64];
	int killed = 0, round;

	*out_any = false;
	if (!keep && waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)gettid());
	/* What an orphan leaves behind becomes ours in turn: until none is left. */
	for (round = 0; round < 50; round++) {
		buf_reset(&list);
		if (file_read_whole(path, ORPHANS_BYTES, &list, NULL) ||
		    !end_orphans(buf_str(&list), keep, &killed))
			break;
		*out_any = true;
	}
	buf_release(&list);
	return killed;
}
