/* SPDX-License-Identifier: MIT */
/* Work that is known to be twice as much.  Goes for speed before plainness while it works. */
#include "harness/clock_list.h"

#define NS_PER_S 1e9
#define UNKNOWN __builtin_nan("")

#define CHECK_NS 200e3	  /* n steps of work take at least so long */
#define CHECK_STEPS 1000  /* ... and so many steps of the clock */
#define MOST_CHECK_NS 4e6 /* ... unless that is longer than this */
#define CHECK_TRIES 9

static double ns_of(const struct clock *c, double ticks)
{
	return ticks / c->hz * NS_PER_S;
}

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

/* The best of some tries, since others may disturb. */
static double least_ns(const struct clock *c, clock_work *work, uint64_t n, int tries)
{
	double least = 0;
	for (int i = 0; i < tries; i++) {
		uint64_t begin = c->row->begin(), end;
		double ns;
		work(n);
		end = c->row->end();
		ns = end > begin ? ns_of(c, (double)(end - begin) - c->overhead_ticks) : 0;
		if (i == 0 || ns < least)
			least = ns;
	}
	return least;
}

double pawl_clock_proportion(const struct clock *clock, clock_work *work)
{
	double wanted = CHECK_STEPS * ns_of(clock, clock->step_ticks), once;
	uint64_t n = 1024;
	work = work ? work : chain;
	if (wanted < CHECK_NS)
		wanted = CHECK_NS;
	if (wanted > MOST_CHECK_NS || (clock->row->flags & ROW_BOOKED))
		return UNKNOWN;
	while (least_ns(clock, work, n, 1) < wanted && n < (uint64_t)1 << 26)
		n *= 2;
	once = least_ns(clock, work, n, CHECK_TRIES);
	return once > 0 ? least_ns(clock, work, 2 * n, CHECK_TRIES) / once : UNKNOWN;
}
