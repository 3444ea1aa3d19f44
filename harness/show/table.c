/* SPDX-License-Identifier: MIT */
#include "harness/show/table.h"

#include "harness/base/cell.h"
#include "harness/clock/say.h"
#include "harness/counter/derive.h"

#define CELL 32

static void print_strategy(const struct table *t, const struct session *s)
{
	const struct options *o = &s->options;
	char time[CELL], empty[CELL];
	pawl_cell_time(time, sizeof(time), o->min_ns);
	pawl_cell_time(empty, sizeof(empty), s->in.empty_ns);
	(void)fprintf(t->to, "strategy %s: ", pawl_strategy_name(o->strategy));
	switch (o->strategy) {
	case STRATEGY_GMPBENCH:
		(void)fprintf(t->to, "iterations doubled up to %s", time);
		break;
	case STRATEGY_BATCHES:
		(void)fprintf(t->to, "until batches agree, %s at most", time);
		break;
	case STRATEGY_ITERATIONS:
		(void)fprintf(t->to, "%llu", (unsigned long long)o->iterations);
		break;
	}
	(void)fprintf(t->to,
		      "\nmedian: of the clean batches, and throughput from it; mean: of "
		      "everything, whatever "
		      "disturbed it\n"
		      "net: at least; less the loop of an empty operation, %s, which may cost less "
		      "beside one\n\n",
		      empty);
}

void pawl_table_begin(const struct table *t, const struct session *s)
{
	const struct clock *c = &s->in.wall;
	char step[CELL], overhead[CELL];
	pawl_cell_time(step, sizeof(step), c->step_ticks / c->hz * 1e9);
	pawl_cell_time(overhead, sizeof(overhead), c->overhead_ticks / c->hz * 1e9);
	(void)fprintf(t->to, "pawl %s: clock %s, step %s, overhead %s (subtracted)\n",
		      pawl_version(), c->row->name, step, overhead);
	if (s->options.shuffle)
		(void)fprintf(t->to, "random order: --shuffle=%llu repeats it\n",
			      (unsigned long long)s->options.seed);
	print_strategy(t, s);
	if (t->details)
		return;
	pawl_table_name(t, "benchmark");
	(void)fprintf(t->to, " %10s %7s %10s %10s %10s %14s %8s\n", "median", "+-", "net", "mean",
		      "first", t->rates ? "rate" : "throughput", "clean");
}

static void print_time(const struct table *t, double ns)
{
	char cell[CELL];
	pawl_cell_time(cell, sizeof(cell), ns);
	(void)fprintf(t->to, " %10s", cell);
}

/* The rate that the benchmark speaks of, else operations a second. */
static void print_rate(const struct table *t, const struct pawl_bench *bench,
		       const struct measured *m)
{
	double bytes = pawl_derive_rate(bench->bytes, m->estimate_ns);
	double items = pawl_derive_rate(bench->items, m->estimate_ns);
	char cell[CELL];
	if (bench->bytes > 0)
		pawl_cell_count(cell, sizeof(cell), bytes, "B/s");
	else if (bench->items > 0)
		pawl_cell_count(cell, sizeof(cell), items, "items/s");
	else
		pawl_cell_count(cell, sizeof(cell), m->throughput_per_s, "/s");
	(void)fprintf(t->to, " %14s", cell);
}

static void print_remarks(const struct table *t, const struct measured *m)
{
	int width = pawl_table_name_width(t);
	if (m->errors)
		(void)fprintf(t->to, "%*s %llu operations failed; they are not in these figures\n",
			      width, "", (unsigned long long)m->errors);
	for (unsigned note = 1; note <= NOTE_LAST; note *= 2)
		if (m->notes & note)
			(void)fprintf(t->to, "%*s %s\n", width, "",
				      pawl_note_text((enum note)note));
}

void pawl_table_line(const struct table *t, const struct pawl_bench *bench, const struct outcome *o)
{
	const struct measured *m = &o->measured;
	char cell[CELL];
	if (t->details && !o->fault[0]) {
		pawl_table_details(t, bench, o);
		return;
	}
	pawl_table_name(t, bench->name);
	if (o->fault[0]) {
		(void)fprintf(t->to, " failed: %s\n", o->fault);
		return;
	}
	/* Where no batch is clean a remark says what stands here; a stretch of one batch is its
	 * own. */
	print_time(t, m->estimate_ns);
	/* Of the clean batches, as the median is; that of the mean would be of all. */
	pawl_cell_percent(cell, sizeof(cell), (m->clean.high / m->clean.mean) - 1);
	(void)fprintf(t->to, " %7s", cell);
	print_time(t, m->net_ns);
	print_time(t, m->mean_ns);
	print_time(t, m->first_ns);
	print_rate(t, bench, m);
	(void)snprintf(cell, sizeof(cell), "%zu/%llu", m->clean.n,
		       (unsigned long long)m->clean.n + (unsigned long long)m->dropped);
	(void)fprintf(t->to, " %8s\n", cell);
	pawl_table_own(t->to, pawl_table_name_width(t), m);
	print_remarks(t, m);
	(void)fflush(t->to);
}

void pawl_table_warnings(const struct table *t, const struct clock *clock)
{
	char warning[CLOCK_WARNING];
	for (unsigned i = 0; pawl_clock_warning(clock, i, warning); i++)
		(void)fprintf(t->to, "%swarning: clock %s: %s\n", i ? "" : "\n", clock->row->name,
			      warning);
}
