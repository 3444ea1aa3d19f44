/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness where it reads a clock. */
#include "harness/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "harness/clock_tsc.h"

#define NS_PER_S 1e9

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

#define KERNEL "the kernel's"

/* Of each kind the first that works is preferred. */
static const struct clock_row table[] = {
	{ "monotonic_raw", KIND_WALL, probe_monotonic_raw, monotonic_raw, monotonic_raw, NS_PER_S,
	  KERNEL },
	{ "monotonic", KIND_WALL, probe_monotonic, monotonic, monotonic, NS_PER_S, KERNEL },
	{ "thread_cpu", KIND_THREAD, probe_thread, thread_cpu, thread_cpu, NS_PER_S, KERNEL },
	{ "process_cpu", KIND_PROCESS, probe_process, process_cpu, process_cpu, NS_PER_S, KERNEL },
	{ "rusage_user", KIND_SHARE, probe_rusage, rusage_user, rusage_user, 1e6, KERNEL },
	{ "rusage_system", KIND_SHARE, probe_rusage, rusage_system, rusage_system, 1e6, KERNEL },
	{ "tsc", KIND_TICKS, pawl_tsc_probe, pawl_tsc_begin, pawl_tsc_end, 0,
	  "lfence rdtsc lfence .. rdtscp lfence" },
};

const struct clock_row *pawl_clock_row(size_t i)
{
	return i < sizeof(table) / sizeof(table[0]) ? &table[i] : NULL;
}

const struct clock_row *pawl_clock_find(const char *name)
{
	const struct clock_row *row;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

uint64_t pawl_clock_kernel_ns(void)
{
	static int has_raw = -1;
	if (has_raw < 0) {
		const char *reason;
		has_raw = probe_monotonic_raw(&reason) == 0;
	}
	return has_raw ? monotonic_raw() : monotonic();
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

double pawl_clock_typical(double *values, size_t n, double step)
{
	double sum = 0, most;
	size_t kept = 0;
	if (n == 0)
		return 0;
	qsort(values, n, sizeof(values[0]), by_size);
	most = 4 * values[n / 2] + 2 * step;
	while (kept < n && values[kept] <= most)
		sum += values[kept++];
	return kept ? sum / (double)kept : 0;
}

/*
 * Smallest step: of 32 steps, or of 2 when the clock is so coarse that more take too long.
 * CPU time shares may stand still because nobody uses them: that is no fault of the clock.
 */
static int measure_step(struct clock *c)
{
	uint64_t smallest = UINT64_MAX, last = c->row->end();
	unsigned steps = 0;
	for (unsigned reads = 0; reads < 1000000 && steps < 32; reads++) {
		uint64_t now = c->row->end();
		if (now > last && now - last < smallest)
			smallest = now - last;
		steps += now != last;
		last = now;
		if (reads > 50000 && steps >= 2)
			break;
	}
	if (smallest == UINT64_MAX) {
		c->reason = "the clock does not advance";
		return -ETIME;
	}
	c->step_ticks = (double)smallest;
	return 0;
}

static void measure_overhead(struct clock *c)
{
	double pairs[256];
	for (size_t i = 0; i < 256; i++) {
		uint64_t begin = c->row->begin();
		uint64_t end = c->row->end();
		pairs[i] = end > begin ? (double)(end - begin) : 0;
	}
	c->overhead_ticks = pawl_clock_typical(pairs, 256, c->step_ticks);
}

/* Ticks and kernel time of one instant: the tightest of some brackets, and its middle. */
static void read_both(const struct clock_row *row, uint64_t *out_ticks, double *out_ns)
{
	uint64_t tightest = UINT64_MAX;
	for (int i = 0; i < 12; i++) {
		uint64_t before = pawl_clock_kernel_ns();
		uint64_t ticks = row->end();
		uint64_t after = pawl_clock_kernel_ns();
		if (after - before < tightest) {
			tightest = after - before;
			*out_ticks = ticks;
			*out_ns = (double)before + (double)(after - before) / 2;
		}
	}
}

static int measure_hz(struct clock *c)
{
	double hz[5];
	for (int i = 0; i < 5; i++) {
		uint64_t from = 0, to = 0;
		double from_ns = 0, to_ns = 0;
		read_both(c->row, &from, &from_ns);
		while ((double)pawl_clock_kernel_ns() < from_ns + 2e6)
			;
		read_both(c->row, &to, &to_ns);
		hz[i] = (double)(to - from) / (to_ns - from_ns) * NS_PER_S;
	}
	qsort(hz, 5, sizeof(hz[0]), by_size);
	c->hz = hz[2];
	if (!(c->hz > 0)) {
		c->reason = "the clock does not advance";
		return -ETIME;
	}
	c->calibration_ratio = (hz[3] - hz[1]) / hz[2];
	return 0;
}

int pawl_clock_open(const struct clock_row *row, struct clock *out)
{
	struct clock c = { .row = row, .hz = row->hz };
	c.state = row->probe(&c.reason);
	if (c.state == 0 && c.hz <= 0)
		c.state = measure_hz(&c);
	if (c.state == 0)
		c.state = measure_step(&c);
	if (c.state == 0)
		measure_overhead(&c);
	*out = c;
	return c.state;
}

int pawl_clock_open_wall(struct clock *out)
{
	const struct clock_row *row;
	struct clock best = { .state = -ENODEV, .reason = "no wall clock works" };
	for (size_t i = 0; (row = pawl_clock_row(i)); i++) {
		struct clock c;
		if (row->kind != KIND_WALL || pawl_clock_open(row, &c))
			continue;
		if (best.state || c.overhead_ticks < best.overhead_ticks)
			best = c;
		if (pawl_clock_ns(&best, (uint64_t)best.overhead_ticks, 0) < 100)
			break;
	}
	*out = best;
	return best.state;
}

double pawl_clock_ns(const struct clock *clock, uint64_t ticks, uint64_t pairs)
{
	double net = (double)ticks - (double)pairs * clock->overhead_ticks;
	return net > 0 ? net / clock->hz * NS_PER_S : 0;
}
