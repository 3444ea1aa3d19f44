#include "tests/unit/reporter/trend/trend_fixture.h"

#include "lib/base/banned.h"

static void the_exact_commit_is_named_and_no_other(void **state)
{
	double effects[20] = { [7] = 0.03, [13] = -0.03 };
	struct trend t;
	size_t i;

	(void)state;
	fixture_line(&t, 20, effects, 0.005);
	assert_int_equal(0, trend_judge(&t, NULL));
	for (i = 0; i < 20; i++)
		assert_int_equal(i == 0	   ? VERDICT_NO_BASELINE
				 : i == 7  ? VERDICT_REGRESSED
				 : i == 13 ? VERDICT_IMPROVED
					   : VERDICT_UNCHANGED,
				 t.points[i].verdict);
	assert_int_equal(19, t.n_tests);
	assert_int_equal(2, t.n_moved);
	assert_int_equal(1, trend_span(&t.points[7]));
	assert_int_equal(1, trend_exit(&t, false));
	trend_release(&t);
}

/* Decided by 12 pairs, as few as there may be: among 40 other steps it is what it was reported. */
static void a_step_is_judged_as_the_comparison_that_it_was(void **state)
{
	enum { LAST = 40 };
	struct trend_point *p;
	struct trend t;
	size_t i;

	(void)state;
	fixture_line(&t, LAST + 1, NULL, 0.004);
	p = &t.points[LAST];
	p->n_pairs = 12;
	p->n_points = 9;
	for (i = 0; i < p->n_pairs; i++)
		p->d[i] = 0.02 + 0.0005 * (double)i;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(VERDICT_REGRESSED, p->verdict);
	assert_int_equal(1, t.n_moved);
	assert_int_equal(1, trend_exit(&t, false));
	trend_release(&t);
}

/*
 * +3 % between two builds in one layout each, where two layouts differ by 1 % (15 degrees): the
 * report does not call that, nor does a history.
 */
static void a_step_of_one_layout_is_widened(void **state)
{
	const double effects[] = { 0, 0.03, 0.03 };
	struct trend t;

	(void)state;
	fixture_line(&t, 3, effects, 0.001);
	t.points[1].shared = (struct widening){ 0.0001, 15, 0 };
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, t.points[1].verdict);
	assert_true(t.points[1].judged.high - t.points[1].judged.low > 0.05);
	assert_int_equal(VERDICT_REGRESSED, t.points[2].verdict);
	assert_int_equal(1, t.n_moved);
	trend_release(&t);
}

static void the_decision_points_of_a_step_are_paid_for(void **state)
{
	struct trend t;

	(void)state;
	fixture_line(&t, 2, NULL, 0.004);
	t.points[1].n_points = 3;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_true(fabs(t.points[1].judged.p_adjusted - fmin(1, 3 * t.points[1].judged.p)) <
		    1e-12);
	trend_release(&t);
}

static void identical_code_is_a_step_of_nothing_and_no_test(void **state)
{
	struct trend t;
	struct delta d;

	(void)state;
	fixture_line(&t, 3, NULL, 0.004);
	free(t.points[1].d);
	t.points[1].d = NULL;
	t.points[1].how = TREND_IDENTICAL;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(1, t.n_tests);
	assert_int_equal(VERDICT_IDENTICAL, t.points[1].verdict);
	trend_delta(&t, &t.points[1], &d);
	assert_true(d.ratio == 1 && d.low == 1 && d.high == 1);
	assert_true(t.points[1].se == 0);
	trend_release(&t);
}

static void too_many_void_pairs_are_never_a_move(void **state)
{
	double effects[3] = { [1] = 0.5 };
	struct trend t;

	(void)state;
	fixture_line(&t, 3, effects, 0.005);
	t.points[1].many_void = true;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, t.points[1].verdict);
	assert_int_equal(0, t.n_moved);
	trend_release(&t);
}

static void an_accepted_regression_fails_nothing(void **state)
{
	double effects[5] = { [3] = 0.05 };
	struct trend t;

	(void)state;
	fixture_line(&t, 5, effects, 0.005);
	assert_int_equal(0, str_set(&t.points[3].accepted, "needed", NULL));
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(VERDICT_REGRESSED, t.points[3].verdict);
	assert_int_equal(0, trend_exit(&t, false));
	trend_release(&t);
}

static void more_is_better_turns_the_delta_round(void **state)
{
	double effects[5] = { [3] = 0.05 }; /* worse */
	struct trend t;
	struct delta d;

	(void)state;
	fixture_line(&t, 5, effects, 0.005);
	t.better = BETTER_HIGHER;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(VERDICT_REGRESSED, t.points[3].verdict);
	trend_delta(&t, &t.points[3], &d);
	assert_true(d.ratio < 0.97 && d.low < d.ratio && d.ratio < d.high && d.high < 1);
	trend_release(&t);
}

static void a_level_that_steps_without_a_step_is_advice(void **state)
{
	struct trend t;
	size_t i;

	(void)state;
	fixture_line(&t, 30, NULL, 0.004);
	for (i = 15; i < 30; i++)
		t.points[i].location += 0.05;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(1, t.n_advice);
	assert_int_equal(15, t.advice[0].at);
	assert_true(fabs(t.advice[0].ratio - exp(0.05)) < 0.005);
	assert_int_equal(SIZE_MAX, t.advice[0].step);
	assert_int_equal(0, trend_exit(&t, false));
	assert_int_equal(3, trend_exit(&t, true));
	trend_release(&t);
}

static void a_step_close_by_explains_advice(void **state)
{
	double effects[30] = { [15] = 0.05 };
	struct trend t;

	(void)state;
	fixture_line(&t, 30, effects, 0.005);
	assert_int_equal(0, str_set(&t.points[15].accepted, "needed", NULL));
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(1, t.n_advice);
	assert_int_equal(15, t.advice[0].step);
	assert_int_equal(0, trend_exit(&t, true));
	trend_release(&t);
}

static void levels_across_a_new_series_are_never_compared(void **state)
{
	struct trend t;
	size_t i;

	(void)state;
	fixture_line(&t, 30, NULL, 0.004);
	for (i = 15; i < 30; i++) {
		t.points[i].location += 0.05;
		assert_int_equal(0, str_set(&t.points[i].machine.kernel, "6.2", NULL));
	}
	for (i = 25; i < 30; i++)
		t.points[i].iterations = 8;
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, t.n_advice);
	assert_string_equal("kernel", t.points[15].begins);
	assert_string_equal("iterations", t.points[25].begins);
	assert_null(t.points[16].begins);
	trend_release(&t);
}

static void the_chain_leads_back_from_the_newest_level(void **state)
{
	double effects[4] = { 0, 0, 0.1, 0 };
	struct trend t;

	(void)state;
	fixture_line(&t, 4, effects, 1e-6);
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_true(t.points[3].chained == t.points[3].level);
	assert_true(fabs(log(t.points[3].chained / t.points[0].chained) - 0.1) < 1e-5);
	trend_release(&t);
}

static void an_empty_trend_is_judged_as_nothing(void **state)
{
	struct err err = ERR_INIT;
	struct trend t;

	(void)state;
	fixture_trend(&t);
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, trend_exit(&t, true));
	t.threshold = (double)NAN;
	assert_int_equal(-1, trend_judge(&t, &err));
	assert_int_equal(ERR_RANGE, err.code);
	trend_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_exact_commit_is_named_and_no_other),
		cmocka_unit_test(a_step_is_judged_as_the_comparison_that_it_was),
		cmocka_unit_test(a_step_of_one_layout_is_widened),
		cmocka_unit_test(the_decision_points_of_a_step_are_paid_for),
		cmocka_unit_test(identical_code_is_a_step_of_nothing_and_no_test),
		cmocka_unit_test(too_many_void_pairs_are_never_a_move),
		cmocka_unit_test(an_accepted_regression_fails_nothing),
		cmocka_unit_test(more_is_better_turns_the_delta_round),
		cmocka_unit_test(a_level_that_steps_without_a_step_is_advice),
		cmocka_unit_test(a_step_close_by_explains_advice),
		cmocka_unit_test(levels_across_a_new_series_are_never_compared),
		cmocka_unit_test(the_chain_leads_back_from_the_newest_level),
		cmocka_unit_test(an_empty_trend_is_judged_as_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
