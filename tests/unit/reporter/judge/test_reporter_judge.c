/* The verdicts of single benchmarks from pairs with known answers, and what pawl exits with. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include "lib/base/banned.h"

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
	assert_near(0.98, d->confidence, 1e-12);
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

static void eight_pairs_are_too_few_for_a_change(void **state)
{
	const double base[9] = { 100, 100, 100, 100, 100, 100, 100, 100, 100 },
		     head[9] = { 200, 201, 202, 203, 204, 205, 206, 207, 208 };
	struct summary s;

	(void)state;
	judge_init(&s);
	add_pairs(&s, "x", head, base, 8, 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	summary_release(&s);
	judge_init(&s);
	add_pairs(&s, "x", head, base, 5, 0.01);
	judge_well(&s);
	assert_true(isnan(delta_of(&s, "x")->low) && !delta_of(&s, "x")->note); /* no interval */
	summary_release(&s);
	judge_init(&s);
	add_pairs(&s, "x", head, base, 9, 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "x"));
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
	assert_non_null(strstr(s.benchmarks[0].detail, "set its metric to one that it has: cpu"));
	/* and the others are judged all the same */
	assert_true(bench_delta(&s.benchmarks[1]) != NULL);
	assert_int_equal(4, judge_exit(&s, false));
	summary_release(&s);
}

/* A result of another harness may say nothing of a benchmark but its name. */
static void without_gate_and_metric_nothing_is_judged(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	fixture_bench(&s, "x");
	assert_int_equal(0, str_set(&s.benchmarks[0].gate, NULL, NULL));
	add_known(&s, "y", 0.01);
	judge_well(&s);
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "x"));
	assert_null(s.benchmarks[0].detail);
	assert_int_equal(1, judge_exit(&s, false));
	summary_release(&s);
}

/* It ended the comparison of all benchmarks, after all measuring. */
static void a_value_too_large_fails_its_metric_alone(void **state)
{
	struct summary s;
	struct bench *b;
	struct metric *m;

	(void)state;
	judge_init(&s);
	b = add_change(&s, "shown", 10);
	m = add_samples(b, "misses", BETTER_LOWER, pairs_head, pairs_base, N_PAIRS);
	m->samples[3] = 1e300;
	m = add_samples(b, "in-base", BETTER_LOWER, pairs_head, pairs_base, N_PAIRS);
	m->baseline_samples[5] = -1e200;
	add_samples(b, "fine", BETTER_LOWER, pairs_head, pairs_base, N_PAIRS);
	b = add_known(&s, "gating", 0.01);
	b->metrics[0].samples[0] = 1e300;
	b = add_known(&s, "misnamed", 0.01);
	add_samples(b, "hits", BETTER_HIGHER, pairs_head, pairs_base, N_PAIRS);
	assert_int_equal(0, str_set(&b->gate, "hist", NULL));
	judge_well(&s);
	b = summary_find(&s, "shown");
	assert_int_equal(VERDICT_REGRESSED, bench_verdict(b));
	m = bench_find_metric(b, "misses");
	assert_false(m->has_delta || m->described || m->n || m->n_baseline);
	assert_int_equal(METRIC_ABSENT, m->state);
	assert_string_equal("a value of 1e+300 is too large to be compared", m->reason);
	m = bench_find_metric(b, "in-base");
	assert_false(m->has_delta || m->n);
	assert_string_equal("a value of -1e+200 is too large to be compared", m->reason);
	assert_true(bench_find_metric(b, "fine")->has_delta);
	b = summary_find(&s, "gating");
	assert_int_equal(BENCH_FAILED, b->status);
	assert_non_null(strstr(b->detail, "a value of 1e+300 is too large"));
	assert_null(strstr(b->detail, "set its metric")); /* it is cpu already */
	assert_string_equal("it is gated by 'hist', which could not be had: it was not measured; "
			    "set its metric to one that it has: cpu, hits",
			    summary_find(&s, "misnamed")->detail);
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

/* STATISTICS 2.8: more than every tenth pair repeated, and what is left is no fair sample. */
static void more_than_a_tenth_of_void_pairs_gives_no_verdict(void **state)
{
	struct summary s;

	(void)state;
	judge_init(&s);
	add_change(&s, "x", 5)->n_void = 2; /* of 19 */
	add_change(&s, "y", 5)->n_void = 1; /* of 18 */
	judge_well(&s);
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&s, "x"));
	assert_non_null(strstr(delta_of(&s, "x")->note, "repeated"));
	assert_int_equal(VERDICT_REGRESSED, verdict_of_bench(&s, "y"));
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
		cmocka_unit_test(eight_pairs_are_too_few_for_a_change),
		cmocka_unit_test(a_gate_that_was_not_measured_is_a_configuration_error),
		cmocka_unit_test(without_gate_and_metric_nothing_is_judged),
		cmocka_unit_test(a_value_too_large_fails_its_metric_alone),
		cmocka_unit_test(pairs_without_a_ratio_are_inconclusive),
		cmocka_unit_test(more_than_a_tenth_of_void_pairs_gives_no_verdict),
		cmocka_unit_test(a_failure_outranks_a_regression_and_that_an_inconclusive_one),
		cmocka_unit_test(the_tally_counts_every_verdict_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
