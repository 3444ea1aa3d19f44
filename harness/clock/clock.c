/* SPDX-License-Identifier: MIT */
/* The clock that the others are measured against, and what ticks are in time. */
#include "harness/clock/clock.h"

#define NS_PER_S 1e9

double pawl_clock_certain_hz(const struct clock_row *row)
{
	if (row->hz > 0)
		return row->hz;
	return row->kind == KIND_WALL && row->told_hz ? row->told_hz() : 0;
}

static const struct clock_row *find_reference(unsigned flags)
{
	const struct clock_row *row;
	const char *reason;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (row->kind == KIND_WALL && (row->flags & ROW_SETTABLE) == flags &&
		    row->probe(&reason) == 0 && pawl_clock_certain_hz(row) > 0)
			return row;
	return NULL;
}

const struct clock_row *pawl_clock_reference(void)
{
	const struct clock_row *row = find_reference(0);
	return row ? row : find_reference(ROW_SETTABLE);
}

/* In two parts, so that nothing overflows: of ticks at 10 GHz at most. */
uint64_t pawl_clock_reference_ns(const struct clock_row *reference)
{
	uint64_t ticks = reference->end();
	uint64_t hz = (uint64_t)pawl_clock_certain_hz(reference);
	if (hz == 1000000000u)
		return ticks;
	return ticks / hz * 1000000000u + ticks % hz * 1000000000u / hz;
}

double pawl_clock_correction(const struct clock *clock)
{
	return clock->settled_hz > 0 ? clock->hz / clock->settled_hz : 1;
}

double pawl_clock_span_ns(const struct clock *clock, double ticks)
{
	return clock->state ? __builtin_nan("") : ticks / clock->hz * NS_PER_S;
}

double pawl_clock_ns(const struct clock *clock, uint64_t ticks, uint64_t pairs)
{
	double net = (double)ticks - (double)pairs * clock->overhead_ticks;
	return net > 0 ? net / clock->hz * NS_PER_S : 0;
}
