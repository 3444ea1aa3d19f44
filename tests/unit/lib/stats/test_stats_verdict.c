#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

enum { N = 20 };

static const double D = 0.01;

static struct judgement judge_as(const double *d, size_t n, double delta, size_t points, size_t m)
{
	const struct judge_terms terms = { delta, points, m };
	struct judgement out = { .n = 0 };

	assert_int_equal(judge_pairs(d, n, &terms, &out, NULL), 0);
	return out;
}

/* Alone, of a number of pairs fixed beforehand. */
static struct judgement judge(const double *d, size_t n, double delta)
{
	return judge_as(d, n, delta, 1, 1);
}

/* N pairs, evenly around centre, in mixed order, whose interval has that half-width. */
static void set_sample(double *d, double centre, double half)
{
	static double unit;

	if (!(unit > 0)) {
		unit = 1;
		set_sample(d, 0, 1);
		unit = judge(d, N, 1).high;
	}
	for (int i = 0; i < N; i++)
		d[i] = centre + half / unit * ((i * 7 % N + 0.5) / N - 0.5);
}

/*
 * Of a, b two spikes of twelve make the tails heavy: the averages of values at most two places
 * apart, sorted, and the subsets of 1 2 3 3 ... 3 counted, in exact integers (Python).  Of all
 * averages it would be 0.0163 [-0.111, 0.264], p 0.027: see test_stats_signedrank.c.
 */
static void known_pairs_have_the_known_figures(void **state)
{
	struct judgement got;
	double d[12];

	(void)state;
	known_ab(d);
	got = judge(d, 12, log1p(0.01));
	assert_int_equal(got.n, 12);
	assert_near(got.theta, "0.016774750575531");
	assert_near(got.low, "0.00789737569495094");
	assert_near(got.high, "0.023834296064132");
	assert_near(got.p, "0.0068359375");
	assert_same(got.p_adjusted, got.p);
	/* the two spikes, ln(103/131.7) and ln(168.4/100.2) */
	assert_int_equal(got.n_disturbed, 2);
	assert_int_equal(got.call, CALL_INCONCLUSIVE);
	got = judge(KNOWN_E, 10, log1p(0.01));
	assert_near(got.low, "-.00125000000000");
	assert_near(got.high, ".00210000000000");
	assert_near(got.p, "0.431640625000000");
	assert_int_equal(got.call, CALL_UNCHANGED);
}

static void swapping_the_sides_mirrors_the_judgement(void **state)
{
	struct judgement there, back;
	double d[N], minus[N];

	(void)state;
	set_sample(d, 0.03, 0.01);
	for (int i = 0; i < N; i++)
		minus[i] = -d[i];
	there = judge(d, N, D);
	back = judge(minus, N, D);
	assert_int_equal(there.call, CALL_REGRESSED);
	assert_int_equal(back.call, CALL_IMPROVED);
	assert_same(there.theta, -back.theta);
	assert_same(there.low, -back.high);
	assert_same(there.high, -back.low);
	assert_same(there.p, back.p);
	assert_same(there.noise_floor, back.noise_floor);
}

/* At D = 1 %, each condition just met and just missed; all are significant but the last two. */
static void the_printed_interval_decides(void **state)
{
	static const struct {
		double theta, half;
		enum call call;
	} row[] = {
		{ 0.0101, 0.0050, CALL_REGRESSED },    /* [0.0051, 0.0151] */
		{ 0.0101, 0.0052, CALL_INCONCLUSIVE }, /* comes nearer to 0 than D/2 */
		{ 0.0099, 0.0005, CALL_INCONCLUSIVE }, /* below D, and leaves +-D */
		{ 0.0099, 0.00009, CALL_UNCHANGED },   /* a change, and less than counts */
		{ -0.0101, 0.0050, CALL_IMPROVED },    { -0.0101, 0.0052, CALL_INCONCLUSIVE },
		{ 0.0030, 0.0069, CALL_UNCHANGED },    { 0.0030, 0.0071, CALL_INCONCLUSIVE },
	};
	double d[N];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		set_sample(d, row[i].theta, row[i].half);
		assert_int_equal(judge(d, N, D).call, row[i].call);
	}
}

/* All of n pairs on one side: p = 2^(1-n), the smallest there is. */
static struct judgement judge_clear(size_t n, size_t points, size_t m)
{
	double d[N];

	for (size_t i = 0; i < n; i++)
		d[i] = 0.5 + 0.01 * (double)i;
	return judge_as(d, n, D, points, m);
}

static void few_pairs_call_nothing_however_clear(void **state)
{
	(void)state;
	for (size_t n = 1; n < VERDICT_FEWEST_PAIRS; n++)
		assert_int_equal(judge_clear(n, 1, 1).call, CALL_INCONCLUSIVE);
	assert_int_equal(judge_clear(VERDICT_FEWEST_PAIRS, 1, 1).call, CALL_REGRESSED);
	assert_same(judge_clear(6, 1, 1).high, HUGE_VAL); /* 2^-5 is more than 2 % */
	assert_same(judge_clear(6, 1, 1).noise_floor, HUGE_VAL);
	assert_true(isfinite(judge_clear(7, 1, 1).high));
}

/* 2^-11 = 0.000488: nine points and one benchmark fit into 0.005, eleven do not. */
static void decision_points_and_benchmarks_are_paid_for(void **state)
{
	(void)state;
	assert_int_equal(judge_clear(12, 9, 1).call, CALL_REGRESSED);
	assert_near(judge_clear(12, 9, 1).p_adjusted, "0.00439453125");
	assert_int_equal(judge_clear(12, 11, 1).call, CALL_INCONCLUSIVE);
	assert_int_equal(judge_clear(12, 1, 10).call, CALL_REGRESSED);
	assert_int_equal(judge_clear(12, 1, 11).call, CALL_INCONCLUSIVE);
	assert_int_equal(judge_clear(12, 9, 2).call, CALL_INCONCLUSIVE);
	assert_int_equal(judge_clear(17, 9, 36).call, CALL_REGRESSED); /* 36 x 9 x 2^-16 */
	assert_int_equal(judge_clear(17, 9, 37).call, CALL_INCONCLUSIVE);
	assert_same(judge_clear(3, 9, 1000).p_adjusted, 1);
}

/* Benjamini-Hochberg: what is not significant alone among 20 is so beside 10 others. */
static void benchmarks_are_judged_together(void **state)
{
	struct judgement judged[20];

	(void)state;
	for (size_t changed = 1; changed <= 10; changed += 9) {
		for (size_t i = 0; i < 20; i++)
			judged[i] = i < changed ? judge_clear(12, 1, 20)
						: judge(KNOWN_E, 10, log1p(0.01));
		judged[19] = (struct judgement){ .call = CALL_INCONCLUSIVE }; /* it failed */
		assert_int_equal(judged[0].call, CALL_INCONCLUSIVE);
		assert_int_equal(judge_family(judged, 20, NULL), 0);
		for (size_t i = 0; i < changed; i++) {
			/* 20/1 and 20/10 times 2^-11 */
			assert_near(judged[i].p_adjusted,
				    changed == 1 ? "0.009765625" : "0.0009765625");
			assert_int_equal(judged[i].call,
					 changed == 1 ? CALL_INCONCLUSIVE : CALL_REGRESSED);
		}
		assert_int_equal(judged[10].call, CALL_UNCHANGED);
		assert_int_equal(judged[19].call, CALL_INCONCLUSIVE);
		assert_same(judged[19].p_adjusted, 1);
	}
}

/* What ended measuring stands, whatever the others bring. */
static void no_other_benchmark_takes_a_call_back(void **state)
{
	struct judgement judged[7], alone;
	struct coin coin;
	unsigned called = 0;
	double d[N];

	(void)state;
	coin_init(&coin, 5);
	for (int round = 0; round < 2000; round++) {
		for (size_t i = 0; i < 7; i++) {
			for (int k = 0; k < N; k++)
				d[k] = 0.02 * coin_fraction(&coin) + 0.004 * (double)(round % 5);
			judged[i] = judge_as(d, N, D, 9, 7);
		}
		alone = judged[0];
		assert_int_equal(judge_family(judged, 7, NULL), 0);
		if (alone.call != CALL_INCONCLUSIVE)
			assert_int_equal(judged[0].call, alone.call);
		called += alone.call == CALL_REGRESSED;
	}
	assert_in_range(called, 200, 1900);
}

static void equal_sides_are_unchanged(void **state)
{
	static const double d[N] = { 0 };
	struct judgement got = judge(d, N, D);

	(void)state;
	assert_int_equal(got.call, CALL_UNCHANGED);
	assert_same(got.p, 1);
	assert_int_equal(got.n_disturbed, 0);
	assert_false(got.sticks);
	assert_int_equal(judge(d, N, 0).call, CALL_INCONCLUSIVE); /* nothing lies inside of 0 */
}

static void one_tick_of_a_coarse_clock_is_no_disturbance(void **state)
{
	double d[N] = { 0 };

	(void)state;
	d[3] = 0.01;
	d[7] = -0.01;
	assert_int_equal(judge(d, N, 0.05).n_disturbed, 0);
}

/* The same spread around the noise floor is called from there on, and not before. */
static void the_noise_floor_is_the_smallest_change_that_is_called(void **state)
{
	/* where p decides, the floor has a normal quantile in place of the test's own steps */
	static const struct {
		double half, slack;
	} row[] = { { 0.002, 0.001 }, { 0.006, 0.001 }, { 0.02, 0.15 }, { 0.1, 0.15 } };
	double d[N];

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		double floor;

		set_sample(d, 0, row[i].half);
		floor = judge(d, N, D).noise_floor;
		assert_at_most(D, floor);
		set_sample(d, floor * (1 + row[i].slack), row[i].half);
		assert_int_equal(judge(d, N, D).call, CALL_REGRESSED);
		set_sample(d, floor * (1 - row[i].slack), row[i].half);
		assert_int_not_equal(judge(d, N, D).call, CALL_REGRESSED);
	}
}

static void going_on_is_in_vain_only_where_the_last_pair_could_not_decide(void **state)
{
	struct judgement got;
	double d[N];

	(void)state;
	set_sample(d, 0.005, 0.5); /* of 200 pairs: +-0.16 */
	assert_false(judge_would_decide(&(struct judgement){ .n = 3 }, 12, 0));
	got = judge_as(d, N, D, 9, 1);
	assert_false(judge_would_decide(&got, 200, 1));
	set_sample(d, 0.25, 0.5); /* clearly a change by then */
	got = judge_as(d, N, D, 9, 1);
	assert_true(judge_would_decide(&got, 200, 1));
	assert_false(judge_would_decide(&got, 24, 0));
	set_sample(d, 0, 0.025); /* half of D at 200 pairs, D at 125 */
	got = judge_as(d, N, D, 9, 1);
	assert_true(judge_would_decide(&got, 136, 0));
	assert_false(judge_would_decide(&got, 96, 0));
	set_sample(d, 0.01, 0.025); /* at D itself both ways are open */
	got = judge_as(d, N, D, 9, 1);
	assert_false(judge_would_decide(&got, 200, 0));
	assert_true(judge_would_decide(&got, 200, 1));
}

/* One verdict, one interval. */
static void verdict_never_contradicts_its_interval(void **state)
{
	unsigned calls[4] = { 0 };
	struct coin coin;
	double d[30];

	(void)state;
	coin_init(&coin, 99);
	for (int round = 0; round < 2000; round++) {
		size_t n = 8 + (size_t)round % 23;
		double shift = 0.08 * (coin_fraction(&coin) - 0.5);
		double scale = 0.02 * coin_fraction(&coin);
		struct judgement got;

		for (size_t i = 0; i < n; i++)
			d[i] = shift + scale * tan(2.8 * (coin_fraction(&coin) - 0.5));
		got = judge(d, n, D);
		calls[got.call]++;
		assert_at_most(got.low, got.theta);
		assert_at_most(got.theta, got.high);
		if (got.call == CALL_REGRESSED)
			assert_true(got.low > D / 2 && got.theta >= D && got.p <= VERDICT_RATE);
		if (got.call == CALL_IMPROVED)
			assert_true(got.high < -D / 2 && got.theta <= -D && got.p <= VERDICT_RATE);
		assert_int_equal(got.call == CALL_UNCHANGED, got.low > -D && got.high < D);
	}
	for (int i = 0; i < 4; i++)
		assert_true(calls[i] > 20);
}

static unsigned sign_flips_called(const double *size, unsigned n)
{
	unsigned called = 0;

	for (unsigned signs = 0; signs < 1u << n; signs++) {
		double d[12];
		enum call call;

		for (unsigned i = 0; i < n; i++)
			d[i] = signs >> i & 1 ? size[i] : -size[i];
		call = judge(d, n, 0).call;
		called += call == CALL_REGRESSED || call == CALL_IMPROVED;
	}
	return called;
}

/*
 * The signs of twelve fixed sizes, whatever the threshold.  By counting: sets of ranks with a sum
 * of 0 to 5 are 1, 1, 1, 2, 2, 3, and one more sum would be 14 of 4096 to either side; with heavy
 * tails of 1 2 3 3 ... 3 a sum of 0 to 2 are 1, 1, 1, and one more would be another 11.
 */
static void sign_flips_are_called_in_5_of_1000_at_most(void **state)
{
	static const double even[11] = { .021, .022, .023, .024, .025, .026,
					 .027, .028, .029, .03,	 .031 };
	static const double heavy[12] = { .001, .02,  .015,  .004, .033, .006,
					  .5,	.008, .0091, .013, .7,	 .9 };

	(void)state;
	assert_int_equal(sign_flips_called(even, 11), 10);
	assert_int_equal(sign_flips_called(heavy, 12), 6);
}

static void bad_terms_are_refused_and_nothing_is_written(void **state)
{
	static const double delta[] = { -0.01, (double)NAN, HUGE_VAL };
	struct judge_terms terms = { 0.01, 1, 1 };
	struct judgement out = { .n = 42 };
	struct err err = ERR_INIT;
	double d[12];

	(void)state;
	known_ab(d);
	for (size_t i = 0; i < sizeof(delta) / sizeof(delta[0]); i++) {
		terms.delta_log = delta[i];
		assert_int_equal(judge_pairs(d, 12, &terms, &out, &err), -1);
		assert_int_equal(err.code, ERR_RANGE);
	}
	terms.delta_log = 0.01;
	assert_int_equal(judge_pairs(d, 0, &terms, &out, &err), -1);
	d[11] = HUGE_VAL;
	assert_int_equal(judge_pairs(d, 12, &terms, &out, &err), -1);
	d[11] = (double)NAN;
	assert_int_equal(judge_pairs(d, 12, &terms, &out, &err), -1);
	assert_int_equal(out.n, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_pairs_have_the_known_figures),
		cmocka_unit_test(swapping_the_sides_mirrors_the_judgement),
		cmocka_unit_test(the_printed_interval_decides),
		cmocka_unit_test(few_pairs_call_nothing_however_clear),
		cmocka_unit_test(decision_points_and_benchmarks_are_paid_for),
		cmocka_unit_test(benchmarks_are_judged_together),
		cmocka_unit_test(no_other_benchmark_takes_a_call_back),
		cmocka_unit_test(equal_sides_are_unchanged),
		cmocka_unit_test(one_tick_of_a_coarse_clock_is_no_disturbance),
		cmocka_unit_test(the_noise_floor_is_the_smallest_change_that_is_called),
		cmocka_unit_test(going_on_is_in_vain_only_where_the_last_pair_could_not_decide),
		cmocka_unit_test(verdict_never_contradicts_its_interval),
		cmocka_unit_test(sign_flips_are_called_in_5_of_1000_at_most),
		cmocka_unit_test(bad_terms_are_refused_and_nothing_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
