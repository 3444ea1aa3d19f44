/*
 * reporter_fixture - summaries made by hand for the reporter's tests.
 */
#ifndef PAWL_TESTS_REPORTER_FIXTURE_H
#define PAWL_TESTS_REPORTER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "lib/record/summary.h"

#define HEAD_COMMIT "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334"
#define BASE_COMMIT "0f1e2d3c4b5a69788796a5b4c3d2e1f000112233"

/* Project zlib, commit a1b2c3d on main, baseline 0f1e2d3, no benchmark. */
static inline void fixture_init(struct summary *s)
{
	summary_init(s);
	assert_int_equal(0, str_set(&s->project, "zlib", NULL));
	assert_int_equal(0, str_set(&s->commit.id, HEAD_COMMIT, NULL));
	assert_int_equal(0, str_set(&s->commit.subject, "look further", NULL));
	assert_int_equal(0, str_set(&s->commit.branch, "main", NULL));
	assert_int_equal(0, str_set(&s->machine.cpu, "EPYC", NULL));
	s->machine.cores = 8;
	assert_int_equal(0, str_set(&s->baseline.commit, BASE_COMMIT, NULL));
	assert_int_equal(0, str_set(&s->baseline.how, "rerun", NULL));
}

/* A benchmark that ran, without metrics. */
static inline struct bench *fixture_bench(struct summary *s, const char *name)
{
	struct bench *b = summary_add_bench(s, name, NULL);

	assert_non_null(b);
	b->status = BENCH_OK;
	b->paired = true;
	return b;
}

/* Its gate metric "cpu" with samples around head and base (ns); NaN leaves a side empty. */
static inline struct metric *fixture_gate(struct bench *b, double head, double base)
{
	struct metric *m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, NULL);
	int i;

	assert_non_null(m);
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	m->state = METRIC_OK;
	for (i = -1; i <= 1; i++) {
		if (isfinite(head))
			assert_int_equal(
				0, samples_add(&m->samples, &m->n, head * (1 + i * 0.01), NULL));
		if (isfinite(base))
			assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline,
							base * (1 + i * 0.01), NULL));
	}
	return m;
}

/* A judged benchmark; ratio and its interval as given, noise floor 0.8 %. */
static inline struct bench *fixture_judged(struct summary *s, const char *name, double ratio,
					   double low, double high, enum verdict verdict)
{
	struct bench *b = fixture_bench(s, name);
	struct metric *m = fixture_gate(b, 1e6 * ratio, 1e6);

	m->has_delta = true;
	m->delta = (struct delta){ .ratio = ratio,
				   .low = low,
				   .high = high,
				   .confidence = 0.95,
				   .p = (double)NAN,
				   .p_adjusted = (double)NAN,
				   .noise_floor = 0.008,
				   .verdict = verdict };
	return b;
}

static inline struct bench *fixture_failed(struct summary *s, const char *name, const char *detail)
{
	struct bench *b = fixture_bench(s, name);

	b->status = BENCH_FAILED;
	assert_int_equal(0, str_set(&b->detail, detail, NULL));
	return b;
}

#endif
