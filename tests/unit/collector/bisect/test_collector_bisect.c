/* Which commit is named, on straight histories with exact figures. */
#include "tests/unit/collector/bisect/bisect_fixture.h"

#include "lib/base/banned.h"

static struct bisect_log past;
static struct bisect_answer answer;

static int forget(void **state)
{
	(void)state;
	bisect_answer_release(&answer);
	bisect_log_release(&past);
	return 0;
}

static void clean_step_is_found_wherever_it_stands(void **state)
{
	int n, first;

	for (n = 1; n <= 33; n++)
		for (first = 1; first <= n; first++) {
			struct line line;

			line_init(&line, n, first, 0.05);
			line_bisect(&line, &past, &answer);
			assert_int_equal(answer.outcome, BISECT_FOUND);
			assert_int_equal(line_at(answer.commit), first);
			assert_int_equal(line_at(answer.parent), first - 1);
			assert_float_equal(answer.delta->theta, 0.05, 1e-12);
			assert_float_equal(answer.whole->theta, 0.05, 1e-12);
			assert_int_equal(answer.n_commits, n);
			/* whole, cuts and confirmation, one comparison each */
			assert_true(answer.n_comparisons <= 2 + (size_t)ceil(log2(n) + 1));
			forget(state);
		}
}

static void improvement_is_found_like_a_regression(void **state)
{
	struct line line;

	(void)state;
	line_init(&line, 40, 17, -0.03);
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 17);
	assert_int_equal(answer.delta->verdict, VERDICT_IMPROVED);
}

static void larger_of_two_steps_is_found(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 64, 20, 0.02);
	for (i = 50; i <= 64; i++)
		line.level[i] = 0.05;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 50);
	assert_float_equal(answer.delta->theta, 0.03, 1e-12);
}

static void three_equal_steps_give_the_range_that_holds_them(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 64, 10, 0.02);
	for (i = 30; i <= 64; i++)
		line.level[i] = i < 50 ? 0.04 : 0.06;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_int_equal(line_at(answer.commit), 30); /* carries it past the half */
	assert_float_equal(answer.delta->theta, 0.02, 1e-12);
	/* all three steps lie in the range */
	for (i = 10; i <= 50; i += 20) {
		char id[OID_TEXT];

		assert_true(strv_has(&answer.suspects, line_id(i, id)));
	}
}

static void change_that_came_and_went_is_no_change(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 30, 10, 0.2);
	for (i = 20; i <= 30; i++)
		line.level[i] = 0;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_NO_CHANGE);
	assert_int_equal(line.n_measured, 1);
	assert_int_equal(answer.commit[0], '\0');
}

static void change_that_cannot_be_told_is_inconclusive_after_all_efforts(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 30, 10, 0.02);
	for (i = 0; i < BISECT_EFFORTS; i++)
		line.arm[i] = 0.05;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_INCONCLUSIVE);
	assert_int_equal(line.n_measured, 3); /* from the looks on */
	assert_float_equal(answer.whole->low, -0.03, 1e-12);
}

static void end_that_does_not_build_leaves_nothing_to_do(void **state)
{
	struct line line;

	(void)state;
	line_init(&line, 30, 10, 0.02);
	line.broken[30] = true;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_NOTHING);
	assert_string_equal(answer.why, "the build failed");
	assert_int_equal(line.n_measured, 1);
}

static void more_effort_decides_what_less_could_not(void **state)
{
	struct line line;

	(void)state;
	line_init(&line, 16, 5, 0.02);
	line.arm[0] = line.arm[1] = 0.015;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 5);
	assert_int_equal(line.n_of[8], 3); /* few pairs, more, many */
}

/* It took as many pairs as tell a change of 1 % from none, where +16 % was looked for. */
static void a_commit_far_from_the_half_takes_few_pairs(void **state)
{
	struct line line;
	char id[OID_TEXT];
	int i;

	(void)state;
	line_init(&line, 16, 5, 0.16);
	for (i = 0; i <= 16; i++)
		line.level[i] -= i % 2 ? 0 : 0.0012;
	for (i = 0; i < BISECT_LOOKS; i++)
		line.arm[i] = 0.02; /* neither unchanged nor changed */
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	for (i = 1; i < 16; i++) {
		assert_true(line.n_of[i] <= 1);
		assert_true(!line.n_of[i] || bisect_log_find(&past, line.good, line_id(i, id), 0));
	}
	/* what is told of the change and of its commit comes from looks */
	assert_non_null(bisect_log_find(&past, line.good, line.bad, BISECT_LOOKS));
	assert_non_null(bisect_log_find(&past, answer.parent, answer.commit, BISECT_LOOKS));
}

static void broken_commits_are_gone_round(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 64, 11, 0.05);
	for (i = 28; i <= 40; i++)
		line.broken[i] = true;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 11);
}

static void broken_commits_at_the_border_give_a_range(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 64, 31, 0.05);
	for (i = 30; i <= 33; i++)
		line.broken[i] = true;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_int_equal(answer.suspects.n, 5); /* 30 to 34 */
	assert_int_equal(answer.n_skipped, 4);
	for (i = 30; i <= 34; i++) {
		char id[OID_TEXT];

		assert_true(strv_has(&answer.suspects, line_id(i, id)));
	}
}

static void all_broken_between_the_ends_give_the_whole_range(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 20, 7, 0.05);
	for (i = 1; i < 20; i++)
		line.broken[i] = true;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_int_equal(answer.suspects.n, 20);
	assert_int_equal(answer.n_skipped, 19);
	assert_int_equal(line.n_measured, 20); /* each once */
}

static void unclear_commit_is_gone_round_and_told(void **state)
{
	struct line line;
	char id[OID_TEXT];

	(void)state;
	line_init(&line, 32, 16, 0.04);
	line.level[16] = 0.02; /* at the half, whatever the effort; the rest follows in 17 */
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_int_equal(answer.n_unclear, 1);
	assert_int_equal(answer.suspects.n, 2);
	assert_true(strv_has(&answer.suspects, line_id(16, id)));
	assert_true(strv_has(&answer.suspects, line_id(17, id)));
	assert_int_equal(line.n_of[16], 4); /* all but the looks */
}

static void slow_ramp_ends_before_everything_is_measured_thrice(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 200, 1, 0);
	for (i = 0; i <= 200; i++)
		line.level[i] = 0.05 * i / 200;
	for (i = 0; i < BISECT_EFFORTS; i++)
		line.arm[i] = 0.004;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_int_equal(answer.n_unclear, BISECT_UNCLEAR_MAX);
	assert_true(line.n_measured < 60);
}

static void wrong_turn_is_seen_by_the_confirmation(void **state)
{
	struct line line;
	char id[OID_TEXT];

	(void)state;
	line_init(&line, 16, 3, 0.05);
	line.off[8] = -0.05; /* one comparison went wrong: 9 will be named */
	line.off[9] = 0.001;
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_int_equal(line_at(answer.commit), 9);
	assert_float_equal(answer.delta->theta, 0.001, 1e-12);
	assert_non_null(strstr(answer.why, "less than half"));
	assert_true(strv_has(&answer.suspects, line_id(9, id)));
}

static void same_code_as_an_end_is_decided_without_more_effort(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 16, 6, 0.03);
	for (i = 0; i <= 16; i++)
		line.code[i] = i < 6 ? "before" : "after";
	line.arm[0] = 0.029; /* enough for the whole, for no cut by itself */
	line.arm[1] = line.arm[2] = 0.029;
	line.threshold = 0.01;
	line_bisect(&line, &past, &answer);
	assert_int_equal(line_at(answer.commit), 6);
	for (i = 1; i < 16; i++)
		assert_true(line.n_of[i] <= 1);
}

static void same_code_with_another_file_is_held_by_what_was_measured(void **state)
{
	struct line line;
	int i;

	(void)state;
	line_init(&line, 8, 5, 0.03);
	for (i = 0; i <= 8; i++) {
		line.code[i] = "one";
		line.found[i] = i >= 5;
	}
	line_bisect(&line, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 5);
}

static void time_that_is_over_leaves_an_answer_to_go_on_from(void **state)
{
	struct line line;
	struct bisect_request rq;
	int i;

	(void)state;
	line_init(&line, 64, 31, 0.05);
	rq = line_request(&line);
	for (i = 0; i < 3; i++) {
		line.no_time_at = i;
		assert_int_equal(bisect(&rq, &past, &answer, NULL), 0);
		assert_int_equal(answer.outcome, BISECT_UNFINISHED);
		assert_int_equal(answer.n_comparisons, i);
		bisect_answer_release(&answer);
	}
	line.no_time_at = -1;
	assert_int_equal(bisect(&rq, &past, &answer, NULL), 0);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_int_equal(line_at(answer.commit), 31);
	assert_int_equal(answer.n_before, 2);
	assert_int_equal(line.n_measured, answer.n_comparisons);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(clean_step_is_found_wherever_it_stands, forget),
		cmocka_unit_test_teardown(improvement_is_found_like_a_regression, forget),
		cmocka_unit_test_teardown(larger_of_two_steps_is_found, forget),
		cmocka_unit_test_teardown(three_equal_steps_give_the_range_that_holds_them, forget),
		cmocka_unit_test_teardown(change_that_came_and_went_is_no_change, forget),
		cmocka_unit_test_teardown(
			change_that_cannot_be_told_is_inconclusive_after_all_efforts, forget),
		cmocka_unit_test_teardown(end_that_does_not_build_leaves_nothing_to_do, forget),
		cmocka_unit_test_teardown(more_effort_decides_what_less_could_not, forget),
		cmocka_unit_test_teardown(a_commit_far_from_the_half_takes_few_pairs, forget),
		cmocka_unit_test_teardown(broken_commits_are_gone_round, forget),
		cmocka_unit_test_teardown(broken_commits_at_the_border_give_a_range, forget),
		cmocka_unit_test_teardown(all_broken_between_the_ends_give_the_whole_range, forget),
		cmocka_unit_test_teardown(unclear_commit_is_gone_round_and_told, forget),
		cmocka_unit_test_teardown(slow_ramp_ends_before_everything_is_measured_thrice,
					  forget),
		cmocka_unit_test_teardown(wrong_turn_is_seen_by_the_confirmation, forget),
		cmocka_unit_test_teardown(same_code_as_an_end_is_decided_without_more_effort,
					  forget),
		cmocka_unit_test_teardown(same_code_with_another_file_is_held_by_what_was_measured,
					  forget),
		cmocka_unit_test_teardown(time_that_is_over_leaves_an_answer_to_go_on_from, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
