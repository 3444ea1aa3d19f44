/* SPDX-License-Identifier: MIT */
#include "harness/show/clocks.h"

#include "harness/base/cell.h"
#include "harness/base/text.h"
#include "harness/clock/check.h"
#include "harness/clock/say.h"

#define CELL 32
#define RECORD 4096
#define UNKNOWN __builtin_nan("")

static void print_row(FILE *to, const struct clock *c, int width)
{
	char hz[CELL] = "-", step[CELL] = "-", overhead[CELL] = "-", cost[CELL] = "-";
	char check[CELL] = "-", warning[CLOCK_WARNING];
	struct text t;
	if (c->state == 0) {
		double ratio = pawl_clock_proportion(c, NULL);
		pawl_cell_count(hz, sizeof(hz), c->hz, "Hz");
		pawl_cell_time(step, sizeof(step), pawl_clock_span_ns(c, c->step_ticks));
		pawl_cell_time(overhead, sizeof(overhead),
			       pawl_clock_span_ns(c, c->overhead_ticks));
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

void pawl_clocks_print(FILE *to)
{
	const struct clock_row *row;
	struct clock c;
	int width = 0;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++)
		if (pawl_cell_width(row->name) > width)
			width = pawl_cell_width(row->name);
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
	add_number(t, "step_ns", open ? pawl_clock_span_ns(c, c->step_ticks) : 0, open);
	add_number(t, "overhead_ns", open ? pawl_clock_span_ns(c, c->overhead_ticks) : 0, open);
	add_number(t, "cost_ns", c->cost_ns, open);
	add_number(t, "check_ratio", open ? pawl_clock_proportion(c, NULL) : 0, open);
	pawl_text_field(t, "fence", open ? c->row->serialise : NULL);
	pawl_text_key(t, "warnings");
	pawl_clock_warnings(t, c);
	pawl_text_add(t, "}");
}

void pawl_clocks_print_json(FILE *to)
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
