/* SPDX-License-Identifier: MIT */
/* Which wall clock is taken where none is asked for. */
#include <errno.h>

#include "harness/clock/clock.h"

#define CHEAP_NS 100 /* a wall clock that is read in less is taken without a look at the others */
#define CHEAPER 0.75 /* times the other's cost: so that chance decides nothing */

/* Whether a is to be preferred to b, which works. */
static bool is_better(const struct clock *a, const struct clock *b)
{
	unsigned settable = a->row->flags & ROW_SETTABLE;
	if (settable != (b->row->flags & ROW_SETTABLE))
		return !settable;
	/* Not by what an empty pair shows: of a clock in microseconds that is chance. */
	return a->cost_ns < CHEAPER * b->cost_ns;
}

int pawl_clock_open_wall(struct clock *out)
{
	const struct clock_row *row;
	struct clock best = { .state = -ENODEV, .reason = "no wall clock works" };
	for (size_t i = 0; (row = pawl_clock_row(i)); i++) {
		struct clock c;
		if (row->kind != KIND_WALL || pawl_clock_open(row, &c))
			continue;
		if (best.state || is_better(&c, &best))
			best = c;
		if (!(best.row->flags & ROW_SETTABLE) &&
		    pawl_clock_ns(&best, (uint64_t)best.overhead_ticks, 0) < CHEAP_NS)
			break;
	}
	*out = best;
	return best.state;
}
