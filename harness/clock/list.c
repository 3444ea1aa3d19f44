/* SPDX-License-Identifier: MIT */
#include "harness/clock/list.h"

#include "harness/show/table.h"

#define CELL 32
#define RECORD 4096
#define NS_PER_S 1e9
#define UNKNOWN __builtin_nan("")

static double ns_of(const struct clock *c, double ticks)
{
	return ticks / c->hz * NS_PER_S;
}

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
		pawl_cell_time(a, sizeof(a), ns_of(c, c->step_ticks));
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

static void print_row(FILE *to, const struct clock *c, int width)
{
	char hz[CELL] = "-", step[CELL] = "-", overhead[CELL] = "-", cost[CELL] = "-";
	char check[CELL] = "-", warning[CLOCK_WARNING];
	struct text t;
	if (c->state == 0) {
		double ratio = pawl_clock_proportion(c, NULL);
		pawl_cell_count(hz, sizeof(hz), c->hz, "Hz");
		pawl_cell_time(step, sizeof(step), ns_of(c, c->step_ticks));
		pawl_cell_time(overhead, sizeof(overhead), ns_of(c, c->overhead_ticks));
		pawl_cell_time(cost, sizeof(cost), c->cost_ns);
		if (ratio >= 0) {
			pawl_text_init(&t, check, sizeof(check));
			pawl_text_fixed(&t, ratio, 2);
		}
	}
	(void)fprintf(to, "%-*s %9s %10s %9s %9s %5s  %s", width, c->row->name, hz, step, overhead,
		      cost, check, c->state ? c->reason : c->row->serialise);
	if (c->told_hz > 0) {
		pawl_cell_count(hz, sizeof(hz), c->told_hz, "Hz");
		(void)fprintf(to, "; told %s", hz);
	}
	(void)fputc('\n', to);
	for (unsigned i = 0; c->state == 0 && pawl_clock_warning(c, i, warning); i++)
		(void)fprintf(to, "%*s warning: %s\n", width, "", warning);
}

void pawl_clock_list(FILE *to)
{
	const struct clock_row *row;
	struct clock c;
	int width = 0;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (pawl_table_width(row->name) > width)
			width = pawl_table_width(row->name);
	(void)fprintf(to, "%-*s %9s %10s %9s %9s %5s  %s\n", width, "clock", "frequency", "step",
		      "overhead", "cost", "check", "fence, or why not");
	for (size_t i = 0; (row = pawl_clock_row(i)); i++) {
		(void)pawl_clock_open(row, &c);
		print_row(to, &c, width);
	}
	if (pawl_clock_open_wall(&c) == 0)
		(void)fprintf(to, "\ntaken without --clock: %s\n", c.row->name);
}

static void add_number(struct text *t, const char *key, double value, bool known)
{
	pawl_text_key(t, key);
	pawl_text_number(t, known ? value : UNKNOWN);
}

static void add_row(struct text *t, const struct clock *c)
{
	bool open = c->state == 0;
	pawl_text_add(t, "{");
	pawl_text_field(t, "name", c->row->name);
	pawl_text_field(t, "kind", pawl_clock_kind_name(c->row->kind));
	pawl_text_field(t, "why_not", c->state ? c->reason : NULL);
	add_number(t, "hz", c->hz, open);
	add_number(t, "told_hz", c->told_hz, open && c->told_hz > 0);
	add_number(t, "calibration_ppm", 1e6 * c->calibration_ratio, open && c->anchor_ns);
	add_number(t, "step_ns", open ? ns_of(c, c->step_ticks) : 0, open);
	add_number(t, "overhead_ns", open ? ns_of(c, c->overhead_ticks) : 0, open);
	add_number(t, "cost_ns", c->cost_ns, open);
	add_number(t, "check_ratio", open ? pawl_clock_proportion(c, NULL) : 0, open);
	pawl_text_field(t, "fence", open ? c->row->serialise : NULL);
	pawl_text_key(t, "warnings");
	pawl_clock_warnings(t, c);
	pawl_text_add(t, "}");
}

void pawl_clock_list_json(FILE *to)
{
	const struct clock_row *row;
	struct clock c;
	struct text t;
	char memory[RECORD];
	(void)fputs("{\"clocks\":[", to);
	for (size_t i = 0; (row = pawl_clock_row(i)); i++) {
		pawl_text_init(&t, memory, sizeof(memory));
		(void)pawl_clock_open(row, &c);
		add_row(&t, &c);
		(void)fprintf(to, "%s\n%s", i ? "," : "", t.at);
	}
	pawl_text_init(&t, memory, sizeof(memory));
	pawl_text_field(&t, "default", pawl_clock_open_wall(&c) ? NULL : c.row->name);
	(void)fprintf(to, "\n],%s}\n", t.at);
}
