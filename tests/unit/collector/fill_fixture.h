/*
 * fill_fixture - units with made-up runs, and ancestors, for the tests of fill.h.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_FILL_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_FILL_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collector/fill.h"
#include "collector/schedule/anchor.h"

#define N_PAIRS 3

static struct bench_config config;
static struct plan plan;
static struct history history;
static struct summary out;
static struct err err;

static inline int begin(void **state)
{
	(void)state;
	memset(&config, 0, sizeof(config));
	plan = (struct plan)PLAN_INIT;
	history = (struct history)HISTORY_INIT;
	config.threshold = 0.02;
	summary_init(&out);
	return strv_add(&config.command, "./prog", NULL) || strv_add(&config.command, "a b", NULL);
}

static inline int end(void **state)
{
	(void)state;
	plan_release(&plan);
	history_release(&history);
	summary_release(&out);
	strv_release(&config.command);
	return 0;
}

static inline struct run make_run(double wall, double cpu)
{
	return (struct run){ .wall_ns = wall,
			     .cpu_ns = cpu,
			     .process_cpu_ns = cpu,
			     .peak_rss_bytes = 4096,
			     .run_delay_ns = (double)NAN };
}

/* A unit of N iterations with three pairs: head 110, 120, 130, base 100 each. */
static inline struct unit *add_unit(const char *name)
{
	struct unit *u;
	int i, k;

	plan.units = realloc(plan.units, (plan.n + 1) * sizeof(*plan.units));
	assert_non_null(plan.units);
	u = &plan.units[plan.n++];
	memset(u, 0, sizeof(*u));
	u->config = &config;
	u->format = FORMAT_PAWL;
	u->iterations = 64;
	u->has_base = true;
	u->pairs = calloc(N_PAIRS, sizeof(*u->pairs));
	u->n_pairs = N_PAIRS;
	assert_non_null(u->pairs);
	assert_int_equal(0, str_set(&u->name, name, NULL));
	for (i = 0; i < 2; i++) {
		u->anchors[i] = calloc(N_PAIRS, sizeof(double));
		assert_non_null(u->anchors[i]);
		for (k = 0; k < N_PAIRS; k++)
			u->anchors[i][k] = 10 + i;
	}
	for (i = 0; i < N_PAIRS; i++) {
		struct pair *p = &u->pairs[i];

		p->head = make_run(110 + 10 * i, 109 + 10 * i);
		p->base = make_run(100, 99);
		p->order = i % 2;
		p->log_ratio_wall = 0.1 * i;
		p->log_ratio_cpu = 0.2 * i;
	}
	return u;
}

/* An ancestor with benchmark "x" of N iterations and these cpu samples. */
static inline void add_ancestor(const char *id, uint64_t iterations, enum bench_status status,
				double cpu)
{
	struct summary s;
	struct bench *b;
	struct metric *m;

	summary_init(&s);
	assert_int_equal(0, str_set(&s.commit.id, id, NULL));
	b = summary_add_bench(&s, "x", NULL);
	assert_non_null(b);
	b->status = status;
	b->iterations = iterations;
	m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, NULL);
	assert_non_null(m);
	assert_int_equal(0, samples_add(&m->samples, &m->n, cpu, NULL));
	assert_int_equal(0, samples_add(&m->samples, &m->n, cpu, NULL));
	assert_int_equal(0, history_add(&history, &s, NULL));
}

static inline struct bench *fill(void)
{
	if (fill_summary(&plan, &history, &out, &err))
		fail_msg("fill_summary: %s", err.text);
	assert_true(out.n_benchmarks > 0);
	return &out.benchmarks[0];
}

static inline bool has_track(const struct bench *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->n_tracks; i++)
		if (!strcmp(b->tracks[i].name, name))
			return true;
	return false;
}

/* Value i of a track that must be there, with one value a pair. */
static inline double track_value(const struct bench *b, const char *name, size_t at)
{
	size_t i;

	assert_true(has_track(b, name));
	for (i = 0; strcmp(b->tracks[i].name, name); i++)
		;
	assert_int_equal(N_PAIRS, b->tracks[i].n_head);
	return b->tracks[i].head[at];
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
