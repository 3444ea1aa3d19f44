/* How many pairs a comparison runs: fixed beforehand, by what was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "collector/compare_names.h"
#include "collector/compare_plan.h"

#include "lib/base/banned.h"

static struct config config;
static struct compare_request rq;
static struct unit units[2];
static struct plan plan;

static int begin(void **state)
{
	(void)state;
	config_init(&config);
	memset(units, 0, sizeof(units));
	units[0].format = FORMAT_PAWL;
	units[1].format = FORMAT_COMMAND;
	units[0].has_base = units[1].has_base = true;
	plan = (struct plan){ .units = units, .n = 2 };
	rq = (struct compare_request){ .config = &config };
	return 0;
}

static int end(void **state)
{
	(void)state;
	config_release(&config);
	return 0;
}

static void expect_looks(const struct unit *u, const unsigned *pairs, size_t n, double level)
{
	size_t i;

	assert_int_equal(u->looks.n, n);
	for (i = 0; i < n; i++)
		assert_int_equal(u->looks.pairs[i], pairs[i]);
	assert_true(u->looks.level == level);
}

static void plan_now(int least, int most)
{
	int min, max;

	compare_plan_runs(&rq, &min, &max);
	assert_int_equal(min, least);
	assert_int_equal(max, most);
	assert_int_equal(0, compare_plan_looks(&rq, &plan, NULL));
}

/* The levels are those of STATISTICS: Pocock's, of the exact signed-rank test. */
static void programs_and_commands_have_looks_of_their_own(void **state)
{
	const unsigned libpawl[] = { 20, 25, 30 }, command[] = { 25, 50, 100 };

	(void)state;
	plan_now(20, 100);
	expect_looks(&units[0], libpawl, 3, .02774);
	expect_looks(&units[1], command, 3, .02067);
	assert_int_equal(60, units[0].confirm_at); /* a suspicion is followed to twice as many */
	assert_int_equal(200, units[1].confirm_at);
}

static void quick_looks_earlier_at_shorter_runs(void **state)
{
	const unsigned quick[] = { 10, 15, 20, 25, 30 };

	(void)state;
	rq.depth = COMPARE_QUICK;
	plan_now(10, 30);
	expect_looks(&units[0], quick, 5, .01874);
	assert_int_equal(60, units[0].confirm_at);
	assert_int_equal(compare_plan_min_time_ns(&rq), 10000000);
	config.min_time_ns = 1000000;
	assert_int_equal(compare_plan_min_time_ns(&rq), 1000000);
}

static void runs_are_short_unless_it_is_said(void **state)
{
	(void)state;
	config.min_time_ns = 250000000;
	assert_int_equal(compare_plan_min_time_ns(&rq), 20000000);
	config.min_time_given = true;
	assert_int_equal(compare_plan_min_time_ns(&rq), 250000000);
	rq.depth = COMPARE_QUICK;
	assert_int_equal(compare_plan_min_time_ns(&rq), 10000000);
}

static void a_number_of_pairs_is_judged_once(void **state)
{
	(void)state;
	rq.pairs = 40;
	plan_now(40, 40);
	assert_int_equal(units[0].looks.n, 0);
	assert_int_equal(units[1].looks.n, 0);
	assert_int_equal(units[1].confirm_at, 0);
}

static void configured_runs_are_kept_to(void **state)
{
	const unsigned runs[] = { 20, 25, 30 };

	(void)state;
	config.runs_given = true;
	plan_now(20, 30);
	expect_looks(&units[1], runs, 3, .02774);
	assert_int_equal(units[1].confirm_at, 0);
}

static void other_configured_runs_are_judged_by_their_spread(void **state)
{
	(void)state;
	config.runs_given = true;
	config.runs_min = 12;
	config.runs_max = 17;
	plan_now(12, 17);
	assert_int_equal(units[0].looks.n, 0);
}

static void what_is_not_run_has_no_looks(void **state)
{
	(void)state;
	units[0].has_base = false;
	plan_now(20, 100);
	assert_int_equal(units[0].looks.n, 0);
}

static void a_confidence_without_a_plan_is_refused_with_the_cure(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	config.confidence = 0.9;
	assert_int_equal(-1, compare_plan_looks(&rq, &plan, &err));
	assert_non_null(strstr(err.hint, "--pairs"));
}

static void expect_relative(const char *word, const char *wanted)
{
	struct bench_config b = { .name = NULL };
	struct config c = { .benchmarks = &b, .n_benchmarks = 1 };

	assert_int_equal(0, strv_add(&b.command, word, NULL));
	assert_int_equal(0, compare_make_relative(&c, "/home/me/top", NULL));
	assert_string_equal(b.command.v[0], wanted);
	strv_release(&b.command);
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
		TEST(programs_and_commands_have_looks_of_their_own),
		TEST(quick_looks_earlier_at_shorter_runs),
		TEST(runs_are_short_unless_it_is_said),
		TEST(a_number_of_pairs_is_judged_once),
		TEST(configured_runs_are_kept_to),
		TEST(other_configured_runs_are_judged_by_their_spread),
		TEST(what_is_not_run_has_no_looks),
		TEST(a_confidence_without_a_plan_is_refused_with_the_cure),
		TEST(absolute_paths_into_the_work_tree_become_relative),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
