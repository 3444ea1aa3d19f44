#include "tests/unit/test_stats_near.h"

#include "lib/stats/sequential.h"

#include "lib/base/banned.h"

/* As test_stats_sequential_levels.c found them. */
static const struct {
	double alpha, level;
	size_t n;
	unsigned pairs[5];
} known[] = {
	{ .05, .02774, 3, { 20, 25, 30 } },  { .05, .01874, 5, { 10, 15, 20, 25, 30 } },
	{ .05, .02067, 3, { 25, 50, 100 } }, { .05, .01300, 5, { 25, 50, 100, 200, 400 } },
	{ .01, .00501, 3, { 20, 25, 30 } },  { .01, .00336, 5, { 10, 15, 20, 25, 30 } },
	{ .01, .00404, 3, { 25, 50, 100 } }, { .01, .00235, 5, { 25, 50, 100, 200, 400 } },
};

static void levels_are_those_that_were_simulated(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct sequential_plan plan;

		assert_int_equal(sequential_plan_find(known[i].alpha, known[i].pairs, known[i].n,
						      &plan, NULL),
				 0);
		assert_int_equal(plan.n_looks, known[i].n);
		assert_same(plan.level, known[i].level);
		/* a look's share is less than the whole, and the shares add to more */
		assert_true(plan.level < plan.alpha);
		assert_true(plan.level * (double)plan.n_looks > plan.alpha);
		for (size_t k = 0; k < known[i].n; k++)
			assert_int_equal(plan.pairs[k], known[i].pairs[k]);
	}
}

static void schedule_without_levels_is_absent(void **state)
{
	static const unsigned other[] = { 20, 25, 31 }, one[] = { 20 };
	struct sequential_plan plan = { .n_looks = 9 };
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(sequential_plan_find(.05, other, 3, &plan, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(sequential_plan_find(.05, one, 1, &plan, &err), -1);
	assert_int_equal(sequential_plan_find(.02, known[1].pairs, 3, &plan, &err), -1);
	assert_int_equal(sequential_plan_find((double)NAN, known[1].pairs, 3, &plan, &err), -1);
	assert_int_equal(plan.n_looks, 9);
}

static void p_of_a_schedule_is_multiplied_by_its_looks(void **state)
{
	(void)state;
	assert_same(sequential_p(0.01, 1), 0.01);
	assert_same(sequential_p(0.01, 0), 0.01);
	assert_same(sequential_p(0.01, 3), 0.03);
	assert_same(sequential_p(0.5, 3), 1);
	assert_same(sequential_p(0, 5), 0);
	assert_true(isnan(sequential_p((double)NAN, 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_are_those_that_were_simulated),
		cmocka_unit_test(schedule_without_levels_is_absent),
		cmocka_unit_test(p_of_a_schedule_is_multiplied_by_its_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
