/* Summaries of every kind of content, drawn: every field is filled somewhere. */
#ifndef PAWL_TESTS_RANDOM_SUMMARY_H
#define PAWL_TESTS_RANDOM_SUMMARY_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/coin_draws.h"

#include "lib/record/summary.h"

static double draw(struct coin *c)
{
	return coin_fraction(c);
}

static size_t draw_below(struct coin *c, size_t n)
{
	return (size_t)(draw(c) * (double)n) % n;
}

/* NULL, empty, short, long, bytes that are no UTF-8. */
static void random_text(struct coin *c, char **slot)
{
	static const char *const texts[] = { "", "a", "./bench --size 4", "\xff\x01 \"x\"\n",
					     "0123456789abcdef0123456789abcdef01234567" };
	char text[3000];
	size_t n = draw_below(c, 7), i;

	if (n == 6) {
		assert_int_equal(str_set(slot, NULL, NULL), 0);
		return;
	}
	snprintf(text, sizeof(text), "%s", n < 5 ? texts[n] : "");
	for (i = 0; n == 5 && i < 1 + draw_below(c, 2500); i++) {
		text[i] = (char)(1 + draw_below(c, 255));
		text[i + 1] = '\0';
	}
	assert_int_equal(str_set(slot, text, NULL), 0);
}

static double random_double(struct coin *c)
{
	static const double special[] = { 0.0, -0.0, 1.0, 0.95, -1e300, 5e-324, 1e15, 0.1 };
	size_t n = draw_below(c, 13);

	if (n < 8)
		return special[n];
	if (n < 10)
		return n == 8 ? (double)NAN : draw(c) < 0.5 ? HUGE_VAL : -HUGE_VAL;
	return (draw(c) - 0.3) * pow(10, floor(40 * draw(c)) - 20);
}

/* What a benchmark gives: whole numbers, quotients, decimals, anything finite. */
static void random_column(struct coin *c, uint64_t iterations, double **x, size_t *n)
{
	size_t most = draw_below(c, 4) ? draw_below(c, 70) : 0, kind = draw_below(c, 6), i;
	double step = pow(10, floor(12 * draw(c)));

	for (i = 0; i < most; i++) {
		double value = floor(draw(c) * step);

		if (kind == 1)
			value = iterations ? value / (double)iterations : value;
		else if (kind == 2)
			value = value / 1000;
		else if (kind == 3)
			value = -step;
		else if (kind == 4)
			do
				value = random_double(c);
			while (!isfinite(value));
		else if (kind == 5)
			value = -7 * value;
		assert_int_equal(samples_add(x, n, value, NULL), 0);
	}
}

static void random_facts(struct coin *c, struct facts *facts)
{
	size_t n = draw_below(c, 4);
	char *name = NULL, *value = NULL;

	while (n--) {
		random_text(c, &name);
		random_text(c, &value);
		assert_int_equal(facts_add(facts, name ? name : "x", value, NULL), 0);
	}
	free(name);
	free(value);
}

static void random_delta(struct coin *c, struct delta *d)
{
	d->by_difference = draw(c) < 0.3;
	d->ratio = random_double(c);
	d->low = random_double(c);
	d->high = random_double(c);
	if (d->by_difference) {
		d->difference = random_double(c);
		d->difference_low = random_double(c);
		d->difference_high = random_double(c);
	}
	d->confidence = 0.98;
	d->p = random_double(c);
	d->p_adjusted = draw(c) < 0.5 ? d->p : random_double(c);
	d->noise_floor = random_double(c);
	d->suspect = draw(c) < 0.5;
	d->verdict = (enum verdict)draw_below(c, VERDICT_N);
	random_text(c, &d->note);
}

static void random_metric(struct coin *c, uint64_t iterations, struct metric *m)
{
	m->better = draw(c) < 0.5 ? BETTER_HIGHER : BETTER_LOWER;
	m->state = (enum metric_state)draw_below(c, METRIC_STATE_N);
	random_text(c, &m->reason);
	random_column(c, iterations, &m->samples, &m->n);
	random_column(c, iterations, &m->baseline_samples, &m->n_baseline);
	m->described = draw(c) < 0.5;
	if (m->described) {
		m->mean = random_double(c);
		m->ci_low = random_double(c);
		m->ci_high = random_double(c);
		m->median = random_double(c);
		m->stddev = random_double(c);
		m->min = m->n && draw(c) < 0.5 ? m->samples[0] : random_double(c);
		m->max = random_double(c);
		m->p99 = random_double(c);
		m->throughput_per_s = draw(c) < 0.5 ? 1e9 / m->mean : random_double(c);
	}
	m->has_delta = draw(c) < 0.5;
	if (m->has_delta)
		random_delta(c, &m->delta);
}

static void random_comparison(struct coin *c, struct bench *b)
{
	size_t i;

	b->looks.n = draw_below(c, LOOKS_MAX + 1);
	for (i = 0; i < b->looks.n; i++)
		b->looks.pairs[i] = (unsigned)(5 * i + 5);
	b->output = (enum output)draw_below(c, OUTPUT_N);
	b->pairs_ran = (enum pairs_ran)draw_below(c, PAIRS_RAN_N);
	if (draw(c) < 0.5) {
		b->work.head = 1e9 * draw(c);
		random_text(c, &b->work.how);
		random_text(c, &b->work.reason);
	}
	if (draw(c) < 0.5)
		b->calibration = (struct calibration){ 7, 1, 0.004, 1763632800123000, { .n = 0 } };
	if (b->calibration.n && draw(c) < 0.5)
		b->calibration.layouts =
			(struct layout_calibration){ 16, 0.007, 0.005, draw(c), 0.02, 0.0099 };
	if (draw(c) < 0.3) {
		b->layouts.n = draw_below(c, 40);
		b->layouts.between = draw(c) < 0.5 ? (double)NAN : draw(c);
		b->layouts.within = draw(c);
		b->layouts.floor = 0.013;
		random_text(c, &b->layouts.why);
	}
	if (draw(c) < 0.3) {
		b->changes = (struct code_changes){ .is_known = draw(c) < 0.5,
						    .is_explained = draw(c) < 0.5,
						    .n_functions = draw_below(c, 4000),
						    .n_changed = draw_below(c, 40) };
		assert_int_equal(strv_add(&b->changes.changed, "usage", NULL), 0);
		assert_int_equal(strv_add(&b->changes.executed, "main (data)", NULL), 0);
		random_text(c, &b->changes.why);
		if (!b->changes.is_known && !b->changes.why)
			code_changes_release(&b->changes);
	}
	random_text(c, &b->accepted.commit);
	random_text(c, &b->accepted.because);
}

static void random_bench(struct coin *c, struct summary *s, size_t number, const double *round)
{
	struct bench *b;
	struct track *t;
	char name[32];
	size_t i, n;

	snprintf(name, sizeof(name), "b/%zu", number);
	b = summary_add_bench(s, name, NULL);
	assert_non_null(b);
	b->status = (enum bench_status)draw_below(c, BENCH_STATUS_N);
	random_text(c, &b->detail);
	random_text(c, &b->command);
	random_text(c, &b->format);
	random_text(c, &b->binary_id);
	random_text(c, &b->base_binary_id);
	random_text(c, &b->baseline_commit);
	random_text(c, &b->baseline_how);
	b->is_new = draw(c) < 0.5;
	b->iterations = draw(c) < 0.2 ? UINT64_MAX >> draw_below(c, 64) : draw_below(c, 100000);
	random_text(c, &b->gate_why);
	b->threshold = 0.01;
	b->paired = draw(c) < 0.5;
	b->n_void = draw_below(c, 3);
	b->n_disturbed = draw_below(c, 3);
	random_comparison(c, b);
	random_facts(c, &b->facts);
	for (i = 0, n = draw_below(c, 5); i < n; i++) {
		snprintf(name, sizeof(name), "m%zu", i);
		assert_non_null(bench_add_metric(b, name, i ? "ns" : "1", BETTER_LOWER, NULL));
		random_metric(c, b->iterations, &b->metrics[i]);
	}
	if (n)
		assert_int_equal(str_set(&b->gate, "m0", NULL), 0);
	for (i = 0, n = draw_below(c, 4); i < n; i++) {
		snprintf(name, sizeof(name), "t%zu", i);
		t = bench_add_track(b, name, NULL);
		assert_non_null(t);
		random_column(c, b->iterations, &t->head, &t->n_head);
		random_column(c, 0, &t->base, &t->n_base);
	}
	t = bench_add_track(b, "round", NULL);
	assert_non_null(t);
	for (i = 0; i < 20; i++)
		assert_int_equal(samples_add(&t->head, &t->n_head, round[i], NULL), 0);
}

static void random_settings(struct coin *c, struct settings *s)
{
	s->runs_min = 20;
	s->runs_max = 30;
	s->min_time_ns = 250000000;
	random_text(c, &s->clock);
	s->confidence = 0.95;
	s->threshold = draw(c);
	random_text(c, &s->order);
	s->seed = UINT64_MAX >> draw_below(c, 3);
	s->partial = draw(c) < 0.5;
	s->budget_ns = draw_below(c, 2) ? UINT64_MAX : 0;
	s->measured_identical = draw(c) < 0.5;
	if (draw(c) < 0.5) {
		s->shard = (struct shard){ 2, 3, 17, NULL, NULL };
		random_text(c, &s->shard.group);
		random_text(c, &s->shard.split);
	}
}

static void random_accepted(struct coin *c, struct summary *s)
{
	size_t n = draw(c) < 0.5 ? 0 : draw_below(c, 65);

	while (n-- > 0)
		assert_int_equal(
			summary_add_accepted(s, "c0ffee", "a/*", draw(c) < 0.3 ? NULL : "why\xff",
					     draw(c) < 0.3 ? (double)INFINITY : draw(c), NULL),
			0);
}

static void random_summary(struct coin *c, size_t n, struct summary *s)
{
	double round[20];
	size_t i;

	summary_init(s);
	assert_int_equal(str_set(&s->id, "01JD0000000000000000000000", NULL), 0);
	random_text(c, &s->project);
	random_text(c, &s->commit.id);
	random_text(c, &s->commit.tree);
	random_text(c, &s->commit.branch);
	random_text(c, &s->commit.subject);
	random_accepted(c, s);
	if (draw(c) < 0.5)
		random_text(c, &s->settings.build_key);
	for (i = draw_below(c, 3); i > 0; i--)
		assert_int_equal(strv_add(&s->settings.asked, "b/x", NULL), 0);
	s->settings.lacks_parts = draw(c) < 0.5;
	if (draw(c) < 0.5) {
		random_text(c, &s->unbuilt.base);
		random_text(c, &s->unbuilt.head);
	}
	for (i = draw_below(c, 3); i > 0; i--)
		assert_int_equal(strv_add(&s->commit.parents, "p\xff", NULL), 0);
	s->commit.author_time_us = -1763632800000000;
	s->commit.commit_time_us = (int64_t)(1e15 * draw(c));
	s->commit.dirty = draw(c) < 0.5;
	s->commit.truncated = draw(c) < 0.5;
	random_text(c, &s->machine.id);
	random_text(c, &s->machine.cpu);
	s->machine.cores = (int)draw_below(c, 256);
	random_text(c, &s->machine.os);
	random_text(c, &s->machine.kernel);
	random_text(c, &s->machine.governor);
	random_facts(c, &s->machine.more);
	s->environment.load = random_double(c);
	s->environment.pressure = random_double(c);
	s->environment.steal = random_double(c);
	for (i = draw_below(c, 3); i > 0; i--)
		assert_int_equal(strv_add(&s->environment.warnings, "load: stop it", NULL), 0);
	random_settings(c, &s->settings);
	random_text(c, &s->baseline.commit);
	random_text(c, &s->baseline.how);
	random_text(c, &s->baseline.why);
	for (i = draw_below(c, 3); i > 0; i--) {
		struct imported_file *f = summary_add_imported(s, "x.json", NULL);

		assert_non_null(f);
		random_text(c, &f->format);
		random_text(c, &f->sha256);
		random_facts(c, &f->facts);
	}
	for (i = 0; i < 20; i++)
		round[i] = draw(c);
	for (i = 0; i < n; i++)
		random_bench(c, s, i, round);
	s->started_us = 1763632800000000;
	s->finished_us = s->started_us + (int64_t)(1e6 * draw(c));
	random_text(c, &s->pawl);
}

#endif
