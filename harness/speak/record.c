/* SPDX-License-Identifier: MIT */
#include "harness/speak/record.h"

#include "harness/clock/say.h"
#include "harness/counter/derive.h"

static void begin(struct text *t, const char *type)
{
	pawl_text_add(t, "{");
	pawl_text_key(t, "type");
	pawl_text_quote(t, type);
}

static void add_number(struct text *t, const char *key, double value)
{
	pawl_text_key(t, key);
	pawl_text_number(t, value);
}

static void add_whole(struct text *t, const char *key, double value)
{
	pawl_text_key(t, key);
	pawl_text_whole(t, value);
}

static void add_count(struct text *t, const char *key, uint64_t value)
{
	pawl_text_key(t, key);
	pawl_text_count(t, value);
}

void pawl_record_hello(struct text *t, const struct clock *clock, double ticks_hz)
{
	double ns = 1e9 / clock->hz;
	begin(t, "hello");
	add_count(t, "protocol", 1);
	pawl_text_field(t, "pawl", pawl_version());
	pawl_text_field(t, "clock", clock->row->name);
	add_number(t, "granularity_ns", clock->step_ticks * ns);
	add_number(t, "overhead_ns", clock->overhead_ticks * ns);
	add_number(t, "ticks_hz", ticks_hz);
	pawl_text_add(t, "}");
}

void pawl_record_benchmark(struct text *t, const struct pawl_bench *bench)
{
	begin(t, "benchmark");
	pawl_text_field(t, "name", bench->name);
	add_number(t, "items", bench->items);
	add_number(t, "bytes", bench->bytes);
	if (bench->args.n) {
		pawl_text_key(t, "argument");
		pawl_text_signed(t, *bench->args.list);
	}
	if (bench->threads > 1)
		add_count(t, "threads", bench->threads);
	pawl_text_add(t, "}");
}

/* The order of the results, by the seed that repeats it. */
void pawl_record_order(struct text *t, uint64_t seed)
{
	begin(t, "order");
	pawl_text_field(t, "shuffle", "splitmix64");
	add_count(t, "seed", seed);
	pawl_text_add(t, "}");
}

static void add_flag(struct text *t, const char *key, bool value)
{
	pawl_text_key(t, key);
	pawl_text_add(t, value ? "true" : "false");
}

static void add_threads(struct text *t, const struct measured *m)
{
	if (m->threads < 2)
		return;
	add_count(t, "threads", m->threads);
	add_whole(t, "processors", m->processors ? m->processors : __builtin_nan(""));
	add_flag(t, "pinned", m->pinned);
}

void pawl_record_calibration(struct text *t, const char *name, const struct measured *m)
{
	begin(t, "calibration");
	pawl_text_field(t, "name", name);
	add_count(t, "iterations", m->iterations);
	add_whole(t, "wall_ns", m->wall_ns);
	add_whole(t, "cpu_ns", m->cpu_ns);
	add_whole(t, "process_cpu_ns", m->process_cpu_ns);
	add_whole(t, "run_delay_ns", m->usage.run_delay_ns);
	add_whole(t, "voluntary_switches", m->usage.voluntary_switches);
	add_whole(t, "first_ns", m->first_ns);
	add_threads(t, m);
	pawl_text_add(t, "}");
}

void pawl_record_ready(struct text *t, uint64_t slice)
{
	begin(t, "ready");
	add_count(t, "slice", slice);
	pawl_text_add(t, "}");
}

void pawl_record_next(struct text *t)
{
	begin(t, "next");
	pawl_text_add(t, "}");
}

void pawl_record_slice(struct text *t, uint64_t slice, const struct slice *s)
{
	begin(t, "slice");
	add_count(t, "slice", slice);
	add_count(t, "iterations", s->iterations);
	add_whole(t, "wall_ns", s->wall_ns);
	add_whole(t, "cpu_ns", s->cpu_ns);
	pawl_text_add(t, "}");
}

static void add_clean(struct text *t, const struct measured *m)
{
	pawl_text_key(t, "clean");
	pawl_text_add(t, "{");
	add_count(t, "n", m->clean.n);
	add_count(t, "dropped", m->dropped);
	add_count(t, "waiting", m->waiting);
	add_number(t, "min_ns", m->clean.min);
	add_number(t, "median_ns", m->clean.median);
	add_number(t, "mean_ns", m->clean.mean);
	add_number(t, "sd_ns", m->clean.sd);
	add_number(t, "p99_ns", m->clean.p99);
	add_number(t, "max_ns", m->clean.max);
	add_number(t, "ci95_low_ns", m->clean.low);
	add_number(t, "ci95_high_ns", m->clean.high);
	for (int i = 0; i < CAUSE_N; i++)
		add_count(t, pawl_cause_name((enum cause)i), m->dropped_by[i]);
	pawl_text_add(t, "}");
}

static void add_notes(struct text *t, const struct measured *m)
{
	bool first = true;
	pawl_text_key(t, "notes");
	pawl_text_add(t, "[");
	for (unsigned note = 1; note <= NOTE_LAST; note *= 2) {
		if (!(m->notes & note))
			continue;
		pawl_text_add(t, first ? "" : ",");
		pawl_text_quote(t, pawl_note_text((enum note)note));
		first = false;
	}
	pawl_text_add(t, "]");
}

static void add_derived(struct text *t, const struct counter *counters)
{
	struct derived derived[DERIVE_N];
	bool first = true;
	pawl_text_key(t, "derived");
	pawl_text_add(t, "[");
	if (counters)
		pawl_derive(counters, derived);
	for (int i = 0; counters && i < DERIVE_N; i++) {
		const struct derived *d = &derived[i];
		if (d->value != d->value)
			continue;
		pawl_text_add(t, first ? "{" : ",{");
		pawl_text_field(t, "name", d->name);
		add_number(t, "value", d->value);
		add_flag(t, "scaled", d->scaled);
		add_flag(t, "simulated", d->simulated);
		pawl_text_add(t, "}");
		first = false;
	}
	pawl_text_add(t, "]");
}

/* The benchmark's own, as items of the counters. */
static void add_tally(struct text *t, const struct measured *m, bool first)
{
	for (size_t i = 0; m->iterations && i < m->tally.n; i++) {
		const struct tally_entry *e = &m->tally.entry[i];
		double value = pawl_tally_value(e, m->tally.operations);
		bool good = value - value == 0;
		pawl_text_add(t, first && i == 0 ? "{" : ",{");
		pawl_text_field(t, "name", e->name);
		pawl_text_field(t, "state",
				pawl_counter_state_name(good ? COUNTER_OK : COUNTER_ABSENT));
		add_number(t, "value", value);
		pawl_text_field(t, "reason",
				good ? NULL : "its sum is beyond the range of a double");
		add_flag(t, "user", true);
		add_flag(t, "per_iteration", !e->is_set);
		pawl_text_add(t, "}");
	}
}

/* Calls of pawl_add() and pawl_set() that were wrong; nothing when none was. */
static void add_tally_faults(struct text *t, const struct tally *tally)
{
	if (tally->faults == 0)
		return;
	pawl_text_key(t, "user_faults");
	pawl_text_add(t, "{");
	add_count(t, "n", tally->faults);
	pawl_text_field(t, "name", tally->at_fault[0] ? tally->at_fault : NULL);
	pawl_text_field(t, "reason", tally->fault);
	pawl_text_add(t, "}");
}

static void add_counters(struct text *t, const struct measured *m, const struct counter *counters)
{
	pawl_text_key(t, "counters");
	pawl_text_add(t, "[");
	for (int i = 0; counters && i < COUNTER_MAX; i++) {
		const struct counter *c = &counters[i];
		pawl_text_add(t, i ? ",{" : "{");
		pawl_text_field(t, "name", c->name);
		pawl_text_field(t, "state", pawl_counter_state_name(c->state));
		add_number(t, "value", c->value);
		pawl_text_field(t, "reason", c->reason[0] ? c->reason : NULL);
		if (c->simulated)
			add_flag(t, "simulated", true);
		pawl_text_add(t, "}");
	}
	add_tally(t, m, !counters);
	pawl_text_add(t, "]");
	add_tally_faults(t, &m->tally);
}

void pawl_record_result(struct text *t, const struct pawl_bench *bench, const struct measured *m,
			double empty_ns, const struct counter *counters)
{
	begin(t, "result");
	pawl_text_field(t, "name", bench->name);
	add_count(t, "iterations", m->iterations);
	add_whole(t, "wall_ns", m->wall_ns);
	add_whole(t, "cpu_ns", m->cpu_ns);
	add_whole(t, "process_cpu_ns", m->process_cpu_ns);
	add_whole(t, "first_ns", m->first_ns);
	add_count(t, "errors", m->errors);
	add_whole(t, "voluntary_switches", m->usage.voluntary_switches);
	add_whole(t, "involuntary_switches", m->usage.involuntary_switches);
	add_whole(t, "minor_faults", m->usage.minor_faults);
	add_whole(t, "major_faults", m->usage.major_faults);
	add_whole(t, "run_delay_ns", m->usage.run_delay_ns);
	add_whole(t, "migrations", m->migrations);
	pawl_text_field(t, "strategy", pawl_strategy_name(m->strategy));
	add_number(t, "estimate_ns", m->estimate_ns);
	pawl_text_field(t, "estimate_of", pawl_estimate_name(m->estimated));
	add_number(t, "throughput_per_s", m->throughput_per_s);
	add_number(t, "net_ns", m->net_ns);
	add_number(t, "empty_ns", empty_ns);
	add_number(t, "mean_ns", m->mean_ns);
	add_number(t, "items_per_s", pawl_derive_rate(bench->items, m->estimate_ns));
	add_number(t, "bytes_per_s", pawl_derive_rate(bench->bytes, m->estimate_ns));
	add_number(t, "cpu_ratio", m->cpu_ratio);
	add_threads(t, m);
	add_clean(t, m);
	add_notes(t, m);
	add_counters(t, m, counters);
	add_derived(t, counters);
	pawl_text_add(t, "}");
}

void pawl_record_error(struct text *t, const char *name, const char *message)
{
	begin(t, "error");
	pawl_text_field(t, "name", name);
	pawl_text_field(t, "message", message);
	pawl_text_add(t, "}");
}

void pawl_record_end(struct text *t, const struct clock *clock)
{
	begin(t, "end");
	if (clock->warnings) {
		pawl_text_key(t, "warnings");
		pawl_clock_warnings(t, clock);
	}
	pawl_text_add(t, "}");
}
