/* What a benchmark was compared with, and what came and went. */
#include "tests/unit/collector/fill_fixture.h"

#include "lib/base/banned.h"

static void a_base_that_was_given_up_says_why(void **state)
{
	struct unit *u = add_unit("x");
	struct bench *b;

	(void)state;
	add_ancestor("aa", 64, BENCH_OK, 50);
	u->has_base = false;
	assert_int_equal(0, str_set(&u->base_failure, "was killed by SIGILL", NULL));
	b = fill();
	assert_int_equal(BENCH_OK, b->status);
	assert_false(b->paired);
	assert_non_null(strstr(b->detail, "was killed by SIGILL"));
	assert_string_equal("stored", b->baseline_how);
	assert_int_equal(2, bench_find_metric(b, "cpu")->n_baseline);
	assert_false(has_track(b, "log_ratio.cpu"));
	assert_false(has_track(b, "order"));
}

static void identical_code_is_identical(void **state)
{
	struct unit *u = add_unit("x");
	struct bench *b;

	(void)state;
	add_ancestor("aa", 64, BENCH_OK, 50);
	u->has_base = false;
	u->identical = true;
	u->n_pairs = 0;
	assert_int_equal(0, str_set(&u->head.binary_id, "ff", NULL));
	assert_int_equal(0, str_set(&u->base.binary_id, "ff", NULL));
	b = fill();
	assert_int_equal(VERDICT_IDENTICAL, bench_verdict(b));
	assert_string_equal("identical", b->baseline_how);
	assert_int_equal(0, b->n_metrics);
}

static void a_rerun_baseline_says_so(void **state)
{
	struct bench *b;

	(void)state;
	add_ancestor("aa", 64, BENCH_FAILED, 50);
	add_ancestor("bb", 64, BENCH_OK, 50);
	add_unit("x");
	b = fill();
	assert_string_equal("rerun", b->baseline_how);
	assert_string_equal("bb", b->baseline_commit); /* not the nearest commit with results */
	assert_int_equal(N_PAIRS, bench_find_metric(b, "cpu")->n_baseline);
}

static void stored_samples_come_from_the_nearest_of_the_same_n(void **state)
{
	struct bench *b;

	(void)state;
	add_ancestor("aa", 32, BENCH_OK, 40);
	add_ancestor("bb", 64, BENCH_TIMEOUT, 45);
	add_ancestor("b2", 64, BENCH_OK, 47);
	assert_int_equal(0, str_set(&history.v[2].benchmarks[0].format, "command", NULL));
	add_ancestor("cc", 64, BENCH_OK, 50);
	add_ancestor("dd", 64, BENCH_OK, 60);
	add_unit("x")->has_base = false;
	b = fill();
	assert_string_equal("stored", b->baseline_how);
	assert_string_equal("cc", b->baseline_commit);
	assert_true(bench_find_metric(b, "cpu")->baseline_samples[0] == 50);
	assert_int_equal(2, bench_find_metric(b, "cpu")->n_baseline); /* all of them */
	assert_int_equal(0, bench_find_metric(b, "wall")->n_baseline);
	assert_false(b->paired);
}

static void stored_samples_of_another_unit_are_not_compared(void **state)
{
	struct bench *b;

	(void)state;
	add_ancestor("aa", 64, BENCH_OK, 40);
	assert_int_equal(0, str_set(&history.v[0].benchmarks[0].metrics[0].unit, "1/s", NULL));
	add_unit("x")->has_base = false;
	b = fill();
	assert_int_equal(0, bench_find_metric(b, "cpu")->n_baseline);
}

static void what_no_ancestor_had_is_new(void **state)
{
	(void)state;
	add_ancestor("aa", 64, BENCH_OK, 50);
	add_unit("y")->has_base = false;
	assert_true(fill()->is_new);
	assert_int_equal(VERDICT_ADDED, bench_verdict(&out.benchmarks[0]));
	assert_int_equal(2, out.n_benchmarks); /* and "x" is gone */
	assert_int_equal(VERDICT_REMOVED, bench_verdict(summary_find(&out, "x")));
}

static void in_the_first_commit_nothing_is_new(void **state)
{
	(void)state;
	add_unit("x")->has_base = false;
	assert_false(fill()->is_new);
	assert_int_equal(VERDICT_NO_BASELINE, bench_verdict(&out.benchmarks[0]));
}

static void what_was_removed_before_is_not_removed_again(void **state)
{
	(void)state;
	add_ancestor("aa", 64, BENCH_REMOVED, 50);
	add_unit("y");
	fill();
	assert_int_equal(1, out.n_benchmarks);
}

/* As many as a result holds, and one that is gone since: it is kept, and says what it leaves out.
 */
static void what_is_removed_never_makes_a_result_too_large(void **state)
{
	char name[16];
	int i;

	(void)state;
	add_ancestor("aa", 64, BENCH_OK, 50);
	for (i = 0; i < SUMMARY_MAX_BENCHMARKS; i++) {
		snprintf(name, sizeof(name), "%d", i);
		config.name = name;
		assert_non_null(plan_add(&plan, &config, NULL, &err));
	}
	fill();
	assert_int_equal(SUMMARY_MAX_BENCHMARKS, out.n_benchmarks);
	assert_int_equal(1, out.environment.warnings.n);
	assert_non_null(
		strstr(out.environment.warnings.v[0], "that were removed 1 are not listed"));
	assert_null(plan_add(&plan, &config, NULL, &err));
	assert_int_equal(ERR_CONFIG, err.code);
	assert_non_null(strstr(err.text, "more than 10000 benchmarks"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_base_that_was_given_up_says_why),
		TEST(identical_code_is_identical),
		TEST(a_rerun_baseline_says_so),
		TEST(stored_samples_come_from_the_nearest_of_the_same_n),
		TEST(stored_samples_of_another_unit_are_not_compared),
		TEST(what_no_ancestor_had_is_new),
		TEST(in_the_first_commit_nothing_is_new),
		TEST(what_was_removed_before_is_not_removed_again),
		TEST(what_is_removed_never_makes_a_result_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
