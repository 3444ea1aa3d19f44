/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness while it works. */
#include "harness/clock/check.h"

#define UNKNOWN __builtin_nan("")

#define CHECK_NS 200e3	  /* n steps of work take at least so long */
#define CHECK_STEPS 1000  /* ... and so many steps of the clock */
#define MOST_CHECK_NS 4e6 /* ... unless that is longer than this */
#define LEAST_TRIES 5
#define MOST_TRIES 25 /* as long as the ratio is not good */
#define GOOD 0.02

/* n steps that each need the one before, and that nothing can be known of beforehand. */
static void chain(uint64_t n)
{
	static volatile uint64_t kept = 1;
	uint64_t x = kept;
	while (n--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	kept = x;
}

static double time_of(const struct clock *c, clock_work *work, uint64_t n)
{
	uint64_t begin = c->row->begin(), end;
	work(n);
	end = c->row->end();
	return end > begin ? pawl_clock_span_ns(c, (double)(end - begin) - c->overhead_ticks) : 0;
}

/* Lowers *least to the time of n steps when that is less; 0: not known yet. */
static void try_once(const struct clock *c, clock_work *work, uint64_t n, double *least)
{
	double ns = time_of(c, work, n);
	if (ns > 0 && (*least <= 0 || ns < *least))
		*least = ns;
}

double pawl_clock_proportion(const struct clock *clock, clock_work *work)
{
	double wanted = CHECK_STEPS * pawl_clock_span_ns(clock, clock->step_ticks);
	double once = 0, twice = 0, ratio = UNKNOWN;
	uint64_t n = 1024;
	work = work ? work : chain;
	if (wanted < CHECK_NS)
		wanted = CHECK_NS;
	if (wanted > MOST_CHECK_NS || (clock->row->flags & ROW_BOOKED))
		return UNKNOWN;
	while (time_of(clock, work, n) < wanted && n < (uint64_t)1 << 26)
		n *= 2;
	/* The best of some tries, since others disturb; in turns, since the processor's rate moves.
	 */
	for (int i = 0; i < MOST_TRIES; i++) {
		try_once(clock, work, n, &once);
		try_once(clock, work, 2 * n, &twice);
		ratio = once > 0 ? twice / once : UNKNOWN;
		if (i + 1 >= LEAST_TRIES && ratio > 2 - GOOD && ratio < 2 + GOOD)
			break;
	}
	return ratio;
}
