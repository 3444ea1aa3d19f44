/* What decision points, calibrations, accepted changes and two groups of times do to a verdict. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include "lib/base/banned.h"

/* 12 pairs all up, p = 2 / 2^12: 9 p is called, 11 p would not be. */
static void p_counts_once_for_every_decision_point(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_weak(&s, "x");
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	assert_near(KNOWN_P, delta_of(&s, "x")->p, 1e-15);
	assert_near(9 * KNOWN_P, delta_of(&s, "x")->p_adjusted, 1e-15);
	summary_release(&s);
	judge_init(&s);
	add_weak(&s, "x");
	add_noise(&s, "y");
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_near(18 * KNOWN_P, delta_of(&s, "x")->p_adjusted, 1e-12);
	assert_int_equal(0, judge_exit(&s, false));
	summary_release(&s);
}

static void decision_points_of_an_unpaired_benchmark_mean_nothing(void **state)
{
	struct bench *b;
	struct summary s;

	(void)state;
	judge_init(&s);
	b = fixture_bench(&s, "x");
	b->paired = false;
	b->looks = (struct looks){ { 12, 17 }, 2 };
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	add_samples(b, "cpu", BETTER_LOWER, pairs_head, NULL, N_PAIRS);
	judge_well(&s);
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "x"));
	summary_release(&s);
}

/* 17 pairs up by 3 %, then 17 that are equal: as one that was fast until the machine moved it. */
static void what_stays_with_one_side_for_many_pairs_is_told(void **state)
{
	double head[34], base[34];
	struct summary s;
	int i;

	(void)state;
	judge_init(&s);
	for (i = 0; i < 34; i++) {
		base[i] = 100;
		head[i] = (i < 17 ? 103 : 100) + 0.01 * (i * 7 % 17);
	}
	add_pairs(&s, "x", head, base, 34, 0.01);
	for (i = 0; i < 34; i++)
		head[i] = (i % 2 ? 103 : 100) + 0.01 * (i * 7 % 17);
	add_pairs(&s, "y", head, base, 34, 0.01);
	judge_well(&s);
	assert_non_null(strstr(delta_of(&s, "x")->note, "for many pairs at a time"));
	assert_true(!delta_of(&s, "y")->note ||
		    !strstr(delta_of(&s, "y")->note, "for many pairs at a time"));
	judge_well(&s); /* once more gives no second note */
	assert_null(strstr(strstr(delta_of(&s, "x")->note, "for many") + 1, "for many"));
	summary_release(&s);
}

static void what_identical_code_showed_too_is_not_called(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s); /* +1.68 % */
	b = add_known(&s, "x", 0.01);
	b->calibration = (struct calibration){ 20, 0, 0.02, 0, { .n = 0 } };
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
	b->calibration = (struct calibration){ 20, 0, 0.016, 0, { .n = 0 } };
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	summary_release(&s);
	judge_init(&s); /* none were made: a floor left over says nothing */
	b = add_known(&s, "x", 0.01);
	b->calibration = (struct calibration){ 0, 0, 0.5, 0, { .n = 0 } };
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	summary_release(&s);
}

static void an_improvement_is_held_to_the_same_floor(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_change(&s, "x", -3)->calibration = (struct calibration){ 20, 1, 0.05, 0, { .n = 0 } };
	add_change(&s, "y", -3)->calibration = (struct calibration){ 20, 1, 0.02, 0, { .n = 0 } };
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_int_equal(VERDICT_IMPROVED, verdict_of_bench(&s, "y"));
	summary_release(&s);
}

/* Its own program may leave a benchmark out; a budget that is over is another thing. */
static void what_no_time_was_left_for_does_not_pass_strictly(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	fixture_bench(&s, "x")->status = BENCH_SKIPPED;
	judge_well(&s);
	assert_int_equal(0, judge_exit(&s, true));
	s.settings.budget_ns = 1000000;
	assert_int_equal(0, judge_exit(&s, false));
	assert_int_equal(3, judge_exit(&s, true));
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

/* A benchmark gated by wall time that scatters by a fifth, with these CPU times of N_PAIRS pairs.
 */
static struct bench *add_threads(struct summary *s, const char *name, const double *head,
				 const double *base)
{
	double wall[N_PAIRS], of_base[N_PAIRS];
	struct bench *b;
	int i;

	for (i = 0; i < N_PAIRS; i++) {
		of_base[i] = 100 + i;
		wall[i] = of_base[i] * (i % 2 ? 1.2 + 0.01 * i : 0.82);
	}
	b = add_pairs(s, name, head, base, N_PAIRS, 0.01);
	assert_int_equal(0, str_set(&b->gate, "wall", NULL));
	add_samples(b, "wall", BETTER_LOWER, wall, of_base, N_PAIRS);
	return b;
}

/* CPU time of both sides is the same; one waits, since after its gate was chosen. */
static struct bench *add_waiting(struct summary *s, const char *name, const char *why, double more)
{
	double wall[N_PAIRS];
	struct bench *b;
	size_t i;

	for (i = 0; i < N_PAIRS; i++)
		wall[i] = pairs_base[i] * (more + 0.0001 * (double)(i % 3));
	b = add_pairs(s, name, pairs_base, pairs_base, N_PAIRS, 0.01);
	assert_int_equal(0, str_set(&b->gate_why, why, NULL));
	add_samples(b, "wall", BETTER_LOWER, wall, pairs_base, N_PAIRS);
	return b;
}

static void what_waits_since_is_not_unchanged(void **state)
{
	struct summary s;
	const char *note;

	(void)state;
	judge_init(&s);
	add_waiting(&s, "waits", BENCH_DOES_NOT_WAIT, 1.8);
	add_waiting(&s, "asked", "configured", 1.8);
	add_waiting(&s, "little", BENCH_DOES_NOT_WAIT, 1.005);
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "waits"));
	note = delta_of(&s, "waits")->note;
	assert_non_null(note);
	assert_non_null(strstr(note, "wall time differs by +80."));
	assert_non_null(strstr(note, "one side waits, which CPU time does not show"));
	assert_true(isnan(delta_of(&s, "waits")->noise_floor));
	assert_int_equal(VERDICT_UNCHANGED, verdict_of_bench(&s, "asked"));
	assert_int_equal(VERDICT_UNCHANGED, verdict_of_bench(&s, "little"));
	summary_release(&s);
}

/* Threads on a busy machine: CPU time may know what wall time cannot tell, but never decides
 * unasked. */
static void what_cpu_time_shows_is_told_where_wall_time_cannot_tell(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	add_threads(&s, "slower", pairs_head, pairs_base);
	add_threads(&s, "same", pairs_base, pairs_base);
	add_threads(&s, "tolerant", pairs_head, pairs_base)->threshold = 0.02;
	b = add_threads(&s, "called", pairs_head, pairs_base);
	memcpy(b->metrics[1].samples, pairs_head, sizeof(pairs_head));
	memcpy(b->metrics[1].baseline_samples, pairs_base, sizeof(pairs_base));
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "slower"));
	assert_non_null(
		strstr(delta_of(&s, "slower")->note,
		       "CPU time differs by +1.68 % [+1.18, +2.19] %: with 'metric = cpu' it "
		       "decides, and waiting goes unseen"));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "same"));
	assert_true(!delta_of(&s, "same")->note || !strstr(delta_of(&s, "same")->note, "CPU time"));
	assert_true(!delta_of(&s, "tolerant")->note ||
		    !strstr(delta_of(&s, "tolerant")->note, "CPU time"));
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "called"));
	assert_true(!delta_of(&s, "called")->note ||
		    !strstr(delta_of(&s, "called")->note, "CPU time"));
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_waits_since_is_not_unchanged),
		cmocka_unit_test(what_cpu_time_shows_is_told_where_wall_time_cannot_tell),
		cmocka_unit_test(p_counts_once_for_every_decision_point),
		cmocka_unit_test(decision_points_of_an_unpaired_benchmark_mean_nothing),
		cmocka_unit_test(what_stays_with_one_side_for_many_pairs_is_told),
		cmocka_unit_test(what_identical_code_showed_too_is_not_called),
		cmocka_unit_test(an_improvement_is_held_to_the_same_floor),
		cmocka_unit_test(an_accepted_regression_is_one_and_fails_no_gate),
		cmocka_unit_test(what_no_time_was_left_for_does_not_pass_strictly),
		cmocka_unit_test(accepting_hides_no_failure_and_no_doubt),
		cmocka_unit_test(times_in_two_groups_are_told),
		cmocka_unit_test(groups_closer_than_the_threshold_are_no_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
