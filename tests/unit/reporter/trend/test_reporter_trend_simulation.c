/*
 * What a history promises, counted on simulated ones: 60 commits, one of them a change.
 *
 * Six kinds of program with the noise that was measured on a shared virtual machine: the standard
 * deviation of a paired estimate of 25 pairs, and of the difference of two sessions with the
 * anchors taken off.  Sessions are not independent of each other: half of their noise is carried
 * over.  Measured with the method on real runs: 3 % of quiet series with a false alarm, +2 % found
 * at the exact commit in 74 %, +5 % in 90 %.  Normal noise of the same standard deviation is harder
 * than the spiked one of real runs, which ranks shrug off: 69 % and 84 % of 1,200 here.  The memory
 * chase, one kind of the six, cannot be found at all.
 *
 * PAWL_TEST_SLOW in the environment simulates 25 times as many.  Seeded: a bound that holds once
 * holds always.
 */
#include "tests/unit/reporter/trend/trend_fixture.h"

#include "lib/base/banned.h"

enum { COMMITS = 60, KINDS = 6, ROUNDS = 8 };

/* percent: alu, branch, alloc, stream, cmd, mem */
static const double paired_sd[KINDS] = { 0.24, 0.33, 0.31, 0.56, 0.59, 4.6 };
static const double session_sd[KINDS] = { 0.79, 0.50, 0.83, 1.42, 1.49, 6.0 };

struct counts {
	double series, exact, false_step, advised, false_advice;
};

/*
 * Series with a false step.  With a fixed number of pairs a step of the chase, where noise is all
 * there is, may be wrong once in 200 times: one of its 59 in 26 % of its series; of stream and cmd,
 * whose estimates must lie 3.2 of their deviations away, in 8 % each.  That is 7 % of all six.
 */
static const double FALSE_STEPS = 0.09;

/* What the Hodges-Lehmann estimate of n normal values costs against their mean: 3/pi. */
static double pair_sd(int kind)
{
	return paired_sd[kind] / 100 * sqrt(FIXTURE_PAIRS * 0.954929658551372);
}

static void simulate(struct coin *coin, int kind, size_t where, double effect, struct trend *t)
{
	double work = 0, drift = 0, sd = session_sd[kind] / 100 / sqrt(2);
	size_t i;

	fixture_trend(t);
	for (i = 0; i < COMMITS; i++) {
		double change = i == where ? effect : 0;
		struct trend_point *p;

		work += change;
		drift = 0.5 * drift + sqrt(0.75) * sd * fixture_normal(coin);
		p = fixture_point(t, i, work + drift);
		if (i)
			fixture_step(p, i - 1, change, pair_sd(kind), coin);
	}
	assert_int_equal(0, trend_judge(t, NULL));
}

static void count(const struct trend *t, size_t where, struct counts *c)
{
	bool false_step = false, false_advice = false, advised = false;
	size_t i;

	c->series++;
	for (i = 0; i < t->n; i++) {
		bool moved = t->points[i].verdict == VERDICT_REGRESSED ||
			     t->points[i].verdict == VERDICT_IMPROVED;

		if (i == where)
			c->exact += t->points[i].verdict == VERDICT_REGRESSED;
		else
			false_step |= moved;
	}
	for (i = 0; i < t->n_advice; i++) {
		size_t at = t->advice[i].at;
		bool near = at + 2 >= where && at <= where + 2;

		advised |= near;
		false_advice |= !near;
	}
	c->false_step += false_step;
	c->advised += advised;
	c->false_advice += false_advice;
}

static struct counts simulate_many(double effect)
{
	int rounds = ROUNDS * (getenv("PAWL_TEST_SLOW") ? 25 : 1), i, kind;
	struct counts c = { 0 };
	struct coin coin;
	struct trend t;

	coin_init(&coin, 20261121);
	for (i = 0; i < rounds; i++)
		for (kind = 0; kind < KINDS; kind++) {
			size_t where = effect > 0 ? 10 + coin_below(&coin, 40) : COMMITS + 10;

			simulate(&coin, kind, where, log1p(effect), &t);
			count(&t, where, &c);
			trend_release(&t);
		}
	print_message("# %+.0f %%, n = %.0f: exact commit %.1f %%, false steps in %.1f %%; advice "
		      "(+-2) %.1f %%, false advice in %.1f %%\n",
		      100 * effect, c.series, 100 * c.exact / c.series,
		      100 * c.false_step / c.series, 100 * c.advised / c.series,
		      100 * c.false_advice / c.series);
	return c;
}

static void quiet_histories_name_no_commit(void **state)
{
	struct counts c = simulate_many(0);

	(void)state;
	assert_true(c.false_step / c.series <= FALSE_STEPS);
	assert_true(c.false_advice / c.series <= 0.25);
}

static void two_percent_is_mostly_found_at_its_very_commit(void **state)
{
	struct counts c = simulate_many(0.02);

	(void)state;
	assert_true(c.exact / c.series >= 0.6);
	assert_true(c.false_step / c.series <= FALSE_STEPS);
}

static void five_percent_is_found_wherever_it_can_be_measured(void **state)
{
	struct counts c = simulate_many(0.05);

	(void)state;
	assert_true(c.exact / c.series >= 0.8);
	assert_true(c.advised / c.series >= 0.4);
	assert_true(c.false_step / c.series <= FALSE_STEPS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet_histories_name_no_commit),
		cmocka_unit_test(two_percent_is_mostly_found_at_its_very_commit),
		cmocka_unit_test(five_percent_is_found_wherever_it_can_be_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
