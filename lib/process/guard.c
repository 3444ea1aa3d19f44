#include "lib/process/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process/marked.h"

#include "lib/base/banned.h"

#define END_MS 1000 /* that its end may take */

/* What both share. */
struct shared {
	volatile pid_t groups[GUARD_GROUPS];
	volatile bool ends; /* by itself: it has reaped what it started */
};

static struct shared *shared;
static int ours = -1; /* our end of the socket: closed when we are gone */
static pid_t opened_by;
static uint64_t mark;

void guard_kill(void)
{
	for (size_t i = 0; shared && i < GUARD_GROUPS; i++)
		if (shared->groups[i] > 0)
			kill(-shared->groups[i], SIGKILL);
}

/* Who kills a pawl by its command line shall not hit its guard. */
static void rename_us(void)
{
	static const char name[] = MARKED_SPARES;
	char words[4096];
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, words, sizeof(words));

	prctl(PR_SET_NAME, name, 0, 0, 0);
	for (ssize_t i = 0; i + 1 < n; i++)
		program_invocation_name[i] = i < (ssize_t)sizeof(name) ? name[i] : '\0';
}

/* Runs in the guard.  It came from a process with one thread, and makes system calls only. */
static _Noreturn void watch(int theirs)
{
	struct pollfd p = { theirs, POLLIN, 0 };

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	rename_us();
	/* Our folder may be removed, and who reads what we print waits for its end. */
	if (chdir("/") || (theirs && dup2(theirs, 0) < 0))
		_exit(1);
	p.fd = 0;
	syscall(SYS_close_range, 1, ~0u, 0);
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	guard_kill();
	if (!shared->ends)
		marked_kill(mark);
	_exit(0);
}

/* It leaves the terminal's session, and a process between the two is gone when this returns. */
static int start(int theirs)
{
	int adopts = 0, status;
	pid_t between;

	/* It shall be a child of whoever adopts our orphans, and not an orphan of ours. */
	if (prctl(PR_GET_CHILD_SUBREAPER, &adopts, 0, 0, 0))
		adopts = 0;
	if (adopts)
		prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	between = fork();
	if (!between) {
		setsid();
		if (fork() == 0)
			watch(theirs);
		_exit(0);
	}
	while (between > 0 && waitpid(between, &status, 0) < 0 && errno == EINTR)
		;
	if (adopts)
		prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	return between > 0 ? 0 : -1;
}

/* Whoever started us shall not find it behind us. */
static void end(void)
{
	struct pollfd p = { ours, POLLIN, 0 };

	if (ours < 0 || getpid() != opened_by)
		return;
	shared->ends = true;
	shutdown(ours, SHUT_WR);
	poll(&p, 1, END_MS);
	close(ours);
	ours = -1;
}

void guard_open(void)
{
	int fds[2];
	void *both;

	if (shared || getpid() == 1)
		return;
	both = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		    0);
	if (both == MAP_FAILED)
		return;
	shared = both;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return;
	opened_by = getpid();
	mark = marked_new();
	/* Out of the way of those that children get; beyond 63 each start of one copies a table. */
	ours = fcntl(fds[0], F_DUPFD_CLOEXEC, 32);
	if (ours >= 0 && !start(fds[1]))
		atexit(end);
	close(fds[0]);
	close(fds[1]);
}

uint64_t guard_mark(void)
{
	return mark;
}

volatile pid_t *guard_place(void)
{
	for (size_t i = 0; shared && i < GUARD_GROUPS; i++)
		if (!shared->groups[i])
			return &shared->groups[i];
	return NULL;
}

void guard_forget(pid_t group)
{
	for (size_t i = 0; shared && i < GUARD_GROUPS; i++)
		if (shared->groups[i] == group)
			shared->groups[i] = 0;
}
