/* What looks, calibrations, accepted changes and two groups of times do to a verdict. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include "lib/base/banned.h"

static struct looks three_looks(void)
{
	return (struct looks){ { 12, 20, 30 }, 3, .02774 };
}

/* 12 pairs all up: p = 2 / 2^12. */
static void p_counts_once_for_every_look(void **state)
{
	const double p = 2.0 / 4096;
	struct summary s;

	(void)state;
	judge_init(&s);
	add_change(&s, "x", 3)->looks = three_looks();
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	assert_near(p, delta_of(&s, "x")->p, 1e-15);
	assert_near(3 * p, delta_of(&s, "x")->p_adjusted, 1e-15);
	summary_release(&s);
	judge_init(&s); /* p .0269 is below the level, but not three times of it below .05 */
	add_known(&s, "x", 0.01)->looks = three_looks();
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_near(3 * KNOWN_P, delta_of(&s, "x")->p_adjusted, 1e-12);
	assert_int_equal(0, judge_exit(&s, false));
	summary_release(&s);
}

static void intervals_hold_at_the_level_of_a_look(void **state)
{
	struct metric *shown;
	struct bench *b;
	struct summary s;

	(void)state;
	judge_init(&s);
	b = add_noise(&s, "x");
	b->looks = three_looks();
	shown = add_samples(b, "wall", BETTER_LOWER, pairs_head, pairs_base, N_PAIRS);
	judge_well(&s);
	assert_near(1 - .02774, delta_of(&s, "x")->confidence, 1e-12);
	assert_near(1 - .02774, shown->delta.confidence, 1e-12);
	assert_true(shown->delta.low < KNOWN_LOW); /* wider than at 95 % */
	summary_release(&s);
}

static void looks_of_an_unpaired_benchmark_mean_nothing(void **state)
{
	struct bench *b;
	struct summary s;

	(void)state;
	judge_init(&s);
	b = fixture_bench(&s, "x");
	b->paired = false;
	b->looks = three_looks();
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	add_samples(b, "cpu", BETTER_LOWER, pairs_head, NULL, N_PAIRS);
	judge_well(&s);
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "x"));
	summary_release(&s);
}

static void what_identical_code_showed_too_is_not_called(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s); /* +1.65 % */
	b = add_known(&s, "x", 0.01);
	b->calibration = (struct calibration){ 20, 0, 0.02, 0 };
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_non_null(delta_of(&s, "x")->note);
	assert_non_null(
		strstr(delta_of(&s, "x")->note, "identical code differed by up to 2.0 % here"));
	assert_true(delta_of(&s, "x")->noise_floor >= 0.02);
	assert_int_equal(0, judge_exit(&s, false));
	assert_int_equal(3, judge_exit(&s, true));
	summary_release(&s);
	judge_init(&s);
	b = add_known(&s, "x", 0.01);
	b->calibration = (struct calibration){ 20, 0, 0.016, 0 };
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	summary_release(&s);
	judge_init(&s); /* none were made: a floor left over says nothing */
	b = add_known(&s, "x", 0.01);
	b->calibration = (struct calibration){ 0, 0, 0.5, 0 };
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	summary_release(&s);
}

static void an_improvement_is_held_to_the_same_floor(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_change(&s, "x", -3)->calibration = (struct calibration){ 20, 1, 0.05, 0 };
	add_change(&s, "y", -3)->calibration = (struct calibration){ 20, 1, 0.02, 0 };
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_int_equal(VERDICT_IMPROVED, verdict_of_bench(&s, "y"));
	summary_release(&s);
}

static void an_accepted_regression_is_one_and_fails_no_gate(void **state)
{
	struct summary s;
	struct tally tally;

	(void)state;
	judge_init(&s);
	assert_int_equal(0, str_set(&add_change(&s, "x", 5)->accepted.commit, BASE_COMMIT, NULL));
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	assert_int_equal(0, judge_exit(&s, false));
	assert_int_equal(0, judge_exit(&s, true));
	tally_of(&s, &tally);
	assert_int_equal(1, tally.n_accepted);
	assert_int_equal(0, tally.n[VERDICT_REGRESSED]);
	add_change(&s, "y", 5); /* another one, that nobody accepted */
	judge_well(&s);
	assert_int_equal(1, judge_exit(&s, false));
	tally_of(&s, &tally);
	assert_int_equal(1, tally.n_accepted);
	assert_int_equal(1, tally.n[VERDICT_REGRESSED]);
	summary_release(&s);
}

/* What was accepted is a change of speed: a benchmark that fails is no such thing. */
static void accepting_hides_no_failure_and_no_doubt(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	b = fixture_failed(&s, "x", "broke");
	assert_int_equal(0, str_set(&b->accepted.commit, BASE_COMMIT, NULL));
	judge_well(&s);
	assert_int_equal(4, judge_exit(&s, false));
	summary_release(&s);
	judge_init(&s);
	b = add_known(&s, "x", 0.02);
	assert_int_equal(0, str_set(&b->accepted.commit, BASE_COMMIT, NULL));
	judge_well(&s);
	assert_int_equal(3, judge_exit(&s, true));
	summary_release(&s);
}

/* 24 pairs: the head's times jump between 100 and 130 when `head`, the base's when `base`. */
static struct bench *add_jumping(struct summary *s, const char *name, bool head, bool base)
{
	double a[24], b[24];
	int i;

	for (i = 0; i < 24; i++) {
		a[i] = (head && i % 3 ? 130 : 100) + 0.1 * (i % 5);
		b[i] = (base && i % 2 ? 130 : 100) + 0.1 * (i % 7);
	}
	return add_pairs(s, name, a, b, 24, 0.01);
}

static void times_in_two_groups_are_told(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_jumping(&s, "head", true, false);
	add_jumping(&s, "base", false, true);
	add_jumping(&s, "both", true, true);
	add_jumping(&s, "none", false, false);
	judge_well(&s);
	assert_non_null(strstr(delta_of(&s, "head")->note,
			       "times of the head fall into two groups, about 100 ns and 130 ns"));
	assert_non_null(strstr(delta_of(&s, "base")->note, "times of the base fall into two"));
	assert_non_null(strstr(delta_of(&s, "both")->note, "times of both sides fall into two"));
	assert_null(delta_of(&s, "none")->note);
	summary_release(&s);
}

static void groups_closer_than_the_threshold_are_no_matter(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_jumping(&s, "x", true, false)->threshold = 0.5;
	judge_well(&s);
	assert_true(!delta_of(&s, "x")->note || !strstr(delta_of(&s, "x")->note, "two groups"));
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(p_counts_once_for_every_look),
		cmocka_unit_test(intervals_hold_at_the_level_of_a_look),
		cmocka_unit_test(looks_of_an_unpaired_benchmark_mean_nothing),
		cmocka_unit_test(what_identical_code_showed_too_is_not_called),
		cmocka_unit_test(an_improvement_is_held_to_the_same_floor),
		cmocka_unit_test(an_accepted_regression_is_one_and_fails_no_gate),
		cmocka_unit_test(accepting_hides_no_failure_and_no_doubt),
		cmocka_unit_test(times_in_two_groups_are_told),
		cmocka_unit_test(groups_closer_than_the_threshold_are_no_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
