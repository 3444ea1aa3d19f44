#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

static struct judgement judge(const double *d, size_t n, double delta)
{
	struct judgement out = { 0 };

	assert_int_equal(judge_pairs(d, n, 0.05, false, log1p(delta), &out, NULL), 0);
	return out;
}

/* Answers of R for a, b: see test_stats_signedrank.c */
static void known_pairs_regress_at_1_percent_but_not_at_2(void **state)
{
	struct judgement got;
	double d[12];

	(void)state;
	known_ab(d);
	got = judge(d, 12, 0.01);
	assert_int_equal(got.call, CALL_REGRESSED);
	assert_int_equal(got.n, 12);
	assert_same(got.confidence, 0.95);
	assert_near(got.theta, "0.0163339876162681");
	assert_near(got.low, "0.00789737569495094");
	assert_near(got.high, "0.0239775494304881");
	assert_near(got.tost_low, "0.00990705031421");
	assert_near(got.tost_high, "0.0216330953554");
	assert_near(got.p, "0.02685546875000");
	assert_same(got.p_adjusted, got.p);
	assert_true(isnan(got.pairs_needed));
	/* the two spikes, ln(103/131.7) and ln(168.4/100.2) */
	assert_int_equal(got.n_disturbed, 2);
	assert_same(got.noise_floor, log1p(0.01));
	got = judge(d, 12, 0.02);
	assert_int_equal(got.call, CALL_INCONCLUSIVE);
}

static void known_small_noise_is_unchanged_at_1_percent(void **state)
{
	struct judgement got = judge(KNOWN_E, 10, 0.01);

	(void)state;
	assert_int_equal(got.call, CALL_UNCHANGED);
	assert_near(got.theta, ".00055000000000");
	assert_near(got.tost_low, "-.00060000000000");
	assert_near(got.tost_high, ".00170000000000");
	assert_near(got.p, "0.431640625000000");
	assert_true(isnan(got.pairs_needed));
}

static void swapping_the_sides_mirrors_the_judgement(void **state)
{
	struct judgement there, back;
	double d[12], minus[12];

	(void)state;
	known_ab(d);
	for (int i = 0; i < 12; i++)
		minus[i] = -d[i];
	there = judge(d, 12, 0.01);
	back = judge(minus, 12, 0.01);
	assert_int_equal(back.call, CALL_IMPROVED);
	assert_same(there.theta, -back.theta);
	assert_same(there.low, -back.high);
	assert_same(there.high, -back.low);
	assert_same(there.tost_low, -back.tost_high);
	assert_same(there.p, back.p);
	assert_same(there.noise_floor, back.noise_floor);
}

static void sequential_looks_use_the_wider_interval_for_unchanged(void **state)
{
	struct judgement fixed, looked;

	(void)state;
	assert_int_equal(judge_pairs(KNOWN_E, 10, 0.05, false, 0.01, &fixed, NULL), 0);
	assert_int_equal(judge_pairs(KNOWN_E, 10, 0.05, true, 0.01, &looked, NULL), 0);
	assert_same(looked.tost_low, looked.low);
	assert_same(looked.tost_high, looked.high);
	assert_true(fixed.tost_low > fixed.low);
	/* D between the two ends: .0017 (90 %) and the 95 % end */
	assert_int_equal(judge_pairs(KNOWN_E, 10, 0.05, false, 0.00172, &fixed, NULL), 0);
	assert_int_equal(judge_pairs(KNOWN_E, 10, 0.05, true, 0.00172, &looked, NULL), 0);
	assert_int_equal(fixed.call, CALL_UNCHANGED);
	assert_int_equal(looked.call, CALL_INCONCLUSIVE);
}

static struct judgement shape(double low, double theta, double high)
{
	struct judgement made = { .theta = theta, .low = low, .high = high };

	made.tost_low = theta - 0.9 * (theta - low);
	made.tost_high = theta + 0.9 * (high - theta);
	return made;
}

/* At D = 1, each end just on and just off its mark. */
static void a_call_leaves_0_out_and_reaches_the_threshold(void **state)
{
	static const struct {
		double low, theta, high;
		enum call call;
	} row[] = {
		{ 0.1, 1.0, 1.9, CALL_REGRESSED },     { 0.0, 1.0, 2.0, CALL_INCONCLUSIVE },
		{ 0.6, 0.9, 1.2, CALL_INCONCLUSIVE },  { 0.5, 1.2, 1.9, CALL_REGRESSED },
		{ -1.9, -1.0, -0.1, CALL_IMPROVED },   { -1.2, -0.9, -0.6, CALL_INCONCLUSIVE },
		{ -0.9, 0.0, 0.9, CALL_UNCHANGED },    { 0.1, 0.2, 0.3, CALL_UNCHANGED },
		{ -2.0, 0.0, 2.0, CALL_INCONCLUSIVE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
		struct judgement judged = shape(row[i].low, row[i].theta, row[i].high);

		assert_int_equal(call_rule_a(&judged, 1), row[i].call);
	}
}

static void unchanged_needs_both_ends_strictly_inside(void **state)
{
	struct judgement judged = { .tost_low = -0.5, .tost_high = 1, .low = -1, .high = 2 };

	(void)state;
	assert_int_equal(call_rule_a(&judged, 1), CALL_INCONCLUSIVE);
	judged.tost_low = -1;
	judged.tost_high = 0.5;
	assert_int_equal(call_rule_a(&judged, 1), CALL_INCONCLUSIVE);
	judged.tost_low = -0.999;
	assert_int_equal(call_rule_a(&judged, 1), CALL_UNCHANGED);
}

static void too_few_pairs_are_inconclusive_however_clear(void **state)
{
	static const double d[5] = { 1, 1.1, 1.2, 1.3, 1.4 };
	struct judgement got;

	(void)state;
	for (size_t n = 1; n <= 5; n++) {
		got = judge(d, n, 0.01);
		assert_int_equal(got.call, CALL_INCONCLUSIVE);
		assert_same(got.noise_floor, HUGE_VAL);
		assert_same(got.pairs_needed, 6);
	}
}

static void six_clear_pairs_are_enough(void **state)
{
	static const double d[6] = { 1, 1.1, 1.2, 1.3, 1.4, 1.5 };

	(void)state;
	assert_int_equal(judge(d, 6, 0.01).call, CALL_REGRESSED);
}

static void equal_sides_are_unchanged(void **state)
{
	static const double d[20] = { 0 };
	struct judgement got = judge(d, 20, 0.01);

	(void)state;
	assert_int_equal(got.call, CALL_UNCHANGED);
	assert_same(got.p, 1);
	assert_int_equal(got.n_disturbed, 0);
	/* with no threshold at all, nothing lies strictly inside it, and no number of pairs helps
	 */
	got = judge(d, 20, 0);
	assert_int_equal(got.call, CALL_INCONCLUSIVE);
	assert_true(isnan(got.pairs_needed));
}

static void one_tick_of_a_coarse_clock_is_no_disturbance(void **state)
{
	double d[20] = { 0 };

	(void)state;
	d[3] = 0.01;
	d[7] = -0.01;
	assert_int_equal(judge(d, 20, 0.05).n_disturbed, 0);
}

/* Noise floor: the half-width when that is more than D. */
static void noise_floor_is_the_half_width_or_the_threshold(void **state)
{
	struct judgement got = judge(KNOWN_E, 10, 0.0001);

	(void)state;
	assert_near(got.noise_floor / (0.5 * (got.high - got.low)), "1.00000000000000");
	assert_true(got.noise_floor > log1p(0.0001));
	got = judge(KNOWN_E, 10, 0.5);
	assert_same(got.noise_floor, log1p(0.5));
}

/* Twice the pairs at the same spread: what "pairs needed" promised is about right. */
static void pairs_needed_follows_the_square_of_the_longer_arm(void **state)
{
	struct judgement got = judge(KNOWN_E, 10, 0.001);
	double arm;

	(void)state;
	assert_int_equal(got.call, CALL_INCONCLUSIVE);
	/* theta .00055, [-.0006, .0017], D .0009995: .00115 up into .0004495, 10 x 2.558^2 = 65.4
	 */
	assert_same(got.pairs_needed, 66);
	/* from the threshold on it is the interval that has to leave 0 */
	got = judge(KNOWN_E, 10, 0.0005);
	assert_int_equal(got.call, CALL_INCONCLUSIVE);
	arm = fmax(got.high - got.theta, got.theta - got.low) / got.theta;
	assert_same(got.pairs_needed, ceil(10 * arm * arm));
}

static void pairs_needed_is_more_than_there_are(void **state)
{
	struct coin coin;
	double d[12];
	unsigned seen = 0;

	(void)state;
	coin_init(&coin, 8);
	for (int round = 0; round < 500; round++) {
		struct judgement got;

		for (int i = 0; i < 12; i++)
			d[i] = 0.03 * pow(coin_fraction(&coin) - 0.45, 3) / 0.1;
		got = judge(d, 12, 0.01);
		assert_int_equal(isnan(got.pairs_needed) != 0, got.call != CALL_INCONCLUSIVE);
		if (got.call != CALL_INCONCLUSIVE)
			continue;
		assert_true(got.pairs_needed >= 13);
		seen++;
	}
	assert_in_range(seen, 20, 480);
}

/* One verdict, one interval: regressed never with 0 inside, unchanged never reaching D. */
static void verdict_never_contradicts_its_interval(void **state)
{
	const double delta = log1p(0.01);
	unsigned calls[4] = { 0 };
	struct coin coin;
	double d[30];

	(void)state;
	coin_init(&coin, 99);
	for (int round = 0; round < 1000; round++) {
		size_t n = 8 + (size_t)round % 23;
		double shift = 0.04 * (coin_fraction(&coin) - 0.5);
		double scale = 0.02 * coin_fraction(&coin);
		struct judgement got;

		for (size_t i = 0; i < n; i++)
			d[i] = shift + scale * tan(2.8 * (coin_fraction(&coin) - 0.5));
		got = judge(d, n, 0.01);
		calls[got.call]++;
		assert_at_most(got.low, got.tost_low);
		assert_at_most(got.tost_high, got.high);
		assert_at_most(got.tost_low, got.theta);
		assert_at_most(got.theta, got.tost_high);
		if (got.call == CALL_REGRESSED)
			assert_true(got.low > 0 && got.theta >= delta && got.p <= 0.05);
		if (got.call == CALL_IMPROVED)
			assert_true(got.high < 0 && got.theta <= -delta && got.p <= 0.05);
		if (got.call == CALL_UNCHANGED)
			assert_true(fabs(got.theta) < delta);
	}
	for (int i = 0; i < 4; i++)
		assert_true(calls[i] > 20);
}

/* The signs of ten fixed sizes: at most 50 of 1024 are called, whatever the threshold. */
static void sign_flips_are_called_at_most_5_percent_of_the_time(void **state)
{
	static const double size[10] = { .001, .02, .015, .004, .033, .006, .5, .008, .0091, .013 };
	unsigned called = 0;

	(void)state;
	for (unsigned signs = 0; signs < 1024; signs++) {
		double d[10];
		enum call call;

		for (unsigned i = 0; i < 10; i++)
			d[i] = signs >> i & 1 ? size[i] : -size[i];
		call = judge(d, 10, 0).call;
		called += call == CALL_REGRESSED || call == CALL_IMPROVED;
	}
	assert_int_equal(called, 50);
}

static void stopping_looks_at_the_width_and_not_at_the_sign(void **state)
{
	double d[12], shifted[10];
	bool stop = false;

	(void)state;
	/* (high - low)/2 of E at 95 %: ends are averages .00205 and -.00105 or nearer */
	assert_int_equal(pairs_narrow_enough(KNOWN_E, 10, 0.95, 0.01, &stop, NULL), 0);
	assert_true(stop);
	assert_int_equal(pairs_narrow_enough(KNOWN_E, 10, 0.95, 0.002, &stop, NULL), 0);
	assert_false(stop);
	for (int i = 0; i < 10; i++)
		shifted[i] = KNOWN_E[i] + 5;
	assert_int_equal(pairs_narrow_enough(shifted, 10, 0.95, 0.01, &stop, NULL), 0);
	assert_true(stop);
	known_ab(d);
	/* width .0160801737: on either side of D */
	assert_int_equal(pairs_narrow_enough(d, 12, 0.95, 0.0160801738, &stop, NULL), 0);
	assert_true(stop);
	assert_int_equal(pairs_narrow_enough(d, 12, 0.95, 0.0160801737, &stop, NULL), 0);
	assert_false(stop);
	assert_int_equal(pairs_narrow_enough(d, 5, 0.95, 1e9, &stop, NULL), 0);
	assert_false(stop);
}

static void bad_terms_are_refused_and_nothing_is_written(void **state)
{
	static const double alpha[] = { 0, 0.5, 1, -0.05, (double)NAN };
	static const double delta[] = { -0.01, (double)NAN, HUGE_VAL };
	struct judgement out = { .n = 42 };
	struct err err = ERR_INIT;
	double d[12];
	bool stop = true;

	(void)state;
	known_ab(d);
	for (size_t i = 0; i < sizeof(alpha) / sizeof(alpha[0]); i++) {
		assert_int_equal(judge_pairs(d, 12, alpha[i], false, 0.01, &out, &err), -1);
		assert_int_equal(err.code, ERR_RANGE);
	}
	for (size_t i = 0; i < sizeof(delta) / sizeof(delta[0]); i++) {
		assert_int_equal(judge_pairs(d, 12, 0.05, false, delta[i], &out, &err), -1);
		assert_int_equal(pairs_narrow_enough(d, 12, 0.95, delta[i], &stop, &err), -1);
	}
	assert_int_equal(judge_pairs(d, 0, 0.05, false, 0.01, &out, &err), -1);
	d[11] = HUGE_VAL;
	assert_int_equal(judge_pairs(d, 12, 0.05, false, 0.01, &out, &err), -1);
	assert_int_equal(pairs_narrow_enough(d, 12, 0.95, 0.01, &stop, &err), -1);
	d[11] = (double)NAN;
	assert_int_equal(judge_pairs(d, 12, 0.05, false, 0.01, &out, &err), -1);
	assert_int_equal(pairs_narrow_enough(KNOWN_E, 10, 1, 0.01, &stop, &err), -1);
	assert_int_equal(out.n, 42);
	assert_true(stop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_pairs_regress_at_1_percent_but_not_at_2),
		cmocka_unit_test(known_small_noise_is_unchanged_at_1_percent),
		cmocka_unit_test(swapping_the_sides_mirrors_the_judgement),
		cmocka_unit_test(sequential_looks_use_the_wider_interval_for_unchanged),
		cmocka_unit_test(a_call_leaves_0_out_and_reaches_the_threshold),
		cmocka_unit_test(unchanged_needs_both_ends_strictly_inside),
		cmocka_unit_test(too_few_pairs_are_inconclusive_however_clear),
		cmocka_unit_test(six_clear_pairs_are_enough),
		cmocka_unit_test(equal_sides_are_unchanged),
		cmocka_unit_test(one_tick_of_a_coarse_clock_is_no_disturbance),
		cmocka_unit_test(noise_floor_is_the_half_width_or_the_threshold),
		cmocka_unit_test(pairs_needed_follows_the_square_of_the_longer_arm),
		cmocka_unit_test(pairs_needed_is_more_than_there_are),
		cmocka_unit_test(verdict_never_contradicts_its_interval),
		cmocka_unit_test(sign_flips_are_called_at_most_5_percent_of_the_time),
		cmocka_unit_test(stopping_looks_at_the_width_and_not_at_the_sign),
		cmocka_unit_test(bad_terms_are_refused_and_nothing_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
