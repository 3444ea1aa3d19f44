/* How many pairs a comparison runs: planned beforehand, by what was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "collector/compare/names.h"
#include "collector/compare/plan.h"

#include "lib/base/banned.h"

static struct config config;
static struct compare_request rq;

static int begin(void **state)
{
	(void)state;
	config_init(&config);
	rq = (struct compare_request){ .config = &config };
	return 0;
}

static int end(void **state)
{
	(void)state;
	config_release(&config);
	return 0;
}

static void plan_is(int least, int most)
{
	int min, max;

	compare_plan_runs(&rq, &min, &max);
	assert_int_equal(min, least);
	assert_int_equal(max, most);
}

static void twelve_to_400_pairs_unless_something_else_is_said(void **state)
{
	(void)state;
	plan_is(12, 400);
}

static void quick_ends_earlier_with_shorter_runs(void **state)
{
	(void)state;
	rq.quick = true;
	plan_is(12, 68);
	assert_int_equal(compare_plan_min_time_ns(&rq), 10000000);
	config.min_time_ns = 1000000;
	assert_int_equal(compare_plan_min_time_ns(&rq), 1000000);
	config.runs_min = config.runs_max = 100;
	plan_is(68, 68);
}

static void runs_are_short_unless_it_is_said(void **state)
{
	(void)state;
	config.min_time_ns = 250000000;
	assert_int_equal(compare_plan_min_time_ns(&rq), 20000000);
	config.min_time_given = true;
	assert_int_equal(compare_plan_min_time_ns(&rq), 250000000);
	rq.quick = true;
	assert_int_equal(compare_plan_min_time_ns(&rq), 10000000);
}

static void a_number_of_pairs_is_kept_to(void **state)
{
	(void)state;
	rq.pairs = 40;
	plan_is(40, 40);
}

static void configured_runs_are_kept_to(void **state)
{
	(void)state;
	config.runs_min = 20;
	config.runs_max = 30;
	plan_is(20, 30);
	rq.quick = true;
	plan_is(20, 30);
}

static void expect_relative(const char *word, const char *wanted)
{
	struct bench_config b = { .name = NULL };
	struct config c = { .benchmarks = &b, .n_benchmarks = 1 };

	assert_int_equal(0, strv_add(&b.command, word, NULL));
	assert_int_equal(0, compare_make_relative(&c, "/home/me/top", NULL));
	assert_string_equal(b.command.v[0], wanted);
	assert_int_equal(b.given.n, strcmp(word, wanted) ? 1 : 0);
	if (b.given.n)
		assert_string_equal(b.given.v[0], word);
	strv_release(&b.command);
	strv_release(&b.given);
}

static void absolute_paths_into_the_work_tree_become_relative(void **state)
{
	(void)state;
	expect_relative("/home/me/top/build/bench", "build/bench");
	expect_relative("/home/me/top/bench", "./bench");
	expect_relative("/home/me/topping/bench", "/home/me/topping/bench");
	expect_relative("/usr/bin/sort", "/usr/bin/sort");
	expect_relative("bench", "bench");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(twelve_to_400_pairs_unless_something_else_is_said),
		TEST(quick_ends_earlier_with_shorter_runs),
		TEST(runs_are_short_unless_it_is_said),
		TEST(a_number_of_pairs_is_kept_to),
		TEST(configured_runs_are_kept_to),
		TEST(absolute_paths_into_the_work_tree_become_relative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
