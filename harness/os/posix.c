/* SPDX-License-Identifier: MIT */
#include "harness/os/os.h"

#ifndef _WIN32

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "harness/clock/clock.h"
#include "harness/os/usage.h"

#define UNKNOWN __builtin_nan("")
#define PIECE 512 /* the least PIPE_BUF */

int pawl_os_processor(void)
{
#ifdef __linux__
	return sched_getcpu();
#else
	return -1;
#endif
}

#ifdef __linux__

/* The file stands for the thread that opened it, also in a child that inherits it. */
static _Thread_local int delays = -1;
static _Thread_local pid_t owner;
static _Thread_local struct stat delays_file;

/* The benchmark may have closed it, and what has its number then is the benchmark's own. */
static bool has_delays(void)
{
	struct stat now;
	return delays >= 0 && fstat(delays, &now) == 0 && now.st_ino == delays_file.st_ino &&
	       now.st_dev == delays_file.st_dev;
}

static void close_delays(void)
{
	if (has_delays())
		(void)close(delays);
	delays = -1;
}

static void open_delays(void)
{
	owner = gettid();
	delays = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (delays >= 0 && fstat(delays, &delays_file)) {
		(void)close(delays);
		delays = -1;
	}
}

/* Of a kernel that counts, whoever reads this has been on a processor at least once. */
double pawl_os_run_delay(const char *schedstat)
{
	unsigned long long delay_ns;
	char *rest;
	(void)strtoull(schedstat, &rest, 10);
	if (*rest != ' ')
		return UNKNOWN;
	delay_ns = strtoull(rest, &rest, 10);
	if (*rest != ' ' || strtoull(rest, NULL, 10) == 0)
		return UNKNOWN;
	return (double)delay_ns;
}

static double run_delay(void)
{
	char text[128];
	if (!has_delays() || owner != gettid()) {
		close_delays();
		open_delays();
	}
	if (delays < 0)
		return UNKNOWN;
	ssize_t n = pread(delays, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return UNKNOWN;
	text[n] = '\0';
	return pawl_os_run_delay(text);
}

#else

static double run_delay(void)
{
	return UNKNOWN;
}

#endif

void pawl_usage_read(struct usage *out)
{
	struct usage u = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };
	/* The counts of the whole process would not be those of the thread. */
#ifdef RUSAGE_THREAD
	struct rusage r;
	if (getrusage(RUSAGE_THREAD, &r) == 0) {
		u.voluntary_switches = (double)r.ru_nvcsw;
		u.involuntary_switches = (double)r.ru_nivcsw;
		u.minor_faults = (double)r.ru_minflt;
		u.major_faults = (double)r.ru_majflt;
	}
#endif
	u.run_delay_ns = run_delay();
	*out = u;
}

void pawl_usage_close(void)
{
#ifdef __linux__
	close_delays();
#endif
}

const char *pawl_os_file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool pawl_os_has_wire(const char **out_reason)
{
	*out_reason = NULL;
	return true;
}

void pawl_os_wire_keep(int fd)
{
	int flags = fcntl(fd, F_GETFD);
	if (flags >= 0)
		(void)fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
	(void)unsetenv("PAWL_FD");
}

/* Of patience_ms, below 0 for ever, what is left since began_ns; a signal does not renew it. */
static int still_patient_ms(const struct clock_row *clock, uint64_t began_ns, int patience_ms)
{
	uint64_t now_ns = clock ? pawl_clock_reference_ns(clock) : began_ns;
	uint64_t passed_ms = now_ns > began_ns ? (now_ns - began_ns) / 1000000u : 0;
	if (patience_ms < 0)
		return patience_ms;
	return passed_ms < (uint64_t)patience_ms ? patience_ms - (int)passed_ms : 0;
}

/* Returns 0 only when the descriptor is ready: one that blocks is written to without asking again.
 */
static int wait_for(int fd, short event, int patience_ms)
{
	const struct clock_row *clock = patience_ms < 0 ? NULL : pawl_clock_reference();
	uint64_t began_ns = clock ? pawl_clock_reference_ns(clock) : 0;
	int left_ms = patience_ms;
	for (;;) {
		struct pollfd p = { .fd = fd, .events = event };
		int n = poll(&p, 1, left_ms);
		if (n >= 0)
			return n == 0 ? -ETIMEDOUT : 0;
		if (errno != EINTR)
			return -errno;
		left_ms = still_patient_ms(clock, began_ns, patience_ms);
	}
}

/*
 * A descriptor that blocks is asked first, and a pipe that is ready takes PIECE bytes without
 * blocking: nobody can be made to wait for a reader that takes nothing.
 */
static int write_all(int fd, const char *at, size_t left, int patience_ms)
{
	while (left > 0) {
		ssize_t n = send(fd, at, left, MSG_DONTWAIT);
		if (n < 0 && errno == ENOTSOCK) {
			int error = wait_for(fd, POLLOUT, patience_ms);
			if (error)
				return error;
			n = write(fd, at, left < PIECE ? left : PIECE);
		}
		if (n > 0) {
			at += n;
			left -= (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		int error = wait_for(fd, POLLOUT, patience_ms);
		if (error)
			return error;
	}
	return 0;
}

int pawl_os_wire_write(int fd, const char *at, size_t n, int patience_ms)
{
	struct sigaction quiet, before;
	int error;
	memset(&quiet, 0, sizeof(quiet));
	quiet.sa_handler = SIG_IGN;
	/* Only for the moment: the signal is the benchmark's outside of this. */
	int changed = sigaction(SIGPIPE, &quiet, &before) == 0;
	error = write_all(fd, at, n, patience_ms);
	if (changed)
		(void)sigaction(SIGPIPE, &before, NULL);
	return error;
}

/* How many bytes go to the end of the line, as far as they are there; a pipe does not tell: 1. */
static size_t line_length(int fd, char *room, size_t size)
{
	ssize_t n = recv(fd, room, size, MSG_PEEK);
	const char *end = n > 0 ? memchr(room, '\n', (size_t)n) : NULL;
	if (end)
		return (size_t)(end - room) + 1;
	return n > 0 ? (size_t)n : 1;
}

int pawl_os_wire_take(int fd, char *out, size_t size)
{
	size_t wanted = size > 1 ? line_length(fd, out, size) : size;
	for (;;) {
		ssize_t n = read(fd, out, wanted);
		if (n > 0)
			return (int)n;
		if (n == 0 || errno == ECONNRESET)
			return -EPIPE;
		if (errno == EAGAIN) {
			int error = wait_for(fd, POLLIN, -1);
			if (error)
				return error;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
}

#endif
