/* SPDX-License-Identifier: MIT */
/*
 * The clocks of Windows.
 *
 * -DPAWL_NO_PRECISE_FILE_TIME leaves out what came with Windows 8, so that the fall-back can be
 * tried where nothing is missing.
 */
/* Goes for speed before plainness where it reads a clock. */
#include "harness/clock/rows.h"

#include <errno.h>

#ifdef _WIN32

#include <windows.h>

#define UNITS_PER_S 1e7 /* FILETIME counts 100 ns */

#define ROW(row, what, from, rate, mark) \
	.name = row, .kind = what, .probe = probe_##from, .begin = read_##from, \
	.end = read_##from, .hz = rate, .serialise = "the system's", .flags = mark

typedef void (*file_time_function)(FILETIME *out);

static file_time_function file_time_now;

static uint64_t units(FILETIME t)
{
	return (uint64_t)t.dwHighDateTime << 32 | t.dwLowDateTime;
}

static uint64_t read_counter(void)
{
	LARGE_INTEGER count = { .QuadPart = 0 };
	(void)QueryPerformanceCounter(&count);
	return (uint64_t)count.QuadPart;
}

static uint64_t read_file_time(void)
{
	FILETIME now;
	file_time_now(&now);
	return units(now);
}

static uint64_t read_thread(void)
{
	FILETIME created, ended, system, user;
	if (!GetThreadTimes(GetCurrentThread(), &created, &ended, &system, &user))
		return 0;
	return units(system) + units(user);
}

static uint64_t read_process(void)
{
	FILETIME created, ended, system, user;
	if (!GetProcessTimes(GetCurrentProcess(), &created, &ended, &system, &user))
		return 0;
	return units(system) + units(user);
}

static double counter_hz(void)
{
	static double hz;
	LARGE_INTEGER told;
	if (!(hz > 0) && QueryPerformanceFrequency(&told) && told.QuadPart > 0)
		hz = (double)told.QuadPart;
	return hz;
}

static int probe_counter(const char **out_reason)
{
	if (counter_hz() > 0)
		return 0;
	*out_reason = "the system has no performance counter";
	return -ENOTSUP;
}

/* The precise one came with Windows 8; the other steps with the timer interrupt, 1 to 16 ms. */
static file_time_function best_file_time(void)
{
#ifndef PAWL_NO_PRECISE_FILE_TIME
	HMODULE kernel = GetModuleHandleA("kernel32.dll");
	FARPROC precise = kernel ? GetProcAddress(kernel, "GetSystemTimePreciseAsFileTime") : NULL;
	if (precise)
		return (file_time_function)(void (*)(void))precise;
#endif
	return GetSystemTimeAsFileTime;
}

static int probe_file_time(const char **out_reason)
{
	(void)out_reason;
	file_time_now = best_file_time();
	return 0;
}

static int probe_times(BOOL (*read)(HANDLE, FILETIME *, FILETIME *, FILETIME *, FILETIME *),
		       HANDLE of, const char **out_reason)
{
	FILETIME t[4];
	if (read(of, &t[0], &t[1], &t[2], &t[3]))
		return 0;
	*out_reason = "the system does not tell the CPU time";
	return -EIO;
}

static int probe_thread(const char **out_reason)
{
	return probe_times(GetThreadTimes, GetCurrentThread(), out_reason);
}

static int probe_process(const char **out_reason)
{
	return probe_times(GetProcessTimes, GetCurrentProcess(), out_reason);
}

#else

#define counter_hz NULL
#define ROW(row, what, from, rate, mark) .name = row, .kind = what, .probe = probe

static int probe(const char **out_reason)
{
	*out_reason = "this system is not Windows";
	return -ENOTSUP;
}

#endif

const struct clock_row pawl_clock_windows[] = {
	{ ROW("qpc", KIND_WALL, counter, 0, 0), .told_hz = counter_hz },
	{ ROW("file_time", KIND_WALL, file_time, UNITS_PER_S, ROW_SETTABLE) },
	{ ROW("thread_times", KIND_THREAD, thread, UNITS_PER_S, 0) },
	{ ROW("process_times", KIND_PROCESS, process, UNITS_PER_S, 0) },
	{ .name = NULL },
};
