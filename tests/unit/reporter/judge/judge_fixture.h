/*
 * judge_fixture - summaries with made-up pairs, for the tests of the verdicts.
 *
 * What comes out of the pairs `pairs_base` / `pairs_head`: all 78 averages of two log-ratios were
 * sorted (Python 3.11), the median, the 10th and the 69th taken; P(T <= 9) of 12 is 0.0081, and
 * P(T <= 10) more than 1 %.  All pairs went up: p = 2 / 2^12.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_JUDGE_JUDGE_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_JUDGE_JUDGE_FIXTURE_H

#include "tests/unit/reporter_fixture.h"

#include "reporter/judge/judge.h"

#define N_PAIRS 12
#define N_CHANGED 17
#define KNOWN_RATIO 1.01680420817545
#define KNOWN_LOW 1.01177499025779
#define KNOWN_HIGH 1.02186878727634
#define KNOWN_P (2.0 / 4096)

static const double pairs_base[N_PAIRS] = { 100.3, 101.2, 99.8,	 100.9, 102.4, 100.1,
					    101.7, 100.6, 101.9, 99.5,	100.2, 103.3 };
static const double pairs_head[N_PAIRS] = { 102.1, 102.9, 101.5, 101.7, 104.9, 101.3,
					    103.0, 102.8, 103.1, 101.9, 102.4, 104.0 };

/* An empty summary that asks for 95 % and 1 %. */
static inline void judge_init(struct summary *s)
{
	fixture_init(s);
	s->settings.confidence = 0.95;
	s->settings.threshold = 0.01;
	assert_int_equal(0, str_set(&s->machine.kernel, "6.1", NULL));
}

/* Adds a metric with these samples; base may be NULL. */
static inline struct metric *add_samples(struct bench *b, const char *name, enum better better,
					 const double *head, const double *base, size_t n)
{
	struct metric *m = bench_add_metric(b, name, "ns", better, NULL);
	size_t i;

	assert_non_null(m);
	for (i = 0; i < n; i++) {
		assert_int_equal(0, samples_add(&m->samples, &m->n, head[i], NULL));
		if (base)
			assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline,
							base[i], NULL));
	}
	return m;
}

/* A benchmark gated by cpu with these pairs. */
static inline struct bench *add_pairs(struct summary *s, const char *name, const double *head,
				      const double *base, size_t n, double threshold)
{
	struct bench *b = fixture_bench(s, name);

	b->threshold = threshold;
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	add_samples(b, "cpu", BETTER_LOWER, head, base, n);
	return b;
}

static inline struct bench *add_known(struct summary *s, const char *name, double threshold)
{
	return add_pairs(s, name, pairs_head, pairs_base, N_PAIRS, threshold);
}

/* As add_known(), of nine decision points: 9 p is below 0.005, and 18 p is not. */
static inline struct bench *add_weak(struct summary *s, const char *name)
{
	struct bench *b = add_known(s, name, 0.01);

	b->looks = (struct looks){ { 12, 17, 24, 34, 48, 68, 96, 136, 200 }, 9 };
	return b;
}

/* Harmless noise: half of the pairs up, half down, nothing near significance. */
static inline struct bench *add_noise(struct summary *s, const char *name)
{
	double head[N_PAIRS], base[N_PAIRS];
	int i;

	for (i = 0; i < N_PAIRS; i++) {
		base[i] = 100;
		head[i] = 100 + (i % 2 ? 0.1 : -0.1) * (1 + i / 2) + 0.001 * i;
	}
	return add_pairs(s, name, head, base, N_PAIRS, 0.01);
}

/* A change of `percent` that every one of 17 pairs shows: p = 2 / 2^17. */
static inline struct bench *add_change(struct summary *s, const char *name, double percent)
{
	double head[N_CHANGED], base[N_CHANGED];
	int i;

	for (i = 0; i < N_CHANGED; i++) {
		base[i] = 100 + 0.01 * i;
		head[i] = base[i] * (1 + (percent + 0.02 * (i * 7 % N_CHANGED)) / 100);
	}
	return add_pairs(s, name, head, base, N_CHANGED, 0.01);
}

#define assert_near(expected, actual, tolerance) \
	do { \
		double expected_ = (expected), actual_ = (actual); \
		if (!(fabs(expected_ - actual_) <= (tolerance))) \
			fail_msg("%s: expected %.15g, got %.15g", #actual, expected_, actual_); \
	} while (0)

static inline const struct delta *delta_of(const struct summary *s, const char *name)
{
	const struct bench *b = summary_find(s, name);
	const struct delta *d;

	assert_non_null(b);
	d = bench_delta(b);
	assert_non_null(d);
	return d;
}

static inline enum verdict verdict_of_bench(const struct summary *s, const char *name)
{
	const struct bench *b = summary_find(s, name);

	assert_non_null(b);
	return bench_verdict(b);
}

static const struct history no_history = HISTORY_INIT;

/* Judges without any history. */
static inline void judge_well(struct summary *s)
{
	struct err err = ERR_INIT;

	if (judge(s, &no_history, &err))
		fail_msg("judge: %s", err.text);
}

#endif
