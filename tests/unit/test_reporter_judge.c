/* The verdicts of whole summaries, from pairs with known answers. */
#include "tests/unit/judge_fixture.h"

#include <stdio.h>

#include "reporter/judge.h"

#include "lib/base/banned.h"

static const struct history no_history = HISTORY_INIT;

static void judge_well(struct summary *s)
{
	struct err err = ERR_INIT;

	if (judge(s, &no_history, &err))
		fail_msg("judge: %s", err.text);
}

static void the_known_pairs_regress_at_one_percent(void **state)
{
	struct summary s;
	const struct delta *d;

	(void)state;
	judge_init(&s);
	add_known(&s, "x", 0.01);
	judge_well(&s);
	d = delta_of(&s, "x");
	assert_int_equal(VERDICT_REGRESSED, d->verdict);
	assert_near(KNOWN_RATIO, d->ratio, 1e-12);
	assert_near(KNOWN_LOW, d->low, 1e-12);
	assert_near(KNOWN_HIGH, d->high, 1e-12);
	assert_near(KNOWN_P, d->p, 0);
	assert_near(KNOWN_P, d->p_adjusted, 0);
	assert_near(0.95, d->confidence, 1e-12);
	assert_true(isnan(d->pairs_needed));
	assert_false(d->suspect);
	assert_int_equal(1, judge_exit(&s, false));
	summary_release(&s);
}

static void the_known_pairs_are_inconclusive_at_two_percent(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_known(&s, "x", 0.02);
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_near(KNOWN_RATIO, delta_of(&s, "x")->ratio, 1e-12);
	assert_int_equal(0, judge_exit(&s, false));
	assert_int_equal(3, judge_exit(&s, true));
	summary_release(&s);
}

/* The threshold is the benchmark's own, whatever [pawl] says. */
static void the_benchmarks_own_threshold_counts(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	s.settings.threshold = 0.5;
	add_known(&s, "x", 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	summary_release(&s);
}

static void swapped_sides_give_the_mirror_image(void **state)
{
	struct summary s;
	const struct delta *d;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", pairs_base, pairs_head, N_PAIRS, 0.01);
	judge_well(&s);
	d = delta_of(&s, "x");
	assert_int_equal(VERDICT_IMPROVED, d->verdict);
	assert_near(1 / KNOWN_RATIO, d->ratio, 1e-12);
	assert_near(1 / KNOWN_HIGH, d->low, 1e-12);
	assert_near(1 / KNOWN_LOW, d->high, 1e-12);
	assert_near(KNOWN_P, d->p, 0);
	assert_int_equal(0, judge_exit(&s, true));
	summary_release(&s);
}

static void where_higher_is_better_more_is_an_improvement(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	b = add_known(&s, "x", 0.01);
	b->metrics[0].better = BETTER_HIGHER;
	b = add_pairs(&s, "y", pairs_base, pairs_head, N_PAIRS, 0.01);
	b->metrics[0].better = BETTER_HIGHER;
	/* Two of two are flagged: 2 x 0.0268 / 2. */
	judge_well(&s);
	assert_int_equal(VERDICT_IMPROVED, verdict_of_bench(&s, "x"));
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "y"));
	assert_near(KNOWN_RATIO, delta_of(&s, "x")->ratio, 1e-12);
	assert_near(KNOWN_LOW, delta_of(&s, "x")->low, 1e-12);
	assert_near(KNOWN_HIGH, delta_of(&s, "x")->high, 1e-12);
	assert_near(1 / KNOWN_RATIO, delta_of(&s, "y")->ratio, 1e-12);
	summary_release(&s);
}

static void equal_sides_are_unchanged(void **state)
{
	struct summary s;
	const struct delta *d;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", pairs_base, pairs_base, N_PAIRS, 0.01);
	judge_well(&s);
	d = delta_of(&s, "x");
	assert_int_equal(VERDICT_UNCHANGED, d->verdict);
	assert_near(1, d->ratio, 0);
	assert_near(1, d->p, 0);
	summary_release(&s);
}

static void five_pairs_are_too_few_for_any_verdict(void **state)
{
	const double base[5] = { 100, 100, 100, 100, 100 }, head[5] = { 200, 201, 202, 203, 204 };
	struct summary s;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", head, base, 5, 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	summary_release(&s);
}

static void of_twenty_only_the_true_change_is_called(void **state)
{
	struct summary s;
	struct tally t;
	char name[32];
	int i;

	(void)state;
	judge_init(&s);
	for (i = 0; i < 19; i++) {
		snprintf(name, sizeof(name), "noise%d", i);
		add_noise(&s, name);
	}
	add_change(&s, "true", 3);
	judge_well(&s);
	tally_of(&s, &t);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "true"));
	assert_int_equal(1, t.n[VERDICT_REGRESSED]);
	assert_int_equal(0, t.n[VERDICT_IMPROVED]);
	assert_int_equal(20, t.n_benchmarks);
	/* 12 of 12 pairs up: p = 2 / 4096, times 20; FCR level 1 - 0.05 / 20. */
	assert_near(2.0 / 4096, delta_of(&s, "true")->p, 0);
	assert_near(40.0 / 4096, delta_of(&s, "true")->p_adjusted, 1e-15);
	assert_near(0.9975, delta_of(&s, "true")->confidence, 1e-12);
	summary_release(&s);
}

/* p 0.027 is enough for one benchmark, not for one of twenty. */
static void a_weak_one_of_twenty_is_inconclusive(void **state)
{
	struct summary s;
	char name[32];
	int i;

	(void)state;
	judge_init(&s);
	for (i = 0; i < 19; i++) {
		snprintf(name, sizeof(name), "noise%d", i);
		add_noise(&s, name);
	}
	add_known(&s, "weak", 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "weak"));
	assert_true(delta_of(&s, "weak")->pairs_needed > N_PAIRS);
	summary_release(&s);
}

/* Two were run: 0.027 x 2 is over 0.05, though the other one gave no number. */
static void a_failed_one_counts_in_the_family(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	fixture_failed(&s, "broken", "exited with status 3");
	add_known(&s, "x", 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_FAILED, verdict_of_bench(&s, "broken"));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_near(2 * KNOWN_P, delta_of(&s, "x")->p_adjusted, 1e-15);
	assert_int_equal(4, judge_exit(&s, true));
	b = summary_find(&s, "broken");
	b->status = BENCH_TIMEOUT;
	assert_int_equal(VERDICT_FAILED, verdict_of_bench(&s, "broken"));
	assert_int_equal(4, judge_exit(&s, false));
	summary_release(&s);
}

static void what_was_not_run_does_not_count_in_the_family(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	b = fixture_bench(&s, "same");
	b->paired = false;
	assert_int_equal(0, str_set(&b->binary_id, "aa", NULL));
	assert_int_equal(0, str_set(&b->base_binary_id, "aa", NULL));
	b = fixture_bench(&s, "gone");
	b->paired = false;
	b->status = BENCH_REMOVED;
	add_known(&s, "x", 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
	assert_int_equal(VERDICT_REMOVED, verdict_of_bench(&s, "gone"));
	assert_int_equal(VERDICT_IDENTICAL, verdict_of_bench(&s, "same"));
	assert_null(bench_delta(summary_find(&s, "same")));
	summary_release(&s);
}

/* Slices a little off the totals are the better figures; totals far off them are the truth. */
static void the_track_of_log_ratios_is_used_when_present(void **state)
{
	struct summary s;
	struct bench *b;
	struct track *t;
	int i;

	(void)state;
	judge_init(&s);
	b = add_pairs(&s, "x", pairs_head, pairs_base, N_PAIRS, 0.01);
	t = bench_add_track(b, "log_ratio.cpu", NULL);
	assert_non_null(t);
	for (i = 0; i < N_PAIRS; i++)
		assert_int_equal(0, samples_add(&t->head, &t->n_head,
						log(pairs_head[i]) - log(pairs_base[i]) - 0.004,
						NULL));
	judge_well(&s);
	assert_near(KNOWN_RATIO * exp(-0.004), delta_of(&s, "x")->ratio, 1e-12);
	assert_null(strstr(delta_of(&s, "x")->note, "judged by whole runs"));
	for (i = 0; i < N_PAIRS; i++)
		t->head[i] -= 0.002;
	judge_well(&s);
	assert_near(KNOWN_RATIO, delta_of(&s, "x")->ratio, 1e-12);
	assert_non_null(strstr(delta_of(&s, "x")->note, "judged by whole runs"));
	summary_release(&s);
}

/* One value a pair or nothing: a shorter track cannot be matched with the pairs. */
static void a_track_of_another_length_is_not_used(void **state)
{
	struct summary s;
	struct bench *b;
	struct track *t;
	int i;

	(void)state;
	judge_init(&s);
	b = add_known(&s, "x", 0.01);
	t = bench_add_track(b, "log_ratio.cpu", NULL);
	assert_non_null(t);
	for (i = 0; i < N_PAIRS - 1; i++)
		assert_int_equal(0, samples_add(&t->head, &t->n_head, -0.5, NULL));
	judge_well(&s);
	assert_near(KNOWN_RATIO, delta_of(&s, "x")->ratio, 1e-12);
	summary_release(&s);
}

static void other_metrics_are_shown_without_a_verdict(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	b = add_pairs(&s, "x", pairs_base, pairs_base, N_PAIRS, 0.01);
	add_samples(b, "wall", BETTER_LOWER, pairs_head, pairs_base, N_PAIRS);
	judge_well(&s);
	assert_int_equal(VERDICT_UNCHANGED, verdict_of_bench(&s, "x"));
	assert_true(b->metrics[1].has_delta);
	assert_int_equal(VERDICT_NONE, b->metrics[1].delta.verdict);
	assert_near(KNOWN_RATIO, b->metrics[1].delta.ratio, 1e-12);
	assert_int_equal(0, judge_exit(&s, true));
	summary_release(&s);
}

static void a_gate_that_was_not_measured_is_a_configuration_error(void **state)
{
	struct summary s;
	struct bench *b;
	struct metric *m;
	struct err err = ERR_INIT;

	(void)state;
	judge_init(&s);
	b = fixture_bench(&s, "x");
	add_samples(b, "cpu", BETTER_LOWER, pairs_head, pairs_base, N_PAIRS);
	m = bench_add_metric(b, "instructions", "1", BETTER_LOWER, NULL);
	assert_non_null(m);
	m->state = METRIC_ABSENT;
	assert_int_equal(0, str_set(&m->reason, "this machine does not offer", NULL));
	assert_int_equal(0, str_set(&b->gate, "instructions", NULL));
	add_known(&s, "y", 0.01);
	assert_int_equal(0, judge(&s, &no_history, &err));
	assert_int_equal(VERDICT_FAILED, bench_verdict(&s.benchmarks[0]));
	assert_non_null(strstr(s.benchmarks[0].detail, "'instructions'"));
	assert_non_null(strstr(s.benchmarks[0].detail, "this machine does not offer"));
	assert_non_null(strstr(s.benchmarks[0].detail, "metric to cpu or wall"));
	/* and the others are judged all the same */
	assert_true(bench_delta(&s.benchmarks[1]) != NULL);
	assert_int_equal(4, judge_exit(&s, false));
	summary_release(&s);
}

/* A counter that saw nothing has no ratio: that is no answer, least of all "no baseline". */
static void pairs_without_a_ratio_are_inconclusive(void **state)
{
	double zero[N_PAIRS] = { 0 };
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", pairs_head, zero, N_PAIRS, 0.01);
	b = add_known(&s, "y", 0.01);
	b->metrics[0].n_baseline--;
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "y"));
	assert_non_null(strstr(summary_find(&s, "x")->detail, "cpu"));
	assert_non_null(summary_find(&s, "y")->detail);
	assert_int_equal(3, judge_exit(&s, true));
	summary_release(&s);
}

/* They were run and count: 0.027 x 2. */
static void pairs_without_a_ratio_count_in_the_family(void **state)
{
	double zero[N_PAIRS] = { 0 };
	struct summary s;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", zero, zero, N_PAIRS, 0.01);
	add_known(&s, "y", 0.01);
	judge_well(&s);
	assert_near(2 * KNOWN_P, delta_of(&s, "y")->p_adjusted, 1e-15);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "y"));
	summary_release(&s);
}

/* STATISTICS 2.8: more than every tenth pair repeated, and what is left is no fair sample. */
static void more_than_a_tenth_of_void_pairs_gives_no_verdict(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_change(&s, "x", 5)->n_void = 2; /* of 14 */
	add_change(&s, "y", 5)->n_void = 1; /* of 13 */
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_non_null(strstr(delta_of(&s, "x")->note, "repeated"));
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "y"));
	summary_release(&s);
}

static void the_note_says_when_the_tails_moved_otherwise(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_known(&s, "x", 0.01); /* the means move by +4.6 %, outside of the interval */
	add_change(&s, "y", 3);
	judge_well(&s);
	assert_non_null(strstr(delta_of(&s, "x")->note, "tails differ"));
	assert_null(delta_of(&s, "y")->note);
	summary_release(&s);
}

static void far_pairs_are_counted_and_kept(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_known(&s, "x", 0.01); /* two spikes, one on either side */
	judge_well(&s);
	assert_int_equal(2, summary_find(&s, "x")->n_disturbed);
	assert_int_equal(N_PAIRS, summary_find(&s, "x")->metrics[0].n);
	summary_release(&s);
}

static void the_figures_of_the_head_are_described(void **state)
{
	struct summary s;
	const struct metric *m;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", pairs_head, NULL, N_PAIRS, 0.01)->paired = false;
	judge_well(&s);
	m = &summary_find(&s, "x")->metrics[0];
	assert_true(m->described);
	assert_near(1297.6 / 12, m->mean, 1e-9);
	assert_near(101.3, m->min, 0);
	assert_near(168.4, m->max, 0);
	assert_near(1e9 / m->mean, m->throughput_per_s, 1e-3);
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "x"));
	assert_int_equal(0, judge_exit(&s, true));
	summary_release(&s);
}

static void a_failure_outranks_a_regression_and_that_an_inconclusive_one(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	assert_int_equal(0, judge_exit(&s, true)); /* nothing at all */
	fixture_judged(&s, "a", 1, 0.9, 1.1, VERDICT_UNCHANGED);
	fixture_judged(&s, "b", 0.9, 0.8, 0.95, VERDICT_IMPROVED);
	fixture_judged(&s, "c", 1, 0.9, 1.1, VERDICT_NO_BASELINE);
	assert_int_equal(0, judge_exit(&s, true));
	fixture_judged(&s, "d", 1, 0.9, 1.1, VERDICT_INCONCLUSIVE)->metrics[0].delta.suspect = true;
	assert_int_equal(0, judge_exit(&s, false));
	assert_int_equal(3, judge_exit(&s, true));
	fixture_judged(&s, "e", 1.2, 1.1, 1.3, VERDICT_REGRESSED);
	assert_int_equal(1, judge_exit(&s, false));
	assert_int_equal(1, judge_exit(&s, true));
	fixture_failed(&s, "f", "was killed by SIGSEGV");
	assert_int_equal(4, judge_exit(&s, false));
	assert_int_equal(4, judge_exit(&s, true));
	summary_release(&s);
}

static void the_tally_counts_every_verdict_once(void **state)
{
	struct summary s;
	struct tally t;
	size_t i, sum = 0;

	(void)state;
	judge_init(&s);
	fixture_judged(&s, "a", 1, 0.9, 1.1, VERDICT_INCONCLUSIVE)->metrics[0].delta.suspect = true;
	fixture_judged(&s, "b", 1, 0.9, 1.1, VERDICT_INCONCLUSIVE);
	fixture_failed(&s, "c", "x");
	fixture_bench(&s, "d")->status = BENCH_REMOVED;
	tally_of(&s, &t);
	for (i = 0; i < VERDICT_N; i++)
		sum += t.n[i];
	assert_int_equal(4, sum);
	assert_int_equal(4, t.n_benchmarks);
	assert_int_equal(1, t.n_suspect);
	assert_int_equal(2, t.n[VERDICT_INCONCLUSIVE]);
	assert_int_equal(1, t.n[VERDICT_FAILED]);
	assert_int_equal(1, t.n[VERDICT_REMOVED]);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_known_pairs_regress_at_one_percent),
		cmocka_unit_test(the_known_pairs_are_inconclusive_at_two_percent),
		cmocka_unit_test(the_benchmarks_own_threshold_counts),
		cmocka_unit_test(swapped_sides_give_the_mirror_image),
		cmocka_unit_test(where_higher_is_better_more_is_an_improvement),
		cmocka_unit_test(equal_sides_are_unchanged),
		cmocka_unit_test(five_pairs_are_too_few_for_any_verdict),
		cmocka_unit_test(of_twenty_only_the_true_change_is_called),
		cmocka_unit_test(a_weak_one_of_twenty_is_inconclusive),
		cmocka_unit_test(a_failed_one_counts_in_the_family),
		cmocka_unit_test(what_was_not_run_does_not_count_in_the_family),
		cmocka_unit_test(the_track_of_log_ratios_is_used_when_present),
		cmocka_unit_test(a_track_of_another_length_is_not_used),
		cmocka_unit_test(other_metrics_are_shown_without_a_verdict),
		cmocka_unit_test(a_gate_that_was_not_measured_is_a_configuration_error),
		cmocka_unit_test(pairs_without_a_ratio_are_inconclusive),
		cmocka_unit_test(pairs_without_a_ratio_count_in_the_family),
		cmocka_unit_test(more_than_a_tenth_of_void_pairs_gives_no_verdict),
		cmocka_unit_test(the_note_says_when_the_tails_moved_otherwise),
		cmocka_unit_test(far_pairs_are_counted_and_kept),
		cmocka_unit_test(the_figures_of_the_head_are_described),
		cmocka_unit_test(a_failure_outranks_a_regression_and_that_an_inconclusive_one),
		cmocka_unit_test(the_tally_counts_every_verdict_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
