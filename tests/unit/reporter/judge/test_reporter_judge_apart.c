/* Two results measured one after the other, of which some have figures and no samples. */
#include "tests/unit/reporter/judge/judge_fixture.h"

#include "reporter/figures/rows.h"
#include "reporter/judge/apart.h"

#include "lib/base/banned.h"

/* A result of one benchmark, gated by cpu. */
static struct metric *begin(struct summary *s)
{
	struct bench *b;

	judge_init(s);
	assert_int_equal(0, str_set(&s->commit.id, "c0ffee", NULL));
	b = fixture_bench(s, "x");
	b->paired = false;
	assert_int_equal(0, str_set(&b->gate, "cpu", NULL));
	return bench_add_metric(b, "cpu", "ns", BETTER_LOWER, NULL);
}

/* As `google --benchmark_report_aggregates_only` tells it. */
static void begin_summed_up(struct summary *s, double median, double mean)
{
	struct metric *m = begin(s);

	m->described = true;
	m->median = median;
	m->mean = mean;
	m->ci_low = m->ci_high = m->stddev = m->min = m->max = m->p99 = (double)NAN;
}

static void begin_sampled(struct summary *s, double value)
{
	struct metric *m = begin(s);
	int i;

	for (i = -1; i <= 1; i++)
		assert_int_equal(0, samples_add(&m->samples, &m->n, value + i, NULL));
}

static void assert_sides(const struct summary *s, double wanted_base, double wanted_head)
{
	double base, head;

	assert_int_equal(0, row_sides(&s->benchmarks[0].metrics[0], &base, &head, NULL));
	assert_near(wanted_base, base, 1e-9);
	assert_near(wanted_head, head, 1e-9);
}

static void figures_without_samples_are_measured_and_not_judged(void **state)
{
	struct summary s;

	(void)state;
	begin_summed_up(&s, 200, 210);
	judge_well(&s);
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&s, "x"));
	assert_int_equal(0, judge_exit(&s, true));
	assert_near(200, s.benchmarks[0].metrics[0].median, 0);
	summary_release(&s);
}

static void of_two_summed_up_results_both_figures_are_shown(void **state)
{
	struct summary base, head;

	(void)state;
	begin_summed_up(&base, 100, 90);
	begin_summed_up(&head, 200, 210);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&head, "x"));
	assert_near(2, delta_of(&head, "x")->ratio, 0);
	assert_true(isnan(delta_of(&head, "x")->low));
	assert_false(delta_of(&head, "x")->suspect);
	assert_non_null(strstr(delta_of(&head, "x")->note, "no samples to judge by"));
	assert_sides(&head, 100, 200);
	summary_release(&base);
	summary_release(&head);
}

static void a_figure_beside_samples_is_not_judged_either(void **state)
{
	struct summary base, head;

	(void)state;
	begin_summed_up(&base, (double)NAN, 100); /* a mean alone */
	begin_sampled(&head, 300);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&head, "x"));
	assert_sides(&head, 100, 300);
	summary_release(&base);
	summary_release(&head);
	begin_sampled(&base, 300);
	begin_summed_up(&head, 100, 120);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&head, "x"));
	assert_sides(&head, 300, 100);
	summary_release(&base);
	summary_release(&head);
}

static void begin_values(struct summary *s, const double *x, size_t n)
{
	struct metric *m = begin(s);
	size_t i;

	assert_int_equal(0, str_set(&m->unit, "errs/op", NULL));
	for (i = 0; i < n; i++)
		assert_int_equal(0, samples_add(&m->samples, &m->n, x[i], NULL));
}

/* A counter that was 0 has no ratio: it was "no-baseline". */
static void values_without_logs_are_judged_by_their_difference(void **state)
{
	static const double none[] = { 0, 0, 0 }, five[] = { 5, 5, 5 }, few[] = { 0, 1, 2 },
			    more[] = { 3, 4, 5 };
	struct summary base, head;
	const struct delta *d;

	(void)state;
	begin_values(&base, none, 3);
	begin_values(&head, five, 3);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	d = delta_of(&head, "x");
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&head, "x"));
	assert_true(d->by_difference && d->suspect);
	assert_near(5, d->difference, 0);
	assert_near(5, d->difference_low, 0); /* no spread at all */
	assert_near(5, d->difference_high, 0);
	assert_true(isnan(d->ratio));
	assert_non_null(strstr(d->note, "a hint, never a verdict"));
	assert_sides(&head, 0, 5);
	assert_int_equal(0, judge_exit(&head, false));
	summary_release(&head);
	/* back again: better, and no hint */
	begin_values(&head, none, 3);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_near(0, delta_of(&head, "x")->difference, 0);
	assert_false(delta_of(&head, "x")->suspect);
	summary_release(&head);
	summary_release(&base);
	/* By hand: both deviate by 1; 3 -+ 2.7764451 (Student's t, 4 degrees) * sqrt(2 / 3); p by
	 * the closed form of that distribution at t = 3 / sqrt(2 / 3). */
	begin_values(&base, few, 3);
	begin_values(&head, more, 3);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	d = delta_of(&head, "x");
	assert_near(3, d->difference, 1e-12);
	assert_near(0.7330421, d->difference_low, 1e-6);
	assert_near(5.2669579, d->difference_high, 1e-6);
	assert_near(0.021312, d->p, 1e-5);
	assert_true(d->suspect);
	summary_release(&head);
	summary_release(&base);
	/* more is better there: less of it is the hint */
	begin_values(&base, more, 3);
	begin_values(&head, few, 3);
	head.benchmarks[0].metrics[0].better = BETTER_HIGHER;
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_near(-3, delta_of(&head, "x")->difference, 1e-12);
	assert_true(delta_of(&head, "x")->suspect);
	summary_release(&head);
	summary_release(&base);
	begin_values(&base, none, 1);
	begin_values(&head, five, 3);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	d = delta_of(&head, "x");
	assert_near(5, d->difference, 1e-12);
	assert_true(isnan(d->difference_low) && isnan(d->p) && !d->suspect);
	assert_non_null(strstr(d->note, "one value a side"));
	summary_release(&head);
	summary_release(&base);
}

static void a_figure_of_nothing_is_compared_by_its_difference(void **state)
{
	struct summary base, head;

	(void)state;
	begin_summed_up(&base, 0, 0);
	begin_summed_up(&head, 7, 7);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&head, "x"));
	assert_near(7, delta_of(&head, "x")->difference, 0);
	assert_false(delta_of(&head, "x")->suspect);
	assert_non_null(strstr(delta_of(&head, "x")->note, "no samples to judge by"));
	summary_release(&base);
	summary_release(&head);
}

/* What is below the threshold would not have been called, however narrow the interval. */
static void no_change_below_the_threshold_is_detectable(void **state)
{
	struct summary base, head;

	(void)state;
	begin_sampled(&base, 100000); /* of which 1 is 0.001 % */
	begin_sampled(&head, 100500);
	head.benchmarks[0].threshold = 0.01;
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_true(delta_of(&head, "x")->high - delta_of(&head, "x")->low < 0.001);
	assert_near(0.01, delta_of(&head, "x")->noise_floor, 0);
	summary_release(&base);
	summary_release(&head);
	/* a wide one says more */
	begin_sampled(&base, 100);
	begin_sampled(&head, 200);
	head.benchmarks[0].threshold = 0.001;
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_true(delta_of(&head, "x")->noise_floor > 0.01);
	summary_release(&base);
	summary_release(&head);
}

static void two_machines_give_no_hint_and_are_named(void **state)
{
	struct summary base, head;

	(void)state;
	begin_sampled(&base, 100);
	assert_int_equal(0, str_set(&base.machine.id, "fedcba9876543210", NULL));
	begin_sampled(&head, 200);
	assert_int_equal(0, str_set(&head.machine.id, base.machine.id, NULL));
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_true(delta_of(&head, "x")->suspect);
	assert_int_equal(0, head.environment.warnings.n);
	summary_release(&head);
	begin_sampled(&head, 200);
	assert_int_equal(0, str_set(&head.machine.id, "0123456789abcdef", NULL));
	assert_int_equal(0, str_set(&head.machine.cpu, "Slow", NULL));
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(VERDICT_INCONCLUSIVE, verdict_of_bench(&head, "x"));
	assert_false(delta_of(&head, "x")->suspect);
	assert_near(2, delta_of(&head, "x")->ratio, 0.01);
	assert_non_null(strstr(delta_of(&head, "x")->note, "two machines"));
	assert_int_equal(1, head.environment.warnings.n);
	assert_non_null(strstr(head.environment.warnings.v[0], "fedcba9876543210 (EPYC)"));
	assert_non_null(strstr(head.environment.warnings.v[0], "0123456789abcdef (Slow)"));
	summary_release(&base);
	summary_release(&head);
}

static void a_base_that_failed_is_the_reason_why_nothing_is_compared(void **state)
{
	struct summary base, head;

	(void)state;
	begin_sampled(&base, 100);
	base.benchmarks[0].status = BENCH_FAILED;
	assert_int_equal(0, str_set(&base.benchmarks[0].detail, "panic: 7\ngoroutine 1", NULL));
	begin_sampled(&head, 200);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(VERDICT_NO_BASELINE, verdict_of_bench(&head, "x"));
	assert_string_equal("not compared: it failed in the base: panic: 7",
			    head.benchmarks[0].detail);
	summary_release(&head);
	base.benchmarks[0].status = BENCH_TIMEOUT;
	assert_int_equal(0, str_set(&base.benchmarks[0].detail, NULL, NULL));
	begin_sampled(&head, 200);
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_string_equal("not compared: it did not end in time in the base",
			    head.benchmarks[0].detail);
	summary_release(&head);
	summary_release(&base);
}

static void what_the_base_alone_has_is_named(void **state)
{
	struct summary base, head;

	(void)state;
	begin_sampled(&base, 100);
	fixture_bench(&base, "gone");
	fixture_bench(&base, "lost");
	begin_sampled(&head, 100);
	head.settings.partial = true;
	assert_int_equal(0, judge_apart(&base, &head, NULL));
	assert_int_equal(1, head.n_benchmarks);
	assert_int_equal(1, head.environment.warnings.n);
	assert_string_equal("2 benchmarks of the base are not in the head: gone, lost",
			    head.environment.warnings.v[0]);
	summary_release(&base);
	summary_release(&head);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_without_samples_are_measured_and_not_judged),
		cmocka_unit_test(of_two_summed_up_results_both_figures_are_shown),
		cmocka_unit_test(a_figure_beside_samples_is_not_judged_either),
		cmocka_unit_test(values_without_logs_are_judged_by_their_difference),
		cmocka_unit_test(a_figure_of_nothing_is_compared_by_its_difference),
		cmocka_unit_test(no_change_below_the_threshold_is_detectable),
		cmocka_unit_test(two_machines_give_no_hint_and_are_named),
		cmocka_unit_test(a_base_that_failed_is_the_reason_why_nothing_is_compared),
		cmocka_unit_test(what_the_base_alone_has_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
