/* SPDX-License-Identifier: MIT */
#include "harness/table.h"

#include <string.h>

#include "harness/clock_list.h"

#define CELL 32

static void print_name(const struct table *t, const char *name)
{
	(void)fprintf(t->to, "%s%*s", name, t->name_width - pawl_table_width(name), "");
}

void pawl_table_begin(const struct table *t, const struct session *s)
{
	const struct clock *c = &s->in.wall;
	char step[CELL], overhead[CELL], least[CELL];
	pawl_cell_time(step, sizeof(step), c->step_ticks / c->hz * 1e9);
	pawl_cell_time(overhead, sizeof(overhead), c->overhead_ticks / c->hz * 1e9);
	pawl_cell_time(least, sizeof(least), s->options.min_ns);
	(void)fprintf(t->to, "pawl %s: clock %s, step %s, overhead %s (subtracted); ",
		      pawl_version(), c->row->name, step, overhead);
	(void)fprintf(t->to, "iterations doubled up to %s\n\n", least);
	print_name(t, "benchmark");
	(void)fprintf(t->to, " %10s %10s %10s %10s %12s", "mean", "median", "sd", "min",
		      "throughput");
	if (t->rates)
		(void)fprintf(t->to, " %15s", "rate");
	(void)fprintf(t->to, " %11s %10s %10s\n", "iterations", "clean", "first");
}

static void print_time(const struct table *t, double ns)
{
	char cell[CELL];
	pawl_cell_time(cell, sizeof(cell), ns);
	(void)fprintf(t->to, " %10s", cell);
}

static void print_rate(const struct table *t, const struct pawl_bench *bench, double per_s)
{
	char cell[CELL] = "";
	if (bench->bytes > 0)
		pawl_cell_count(cell, sizeof(cell), bench->bytes * per_s, "B/s");
	else if (bench->items > 0)
		pawl_cell_count(cell, sizeof(cell), bench->items * per_s, "items/s");
	(void)fprintf(t->to, " %15s", cell);
}

void pawl_table_line(const struct table *t, const struct pawl_bench *bench, const struct outcome *o)
{
	const struct measured *m = &o->measured;
	char cell[CELL];
	print_name(t, bench->name);
	if (o->fault[0]) {
		(void)fprintf(t->to, " failed: %s\n", o->fault);
		return;
	}
	print_time(t, m->mean_ns);
	print_time(t, m->clean.median);
	print_time(t, m->clean.sd);
	print_time(t, m->clean.min);
	pawl_cell_count(cell, sizeof(cell), m->throughput_per_s, "/s");
	(void)fprintf(t->to, " %12s", cell);
	if (t->rates)
		print_rate(t, bench, m->throughput_per_s);
	(void)snprintf(cell, sizeof(cell), "%zu/%llu", m->clean.n,
		       (unsigned long long)m->clean.n + (unsigned long long)m->dropped);
	(void)fprintf(t->to, " %11llu %10s", (unsigned long long)m->iterations, cell);
	print_time(t, m->first_ns);
	(void)fputc('\n', t->to);
	if (m->errors)
		(void)fprintf(t->to, "%*s %llu operations failed; they are not in these figures\n",
			      t->name_width, "", (unsigned long long)m->errors);
	(void)fflush(t->to);
}

static bool has_value(const struct counter *c)
{
	return c->state == COUNTER_OK || c->state == COUNTER_SCALED;
}

/* Whether counter i has a value in any of the outcomes. */
static bool is_column(const struct outcome *outcomes, size_t n, int i)
{
	for (size_t k = 0; k < n; k++)
		if (outcomes[k].counted && has_value(&outcomes[k].counters[i]))
			return true;
	return false;
}

static void print_counters(const struct table *t, const char *name, const struct outcome *o,
			   const bool *column)
{
	print_name(t, name);
	for (int i = 0; i < COUNTER_MAX; i++) {
		const struct counter *c = &o->counters[i];
		char cell[CELL] = "-";
		if (!column[i])
			continue;
		if (has_value(c))
			pawl_cell_count(cell, sizeof(cell), c->value, "");
		(void)fprintf(t->to, " %*s%s", (int)strlen(pawl_counter_name((size_t)i)) + 2, cell,
			      c->state == COUNTER_SCALED ? "*" : " ");
	}
	(void)fputc('\n', t->to);
}

/* What a counter's reason is put under; NULL: there is nothing to say. */
static const char *label_of(const struct counter *c)
{
	if (has_value(c))
		return c->reason[0] ? "note" : NULL;
	return pawl_counter_state_name(c->state);
}

static bool says_the_same(const struct counter *a, const struct counter *b)
{
	return label_of(b) && strcmp(label_of(a), label_of(b)) == 0 &&
	       strcmp(a->reason, b->reason) == 0;
}

/* One line a reason, with all counters it holds for. */
static void print_reasons(const struct table *t, const struct counter *c)
{
	for (int i = 0; i < COUNTER_MAX; i++) {
		bool said = !label_of(&c[i]);
		for (int j = 0; j < i && !said; j++)
			said = says_the_same(&c[i], &c[j]);
		if (said)
			continue;
		(void)fprintf(t->to, "%s:", label_of(&c[i]));
		for (int j = i; j < COUNTER_MAX; j++)
			if (says_the_same(&c[i], &c[j]))
				(void)fprintf(t->to, "%s %s", j > i ? "," : "", c[j].name);
		(void)fprintf(t->to, " (%s)\n", c[i].reason);
	}
}

void pawl_table_counters(const struct table *t, const struct pawl_bench *const *benches,
			 const struct outcome *outcomes, size_t n)
{
	bool column[COUNTER_MAX], any = false, scaled = false;
	const struct outcome *last = NULL;
	for (size_t k = 0; k < n; k++)
		if (outcomes[k].counted)
			last = &outcomes[k];
	if (!last)
		return;
	for (int i = 0; i < COUNTER_MAX; i++) {
		column[i] = is_column(outcomes, n, i);
		any = any || column[i];
	}
	(void)fputc('\n', t->to);
	if (any) {
		print_name(t, "per iteration");
		for (int i = 0; i < COUNTER_MAX; i++)
			if (column[i])
				(void)fprintf(t->to, "   %s ", pawl_counter_name((size_t)i));
		(void)fputc('\n', t->to);
	}
	for (size_t k = 0; k < n && any; k++) {
		for (int i = 0; outcomes[k].counted && i < COUNTER_MAX; i++)
			scaled = scaled || outcomes[k].counters[i].state == COUNTER_SCALED;
		if (outcomes[k].counted)
			print_counters(t, benches[k]->name, &outcomes[k], column);
	}
	if (scaled)
		(void)fprintf(t->to, "* counted a part of the time and extrapolated\n");
	print_reasons(t, last->counters);
}

void pawl_table_warnings(const struct table *t, const struct clock *clock)
{
	char warning[CLOCK_WARNING];
	for (unsigned i = 0; pawl_clock_warning(clock, i, warning); i++)
		(void)fprintf(t->to, "%swarning: clock %s: %s\n", i ? "" : "\n", clock->row->name,
			      warning);
}
