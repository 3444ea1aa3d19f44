/* The closing sentence: what regressed, improved, stayed, or could not be judged. */
#include "tests/unit/reporter/sentence_fixture.h"

#include "lib/base/banned.h"

static void one_regression_of_four_is_named_with_its_interval(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", UNCHANGED);
	fixture_judged(&s, "deflate/6", SLOWER);
	fixture_judged(&s, "c", UNCHANGED);
	fixture_judged(&s, "d", UNDECIDED);
	expect(&s, "1 of 4 benchmarks regressed: deflate/6 is 3.4 % slower [2.1, 4.7] than "
		   "0f1e2d3; 1 inconclusive, 2 unchanged.");
}

static void of_several_regressions_the_strongest_is_named(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", SLOWER);
	fixture_judged(&s, "b", MUCH_SLOWER);
	expect(&s,
	       "Both benchmarks regressed, most of all b, which is 50.0 % slower [40.0, 60.0] than "
	       "0f1e2d3.");
}

static void a_single_benchmark_that_regressed_is_the_subject(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "deflate/6", SLOWER);
	expect(&s, "deflate/6 regressed: it is 3.4 % slower [2.1, 4.7] than 0f1e2d3.");
}

static void a_regression_of_another_metric_names_the_metric(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "x", SLOWER);
	assert_int_equal(0, str_set(&b->metrics[0].name, "peak-rss", NULL));
	assert_int_equal(0, str_set(&b->metrics[0].unit, "bytes", NULL));
	assert_int_equal(0, str_set(&b->gate, "peak-rss", NULL));
	expect(&s, "x regressed: it has 3.4 % more peak-rss [2.1, 4.7] against 0f1e2d3.");
}

static void a_regression_beside_a_failure_tells_both(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_failed(&s, "a", "status 1");
	fixture_judged(&s, "b", SLOWER);
	expect(&s, "1 of 2 benchmarks regressed: b is 3.4 % slower [2.1, 4.7] than 0f1e2d3; "
		   "1 failed.");
}

static void another_baseline_of_the_benchmark_is_the_one_that_is_named(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "b", SLOWER);
	assert_int_equal(0, str_set(&b->baseline_commit, HEAD_COMMIT, NULL));
	expect(&s, "b regressed: it is 3.4 % slower [2.1, 4.7] than a1b2c3d.");
}

static void improvements_are_told_when_nothing_is_worse(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", FASTER);
	fixture_judged(&s, "b", UNCHANGED);
	expect(&s, "1 of 2 benchmarks improved: a is 3.4 % faster [2.1, 4.7] than 0f1e2d3; "
		   "1 unchanged.");
}

/* It was the smallest change that is found half of the time, "would have been seen". */
static void no_change_says_what_is_ruled_out(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", UNCHANGED);
	b = fixture_judged(&s, "b", UNCHANGED);
	b->metrics[0].delta.high = 1.0123;
	b->metrics[0].delta.noise_floor = 0.02;
	expect(&s, "No change in 2 benchmarks against 0f1e2d3; a slowdown of 1.3 % is ruled out.");
	fixture_init(&s);
	fixture_judged(&s, "deflate/6", UNCHANGED);
	expect(&s, "No change in deflate/6 against 0f1e2d3; a slowdown of 0.6 % is ruled out.");
	fixture_init(&s);
	fixture_judged(&s, "a", 0.997, 0.995, 0.999, VERDICT_UNCHANGED);
	expect(&s, "No change in a against 0f1e2d3; a slowdown is ruled out.");
	fixture_init(&s);
	b = fixture_judged(&s, "a", 1.001, 0.996, 1.009, VERDICT_UNCHANGED);
	b->metrics[0].better = BETTER_HIGHER;
	expect(&s, "No change in a against 0f1e2d3; a change for the worse of 0.4 % is ruled out.");
}

static void no_change_claims_nothing_about_an_unknown_interval(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a", UNCHANGED);
	b = fixture_judged(&s, "b", UNCHANGED);
	b->metrics[0].delta.high = (double)NAN;
	expect(&s, "No change in 2 benchmarks against 0f1e2d3.");
}

static void make_identical(struct bench *b)
{
	assert_int_equal(0, str_set(&b->binary_id, "00ff", NULL));
	assert_int_equal(0, str_set(&b->base_binary_id, "00ff", NULL));
	b->paired = false;
}

static void identical_code_means_nothing_to_measure(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	make_identical(fixture_bench(&s, "a"));
	make_identical(fixture_bench(&s, "b"));
	expect(&s, "Both benchmarks are the same machine code as in 0f1e2d3: nothing to measure.");
	fixture_init(&s);
	make_identical(fixture_bench(&s, "a"));
	expect(&s, "a is the same machine code as in 0f1e2d3: nothing to measure.");
}

static void a_quiet_mixture_is_counted(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	make_identical(fixture_bench(&s, "a"));
	fixture_judged(&s, "b", UNCHANGED);
	fixture_bench(&s, "c")->is_new = true;
	fixture_bench(&s, "d")->status = BENCH_REMOVED;
	fixture_bench(&s, "e")->status = BENCH_SKIPPED;
	fixture_bench(&s, "f");
	expect(&s,
	       "No regression in the benchmarks compared (2 of 6): 1 unchanged, 1 identical, "
	       "1 added, 1 removed, 1 without a baseline, 1 skipped; a slowdown of 0.6 % is ruled "
	       "out for these.");
	fixture_init(&s);
	fixture_judged(&s, "b", UNCHANGED);
	fixture_bench(&s, "e")->status = BENCH_SKIPPED;
	expect(&s, "No regression in the benchmarks compared (1 of 2): 1 unchanged, 1 skipped; a "
		   "slowdown of 0.6 % is ruled out for this one.");
	fixture_init(&s);
	make_identical(fixture_bench(&s, "a"));
	fixture_judged(&s, "b", UNCHANGED);
	expect(&s,
	       "No regression in 2 benchmarks: 1 unchanged, 1 identical; a slowdown of 0.6 % is "
	       "ruled out.");
}

/* It was "No regression in 2 benchmarks". */
static void what_was_not_compared_shows_no_regression_and_none_is_denied(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_bench(&s, "a")->status = BENCH_SKIPPED;
	fixture_bench(&s, "b")->status = BENCH_SKIPPED;
	expect(&s, "Nothing was compared: 2 skipped.");
	fixture_init(&s);
	fixture_bench(&s, "a")->is_new = true;
	fixture_bench(&s, "b");
	expect(&s, "Nothing was compared: 1 added, 1 without a baseline.");
}

static void an_added_benchmark_alone_is_named(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_bench(&s, "c")->is_new = true;
	expect(&s, "Nothing was compared: c is in the head alone.");
}

static void without_a_baseline_the_reason_is_given(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	assert_int_equal(0, str_set(&s.baseline.commit, NULL, NULL));
	assert_int_equal(0, str_set(&s.baseline.why, "the first commit", NULL));
	fixture_gate(fixture_bench(&s, "a"), 1e6, (double)NAN);
	fixture_gate(fixture_bench(&s, "b"), 1e6, (double)NAN);
	expect(&s, "2 benchmarks were measured, with nothing to compare them with: the first "
		   "commit.");
	fixture_init(&s);
	fixture_gate(fixture_bench(&s, "a"), 1e6, (double)NAN);
	expect(&s, "a was measured, with nothing to compare it with.");
}

static void failures_alone_leave_nothing_to_judge(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_failed(&s, "a", "status 1");
	expect(&s, "a failed: nothing to judge.");
	fixture_init(&s);
	fixture_failed(&s, "a", "status 1");
	fixture_failed(&s, "b", "status 1");
	expect(&s, "Both benchmarks failed: nothing to judge.");
	fixture_init(&s);
	fixture_failed(&s, "a", "status 1");
	fixture_failed(&s, "b", "status 1");
	fixture_failed(&s, "c", "status 1");
	expect(&s, "All 3 benchmarks failed: nothing to judge.");
	fixture_init(&s);
	fixture_failed(&s, "b", "status 1");
	fixture_judged(&s, "a", UNCHANGED);
	expect(&s, "1 of 2 benchmarks failed: b; 1 unchanged.");
}

/* Of how a reason is worded nothing is concluded: results of before do not say which side it was.
 */
static void a_side_that_does_not_build_is_named(void **state)
{
	static const char *const sentences[] = {
		"a failed: nothing to judge.",
		"Nothing was compared: the base (58d83f) does not build.",
		"Nothing was compared: the head (aaaaaaaaaaaa) does not build.",
		"Nothing was compared: the base (58d83f) and the head (aaaaaaaaaaaa) do not build.",
	};
	struct summary s;
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		fixture_init(&s);
		fixture_failed(&s, "a", "the base (58d83f): the build exited with status 2: x");
		assert_int_equal(str_set(&s.unbuilt.base, i & 1 ? "58d83f" : NULL, NULL), 0);
		assert_int_equal(str_set(&s.unbuilt.head, i & 2 ? "aaaaaaaaaaaaaaaa" : NULL, NULL),
				 0);
		expect(&s, sentences[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_side_that_does_not_build_is_named),
		cmocka_unit_test(one_regression_of_four_is_named_with_its_interval),
		cmocka_unit_test(of_several_regressions_the_strongest_is_named),
		cmocka_unit_test(a_single_benchmark_that_regressed_is_the_subject),
		cmocka_unit_test(a_regression_of_another_metric_names_the_metric),
		cmocka_unit_test(a_regression_beside_a_failure_tells_both),
		cmocka_unit_test(another_baseline_of_the_benchmark_is_the_one_that_is_named),
		cmocka_unit_test(improvements_are_told_when_nothing_is_worse),
		cmocka_unit_test(no_change_says_what_is_ruled_out),
		cmocka_unit_test(no_change_claims_nothing_about_an_unknown_interval),
		cmocka_unit_test(identical_code_means_nothing_to_measure),
		cmocka_unit_test(a_quiet_mixture_is_counted),
		cmocka_unit_test(what_was_not_compared_shows_no_regression_and_none_is_denied),
		cmocka_unit_test(an_added_benchmark_alone_is_named),
		cmocka_unit_test(without_a_baseline_the_reason_is_given),
		cmocka_unit_test(failures_alone_leave_nothing_to_judge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
