/* SPDX-License-Identifier: MIT */
#include "harness/usage.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

#define UNKNOWN __builtin_nan("")

/* The second number of schedstat.  The file stands for the thread that opened it. */
static double run_delay(void)
{
	static int fd = -2;
	static pid_t owner;
	char text[128], *rest;
	if (fd != -2 && owner != gettid()) {
		if (fd >= 0)
			(void)close(fd);
		fd = -2;
	}
	if (fd == -2) {
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
		owner = gettid();
	}
	if (fd < 0)
		return UNKNOWN;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return UNKNOWN;
	text[n] = '\0';
	(void)strtoull(text, &rest, 10);
	if (*rest != ' ')
		return UNKNOWN;
	return (double)strtoull(rest, NULL, 10);
}

void pawl_usage_read(struct usage *out)
{
	struct usage u = { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN };
	struct rusage r;
	if (getrusage(RUSAGE_THREAD, &r) == 0) {
		u.voluntary_switches = (double)r.ru_nvcsw;
		u.involuntary_switches = (double)r.ru_nivcsw;
		u.minor_faults = (double)r.ru_minflt;
		u.major_faults = (double)r.ru_majflt;
	}
	u.run_delay_ns = run_delay();
	*out = u;
}

void pawl_usage_add(struct usage *sum, const struct usage *from, const struct usage *to)
{
	sum->voluntary_switches += to->voluntary_switches - from->voluntary_switches;
	sum->involuntary_switches += to->involuntary_switches - from->involuntary_switches;
	sum->minor_faults += to->minor_faults - from->minor_faults;
	sum->major_faults += to->major_faults - from->major_faults;
	sum->run_delay_ns += to->run_delay_ns - from->run_delay_ns;
}
