/* Which figures a verdict is made from, and which are shown beside it. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include "lib/base/banned.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_track_of_log_ratios_is_used_when_present),
		cmocka_unit_test(a_track_of_another_length_is_not_used),
		cmocka_unit_test(other_metrics_are_shown_without_a_verdict),
		cmocka_unit_test(the_note_says_when_the_tails_moved_otherwise),
		cmocka_unit_test(far_pairs_are_counted_and_kept),
		cmocka_unit_test(the_figures_of_the_head_are_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
