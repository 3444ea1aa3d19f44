/* SPDX-License-Identifier: MIT */
/*
 * The clocks of POSIX systems, the best first.
 *
 * -DPAWL_NO_MONOTONIC_RAW, -DPAWL_NO_MONOTONIC and -DPAWL_NO_CLOCK_GETTIME leave out what a
 * system may lack, so that the fall-backs can be tried where nothing is missing.
 */
/* Goes for speed before plainness where it reads a clock. */
#include "harness/clock/rows.h"

#include <errno.h>
#include <time.h>

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>
#endif
#ifdef __linux__
#include <sys/syscall.h>
#endif
#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
#include <sys/prctl.h>
#endif

#if defined(CLOCK_REALTIME) && !defined(_WIN32) && !defined(PAWL_NO_CLOCK_GETTIME)
#define HAVE_CLOCK_GETTIME 1
#else
#define HAVE_CLOCK_GETTIME 0
#endif

#define NS_PER_S 1e9
#define US_PER_S 1e6
#define KERNEL "the kernel's"

#define ROW(row, what, from, rate, mark) \
	{ \
		.name = row, .kind = what, .probe = probe_##from, .begin = read_##from, \
		.end = read_##from, .hz = rate, .serialise = KERNEL, .flags = mark, \
	}

#define SHARE(row, from) \
	{ \
		.name = row, .kind = KIND_SHARE, .probe = probe_##from, .begin = read_##from, \
		.end = read_##from, .hz = US_PER_S, .serialise = KERNEL, .flags = ROW_BOOKED, \
		.tick_ns = tick_ns, \
	}

/* Named all the same, so that a user who asks for it hears why not. */
#define ABSENT(row, what) \
	{ \
		.name = row, .kind = what, .probe = probe_absent \
	}

static int probe_absent(const char **out_reason)
{
	*out_reason = "this system has no such clock";
	return -ENOTSUP;
}

#ifndef _WIN32

/*
 * Linux reads these clocks without a system call, out of the time stamp counter; where that is
 * forbidden to the process, asking the time would end it.
 */
static int probe_without_call(const char **out_reason)
{
#ifdef PR_TSC_SIGSEGV
	int mode = 0;
	if (prctl(PR_GET_TSC, &mode) == 0 && mode == PR_TSC_SIGSEGV) {
		*out_reason = "it needs the time stamp counter, forbidden to this process";
		return -EPERM;
	}
#endif
	(void)out_reason;
	return 0;
}

static uint64_t microseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_usec;
}

static uint64_t read_timeofday(void)
{
	struct timeval t = { 0, 0 };
	(void)gettimeofday(&t, NULL);
	return microseconds(t);
}

static int probe_timeofday(const char **out_reason)
{
	return probe_without_call(out_reason);
}

static uint64_t read_user(void)
{
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u) ? 0 : microseconds(u.ru_utime);
}

static uint64_t read_system(void)
{
	struct rusage u;
	return getrusage(RUSAGE_SELF, &u) ? 0 : microseconds(u.ru_stime);
}

static uint64_t read_both(void)
{
	struct rusage u;
	if (getrusage(RUSAGE_SELF, &u))
		return 0;
	return microseconds(u.ru_utime) + microseconds(u.ru_stime);
}

static int probe_user(const char **out_reason)
{
	struct rusage u;
	if (getrusage(RUSAGE_SELF, &u) == 0)
		return 0;
	*out_reason = "getrusage fails";
	return -errno;
}

/* The coarse clocks step with the kernel's tick, and tell how long it is. */
static double tick_ns(void)
{
#if HAVE_CLOCK_GETTIME && defined(CLOCK_MONOTONIC_COARSE)
	struct timespec t;
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &t) == 0)
		return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
#endif
	return 0;
}

#define probe_system probe_user
#define probe_both probe_user

#endif

#if HAVE_CLOCK_GETTIME

static uint64_t nanoseconds(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

static uint64_t read_clock(clockid_t id)
{
	struct timespec t = { 0, 0 };
	(void)clock_gettime(id, &t);
	return nanoseconds(&t);
}

static int probe_clock(clockid_t id, const char **out_reason)
{
	struct timespec t;
	if (clock_gettime(id, &t) == 0)
		return 0;
	*out_reason = "the system does not have this clock";
	return -errno;
}

#define CLOCK(called, id) \
	static uint64_t read_##called(void) \
	{ \
		return read_clock(id); \
	} \
	static int probe_##called(const char **out_reason) \
	{ \
		int error = probe_without_call(out_reason); \
		return error ? error : probe_clock(id, out_reason); \
	}

/* CPU time is always asked of the kernel itself. */
#define CPU_CLOCK(called, id) \
	static uint64_t read_##called(void) \
	{ \
		return read_clock(id); \
	} \
	static int probe_##called(const char **out_reason) \
	{ \
		return probe_clock(id, out_reason); \
	}

#if defined(CLOCK_MONOTONIC_RAW) && !defined(PAWL_NO_MONOTONIC_RAW)
#define HAVE_RAW 1
CLOCK(raw, CLOCK_MONOTONIC_RAW)
#endif

#if defined(CLOCK_MONOTONIC) && !defined(PAWL_NO_MONOTONIC)
#define HAVE_MONOTONIC 1
CLOCK(monotonic, CLOCK_MONOTONIC)
#endif

#ifdef CLOCK_MONOTONIC_PRECISE
#define HAVE_PRECISE 1
CLOCK(precise, CLOCK_MONOTONIC_PRECISE)
#endif

#ifdef CLOCK_HIGHRES
#define HAVE_HIGHRES 1
CLOCK(highres, CLOCK_HIGHRES)
#endif

CLOCK(realtime, CLOCK_REALTIME)

#ifdef CLOCK_THREAD_CPUTIME_ID
#define HAVE_THREAD 1
CPU_CLOCK(thread, CLOCK_THREAD_CPUTIME_ID)
#endif

#ifdef CLOCK_PROCESS_CPUTIME_ID
#define HAVE_PROCESS 1
CPU_CLOCK(process, CLOCK_PROCESS_CPUTIME_ID)
#endif

/* The call itself; of 64 bits, where the kernel's time is what libc's is. */
#if defined(__linux__) && defined(__LP64__) && defined(SYS_clock_gettime) && \
	!defined(PAWL_NO_MONOTONIC)
#define HAVE_CALL 1

static uint64_t read_call(void)
{
	struct timespec t = { 0, 0 };
	(void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return nanoseconds(&t);
}

static int probe_call(const char **out_reason)
{
	struct timespec t;
	if (syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t) == 0)
		return 0;
	*out_reason = "the system call fails";
	return -errno;
}
#endif

#endif

const struct clock_row pawl_clock_posix[] = {
#ifdef HAVE_RAW
	ROW("monotonic_raw", KIND_WALL, raw, NS_PER_S, 0),
#else
	ABSENT("monotonic_raw", KIND_WALL),
#endif
#ifdef HAVE_MONOTONIC
	ROW("monotonic", KIND_WALL, monotonic, NS_PER_S, 0),
#else
	ABSENT("monotonic", KIND_WALL),
#endif
#ifdef HAVE_PRECISE
	ROW("monotonic_precise", KIND_WALL, precise, NS_PER_S, 0),
#else
	ABSENT("monotonic_precise", KIND_WALL),
#endif
#ifdef HAVE_HIGHRES
	ROW("highres", KIND_WALL, highres, NS_PER_S, 0),
#else
	ABSENT("highres", KIND_WALL),
#endif
#ifdef HAVE_CALL
	ROW("monotonic_call", KIND_WALL, call, NS_PER_S, 0),
#else
	ABSENT("monotonic_call", KIND_WALL),
#endif
#if HAVE_CLOCK_GETTIME
	ROW("realtime", KIND_WALL, realtime, NS_PER_S, ROW_SETTABLE),
#else
	ABSENT("realtime", KIND_WALL),
#endif
#ifndef _WIN32
	ROW("gettimeofday", KIND_WALL, timeofday, US_PER_S, ROW_SETTABLE),
#else
	ABSENT("gettimeofday", KIND_WALL),
#endif
#ifdef HAVE_THREAD
	ROW("thread_cpu", KIND_THREAD, thread, NS_PER_S, 0),
#else
	ABSENT("thread_cpu", KIND_THREAD),
#endif
#ifdef HAVE_PROCESS
	ROW("process_cpu", KIND_PROCESS, process, NS_PER_S, 0),
#else
	ABSENT("process_cpu", KIND_PROCESS),
#endif
#ifndef _WIN32
	ROW("rusage", KIND_PROCESS, both, US_PER_S, ROW_BOOKED),
	SHARE("rusage_user", user),
	SHARE("rusage_system", system),
#else
	ABSENT("rusage", KIND_PROCESS),
	ABSENT("rusage_user", KIND_SHARE),
	ABSENT("rusage_system", KIND_SHARE),
#endif
	{ .name = NULL },
};
