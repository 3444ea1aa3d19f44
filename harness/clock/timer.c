/* SPDX-License-Identifier: MIT */
/* The rounds behind PAWL_TIME_WALL and its siblings. */
#include <errno.h>
#include <string.h>

#include "harness/clock/clock.h"
#include "include/pawl.h"

#define LEAST_NS 250e6
/* Of nothing at all it lasts two steps of a clock that moves with the timer interrupt, 15.6 ms. */
#define LONGEST_ROUND ((uint64_t)1 << 48)

enum { STATE_FRESH, STATE_WARMING, STATE_TIMING, STATE_DONE };

static int open_clock(enum pawl_clock clock, struct clock *out)
{
	enum clock_kind kind = clock == PAWL_CLOCK_CPU ? KIND_PROCESS : KIND_TICKS;
	const struct clock_row *row;
	int error = -ENODEV;
	if (clock == PAWL_CLOCK_WALL)
		return pawl_clock_open_wall(out);
	for (size_t i = 0; error && (row = pawl_clock_row(i)); i++)
		if (row->kind == kind)
			error = pawl_clock_open(row, out);
	return error;
}

static void finish(struct pawl_timer *t, double per_op)
{
	t->per_op = per_op;
	t->state = STATE_DONE;
}

void pawl_timer_init(struct pawl_timer *t, enum pawl_clock clock)
{
	struct clock c;
	int error;
	memset(t, 0, sizeof(*t));
	t->min_ns = LEAST_NS;
	error = open_clock(clock, &c);
	if (error) {
		finish(t, error);
		return;
	}
	t->overhead = c.overhead_ticks;
	t->tick_ns = 1e9 / c.hz;
	t->unit = clock == PAWL_CLOCK_TICKS ? 1 : t->tick_ns;
	t->read_begin = c.row->begin;
	t->read_end = c.row->end;
}

int pawl_timer_next(struct pawl_timer *t)
{
	uint64_t now;
	double ticks;
	if (t->state == STATE_DONE)
		return 0;
	now = t->read_end();
	ticks = now > t->begin ? (double)(now - t->begin) - t->overhead : 0;
	if (t->state == STATE_TIMING && ticks * t->tick_ns >= t->min_ns) {
		finish(t, ticks * t->unit / (double)t->n);
		return 0;
	}
	if (t->state == STATE_TIMING &&
	    (t->n >= LONGEST_ROUND || (t->n >= CLOCK_STILL && now <= t->begin))) {
		finish(t, -ETIME);
		return 0;
	}
	t->n = t->state == STATE_TIMING ? 2 * t->n : 1;
	t->state = t->state == STATE_FRESH ? STATE_WARMING : STATE_TIMING;
	t->begin = t->read_begin();
	return 1;
}
