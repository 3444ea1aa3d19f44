#include "lib/process/marked.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/base/when.h"

#include "lib/base/banned.h"

/* A mark: how deep it is, the process, and the moment. */
#define DEPTH_BIT 58
#define PROCESS_BIT 36
#define OUTERMOST 16u

#define ROUNDS 20  /* what forks faster than that is not caught */
#define LIST 65536 /* bytes of the list of all that are read at once */

/* What getdents64() gives. */
struct entry {
	uint64_t inode;
	int64_t next;
	unsigned short size;
	unsigned char type;
	char name[];
};

/* Nobody may go above what he was given: each mark is below that of whoever started us. */
static uint64_t depth(void)
{
	struct rlimit given;
	uint64_t above = RLIM_INFINITY;

	if (!getrlimit(RLIMIT_RTTIME, &given) && given.rlim_max != RLIM_INFINITY)
		above = given.rlim_max >> DEPTH_BIT;
	return above > OUTERMOST ? OUTERMOST : above > 1 ? above - 1 : 1;
}

uint64_t marked_new(void)
{
	/* A process number has 22 bits; it comes back, but not at the same moment of a day. */
	return depth() << DEPTH_BIT | (uint64_t)getpid() << PROCESS_BIT |
	       (when_monotonic_ns() / 1000 & (((uint64_t)1 << PROCESS_BIT) - 1));
}

void marked_set(uint64_t mark)
{
	const struct rlimit both = { (rlim_t)mark, (rlim_t)mark };

	setrlimit(RLIMIT_RTTIME, &both);
}

static struct rlimit before;

void marked_begin(uint64_t mark)
{
	struct rlimit both;

	if (getrlimit(RLIMIT_RTTIME, &before))
		return;
	both = before;
	both.rlim_cur = (rlim_t)mark; /* the other one could not be raised again */
	setrlimit(RLIMIT_RTTIME, &both);
}

void marked_end(void)
{
	setrlimit(RLIMIT_RTTIME, &before);
}

static int open_of(const char *pid, const char *file)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.20s/%s", pid, file);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static bool is_spared(const char *pid)
{
	char name[sizeof(MARKED_SPARES)] = "";
	int fd = open_of(pid, "comm");
	ssize_t n = fd < 0 ? 0 : read(fd, name, sizeof(name));

	if (fd >= 0)
		close(fd);
	return n == sizeof(name) && !memcmp(name, MARKED_SPARES "\n", sizeof(name));
}

/* Of "Max realtime timeout      4613937818241073152  4613937818241073152  us". */
static bool has_mark(int fd, uint64_t mark)
{
	char text[4096], number[32];
	ssize_t n = read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	snprintf(number, sizeof(number), " %llu ", (unsigned long long)mark);
	return strstr(text, number) != NULL;
}

/* Its number may be another's by now: the descriptor is of the one that was looked into, or older.
 */
static bool kill_if_marked(const char *pid, uint64_t mark, const pid_t *session)
{
	pid_t number = (pid_t)strtol(pid, NULL, 10);
	int process = (int)syscall(SYS_pidfd_open, number, 0), fd;
	bool killed = false;

	if (process < 0)
		return false;
	fd = open_of(pid, "limits");
	if (fd >= 0 && has_mark(fd, mark) && !is_spared(pid) &&
	    (!session || getsid(number) == *session))
		killed = !syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
	if (fd >= 0)
		close(fd);
	close(process);
	return killed;
}

/* Whether there was any; without SESSION: in whatever session they are. */
static bool kill_once(uint64_t mark, const pid_t *session)
{
	static _Alignas(struct entry) char list[LIST];
	int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool killed = false;
	long n, at;

	while (fd >= 0 && (n = syscall(SYS_getdents64, fd, list, sizeof(list))) > 0)
		for (at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(list + at);

			if (e->name[0] >= '1' && e->name[0] <= '9')
				killed |= kill_if_marked(e->name, mark, session);
			at += e->size;
		}
	if (fd >= 0)
		close(fd);
	return killed;
}

static void kill_all(uint64_t mark, const pid_t *session)
{
	int round;

	for (round = 0; round < ROUNDS && kill_once(mark, session); round++)
		;
}

void marked_kill(uint64_t mark)
{
	kill_all(mark, NULL);
}

void marked_kill_near(uint64_t mark)
{
	const pid_t session = getsid(0); /* 0 where who leads it is outside our namespace */

	kill_all(mark, &session);
}
