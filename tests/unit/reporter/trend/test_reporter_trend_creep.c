#include "tests/unit/reporter/trend/trend_fixture.h"

#include "reporter/trend/scene.h"

#include "lib/base/banned.h"

static void judged_line(struct trend *t, size_t n, const double *effects)
{
	fixture_line(t, n, effects, 0.004);
	assert_int_equal(0, trend_judge(t, NULL));
}

static void small_steps_since_the_tag_are_summed_and_flagged(void **state)
{
	double effects[12], sum = 0;
	struct trend t;
	size_t i;

	(void)state;
	for (i = 0; i < 12; i++)
		effects[i] = 0.006;
	judged_line(&t, 12, effects);
	assert_int_equal(0, t.n_moved);
	assert_int_equal(0, trend_creep(&t, "v1", 2, NULL));
	for (i = 3; i < 12; i++)
		sum += t.points[i].judged.theta;
	assert_int_equal(9, t.creep.sum.n);
	assert_int_equal(9, t.creep.n_commits);
	assert_true(fabs(t.creep.sum.change - sum) < 1e-12);
	assert_true(t.creep.sum.flagged);
	assert_string_equal(t.points[2].commit, t.creep.from);
	assert_null(t.creep.broken);
	assert_int_equal(0, trend_exit(&t, false));
	assert_int_equal(3, trend_exit(&t, true));
	trend_release(&t);
}

static void accepted_steps_are_told_and_not_counted(void **state)
{
	double effects[6] = { [4] = 0.08 };
	struct trend t;

	(void)state;
	judged_line(&t, 6, effects);
	assert_int_equal(0, str_set(&t.points[4].accepted, "needed", NULL));
	assert_int_equal(0, trend_creep(&t, "v1", 0, NULL));
	assert_int_equal(1, t.creep.n_accepted);
	assert_true(fabs(t.creep.accepted - 0.08) < 0.005);
	assert_int_equal(4, t.creep.sum.n);
	assert_false(t.creep.sum.flagged);
	trend_release(&t);
}

static void a_missing_step_breaks_the_chain_and_nothing_is_claimed(void **state)
{
	double effects[6] = { [2] = 0.05 };
	struct trend t;

	(void)state;
	judged_line(&t, 6, effects);
	t.points[3].how = TREND_NO_STEP;
	assert_int_equal(0, trend_creep(&t, "v1", 0, NULL));
	assert_string_equal(t.points[3].commit, t.creep.broken);
	assert_false(t.creep.sum.flagged);
	assert_int_equal(0, t.creep.sum.n);
	trend_release(&t);
}

static void a_tag_without_results_is_stepped_over_to_the_result_before(void **state)
{
	struct buf text = BUF_INIT;
	struct coin coin;
	struct trend t;

	(void)state;
	coin_init(&coin, 3);
	fixture_trend(&t);
	fixture_point(&t, 1, 0);
	fixture_step(fixture_point(&t, 4, 0), 1, 0.02, 0.002, &coin); /* the tag is at 3 */
	fixture_step(fixture_point(&t, 6, 0), 4, 0.02, 0.002, &coin);
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, trend_creep(&t, "v1", 3, NULL));
	assert_int_equal(2, t.creep.sum.n);
	assert_int_equal(5, t.creep.n_commits);
	assert_string_equal(t.points[0].commit, t.creep.from);
	assert_true(t.creep.is_before);
	trend_creep_text(&t, &text);
	assert_non_null(strstr(buf_str(&text), ", before v1: +4."));
	buf_release(&text);
	trend_release(&t);
}

static void one_step_is_no_creep(void **state)
{
	double effects[4] = { [3] = 0.2 };
	struct trend t;

	(void)state;
	judged_line(&t, 4, effects);
	assert_int_equal(1, t.n_moved);
	assert_int_equal(0, trend_creep(&t, "v1", 2, NULL));
	assert_int_equal(1, t.creep.sum.n);
	assert_false(t.creep.is_before);
	assert_false(t.creep.sum.flagged);
	trend_release(&t);
}

/* 4 was measured against 1, not against 3: counting 3's step too would count its change twice. */
static void a_step_over_others_is_counted_once(void **state)
{
	struct buf text = BUF_INIT;
	struct coin coin;
	struct trend t;

	(void)state;
	coin_init(&coin, 3);
	fixture_trend(&t);
	fixture_point(&t, 1, 0);
	fixture_step(fixture_point(&t, 3, 0.02), 1, 0.02, 0.002, &coin);
	fixture_step(fixture_point(&t, 4, 0.02), 1, 0.02, 0.002, &coin);
	assert_int_equal(0, trend_judge(&t, NULL));
	assert_int_equal(0, trend_creep(&t, "v1", 1, NULL));
	assert_int_equal(1, t.creep.sum.n);
	assert_true(fabs(t.creep.sum.change - 0.02) < 0.002);
	trend_note(&t, &t.points[1], &text);
	assert_non_null(
		strstr(buf_str(&text), "one of 2 commits, those between without results: "));
	buf_reset(&text);
	trend_note(&t, &t.points[2], &text);
	assert_non_null(strstr(buf_str(&text), "one of 3 commits, measured in one step: "));
	buf_release(&text);
	trend_release(&t);
}

static void without_a_step_behind_the_tag_nothing_is_said(void **state)
{
	struct trend t;

	(void)state;
	judged_line(&t, 3, NULL);
	assert_int_equal(0, trend_creep(&t, "v1", 2, NULL));
	assert_null(t.creep.tag);
	trend_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_steps_since_the_tag_are_summed_and_flagged),
		cmocka_unit_test(accepted_steps_are_told_and_not_counted),
		cmocka_unit_test(a_missing_step_breaks_the_chain_and_nothing_is_claimed),
		cmocka_unit_test(a_tag_without_results_is_stepped_over_to_the_result_before),
		cmocka_unit_test(one_step_is_no_creep),
		cmocka_unit_test(a_step_over_others_is_counted_once),
		cmocka_unit_test(without_a_step_behind_the_tag_nothing_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
