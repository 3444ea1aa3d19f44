/* SPDX-License-Identifier: MIT */
/* What opening a clock measures.  Goes for speed before plainness where it reads a clock. */
#include <errno.h>
#include <stdlib.h>

#include "harness/clock/clock.h"

#define NS_PER_S 1e9
#define WARM_UP 3
#define FEWEST 4	     /* readings that tell a cost from the clock having stepped meanwhile */
#define TOLD_PPM 500	     /* told and measured may differ by this */
#define DRIFT_PPM 50	     /* ... and two measurements of one run by this */
#define SETTLE_NS 20e6	     /* a shorter run knows no more than its opening */
#define STEPPING_NS 20e6     /* long enough, once two steps were seen */
#define STILL_NS 100e6	     /* a clock that does not move for so long, ... */
#define STILL_READS 1000000u /* ... and for so many readings, stands still */
#define MOST_READS 67108864u /* ... as it does after these, whatever else says the time */
#define BUSY_NS 25e6	     /* so long a booked clock is watched */
#define COARSE_NS 100e3
#define COSTLY 8 /* times what a pair resolves: it costs too much */

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
	if (n > FEWEST && values[n - FEWEST] <= 0)
		return 0;
	most = 4 * values[n / 2] + 2 * step;
	while (kept < n && values[kept] <= most)
		sum += values[kept++];
	return kept ? sum / (double)kept : 0;
}

static int fail(struct clock *c, int error, const char *reason)
{
	c->state = error;
	c->reason = reason;
	return error;
}

static int stands_still(struct clock *c)
{
	return fail(c, -ETIME, "the clock does not advance");
}

static int runs_backwards(struct clock *c)
{
	return fail(c, -ERANGE, "the clock runs backwards");
}

/* So many readings without a step were in vain; looks at the other clock once in a while. */
static bool is_in_vain(const struct clock *c, uint32_t reads, uint64_t began_ns)
{
	if (reads >= MOST_READS)
		return true;
	if (reads < STILL_READS || reads % 65536 || !c->against)
		return reads >= STILL_READS && !c->against;
	return (double)(pawl_clock_reference_ns(c->against) - began_ns) > STILL_NS;
}

/* A clock that stands still just now is a coarse one: the look at the other disturbs nothing. */
static bool is_long_enough(const struct clock *c, uint32_t reads, uint64_t began_ns)
{
	if (reads > 50000)
		return true;
	return c->against && (double)(pawl_clock_reference_ns(c->against) - began_ns) > STEPPING_NS;
}

/* Smallest step: of 32 steps, or of 2 when the clock is so coarse that more take too long. */
static int measure_step(struct clock *c)
{
	uint64_t began_ns = c->against ? pawl_clock_reference_ns(c->against) : 0;
	uint64_t smallest = UINT64_MAX, last = c->row->end();
	unsigned steps = 0;
	for (uint32_t reads = 1; steps < 32 && !is_in_vain(c, reads, began_ns); reads++) {
		uint64_t now = c->row->end();
		if (now < last)
			return runs_backwards(c);
		if (now > last && now - last < smallest)
			smallest = now - last;
		if (now == last && steps >= 2 && is_long_enough(c, reads, began_ns))
			break;
		steps += now != last;
		last = now;
	}
	if (smallest == UINT64_MAX)
		return stands_still(c);
	c->step_ticks = (double)smallest;
	return 0;
}

static int measure_overhead(struct clock *c)
{
	double pairs[256];
	for (size_t i = 0; i < 256; i++) {
		uint64_t begin = c->row->begin();
		uint64_t end = c->row->end();
		if (end < begin)
			return runs_backwards(c);
		pairs[i] = (double)(end - begin);
		/* Where a fence lies outside, the readings of a pair are closer than two ends. */
		if (end > begin && pairs[i] < c->step_ticks)
			c->step_ticks = pairs[i];
	}
	c->overhead_ticks = pawl_clock_typical(pairs, 256, c->step_ticks);
	return 0;
}

/* What a pair keeps the program from: also what lies outside of the two readings. */
static void measure_cost(struct clock *c)
{
	for (int round = 0; round < 5; round++) {
		uint64_t from = pawl_clock_reference_ns(c->against), to;
		double cost;
		for (int i = 0; i < 32; i++) {
			(void)c->row->begin();
			(void)c->row->end();
		}
		to = pawl_clock_reference_ns(c->against);
		cost = (double)(to - from) / 32;
		if (to >= from && (round == 0 || cost < c->cost_ns))
			c->cost_ns = cost;
	}
}

/* Ticks and wall time of one instant: the tightest of some brackets, and its middle. */
static void read_both(const struct clock *c, uint64_t *out_ticks, uint64_t *out_ns)
{
	uint64_t tightest = UINT64_MAX;
	for (int i = 0; i < 12; i++) {
		uint64_t before = pawl_clock_reference_ns(c->against);
		uint64_t ticks = c->row->end();
		uint64_t after = pawl_clock_reference_ns(c->against);
		if (i == 0 || after - before < tightest) {
			tightest = after - before;
			*out_ticks = ticks;
			*out_ns = before + (after - before) / 2;
		}
	}
}

static bool wait_2_ms(const struct clock *c, uint64_t from_ns)
{
	for (uint32_t reads = 0; reads < MOST_READS; reads++)
		if (pawl_clock_reference_ns(c->against) >= from_ns + 2000000)
			return true;
	return false;
}

/* One frequency out of two instants; not above 0 when the clock did not advance. */
static double hz_between(uint64_t from, uint64_t from_ns, uint64_t to, uint64_t to_ns)
{
	if (to_ns <= from_ns || to <= from)
		return 0;
	return (double)(to - from) / (double)(to_ns - from_ns) * NS_PER_S;
}

static int measure_hz(struct clock *c)
{
	double hz[5];
	if (!c->against)
		return fail(c, -ENODEV, "there is no wall clock to measure its frequency by");
	for (int i = 0; i < 5; i++) {
		uint64_t from, to, from_ns, to_ns;
		read_both(c, &from, &from_ns);
		if (!wait_2_ms(c, from_ns))
			return fail(c, -ETIME, "the wall clock it is measured by stands still");
		read_both(c, &to, &to_ns);
		hz[i] = hz_between(from, from_ns, to, to_ns);
		if (i == 0) {
			c->anchor_ticks = from;
			c->anchor_ns = from_ns;
		}
		if (to < from)
			return runs_backwards(c);
	}
	qsort(hz, 5, sizeof(hz[0]), by_size);
	c->hz = hz[2];
	if (!(c->hz > 0))
		return stands_still(c);
	c->calibration_ratio = (hz[3] - hz[1]) / hz[2];
	return 0;
}

static double apart_ppm(double hz, double from_hz)
{
	double ratio = hz / from_hz - 1;
	return (ratio < 0 ? -ratio : ratio) * 1e6;
}

/* The longest that a booked clock stands still while the process does nothing but work. */
static void measure_still(struct clock *c)
{
	const struct clock_row *cpu = pawl_clock_find("process_cpu");
	const char *reason;
	uint64_t began, moved, now, last = c->row->end();
	if (!cpu || cpu->probe(&reason))
		cpu = c->against;
	if (!cpu)
		return;
	began = moved = pawl_clock_reference_ns(cpu);
	do {
		uint64_t value = c->row->end();
		now = pawl_clock_reference_ns(cpu);
		if ((double)(now - moved) > c->still_ns)
			c->still_ns = (double)(now - moved);
		if (value != last)
			moved = now;
		last = value;
	} while ((double)(now - began) < BUSY_NS);
}

static void find_warnings(struct clock *c)
{
	double step_ns = c->step_ticks / c->hz * NS_PER_S;
	double resolved_ns = c->overhead_ticks / c->hz * NS_PER_S;
	if (resolved_ns < step_ns)
		resolved_ns = step_ns;
	if (c->told_hz > 0 && apart_ppm(c->hz, c->told_hz) > TOLD_PPM)
		c->warnings |= WARN_TOLD;
	if (c->cost_ns > COSTLY * resolved_ns)
		c->warnings |= WARN_COSTLY;
	if (step_ns >= COARSE_NS)
		c->warnings |= WARN_COARSE;
	if (c->still_ns >= COARSE_NS || c->tick_ns > 0)
		c->warnings |= WARN_BOOKED;
	if (c->row->flags & ROW_SETTABLE)
		c->warnings |= WARN_SETTABLE;
	if (c->caution)
		c->warnings |= WARN_CAUTION;
}

static void warm_up(const struct clock *c)
{
	for (int i = 0; i < WARM_UP; i++) {
		(void)c->row->begin();
		(void)c->row->end();
	}
}

static int measure(struct clock *c)
{
	warm_up(c);
	if (c->row->told_hz)
		c->told_hz = c->row->told_hz();
	c->hz = pawl_clock_certain_hz(c->row);
	if (!(c->hz > 0) && measure_hz(c))
		return c->state;
	if (measure_step(c) || measure_overhead(c))
		return c->state;
	if (c->against)
		measure_cost(c);
	if (c->row->flags & ROW_BOOKED)
		measure_still(c);
	if (c->row->tick_ns)
		c->tick_ns = c->row->tick_ns();
	c->caution = c->row->caution ? c->row->caution() : NULL;
	find_warnings(c);
	return 0;
}

int pawl_clock_open_against(const struct clock_row *row, const struct clock_row *against,
			    struct clock *out)
{
	struct clock c = { .row = row, .against = against };
	c.state = row->probe(&c.reason);
	if (c.state == 0)
		(void)measure(&c);
	*out = c;
	return c.state;
}

int pawl_clock_open(const struct clock_row *row, struct clock *out)
{
	return pawl_clock_open_against(row, pawl_clock_reference(), out);
}

int pawl_clock_open_beside(const struct clock_row *row, struct clock *out)
{
	struct clock c = { .row = row, .against = pawl_clock_reference() };
	c.state = row->probe(&c.reason);
	if (c.state == 0) {
		warm_up(&c);
		c.hz = pawl_clock_certain_hz(row);
		if (c.hz > 0 || measure_hz(&c) == 0)
			(void)measure_step(&c);
	}
	*out = c;
	return c.state;
}

void pawl_clock_settle(struct clock *clock)
{
	uint64_t ticks, ns;
	double limit_ppm = 4e6 * clock->calibration_ratio;
	if (clock->state || clock->anchor_ns == 0)
		return;
	read_both(clock, &ticks, &ns);
	if ((double)ns - (double)clock->anchor_ns < SETTLE_NS)
		return;
	if (ticks <= clock->anchor_ticks) {
		clock->warnings |= WARN_STOPPED;
		return;
	}
	clock->settled_hz = hz_between(clock->anchor_ticks, clock->anchor_ns, ticks, ns);
	if (limit_ppm < DRIFT_PPM)
		limit_ppm = DRIFT_PPM;
	if (apart_ppm(clock->settled_hz, clock->hz) > limit_ppm)
		clock->warnings |= WARN_DRIFTED;
}
