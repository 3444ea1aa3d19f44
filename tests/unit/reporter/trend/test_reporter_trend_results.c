/* Several results of a commit are one point of the trend. */
#include "tests/unit/reporter/trend/trend_world.h"

#include <math.h>

#include "lib/base/banned.h"

/* As a range that was measured commit by commit, and then tag by tag. */
static void a_newer_result_against_a_base_far_back_takes_no_step_away(void **state)
{
	struct world *w = *state;
	struct summary s;
	struct trend_set set;
	int i, k;

	for (k = 0; k < 2; k++) {
		w->query.benchmark = k ? NULL : "deflate/6";
		for (i = k ? COMMITS : 0; i < COMMITS; i++)
			add(w, i, i ? ids[i - 1] : NULL, "rerun");
		if (!k) {
			prepare(w, &s, 4, ids[0], "rerun");
			s.benchmarks[0].threshold = 0.02;
			put(w, &s);
		}
		set = load(w);
		assert_int_equal(COMMITS, set.v[0].n);
		assert_int_equal(1, trend_span(&set.v[0].points[4]));
		assert_int_equal(3, set.v[0].points[4].base_place);
		trend_set_release(&set);
	}
}

static void a_newer_result_without_a_step_borrows_the_older_ones(void **state)
{
	struct world *w = *state;
	struct trend_set set;

	add(w, 0, NULL, NULL);
	add(w, 1, ids[0], "rerun");
	add(w, 1, ids[0], "stored");
	set = load(w);
	assert_int_equal(2, set.v[0].n);
	assert_int_equal(TREND_PAIRED, set.v[0].points[1].how);
	assert_int_equal(2, set.n_results - 1);
	trend_set_release(&set);
}

/* What is the same code ran nothing: what a collection measured of the commit is still there. */
static void a_newer_result_of_the_same_code_borrows_the_older_values(void **state)
{
	struct world *w = *state;
	struct trend_set set;
	struct summary s;

	add(w, 1, NULL, NULL);
	prepare(w, &s, 1, ids[0], "identical");
	s.benchmarks[0].paired = false;
	assert_int_equal(0, str_set(&s.benchmarks[0].binary_id, DIGITS, NULL));
	assert_int_equal(0, str_set(&s.benchmarks[0].base_binary_id, DIGITS, NULL));
	s.benchmarks[0].metrics[0].n = s.benchmarks[0].metrics[0].n_baseline = 0;
	put(w, &s);
	set = load(w);
	assert_int_equal(1, set.v[0].n);
	assert_int_equal(TREND_IDENTICAL, set.v[0].points[0].how);
	assert_true(set.v[0].points[0].level > 1000 && set.v[0].points[0].level < 1100);
	assert_int_equal(10, set.v[0].points[0].n_runs);
	assert_string_equal("cpu", set.v[0].metric);
	trend_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_newer_result_against_a_base_far_back_takes_no_step_away),
		TEST(a_newer_result_without_a_step_borrows_the_older_ones),
		TEST(a_newer_result_of_the_same_code_borrows_the_older_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
