/* SPDX-License-Identifier: MIT */
/* The table of all clocks, and which of them is taken. */
#include "harness/clock/clock.h"

#include <errno.h>
#include <string.h>

#include "harness/clock/rows.h"

#define NS_PER_S 1e9
#define CHEAP_NS 100 /* a wall clock that is read in less is taken without a look at the others */
#define CHEAPER 0.75 /* times the other's cost: so that chance decides nothing */

/* Of each kind the first that works is preferred. */
static const struct clock_row *const tables[] = {
	pawl_clock_posix, pawl_clock_hrtime, pawl_clock_x86,	 pawl_clock_arm64,
	pawl_clock_riscv, pawl_clock_mach,   pawl_clock_windows,
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

const char *pawl_clock_kind_name(enum clock_kind kind)
{
	static const char *const names[] = {
		"wall", "ticks", "cycles", "thread", "process", "share"
	};
	return names[kind];
}

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

int pawl_clock_open(const struct clock_row *row, struct clock *out)
{
	return pawl_clock_open_against(row, pawl_clock_reference(), out);
}

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
