/* summary_encode and summary_decode give each other's input back, and refuse bad documents. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/summary.h"

#define ID "01JD0000000000000000000000"
#define SHA "0123456789abcdef0123456789abcdef01234567"

/* A summary with one benchmark of two metrics, one of them absent. */
static void fill(struct summary *s)
{
	struct bench *b;
	struct metric *m;
	struct track *t;

	summary_init(s);
	assert_int_equal(str_set(&s->id, ID, NULL), 0);
	assert_int_equal(str_set(&s->project, "zlib", NULL), 0);
	assert_int_equal(str_set(&s->commit.id, SHA, NULL), 0);
	assert_int_equal(str_set(&s->commit.tree, SHA, NULL), 0);
	assert_int_equal(str_set(&s->commit.subject, "say \"hi\" \xff", NULL), 0);
	assert_int_equal(strv_add(&s->commit.parents, SHA, NULL), 0);
	s->commit.author_time_us = 1763632800000000;
	s->commit.commit_time_us = 1763632800123000;
	assert_int_equal(str_set(&s->machine.id, "0011223344556677", NULL), 0);
	s->machine.cores = 8;
	assert_int_equal(facts_add(&s->machine.more, "smt", "on", NULL), 0);
	assert_int_equal(strv_add(&s->environment.warnings, "load is 3: stop it", NULL), 0);
	s->environment.load = 0.5;
	s->settings.runs_min = 20;
	s->settings.runs_max = 30;
	s->settings.min_time_ns = 250000000;
	s->settings.confidence = 0.95;
	s->settings.threshold = 0.01;
	s->settings.seed = UINT64_MAX;
	b = summary_add_bench(s, "deflate/6", NULL);
	assert_non_null(b);
	assert_int_equal(str_set(&b->gate, "cpu", NULL), 0);
	b->paired = true;
	b->iterations = 4096;
	m = bench_add_metric(b, "cpu", "ns", BETTER_LOWER, NULL);
	assert_non_null(m);
	assert_int_equal(samples_add(&m->samples, &m->n, 0.1, NULL), 0);
	assert_int_equal(samples_add(&m->samples, &m->n, 1.0 / 3.0, NULL), 0);
	assert_int_equal(samples_add(&m->baseline_samples, &m->n_baseline, 123456789.25, NULL), 0);
	m->described = true;
	m->mean = 0.25;
	m->ci_low = (double)NAN;
	m->ci_high = (double)NAN;
	m->has_delta = true;
	m->delta.ratio = 1.034;
	m->delta.low = 1.021;
	m->delta.high = HUGE_VAL;
	m->delta.verdict = VERDICT_REGRESSED;
	m = bench_add_metric(b, "cycles", "1", BETTER_LOWER, NULL);
	assert_non_null(m);
	m->state = METRIC_ABSENT;
	assert_int_equal(str_set(&m->reason, "no such event", NULL), 0);
	t = bench_add_track(b, "order", NULL);
	assert_non_null(t);
	assert_int_equal(samples_add(&t->head, &t->n_head, 1, NULL), 0);
}

static void encoded(struct buf *out)
{
	struct summary s;

	fill(&s);
	assert_int_equal(summary_encode(&s, 0, out, NULL), 0);
	summary_release(&s);
}

static void what_is_written_is_read_back_to_the_bit(void **state)
{
	struct buf one = BUF_INIT, two = BUF_INIT;
	struct summary s;
	const struct bench *b;
	struct err err = ERR_INIT;

	(void)state;
	encoded(&one);
	assert_int_equal(summary_decode(one.data, one.len, &s, &err), 0);
	b = summary_find(&s, "deflate/6");
	assert_non_null(b);
	assert_true(b->metrics[0].samples[1] == 1.0 / 3.0);
	assert_int_equal(b->metrics[1].state, METRIC_ABSENT);
	assert_true(isinf(b->metrics[0].delta.high));
	assert_int_equal(bench_verdict(b), VERDICT_REGRESSED);
	assert_int_equal(s.settings.seed, INT64_MAX);
	assert_string_equal(facts_find(&s.machine.more, "smt"), "on");
	assert_true(isnan(s.environment.steal));
	assert_string_equal(s.commit.subject, "say \"hi\" \xef\xbf\xbd");
	assert_int_equal(summary_encode(&s, 0, &two, NULL), 0);
	assert_string_equal(buf_str(&one), buf_str(&two));
	summary_release(&s);
	buf_release(&one);
	buf_release(&two);
}

static void an_interval_that_is_not_known_is_not_an_infinite_one(void **state)
{
	struct buf out = BUF_INIT;
	const struct delta *d;
	struct summary s;

	(void)state;
	fill(&s);
	s.benchmarks[0].metrics[0].delta.low = (double)NAN;
	s.benchmarks[0].metrics[0].delta.high = (double)NAN;
	assert_int_equal(summary_encode(&s, 0, &out, NULL), 0);
	summary_release(&s);
	assert_int_equal(summary_decode(out.data, out.len, &s, NULL), 0);
	d = &s.benchmarks[0].metrics[0].delta;
	assert_true(isnan(d->low) && isnan(d->high));
	summary_release(&s);
	buf_release(&out);
}

static void indented_text_reads_the_same(void **state)
{
	struct buf one = BUF_INIT, two = BUF_INIT, pretty = BUF_INIT;
	struct summary s;

	(void)state;
	encoded(&one);
	fill(&s);
	assert_int_equal(summary_encode(&s, 2, &pretty, NULL), 0);
	summary_release(&s);
	assert_int_equal(summary_decode(pretty.data, pretty.len, &s, NULL), 0);
	assert_int_equal(summary_encode(&s, 0, &two, NULL), 0);
	assert_string_equal(buf_str(&one), buf_str(&two));
	summary_release(&s);
	buf_release(&one);
	buf_release(&two);
	buf_release(&pretty);
}

/* Replaces the first `from` in a valid document by `to` and decodes it. */
static int decode_with(const char *from, const char *to, struct err *err)
{
	struct buf doc = BUF_INIT, bad = BUF_INIT;
	struct summary s;
	const char *at;
	int result;

	encoded(&doc);
	at = strstr(doc.data, from);
	assert_non_null(at);
	buf_add(&bad, doc.data, (size_t)(at - doc.data));
	buf_adds(&bad, to);
	buf_adds(&bad, at + strlen(from));
	result = summary_decode(bad.data, bad.len, &s, err);
	if (!result)
		summary_release(&s);
	buf_release(&doc);
	buf_release(&bad);
	return result;
}

static void each_fault_names_its_place(void **state)
{
	static const struct {
		const char *from, *to;
		enum err_code code;
		const char *text;
	} cases[] = {
		{ "pawl.summary/1", "pawl.summary/2", ERR_NEWER,
		  "schema: is of version 2; only pawl.summary/1 is read" },
		{ "pawl.summary/1", "pawl.summary/x", ERR_NEWER,
		  "schema: is of another version than pawl.summary/1" },
		{ "pawl.summary/1", "other", ERR_RANGE, "schema: must be" },
		{ ID, "01JD", ERR_RANGE, "id: must be a ULID" },
		{ "\"project\":\"zlib\"", "\"project\":\"\"", ERR_RANGE, "project: is empty" },
		{ "\"project\":\"zlib\"", "\"project\":7", ERR_RANGE, "project: must be a string" },
		{ "\"project\":\"zlib\"", "\"project\":\"z\\u0007\"", ERR_RANGE,
		  "control character" },
		{ "\"project\":\"zlib\"", "\"project\":\"z\\u009b\"", ERR_RANGE,
		  "control character" },
		{ "\"project\":\"zlib\",", "", ERR_RANGE, "project: is missing" },
		{ SHA "\",\"parents", "xyz\",\"parents", ERR_RANGE, "commit.id: must be 40" },
		{ "2025-11-20T10:00:00Z", "yesterday", ERR_RANGE, "commit.author_time: must be" },
		{ "\"unit\":\"ns\"", "\"unit\":null", ERR_RANGE,
		  "benchmarks[0].metrics[0].unit: is missing" },
		{ "\"better\":\"lower\"", "\"better\":\"faster\"", ERR_RANGE,
		  "benchmarks[0].metrics[0].better" },
		{ "[1.021,null]", "[1.1,1.0]", ERR_RANGE, "delta.ci: has its low end above" },
		{ "\"regressed\",\"detail", "\"slower\",\"detail", ERR_NONE, NULL },
		{ "\"name\":\"cycles\"", "\"name\":\"cpu\"", ERR_RANGE,
		  "metrics[1].name: appears" },
		{ "[0.1,", "[NaN,", ERR_SYNTAX, "line 1" },
		{ "[0.1,", "[1e400,", ERR_SYNTAX, "line 1" },
		{ "[0.1,", "[\"1\",", ERR_RANGE, "samples: must hold numbers" },
		{ "{\"schema\"", "{\"schema\":\"x\",\"schema\"", ERR_SYNTAX, "duplicate" },
		{ "\"confidence\":0.95", "\"confidence\":1.5", ERR_RANGE, "settings.confidence" },
		{ "\"warnings\":[", "\"warnings\":[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]],",
		  ERR_LIMIT, "deeper than 16" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = ERR_INIT;
		int result = decode_with(cases[i].from, cases[i].to, &err);

		assert_int_equal(result, cases[i].code == ERR_NONE ? 0 : -1);
		assert_int_equal(err.code, cases[i].code);
		if (cases[i].text && !strstr(err.text, cases[i].text))
			fail_msg("'%s' does not say '%s'", err.text, cases[i].text);
	}
}

/* What programs and authors write into texts must not make a document that nobody can read. */
static void hostile_texts_are_written_so_that_they_can_be_read(void **state)
{
	struct buf doc = BUF_INIT, longest = BUF_INIT;
	struct summary s;
	struct err err = ERR_INIT;

	(void)state;
	fill(&s);
	assert_int_equal(str_set(&s.commit.subject, "a\rb\033[0m\177", NULL), 0);
	buf_addn(&longest, '\xff', 100000);
	assert_int_equal(str_set(&s.benchmarks[0].detail, buf_str(&longest), NULL), 0);
	assert_int_equal(str_set(&s.commit.branch, buf_str(&longest), NULL), 0);
	/* names of files and of functions */
	assert_int_equal(strv_add(&s.environment.warnings,
				  "a\xc2\x85"
				  "b\001.c",
				  NULL),
			 0);
	assert_int_equal(strv_add(&s.environment.warnings, buf_str(&longest), NULL), 0);
	assert_int_equal(summary_encode(&s, 0, &doc, NULL), 0);
	summary_release(&s);
	assert_int_equal(summary_decode(doc.data, doc.len, &s, &err), 0);
	assert_string_equal(s.commit.subject, "a?b?[0m?");
	assert_true(strlen(s.benchmarks[0].detail) > 4000);
	assert_int_equal(s.environment.warnings.n, 3);
	assert_string_equal(s.environment.warnings.v[1], "a?b?.c");
	summary_release(&s);
	buf_release(&doc);
	buf_release(&longest);
}

static void one_name_twice_is_refused(void **state)
{
	struct buf doc = BUF_INIT;
	struct summary s;
	struct err err = ERR_INIT;

	(void)state;
	fill(&s);
	assert_non_null(summary_add_bench(&s, "deflate/6", NULL));
	assert_int_equal(summary_encode(&s, 0, &doc, NULL), 0);
	summary_release(&s);
	assert_int_equal(summary_decode(doc.data, doc.len, &s, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	buf_release(&doc);
}

static void every_cut_document_is_refused(void **state)
{
	struct buf doc = BUF_INIT;
	struct summary s;
	size_t n;

	(void)state;
	encoded(&doc);
	for (n = 0; n < doc.len; n += 7)
		assert_int_equal(summary_decode(doc.data, n, &s, NULL), -1);
	buf_release(&doc);
}

static void a_sample_that_is_not_finite_is_refused(void **state)
{
	double *x = NULL;
	size_t n = 0;

	(void)state;
	assert_int_equal(samples_add(&x, &n, (double)NAN, NULL), -1);
	assert_int_equal(samples_add(&x, &n, HUGE_VAL, NULL), -1);
	assert_int_equal(n, 0);
	free(x);
}

static void the_verdict_follows_status_identity_and_gate(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fill(&s);
	b = &s.benchmarks[0];
	assert_int_equal(bench_verdict(b), VERDICT_REGRESSED);
	b->status = BENCH_TIMEOUT;
	assert_int_equal(bench_verdict(b), VERDICT_FAILED);
	b->status = BENCH_OK;
	b->metrics[0].has_delta = false;
	assert_int_equal(bench_verdict(b), VERDICT_INCONCLUSIVE);
	b->paired = false;
	assert_int_equal(bench_verdict(b), VERDICT_NO_BASELINE);
	b->is_new = true;
	assert_int_equal(bench_verdict(b), VERDICT_ADDED);
	assert_int_equal(str_set(&b->binary_id, "aa", NULL), 0);
	assert_int_equal(str_set(&b->base_binary_id, "aa", NULL), 0);
	assert_int_equal(bench_verdict(b), VERDICT_IDENTICAL);
	assert_int_equal(str_set(&b->base_binary_id, "bb", NULL), 0);
	assert_int_equal(bench_verdict(b), VERDICT_ADDED);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back_to_the_bit),
		cmocka_unit_test(an_interval_that_is_not_known_is_not_an_infinite_one),
		cmocka_unit_test(indented_text_reads_the_same),
		cmocka_unit_test(each_fault_names_its_place),
		cmocka_unit_test(hostile_texts_are_written_so_that_they_can_be_read),
		cmocka_unit_test(one_name_twice_is_refused),
		cmocka_unit_test(every_cut_document_is_refused),
		cmocka_unit_test(a_sample_that_is_not_finite_is_refused),
		cmocka_unit_test(the_verdict_follows_status_identity_and_gate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
