/*
 * What the figures under a verdict promise, counted on simulated machines: hostile noise, seeded,
 * no clock.  What the verdicts promise, through the collector's own schedule:
 * tests/unit/collector/schedule/test_collector_schedule_rates.c.
 *
 * PAWL_TEST_SLOW in the environment runs 25 times as many.  Bounds are the method's promises; the
 * counts are repeatable, so a bound that holds once holds always.
 */
#include "tests/unit/lib/stats/simulation_fixture.h"

#include "lib/stats/describe.h"
#include "lib/stats/points.h"
#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

enum { PAIRS = 24 };

static struct judgement judge(const double *d, size_t n)
{
	const struct judge_terms terms = { log1p(0.01), 1, 1 };
	struct judgement out = { .n = 0 };

	assert_int_equal(judge_pairs(d, n, &terms, &out, NULL), 0);
	return out;
}

static void noise_is_as_wide_as_was_measured(void **state)
{
	static double d[5000];
	struct noisy machine;
	struct description all;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 1);
	measure(&machine, d, 5000, 0);
	assert_int_equal(describe(d, 5000, 0.95, &all, NULL), 0);
	print_message("# standard deviation of a pair: %.4f\n", all.sd);
	assert_true(all.sd > 0.018 && all.sd < 0.023);
}

static void interval_covers_the_truth_98_times_in_100(void **state)
{
	static const double effects[] = { 0, 0.02 };
	int rounds = 4000 * scale();
	struct noisy machine;
	double d[PAIRS];

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 6);
	for (size_t e = 0; e < 2; e++) {
		double covered = 0;

		for (int i = 0; i < rounds; i++) {
			struct judgement got;

			measure(&machine, d, PAIRS, effects[e]);
			got = judge(d, PAIRS);
			covered += got.low <= effects[e] && effects[e] <= got.high;
		}
		count_is("interval covers the truth", covered, rounds, 0.973, 0.987);
	}
}

/* p at each decision point, times the number of points and not. */
static void looking_nine_times_is_paid_for(void **state)
{
	int rounds = 2000 * scale();
	unsigned points[POINTS_MAX];
	size_t n_points = points_between(POINTS_FEWEST, POINTS_MOST, points);
	double paid = 0, unpaid = 0, d[POINTS_MOST];
	struct noisy machine;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 10);
	for (int i = 0; i < rounds; i++) {
		double least = 1;

		measure(&machine, d, POINTS_MOST, 0);
		for (size_t k = 0; k < n_points; k++) {
			struct signed_rank got;

			assert_int_equal(signed_rank(d, points[k], 0.95, &got, NULL), 0);
			least = fmin(least, got.p);
		}
		paid += least * (double)n_points <= VERDICT_RATE;
		unpaid += least <= VERDICT_RATE;
	}
	count_is("significant at any point, p times points", paid, rounds, 0.001, VERDICT_RATE);
	count_is("significant at any point, p as it is", unpaid, rounds, 0.015, 0.04);
}

/*
 * The control: the same machine measured as a block of base runs, then a block of head runs.  If
 * this were harmless, the noise above would prove nothing.
 */
static void blocks_in_place_of_coins_raise_alarm_after_alarm(void **state)
{
	int rounds = 500 * scale();
	double significant = 0, d[PAIRS];
	struct noisy machine;

	(void)state;
	machine_init(&machine, &SHARED_MACHINE, 12);
	for (int i = 0; i < rounds; i++) {
		double base[PAIRS];

		for (int k = 0; k < PAIRS; k++)
			base[k] = run(&machine, k % 2);
		for (int k = 0; k < PAIRS; k++)
			d[k] = run(&machine, k % 2) - base[k];
		significant += judge(d, PAIRS).p <= 0.05;
	}
	count_is("significant when measured in blocks", significant, rounds, 0.3, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(noise_is_as_wide_as_was_measured),
		cmocka_unit_test(interval_covers_the_truth_98_times_in_100),
		cmocka_unit_test(looking_nine_times_is_paid_for),
		cmocka_unit_test(blocks_in_place_of_coins_raise_alarm_after_alarm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
