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
	assert_null(delta_of(&s, "x")->note);
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
	add_change(&s, "x", 3)->metrics[0].samples[5] *= 3; /* the means move by +15 % */
	add_change(&s, "y", 3);
	judge_well(&s);
	assert_non_null(strstr(delta_of(&s, "x")->note, "the mean moved differently"));
	assert_null(delta_of(&s, "y")->note);
	summary_release(&s);
}

static void far_pairs_are_counted_and_kept(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	judge_init(&s);
	b = add_change(&s, "x", 3);
	b->metrics[0].samples[5] *= 3;
	b->metrics[0].baseline_samples[9] *= 3;
	judge_well(&s);
	assert_int_equal(2, summary_find(&s, "x")->n_disturbed);
	assert_int_equal(N_CHANGED, summary_find(&s, "x")->metrics[0].n);
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
	assert_near(1231.6 / 12, m->mean, 1e-9);
	assert_near(101.3, m->min, 0);
	assert_near(104.9, m->max, 0);
	assert_near(1e9 / m->mean, m->throughput_per_s, 1e-3);
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "x"));
	assert_int_equal(0, judge_exit(&s, true));
	summary_release(&s);
}

/* A metric that counts; base and head alternate between two values each. */
static void add_counts(struct summary *s, const char *name, enum better better,
		       const double head[2], const double base[2])
{
	struct bench *b = fixture_bench(s, name);
	struct metric *m = bench_add_metric(b, "allocs", "1", better, NULL);
	size_t i;

	assert_non_null(m);
	b->threshold = 0.01;
	assert_int_equal(0, str_set(&b->gate, "allocs", NULL));
	for (i = 0; i < N_PAIRS; i++) {
		assert_int_equal(0, samples_add(&m->samples, &m->n, head[i % 2], NULL));
		assert_int_equal(
			0, samples_add(&m->baseline_samples, &m->n_baseline, base[i % 2], NULL));
	}
}

/* The regression that people look for was inconclusive, and so was nothing at all. */
static void a_count_without_a_ratio_is_compared_by_difference(void **state)
{
	static const double none[2] = { 0, 0 }, five[2] = { 5, 5 }, some[2] = { 5, 7 };
	static const double much[2] = { 0, 1000 }, more[2] = { 3, 1003 }, most[2] = { 90, 1090 };
	const struct delta *d;
	struct summary s;

	(void)state;
	judge_init(&s);
	add_counts(&s, "none", BETTER_LOWER, none, none);
	add_counts(&s, "new", BETTER_LOWER, some, none);
	add_counts(&s, "gone", BETTER_LOWER, none, five);
	add_counts(&s, "hits", BETTER_HIGHER, none, five);
	add_counts(&s, "few", BETTER_LOWER, more, much);
	add_counts(&s, "many", BETTER_LOWER, most, much);
	judge_well(&s);
	d = delta_of(&s, "none");
	assert_int_equal(VERDICT_UNCHANGED, d->verdict);
	assert_true(d->by_difference && isnan(d->ratio) && isnan(d->low) && isnan(d->noise_floor));
	assert_near(0, d->difference, 0);
	assert_near(0, d->difference_high, 0);
	d = delta_of(&s, "new");
	assert_int_equal(VERDICT_REGRESSED, d->verdict);
	assert_near(6, d->difference, 0); /* Hodges-Lehmann of six 5 and six 7 */
	assert_true(d->difference_low >= 5 && d->difference_high <= 7);
	assert_null(d->note); /* tails and groups are about times */
	assert_int_equal(VERDICT_IMPROVED, verdict_of_bench(&s, "gone"));
	assert_near(-5, delta_of(&s, "gone")->difference, 0);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "hits"));
	assert_near(-5, delta_of(&s, "hits")->difference, 0);
	/* 1 % of the mean of the base, 500, is 5 */
	assert_int_equal(VERDICT_UNCHANGED, verdict_of_bench(&s, "few"));
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "many"));
	assert_near(90, delta_of(&s, "many")->difference, 0);
	assert_int_equal(1, judge_exit(&s, false));
	summary_release(&s);
}

/*
 * One run in ten allocates five times where none did: the median of all averages is 0, and so are
 * the ends of its interval from 24 pairs on; but nobody who reads "unchanged" would expect it.
 */
static void a_count_that_is_rarely_above_0_is_not_unchanged(void **state)
{
	struct summary s;
	size_t i, n;

	(void)state;
	for (n = 24; n <= 192; n *= 2) {
		double least =
			n == 48 ? 10 : 0; /* what is above 0 has a ratio, and is a count still */
		struct bench *b;
		struct metric *m;

		judge_init(&s);
		b = fixture_bench(&s, "rare");
		m = bench_add_metric(b, "allocs", "1", BETTER_LOWER, NULL);
		assert_non_null(m);
		b->threshold = 0.01;
		assert_int_equal(0, str_set(&b->gate, "allocs", NULL));
		for (i = 0; i < n; i++) {
			assert_int_equal(
				0, samples_add(&m->samples, &m->n, least + (i % 12 ? 0 : 5), NULL));
			assert_int_equal(
				0, samples_add(&m->baseline_samples, &m->n_baseline, least, NULL));
		}
		judge_well(&s);
		if (least > 0)
			assert_near(1, delta_of(&s, "rare")->high, 0);
		else
			assert_near(0, delta_of(&s, "rare")->difference_high, 0);
		assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "rare"));
		assert_non_null(strstr(delta_of(&s, "rare")->note, "few pairs differ"));
		summary_release(&s);
	}
}

/* A time of 0 was not measured, whatever the unit that another harness gave it. */
static void a_time_of_0_is_no_difference_in_any_unit(void **state)
{
	static const char *const units[] = { "ns", "us", "ms", "s", "ms/op" };
	static const double none[2] = { 0, 0 }, five[2] = { 5, 5 };
	struct summary s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		judge_init(&s);
		add_counts(&s, "late", BETTER_LOWER, five, none);
		assert_int_equal(0, str_set(&s.benchmarks[0].metrics[0].unit, units[i], NULL));
		judge_well(&s);
		assert_false(s.benchmarks[0].metrics[0].has_delta);
		summary_release(&s);
	}
}

/* What identical code differed by is a share: of a difference it says nothing. */
static void the_floor_of_identical_code_does_not_doubt_a_difference(void **state)
{
	static const double none[2] = { 0, 0 }, five[2] = { 5, 5 };
	struct summary s;

	(void)state;
	judge_init(&s);
	add_counts(&s, "new", BETTER_LOWER, five, none);
	s.benchmarks[0].calibration = (struct calibration){ 20, 0, 0.5, 0, { .n = 0 } };
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "new"));
	summary_release(&s);
}

/* That the mean moved was said of every benchmark: no mean lies in an interval that is not there.
 */
static void too_few_pairs_for_an_interval_say_nothing_about_tails(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", pairs_head, pairs_base, 5, 0.01);
	judge_well(&s);
	assert_true(isnan(delta_of(&s, "x")->low));
	assert_null(delta_of(&s, "x")->note);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_without_a_ratio_is_compared_by_difference),
		cmocka_unit_test(a_count_that_is_rarely_above_0_is_not_unchanged),
		cmocka_unit_test(a_time_of_0_is_no_difference_in_any_unit),
		cmocka_unit_test(the_floor_of_identical_code_does_not_doubt_a_difference),
		cmocka_unit_test(too_few_pairs_for_an_interval_say_nothing_about_tails),
		cmocka_unit_test(the_track_of_log_ratios_is_used_when_present),
		cmocka_unit_test(a_track_of_another_length_is_not_used),
		cmocka_unit_test(other_metrics_are_shown_without_a_verdict),
		cmocka_unit_test(the_note_says_when_the_tails_moved_otherwise),
		cmocka_unit_test(far_pairs_are_counted_and_kept),
		cmocka_unit_test(the_figures_of_the_head_are_described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
