#include "tests/unit/test_stats_near.h"

#include "lib/stats/sequential.h"

#include "lib/base/banned.h"

/* As test_stats_sequential_levels.c found them; .03277 for {20,30} would reject in 5.17 %. */
static const struct {
	enum sequential_kind kind;
	double alpha;
	size_t n;
	unsigned pairs[5];
	double level[5];
} known[] = {
	{ SEQUENTIAL_POCOCK, .05, 2, { 20, 30 }, { .03270, .03270 } },
	{ SEQUENTIAL_POCOCK, .05, 3, { 20, 25, 30 }, { .02774, .02774, .02774 } },
	{ SEQUENTIAL_POCOCK, .05, 4, { 15, 20, 25, 30 }, { .02191, .02191, .02191, .02191 } },
	{ SEQUENTIAL_POCOCK,
	  .05,
	  5,
	  { 10, 15, 20, 25, 30 },
	  { .01874, .01874, .01874, .01874, .01874 } },
	{ SEQUENTIAL_POCOCK, .05, 3, { 20, 30, 60 }, { .02194, .02194, .02194 } },
	{ SEQUENTIAL_POCOCK, .05, 3, { 25, 50, 100 }, { .02067, .02067, .02067 } },
	{ SEQUENTIAL_POCOCK,
	  .05,
	  5,
	  { 25, 50, 100, 200, 400 },
	  { .01300, .01300, .01300, .01300, .01300 } },
	{ SEQUENTIAL_POCOCK, .01, 3, { 20, 25, 30 }, { .00501, .00501, .00501 } },
	{ SEQUENTIAL_POCOCK,
	  .01,
	  5,
	  { 10, 15, 20, 25, 30 },
	  { .00336, .00336, .00336, .00336, .00336 } },
	{ SEQUENTIAL_POCOCK, .01, 3, { 20, 30, 60 }, { .00412, .00412, .00412 } },
	{ SEQUENTIAL_POCOCK, .01, 3, { 25, 50, 100 }, { .00404, .00404, .00404 } },
	{ SEQUENTIAL_POCOCK,
	  .01,
	  5,
	  { 25, 50, 100, 200, 400 },
	  { .00235, .00235, .00235, .00235, .00235 } },
	{ SEQUENTIAL_OBRIEN_FLEMING, .05, 3, { 20, 25, 30 }, { .01210, .02482, .04049 } },
};

static void levels_are_those_that_were_simulated(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct sequential_plan plan;

		assert_int_equal(sequential_plan_find(known[i].kind, known[i].alpha, known[i].pairs,
						      known[i].n, &plan, NULL),
				 0);
		assert_int_equal(plan.n_looks, known[i].n);
		for (size_t k = 0; k < known[i].n; k++) {
			assert_int_equal(plan.pairs[k], known[i].pairs[k]);
			assert_same(plan.level[k], known[i].level[k]);
			/* a look's share is less than the whole, and the shares add to more */
			assert_true(plan.level[k] < plan.alpha);
		}
	}
}

static void schedule_without_levels_is_absent(void **state)
{
	static const unsigned other[] = { 20, 25, 31 }, one[] = { 20 };
	struct sequential_plan plan = { .n_looks = 9 };
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(sequential_plan_find(SEQUENTIAL_POCOCK, .05, other, 3, &plan, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(sequential_plan_find(SEQUENTIAL_POCOCK, .05, one, 1, &plan, &err), -1);
	assert_int_equal(
		sequential_plan_find(SEQUENTIAL_POCOCK, .02, known[1].pairs, 3, &plan, &err), -1);
	assert_int_equal(sequential_plan_find(SEQUENTIAL_OBRIEN_FLEMING, .01, known[1].pairs, 3,
					      &plan, &err),
			 -1);
	assert_int_equal(sequential_plan_find(SEQUENTIAL_POCOCK, (double)NAN, known[1].pairs, 3,
					      &plan, &err),
			 -1);
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
