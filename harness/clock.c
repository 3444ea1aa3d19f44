/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness where it reads a clock. */
#include "harness/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/clock_rows.h"

#define NS_PER_S 1e9

/* Of each kind the first that works is preferred. */
static const struct clock_row *const tables[] = {
	pawl_clock_posix,
	pawl_clock_x86,
};

const struct clock_row *pawl_clock_row(size_t i)
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct clock_row *row = tables[t]; row->name; row++)
			if (i-- == 0)
				return row;
	return NULL;
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
	static const struct clock_row *raw;
	const char *reason;
	if (!raw) {
		raw = pawl_clock_find("monotonic_raw");
		if (raw->probe(&reason))
			raw = pawl_clock_find("monotonic");
	}
	return raw->end();
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
