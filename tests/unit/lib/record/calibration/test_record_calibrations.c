/* What comparisons of benchmarks with themselves gave: kept, bounded, and told in short. */
#include "tests/unit/reporter_fixture.h"

#include <math.h>
#include <stdlib.h>

#include "lib/record/calibration/calibrations.h"

#include "lib/base/banned.h"

/* Adds one A/A comparison of benchmark "x" with that ratio and verdict. */
static void add(struct calibrations *c, double ratio, enum verdict verdict)
{
	struct summary s;
	struct bench *b;

	fixture_init(&s);
	s.finished_us = 1000000;
	b = fixture_judged(&s, "x", ratio, ratio * 0.99, ratio * 1.01, verdict);
	bench_find_metric(b, b->gate)->delta.noise_floor = 0.01;
	assert_int_equal(0, calibrations_add(c, &s, NULL));
	summary_release(&s);
}

static void few_comparisons_conclude_nothing(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT;
	int i;

	(void)state;
	for (i = 1; i < CALIBRATIONS_FEWEST; i++)
		add(&c, 1.5, VERDICT_REGRESSED);
	assert_int_equal(c.n, 1);
	assert_int_equal(calibrated_in_short(&c.v[0]).n, CALIBRATIONS_FEWEST - 1);
	assert_true(calibrated_in_short(&c.v[0]).floor == 0);
	calibrations_release(&c);
}

static void the_floor_follows_the_typical_difference(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT;
	int i;

	(void)state;
	for (i = 1; i <= 101; i++)
		add(&c, exp((i % 2 ? 1 : -1) * i * 0.0001), VERDICT_UNCHANGED);
	/* the median of 0.0001 .. 0.0101 is 0.0051; the factor as below */
	assert_true(fabs(calibrated_in_short(&c.v[0]).floor - expm1(3.391646931 * 0.0051)) < 1e-9);
	calibrations_release(&c);
}

/*
 * 95 % of the comparisons stay below it with 90 % confidence.  The factors are
 * 1.959964 / qnorm(0.5 + qbeta(0.1, n %/% 2 + 1, n - n %/% 2) / 2), by exact sums of binomial
 * probabilities in Python; 2.9058 for all was exceeded by 7 to 17 % of further comparisons.
 */
static void few_comparisons_have_a_wider_bound(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT;
	int i;

	(void)state;
	for (i = 0; i < 5; i++)
		add(&c, exp(0.001), VERDICT_UNCHANGED);
	assert_true(fabs(calibrated_in_short(&c.v[0]).floor - expm1(6.237804065 * 0.001)) < 1e-9);
	for (; i < 10; i++)
		add(&c, exp(-0.001), VERDICT_UNCHANGED);
	assert_true(fabs(calibrated_in_short(&c.v[0]).floor - expm1(4.264250288 * 0.001)) < 1e-9);
	for (; i < CALIBRATIONS_KEPT; i++)
		add(&c, exp(0.001), VERDICT_UNCHANGED);
	assert_true(fabs(calibrated_in_short(&c.v[0]).floor - expm1(3.219554390 * 0.001)) < 1e-9);
	calibrations_release(&c);
}

static void one_disturbed_comparison_does_not_raise_the_floor(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT;
	int i;

	(void)state;
	for (i = 0; i < 9; i++)
		add(&c, 1.001, VERDICT_UNCHANGED);
	add(&c, 1.748, VERDICT_REGRESSED);
	assert_true(calibrated_in_short(&c.v[0]).floor < 0.005);
	calibrations_release(&c);
}

static void called_ones_are_counted_as_false(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT;

	(void)state;
	add(&c, 1.03, VERDICT_REGRESSED);
	add(&c, 0.97, VERDICT_IMPROVED);
	add(&c, 1.0, VERDICT_INCONCLUSIVE);
	assert_int_equal(calibrated_in_short(&c.v[0]).n_false, 2);
	calibrations_release(&c);
}

static void the_oldest_go_when_there_are_enough(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT;
	int i;

	(void)state;
	add(&c, 2.0, VERDICT_REGRESSED);
	for (i = 0; i < CALIBRATIONS_KEPT; i++)
		add(&c, 1.0, VERDICT_UNCHANGED);
	assert_int_equal(calibrated_in_short(&c.v[0]).n, CALIBRATIONS_KEPT);
	assert_int_equal(calibrated_in_short(&c.v[0]).n_false, 0);
	calibrations_release(&c);
}

/* Of a quarter of the pairs that there may be: half of the interval, and half of that. */
static void the_interval_of_all_pairs_is_kept(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT, back;
	struct buf text = BUF_INIT;
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "x", 1.0, exp(-0.02), exp(0.02), VERDICT_UNCHANGED);
	b->threshold = 0.03;
	b->looks = (struct looks){ { 12, 0 }, 2 };
	b->looks.pairs[1] = 4 * (unsigned)bench_find_metric(b, b->gate)->n;
	calibrations_release(&c);
	assert_int_equal(0, calibrations_add(&c, &s, NULL));
	assert_int_equal(0, calibrations_encode(&c, &text, NULL));
	assert_int_equal(0, calibrations_decode(text.data, text.len, &back, NULL));
	assert_true(fabs(calibrated_half(&back.v[0]) - 0.01) < 1e-12);
	assert_true(back.v[0].threshold == 0.03);
	assert_int_equal(back.v[0].n_points, 2);
	summary_release(&s);
	buf_release(&text);
	calibrations_release(&c);
	calibrations_release(&back);
}

static void the_document_reads_back(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT, back;
	struct buf text = BUF_INIT, again = BUF_INIT;
	struct summary s;
	int i;

	(void)state;
	add(&c, 1.002, VERDICT_UNCHANGED);
	add(&c, 1.003, VERDICT_REGRESSED);
	assert_int_equal(0, calibrations_encode(&c, &text, NULL));
	assert_int_equal(0, calibrations_decode(text.data, text.len, &back, NULL));
	assert_int_equal(0, calibrations_encode(&back, &again, NULL));
	assert_string_equal(buf_str(&text), buf_str(&again));
	for (i = 0; i < 9; i++)
		add(&back, 1.004, VERDICT_UNCHANGED);
	assert_int_equal(calibrated_in_short(&back.v[0]).n, 11);
	fixture_init(&s);
	str_set(&fixture_bench(&s, "x")->gate, back.v[0].metric, NULL);
	str_set(&fixture_bench(&s, "y")->gate, back.v[0].metric, NULL);
	calibrations_apply(&back, &s);
	assert_int_equal(summary_find(&s, "x")->calibration.n, 11);
	assert_int_equal(summary_find(&s, "x")->calibration.n_false, 1);
	assert_int_equal(summary_find(&s, "y")->calibration.n, 0);
	summary_release(&s);
	buf_release(&text);
	buf_release(&again);
	calibrations_release(&c);
	calibrations_release(&back);
}

/* A machine's noise in wall time hid changes of instructions. */
static void what_one_metric_differed_by_is_not_applied_to_another(void **state)
{
	struct calibrations c = CALIBRATIONS_INIT, back;
	struct buf text = BUF_INIT;
	struct summary s;
	struct bench *b;
	int i;

	(void)state;
	for (i = 0; i < 6; i++)
		add(&c, 1.02, VERDICT_UNCHANGED);
	assert_int_equal(0, calibrations_encode(&c, &text, NULL));
	assert_int_equal(0, calibrations_decode(text.data, text.len, &back, NULL));
	fixture_init(&s);
	b = fixture_bench(&s, "x");
	str_set(&b->gate, back.v[0].metric, NULL);
	calibrations_apply(&back, &s);
	assert_true(b->calibration.n == 6 && b->calibration.floor > 0.02);
	b->calibration = (struct calibration){ 0 };
	str_set(&b->gate, "instructions", NULL);
	calibrations_apply(&back, &s);
	assert_true(b->calibration.n == 0 && b->calibration.floor == 0);
	/* Kept before the metric was: it is taken for all, as it was then. */
	free(back.v[0].metric);
	back.v[0].metric = NULL;
	calibrations_apply(&back, &s);
	assert_int_equal(b->calibration.n, 6);
	add(&back, 1.01, VERDICT_UNCHANGED); /* and begins anew */
	assert_int_equal(back.v[0].n_log_ratios, 1);
	summary_release(&s);
	buf_release(&text);
	calibrations_release(&c);
	calibrations_release(&back);
}

static void layouts_are_of_the_newest_and_of_one_metric(void **state)
{
	const struct layout_calibration first = { 8, 0.02, 0.01, 0.03, 0.06, 0.03 },
					second = { 16, 0.007, 0.005, 0.011, 0.02, 0.0101 };
	struct calibrations c = CALIBRATIONS_INIT, back;
	struct buf text = BUF_INIT;
	struct summary s;
	struct bench *b;

	(void)state;
	add(&c, 1.002, VERDICT_UNCHANGED);
	assert_int_equal(0, calibrations_keep_layouts(&c, "x", "cpu", &first, NULL));
	assert_int_equal(0, calibrations_keep_layouts(&c, "x", "cpu", &second, NULL));
	assert_int_equal(0, calibrations_encode(&c, &text, NULL));
	assert_int_equal(0, calibrations_decode(text.data, text.len, &back, NULL));
	fixture_init(&s);
	b = fixture_bench(&s, "x");
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	calibrations_apply(&back, &s);
	assert_int_equal(b->calibration.layouts.n, 16);
	assert_true(b->calibration.layouts.spread == second.spread);
	assert_true(b->calibration.layouts.low == second.low);
	assert_true(b->calibration.layouts.high == second.high);
	assert_true(b->calibration.layouts.floor == second.floor);
	assert_true(b->calibration.layouts.scatter == second.scatter);
	assert_int_equal(0, str_set(&b->gate, "wall", NULL));
	calibrations_apply(&back, &s);
	assert_int_equal(b->calibration.layouts.n, 0);
	assert_int_equal(b->calibration.n, 1);
	assert_null(calibrations_find(&back, "y"));
	summary_release(&s);
	buf_release(&text);
	calibrations_release(&c);
	calibrations_release(&back);
}

static void damaged_documents_are_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"[]",
		"{\"schema\": \"pawl.calibrations/2\", \"benchmarks\": []}",
		"{\"schema\": \"pawl.calibrations/1\", \"benchmarks\": [1]}",
		"{\"schema\": \"pawl.calibrations/1\", \"benchmarks\": [{\"name\": \"x\", "
		"\"log_ratios\": [0.1], \"noise_floors\": [], \"false_calls\": [0], "
		"\"when\": \"2026-11-20T10:00:00Z\"}]}",
		"{\"schema\": \"pawl.calibrations/1\", \"benchmarks\": [{\"name\": \"x\", "
		"\"log_ratios\": [], \"noise_floors\": [], \"false_calls\": [], "
		"\"when\": \"2026-11-20T10:00:00Z\", \"layouts\": {\"n\": 16, "
		"\"spread\": 0.1, \"low\": 0.1, \"high\": 0.1, \"floor\": 0.3, \"scatter\": "
		"0.1}}]}",
	};
	struct calibrations c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(-1, calibrations_decode(bad[i], strlen(bad[i]), &c, NULL));
		assert_int_equal(c.n, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(few_comparisons_conclude_nothing),
		cmocka_unit_test(the_floor_follows_the_typical_difference),
		cmocka_unit_test(few_comparisons_have_a_wider_bound),
		cmocka_unit_test(one_disturbed_comparison_does_not_raise_the_floor),
		cmocka_unit_test(called_ones_are_counted_as_false),
		cmocka_unit_test(the_oldest_go_when_there_are_enough),
		cmocka_unit_test(the_interval_of_all_pairs_is_kept),
		cmocka_unit_test(the_document_reads_back),
		cmocka_unit_test(what_one_metric_differed_by_is_not_applied_to_another),
		cmocka_unit_test(layouts_are_of_the_newest_and_of_one_metric),
		cmocka_unit_test(damaged_documents_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
