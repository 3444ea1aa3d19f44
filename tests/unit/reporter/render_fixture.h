/*
 * render_fixture - whole summaries for the tests of the formats, and how they are held
 * against what is expected.
 */
#ifndef PAWL_TESTS_UNIT_REPORTER_RENDER_FIXTURE_H
#define PAWL_TESTS_UNIT_REPORTER_RENDER_FIXTURE_H

#include "tests/unit/reporter_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "reporter/render/render.h"

/* Renders s, which is released; the caller frees. */
static inline char *rendered(struct summary *s, const char *format,
			     const struct render_options *opt)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	char *text;

	if (render(format, s, opt, &out, &err))
		fail_msg("%s", err.text);
	summary_release(s);
	text = buf_detach(&out);
	assert_non_null(text);
	return text;
}

static inline void render_is(struct summary *s, const char *format,
			     const struct render_options *opt, const char *expected)
{
	char *text = rendered(s, format, opt);

	assert_string_equal(text, expected);
	free(text);
}

static inline struct render_options wide(int width)
{
	struct render_options opt = RENDER_OPTIONS_INIT;

	opt.width = width;
	return opt;
}

/* One of each verdict, in no good order. */
static inline void fixture_of_each(struct summary *s)
{
	struct bench *b;

	fixture_init(s);
	b = fixture_judged(s, "same/10", 1.001, 0.995, 1.006, VERDICT_UNCHANGED);
	fixture_judged(s, "same/9", 0.9988, 0.9962, 1.0031, VERDICT_UNCHANGED);
	fixture_judged(s, "unsure", 1.009, 0.985, 1.031, VERDICT_INCONCLUSIVE);
	fixture_judged(s, "better", 0.931, 0.921, 0.943, VERDICT_IMPROVED);
	b = fixture_judged(s, "stored", 1.12, 1.02, 1.22, VERDICT_INCONCLUSIVE);
	b->metrics[0].delta.suspect = true;
	assert_int_equal(0, str_set(&b->baseline_how, "stored", NULL));
	fixture_failed(s, "broken", "ended with status 1\nno such file");
	fixture_bench(s, "alpha/new")->is_new = true;
	b = fixture_bench(s, "code");
	assert_int_equal(0, str_set(&b->binary_id, "00", NULL));
	assert_int_equal(0, str_set(&b->base_binary_id, "00", NULL));
	b->paired = false;
	fixture_bench(s, "gone")->status = BENCH_REMOVED;
	fixture_gate(fixture_bench(s, "lonely"), 5e5, (double)NAN);
	fixture_judged(s, "worse", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	fixture_bench(s, "left out")->status = BENCH_SKIPPED;
}

/* Every text a benchmark, a commit or a machine could bring along. */
static inline void fixture_hostile(struct summary *s)
{
	struct bench *b;

	b = fixture_judged(s, "::error::a|b`c`\x1b[31m<img src=x>@octocat\n# x", 1.034, 1.021,
			   1.047, VERDICT_REGRESSED);
	assert_int_equal(0, str_set(&b->metrics[0].unit, "|\x07", NULL));
	assert_int_equal(0, str_set(&b->metrics[0].delta.note, "</pre><b>\xff", NULL));
	fixture_failed(s, "caf\xc3\xa9", "first\r\n::warning::x\n\n##[error]y");
	assert_int_equal(0, str_set(&s->project, "\x1b]0;p\x07", NULL));
	assert_int_equal(0, str_set(&s->commit.subject, "fix #1 for @octocat\xe2\x80\xae", NULL));
	assert_int_equal(0, str_set(&s->commit.branch, "b\xff|", NULL));
	assert_int_equal(0, strv_add(&s->environment.warnings, "::stop-commands::x\n| |", NULL));
}

/* All that verbose shows, and all that is remarked in any case. */
static inline void fixture_detailed(struct summary *s)
{
	struct bench *b = fixture_judged(s, "deep", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	struct metric *m = &b->metrics[0];

	b->n_disturbed = 1;
	b->n_void = 2;
	b->threshold = 0.01;
	b->iterations = 4096;
	assert_int_equal(0, str_set(&b->gate_why, "one thread", NULL));
	m->delta.p = 0.0004;
	m->delta.p_adjusted = 0.002;
	m->delta.confidence = 0.9875;
	m->described = true;
	m->mean = 1.03e6;
	m->ci_low = 1.02e6;
	m->ci_high = 1.04e6;
	m->stddev = 1e4;
	m->min = 1.02e6;
	m->max = m->p99 = 1.05e6;
	m->throughput_per_s = 970.87;
	m = bench_add_metric(b, "peak-rss", "bytes", BETTER_LOWER, NULL);
	assert_int_equal(0, samples_add(&m->samples, &m->n, 2097152, NULL));
	assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline, 1048576, NULL));
	m->has_delta = true;
	m->delta = (struct delta){ .ratio = 2, .low = 1.9, .high = 2.1 };
	m = bench_add_metric(b, "cycles", "1", BETTER_LOWER, NULL);
	m->state = METRIC_ABSENT;
	assert_int_equal(0, str_set(&m->reason, "no such counter here", NULL));
	b = fixture_judged(s, "flat", 1.001, 0.995, 1.006, VERDICT_UNCHANGED);
	b->threshold = (double)NAN;
	b->n_disturbed = 2;
	bench_add_metric(b, "instructions", "1", BETTER_LOWER, NULL)->state = METRIC_ABSENT;
	m = bench_find_metric(b, "instructions");
	assert_int_equal(0, str_set(&m->reason, "no such counter here", NULL));
	bench_add_metric(b, "cycles", "1", BETTER_LOWER, NULL)->state = METRIC_ABSENT;
	m = bench_find_metric(b, "cycles");
	assert_int_equal(0, str_set(&m->reason, "no such counter here", NULL));
	bench_add_metric(b, "switches", "1", BETTER_LOWER, NULL)->state = METRIC_FORBIDDEN;
	s->settings.runs_min = 20;
	s->settings.runs_max = 30;
	s->settings.min_time_ns = 250000000;
	s->settings.seed = 7;
	assert_int_equal(0, str_set(&s->settings.order, "interleaved", NULL));
	assert_int_equal(0, str_set(&s->machine.governor, "performance", NULL));
	s->environment.load = 0.25;
	s->environment.pressure = 1.5;
	s->environment.steal = 0.003;
}

/* n benchmarks with names and details of 100 bytes and more; one regressed, one failed. */
static inline void fixture_many(struct summary *s, int n)
{
	char name[128], detail[400];
	int i;

	fixture_init(s);
	memset(detail, '<', sizeof(detail) - 1);
	detail[sizeof(detail) - 1] = '\0';
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "bench/%080d|", i);
		if (i == n / 2)
			fixture_judged(s, name, 1.034, 1.021, 1.047, VERDICT_REGRESSED);
		else
			fixture_judged(s, name, 1.009, 0.985, 1.031, VERDICT_INCONCLUSIVE);
		assert_int_equal(0, str_set(&s->benchmarks[i].metrics[0].delta.note, detail, NULL));
	}
}

static inline size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text += strlen(part))
		n++;
	return n;
}

#endif
