/* SPDX-License-Identifier: MIT */
/* All there is to say of one benchmark. */
#include "harness/show/table.h"

#include "harness/base/cell.h"
#include "harness/counter/derive.h"

#define CELL 32

static void begin(const struct table *t, const char *what)
{
	(void)fprintf(t->to, "  %-10s", what);
}

static void add_time(const struct table *t, const char *what, double ns, const char *behind)
{
	char cell[CELL];
	pawl_cell_time(cell, sizeof(cell), ns);
	(void)fprintf(t->to, " %s %s%s", what, cell, behind);
}

static void add_count(const struct table *t, double value, const char *what)
{
	char cell[CELL] = "-";
	if (value == value)
		(void)snprintf(cell, sizeof(cell), "%.0f", value);
	(void)fprintf(t->to, " %s %s", cell, what);
}

static void print_times(const struct table *t, const struct measured *m)
{
	static const char *const names[] = {
		[ESTIMATE_CLEAN] = "median", [ESTIMATE_CPU] = "cpu time"
	};
	begin(t, "time");
	if (m->estimated != ESTIMATE_MEAN)
		add_time(t, names[m->estimated], m->estimate_ns, ",");
	add_time(t, "mean", m->mean_ns, ",");
	add_time(t, "net", m->net_ns, ",");
	add_time(t, "first (cold)", m->first_ns, "\n");
	begin(t, "clean");
	add_time(t, "min", m->clean.min, ",");
	add_time(t, "p50", m->clean.median, ",");
	add_time(t, "p99", m->clean.p99, ",");
	add_time(t, "max", m->clean.max, "\n");
	begin(t, "");
	add_time(t, "mean", m->clean.mean, ",");
	add_time(t, "95 % from", m->clean.low, "");
	add_time(t, "to", m->clean.high, ",");
	add_time(t, "sd", m->clean.sd, "\n");
}

static void print_batches(const struct table *t, const struct measured *m)
{
	bool first = true;
	begin(t, "batches");
	add_count(t, (double)m->clean.n, "clean,");
	add_count(t, (double)m->dropped, "dropped");
	for (int i = 0; i < CAUSE_N; i++) {
		if (!m->dropped_by[i])
			continue;
		(void)fputc(first ? ':' : ',', t->to);
		add_count(t, (double)m->dropped_by[i], pawl_cause_name((enum cause)i));
		first = false;
	}
	if (m->waiting)
		(void)fprintf(t->to, "; in %llu the operation waited",
			      (unsigned long long)m->waiting);
	(void)fputc('\n', t->to);
}

static void print_rates(const struct table *t, const struct pawl_bench *bench,
			const struct measured *m)
{
	char cell[CELL];
	begin(t, "throughput");
	pawl_cell_count(cell, sizeof(cell), m->throughput_per_s, "/s");
	(void)fprintf(t->to, " %s", cell);
	if (bench->items > 0) {
		double rate = pawl_derive_rate(bench->items, m->estimate_ns);
		pawl_cell_count(cell, sizeof(cell), rate, "items/s");
		(void)fprintf(t->to, ", %s", cell);
	}
	if (bench->bytes > 0) {
		double rate = pawl_derive_rate(bench->bytes, m->estimate_ns);
		pawl_cell_count(cell, sizeof(cell), rate, "B/s");
		(void)fprintf(t->to, ", %s", cell);
	}
	(void)fputc('\n', t->to);
}

static void print_stretch(const struct table *t, const struct measured *m)
{
	char cell[CELL];
	begin(t, "stretch");
	(void)fprintf(t->to, " %s,", pawl_strategy_name(m->strategy));
	add_count(t, (double)m->iterations, "iterations");
	add_time(t, "in", m->wall_ns, ",");
	add_count(t, (double)m->errors, "failed\n");
	begin(t, "cpu");
	pawl_cell_percent(cell, sizeof(cell), m->cpu_ratio);
	(void)fprintf(t->to, " %s of the time,", cell);
	add_time(t, "thread", m->cpu_ns, ",");
	add_time(t, "process", m->process_cpu_ns, "\n");
	begin(t, "system");
	add_count(t, m->usage.voluntary_switches, "voluntary and");
	add_count(t, m->usage.involuntary_switches, "involuntary switches,");
	add_count(t, m->migrations, "migrations,");
	add_time(t, "waited", m->usage.run_delay_ns, "\n");
	begin(t, "");
	add_count(t, m->usage.minor_faults, "minor and");
	add_count(t, m->usage.major_faults, "major faults\n");
}

static void print_counters(const struct table *t, const struct counter *counters)
{
	struct derived derived[DERIVE_N];
	char cell[CELL];
	for (int i = 0; i < COUNTER_MAX; i++) {
		const struct counter *c = &counters[i];
		const char *what = c->simulated ? "simulated" : pawl_counter_state_name(c->state);
		if (c->state != COUNTER_OK && c->state != COUNTER_SCALED)
			continue;
		pawl_cell_count(cell, sizeof(cell), c->value, "");
		(void)fprintf(t->to, "  %-20s %10s  %s\n", c->name, cell, what);
	}
	pawl_derive(counters, derived);
	for (int i = 0; i < DERIVE_N; i++) {
		const struct derived *d = &derived[i];
		if (d->value != d->value)
			continue;
		if (i == DERIVE_IPC)
			pawl_cell_count(cell, sizeof(cell), d->value, "");
		else
			pawl_cell_percent(cell, sizeof(cell), d->value);
		(void)fprintf(t->to, "  %-20s %10s%s%s\n", d->name, cell,
			      d->scaled ? "  scaled" : "", d->simulated ? "  simulated" : "");
	}
	pawl_table_reasons(t, counters);
}

void pawl_table_details(const struct table *t, const struct pawl_bench *bench,
			const struct outcome *o)
{
	const struct measured *m = &o->measured;
	(void)fprintf(t->to, "%s\n", bench->name);
	print_times(t, m);
	print_batches(t, m);
	print_rates(t, bench, m);
	print_stretch(t, m);
	pawl_table_own(t->to, 12, m);
	for (unsigned note = 1; note <= NOTE_LAST; note *= 2) {
		if (!(m->notes & note))
			continue;
		begin(t, "note");
		(void)fprintf(t->to, " %s\n", pawl_note_text((enum note)note));
	}
	if (o->counted)
		print_counters(t, o->counters);
	(void)fputc('\n', t->to);
	(void)fflush(t->to);
}
