/* SPDX-License-Identifier: MIT */
#include "harness/clock/say.h"

#include <stdio.h>

#include "harness/base/cell.h"

#define CELL 32

static double apart_ppm(double hz, double from_hz)
{
	double ratio = hz / from_hz - 1;
	return (ratio < 0 ? -ratio : ratio) * 1e6;
}

static void say(const struct clock *c, unsigned warning, char *out)
{
	char a[CELL], b[CELL];
	switch (warning) {
	case WARN_TOLD:
		pawl_cell_count(a, sizeof(a), c->hz, "Hz");
		pawl_cell_count(b, sizeof(b), c->told_hz, "Hz");
		(void)snprintf(out, CLOCK_WARNING, "measured %s, told %s: %.0f ppm apart", a, b,
			       apart_ppm(c->hz, c->told_hz));
		return;
	case WARN_DRIFTED:
		(void)snprintf(out, CLOCK_WARNING,
			       "its frequency changed by %.0f ppm since it was opened: the virtual "
			       "machine may have moved",
			       apart_ppm(c->settled_hz, c->hz));
		return;
	case WARN_COSTLY:
		pawl_cell_time(a, sizeof(a), c->cost_ns);
		(void)snprintf(out, CLOCK_WARNING,
			       "a pair of readings costs %s, more than it resolves", a);
		return;
	case WARN_COARSE:
		pawl_cell_time(a, sizeof(a), pawl_clock_span_ns(c, c->step_ticks));
		(void)snprintf(out, CLOCK_WARNING, "moves in steps of %s", a);
		return;
	case WARN_BOOKED:
		pawl_cell_time(a, sizeof(a), c->still_ns);
		pawl_cell_time(b, sizeof(b), c->tick_ns);
		(void)snprintf(out, CLOCK_WARNING,
			       "moves in %s%s%s (stood still for %s of work); for times of 250 ms "
			       "and more",
			       c->tick_ns > 0 ? "steps of " : "coarse steps",
			       c->tick_ns > 0 ? b : "", c->tick_ns > 0 ? ", the kernel's tick" : "",
			       a);
		return;
	case WARN_SETTABLE:
		(void)snprintf(out, CLOCK_WARNING, "jumps when the date is set");
		return;
	case WARN_STOPPED:
		(void)snprintf(out, CLOCK_WARNING, "has stopped since it was opened");
		return;
	default:
		(void)snprintf(out, CLOCK_WARNING, "%s", c->caution);
	}
}

bool pawl_clock_warning(const struct clock *clock, unsigned i, char *out)
{
	for (unsigned left = clock->warnings; left; left &= left - 1)
		if (i-- == 0) {
			say(clock, left & -left, out);
			return true;
		}
	return false;
}

void pawl_clock_warnings(struct text *t, const struct clock *clock)
{
	char warning[CLOCK_WARNING];
	pawl_text_add(t, "[");
	for (unsigned i = 0; pawl_clock_warning(clock, i, warning); i++) {
		pawl_text_add(t, i ? "," : "");
		pawl_text_quote(t, warning);
	}
	pawl_text_add(t, "]");
}
