/* SPDX-License-Identifier: MIT */
/* The clocks of POSIX systems.  Goes for speed before plainness where it reads a clock. */
#include "harness/clock_rows.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#define NS_PER_S 1e9
#define KERNEL "the kernel's"

static uint64_t read_clock(clockid_t id)
{
	struct timespec t = { 0, 0 };
	(void)clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t monotonic_raw(void)
{
	return read_clock(CLOCK_MONOTONIC_RAW);
}

static uint64_t monotonic(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t thread_cpu(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t process_cpu(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static uint64_t microseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_usec;
}

static uint64_t rusage_user(void)
{
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u) ? 0 : microseconds(u.ru_utime);
}

static uint64_t rusage_system(void)
{
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u) ? 0 : microseconds(u.ru_stime);
}

static int probe_clock(clockid_t id, const char **out_reason)
{
	struct timespec t;
	if (clock_gettime(id, &t) == 0)
		return 0;
	*out_reason = "the system does not have this clock";
	return -errno;
}

static int probe_monotonic_raw(const char **out_reason)
{
	return probe_clock(CLOCK_MONOTONIC_RAW, out_reason);
}

static int probe_monotonic(const char **out_reason)
{
	return probe_clock(CLOCK_MONOTONIC, out_reason);
}

static int probe_thread(const char **out_reason)
{
	return probe_clock(CLOCK_THREAD_CPUTIME_ID, out_reason);
}

static int probe_process(const char **out_reason)
{
	return probe_clock(CLOCK_PROCESS_CPUTIME_ID, out_reason);
}

static int probe_rusage(const char **out_reason)
{
	struct rusage u;
	if (getrusage(RUSAGE_SELF, &u) == 0)
		return 0;
	*out_reason = "getrusage fails";
	return -errno;
}

const struct clock_row pawl_clock_posix[] = {
	{ "monotonic_raw", KIND_WALL, probe_monotonic_raw, monotonic_raw, monotonic_raw, NS_PER_S,
	  KERNEL },
	{ "monotonic", KIND_WALL, probe_monotonic, monotonic, monotonic, NS_PER_S, KERNEL },
	{ "thread_cpu", KIND_THREAD, probe_thread, thread_cpu, thread_cpu, NS_PER_S, KERNEL },
	{ "process_cpu", KIND_PROCESS, probe_process, process_cpu, process_cpu, NS_PER_S, KERNEL },
	{ "rusage_user", KIND_SHARE, probe_rusage, rusage_user, rusage_user, 1e6, KERNEL },
	{ "rusage_system", KIND_SHARE, probe_rusage, rusage_system, rusage_system, 1e6, KERNEL },
	{ .name = NULL },
};
