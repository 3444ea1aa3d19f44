#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static struct signed_rank rank_of(const double *d, size_t n, double confidence)
{
	struct signed_rank out = { 0 };

	assert_int_equal(signed_rank(d, n, confidence, &out, NULL), 0);
	return out;
}

/* Continuous noise with a heavy tail: no ties. */
static void fill_noise(struct coin *coin, double *d, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double u = coin_fraction(coin) - 0.5;

		d[i] = 0.01 * u / (0.51 - fabs(u)) + 0.002 * (coin_fraction(coin) + 0.5);
	}
}

/* R: wilcox.test(log(y), log(x), paired = TRUE, conf.int = TRUE) */
static void known_pairs_give_the_answers_of_r(void **state)
{
	struct signed_rank got;
	double d[10];

	(void)state;
	known_d(d);
	got = rank_of(d, 10, 0.95);
	assert_int_equal(got.n, 10);
	assert_same(got.statistic, 45);
	assert_near(got.p, "0.0839843750000000");
	assert_near(got.theta, "0.026751553742401");
	assert_near(got.low, "-0.0605593108489069");
	assert_near(got.high, "0.0313638509740679");
	assert_same(got.confidence, 0.95);
	assert_near(got.exact_confidence, ".951171875000");
}

/* R: the same call on a, b, with conf.level .95, .90, .99 */
static void known_pairs_with_two_spikes_give_the_answers_of_r(void **state)
{
	struct signed_rank got;
	double d[12];

	(void)state;
	known_ab(d);
	got = rank_of(d, 12, 0.95);
	assert_same(got.statistic, 67);
	assert_near(got.p, "0.02685546875000");
	assert_near(got.theta, "0.0163339876162681");
	assert_near(got.low, "0.00789737569495094");
	assert_near(got.high, "0.0239775494304881");
	assert_near(100 * expm1(got.theta), "1.64681164833");
	assert_near(100 * expm1(got.low), "0.792864222002");
	assert_near(100 * expm1(got.high), "2.42673222478");
	got = rank_of(d, 12, 0.90);
	assert_near(got.low, "0.00990705031421");
	assert_near(got.high, "0.0216330953554");
	got = rank_of(d, 12, 0.99);
	assert_near(got.low, "-0.114005295158");
	assert_near(got.high, "0.265545319045");
}

static void known_small_noise_gives_the_answers_of_r(void **state)
{
	struct signed_rank got;

	(void)state;
	got = rank_of(KNOWN_E, 10, 0.90);
	assert_near(got.theta, ".00055000000000");
	assert_near(got.low, "-.00060000000000");
	assert_near(got.high, ".00170000000000");
	assert_near(got.p, "0.431640625000000");
}

static void too_few_values_have_an_infinite_interval(void **state)
{
	static const double d[] = { 1, 2, 3, 4, 5 };
	struct signed_rank got;

	(void)state;
	got = rank_of(d, 5, 0.95);
	assert_same(got.low, -HUGE_VAL);
	assert_same(got.high, HUGE_VAL);
	assert_same(got.p, 0.0625);
	assert_same(got.theta, 3);
	assert_same(got.exact_confidence, 1);
	got = rank_of(d, 1, 0.95);
	assert_same(got.p, 1);
	assert_same(got.theta, 1);
}

/* By enumeration of all 2^n signs of the non-zero sizes, midranks by hand. */
static void ties_get_the_conditional_exact_p(void **state)
{
	/* sizes 1 1 2 3: double midranks 3 3 6 8 of 20; minus has 3: P(<=3) = 3/16 */
	static const double d[] = { 1, -1, 2, 3 };
	/* sizes 0 1 1: zero takes rank 1, double midranks 5 5; minus has 0: P = 1/4 */
	static const double zero[] = { 0, 1, 1 };
	struct signed_rank got;

	(void)state;
	got = rank_of(d, 4, 0.95);
	assert_same(got.p, 0.375);
	assert_same(got.statistic, 8.5);
	got = rank_of(zero, 3, 0.95);
	assert_same(got.p, 0.5);
	assert_same(got.statistic, 5.5);
}

static void statistic_counts_the_averages_above_zero(void **state)
{
	static const double d[] = { 0, 0, 1, -1, 2, 2, -2, 3, -0.5, 1 };
	struct signed_rank got = rank_of(d, 10, 0.95);
	double count = 0;

	(void)state;
	for (size_t i = 0; i < 10; i++)
		for (size_t j = i; j < 10; j++)
			count += d[i] + d[j] > 0 ? 1 : d[i] + d[j] < 0 ? 0 : 0.5;
	assert_same(got.statistic, count);
}

static void all_zero_is_no_evidence_at_all(void **state)
{
	static const double d[12] = { 0 };
	struct signed_rank got = rank_of(d, 12, 0.95);

	(void)state;
	assert_same(got.p, 1);
	assert_same(got.theta, 0);
	assert_same(got.low, 0);
	assert_same(got.high, 0);
}

/* All 1024 signs of ten sizes: the test rejects in exactly 50, and p is exact in each. */
static void sign_flips_reject_in_exactly_50_of_1024(void **state)
{
	static const double size[10] = { .1, .2, .35, .4, .55, .6, .75, .8, .9, 1.05 };
	unsigned rejected = 0, outside = 0;

	(void)state;
	for (unsigned signs = 0; signs < 1024; signs++) {
		struct signed_rank got;
		double d[10];

		for (unsigned i = 0; i < 10; i++)
			d[i] = signs >> i & 1 ? size[i] : -size[i];
		got = rank_of(d, 10, 0.95);
		rejected += got.p <= 0.05;
		outside += got.low > 0 || got.high < 0;
	}
	assert_int_equal(rejected, 50);
	assert_int_equal(outside, 50);
}

/* With ties and zeros the same enumeration may reject less often than 5 %, never more. */
static void sign_flips_of_tied_sizes_reject_at_most_5_percent(void **state)
{
	static const double size[10] = { 1, 1, 1, 2, 2, 3, 3, 3, 3, 0 };
	unsigned by_p = 0, by_interval = 0;

	(void)state;
	for (unsigned signs = 0; signs < 1024; signs++) {
		struct signed_rank got;
		double d[10];

		for (unsigned i = 0; i < 10; i++)
			d[i] = signs >> i & 1 ? size[i] : -size[i];
		got = rank_of(d, 10, 0.95);
		by_p += got.p <= 0.05;
		by_interval += got.low > 0 || got.high < 0;
	}
	assert_in_range(by_p, 1, 51);
	assert_in_range(by_interval, 1, 51);
}

static void p_and_interval_agree_without_ties(void **state)
{
	static const double alpha[] = { .05, .01, .1, .02774 };
	struct coin coin;
	double d[24];
	unsigned both = 0;

	(void)state;
	coin_init(&coin, 11);
	for (unsigned round = 0; round < 2000; round++) {
		size_t n = 6 + round % 19;
		struct signed_rank got;

		fill_noise(&coin, d, n);
		got = rank_of(d, n, 1 - alpha[round % 4]);
		assert_int_equal(got.p <= alpha[round % 4], got.low > 0 || got.high < 0);
		both += got.p <= alpha[round % 4];
	}
	assert_in_range(both, 100, 1900);
}

static void swapping_the_sides_negates_every_bit(void **state)
{
	double base[25], head[25], there[25], back[25];
	struct coin coin;

	(void)state;
	coin_init(&coin, 5);
	for (unsigned round = 0; round < 200; round++) {
		size_t n = 6 + round % 20;
		struct signed_rank a, b;

		for (size_t i = 0; i < n; i++) {
			base[i] = 1e6 * (1 + coin_fraction(&coin));
			head[i] = 1e6 * (1 + coin_fraction(&coin));
		}
		assert_int_equal(pairs_log_ratio(base, head, n, there, NULL), 0);
		assert_int_equal(pairs_log_ratio(head, base, n, back, NULL), 0);
		a = rank_of(there, n, 0.95);
		b = rank_of(back, n, 0.95);
		assert_same(a.theta, -b.theta);
		assert_same(a.low, -b.high);
		assert_same(a.high, -b.low);
		assert_same(a.p, b.p);
		assert_same(a.statistic + b.statistic, (double)(n * (n + 1) / 2));
	}
}

static void equal_ratios_are_ties(void **state)
{
	static const double base[4] = { 100, 202, 300, 7 }, head[4] = { 101, 200, 303, 7 };
	double d[4];

	(void)state;
	assert_int_equal(pairs_log_ratio(base, head, 4, d, NULL), 0);
	assert_same(d[0], -d[1]);
	assert_same(d[0], d[2]);
	assert_same(d[3], 0);
	assert_near(d[0], "0.00995033085316808");
}

static void scaling_both_sides_changes_nothing(void **state)
{
	double a[12], b[12], plain[12], scaled[12];
	struct signed_rank one, other;

	(void)state;
	assert_int_equal(pairs_log_ratio(KNOWN_A, KNOWN_B, 12, plain, NULL), 0);
	for (int i = 0; i < 12; i++) {
		a[i] = 3.7e5 * KNOWN_A[i];
		b[i] = 3.7e5 * KNOWN_B[i];
	}
	assert_int_equal(pairs_log_ratio(a, b, 12, scaled, NULL), 0);
	one = rank_of(plain, 12, 0.95);
	other = rank_of(scaled, 12, 0.95);
	assert_true(fabs(one.theta - other.theta) < 1e-14);
	assert_true(fabs(one.low - other.low) < 1e-14);
	assert_true(fabs(one.high - other.high) < 1e-14);
	assert_same(one.p, other.p);
}

/*
 * Sending one of n values to the far end moves at most n of the n(n+1)/2 averages past the
 * median, so the estimate moves by at most n places among the averages, and stays among them.
 */
static void one_value_gone_to_the_end_of_the_scale_moves_little(void **state)
{
	struct signed_rank before, after;
	struct walsh walsh = WALSH_INIT;
	double d[10], shifted;

	(void)state;
	known_d(d);
	before = rank_of(d, 10, 0.95);
	assert_int_equal(walsh_build(d, 10, &walsh, NULL), 0);
	for (size_t i = 0; i < 10; i++) {
		double kept = d[i];

		d[i] = 1e308;
		after = rank_of(d, 10, 0.95);
		d[i] = kept;
		shifted = after.theta;
		assert_at_most(before.theta, shifted);
		assert_at_most(shifted, walsh_nth(&walsh, 27 + 10));
	}
	walsh_release(&walsh);
}

static void four_hundred_values_are_exact_too(void **state)
{
	struct signed_rank got;
	struct coin coin;
	static double d[400];
	double z;

	(void)state;
	coin_init(&coin, 3);
	for (int i = 0; i < 400; i++)
		d[i] = coin_fraction(&coin) - 0.47;
	got = rank_of(d, 400, 0.95);
	/* the normal approximation is good to 1 % here; R's is the same */
	z = (fabs(got.statistic - 400.0 * 401 / 4) - 0.5) / sqrt(400.0 * 401 * 801 / 24);
	assert_true(fabs(got.p / erfc(z / sqrt(2)) - 1) < 0.02);
	assert_at_most(got.low, got.theta);
	assert_at_most(got.theta, got.high);
	assert_true(got.exact_confidence >= 0.95 && got.exact_confidence < 0.9502);
}

/*
 * Recorded from the version that wrote out and sorted all averages and halved the distribution
 * rank by rank: not a bit may move, but of the p of many values with ties, which two halves make.
 */
static void many_values_give_the_bits_of_the_slow_way(void **state)
{
	static const struct {
		size_t n;
		int tied;
		double theta, low, high, p, statistic, exact;
	} row[] = {
		{ 257, 0, 0.18874999999999997, -0.18174999999999999, 0.55924999999999958,
		  0.32147159039403472, 17761, 0.95002640076677869 },
		{ 700, 0, 0.19825000000000004, -0.018250000000000099, 0.41925000000000001,
		  0.069837576816061384, 132378, 0.95001171239454418 },
		{ 1000, 0, 0.20774999999999988, 0.02475000000000005, 0.39024999999999999,
		  0.025297742743450629, 270679, 0.95000513570529055 },
		{ 257, 1, 0.0024999999999999996, -0.0034999999999999962, 0.0080000000000000019,
		  0.39252348530667192, 17598, 0.95002640076677869 },
		{ 700, 1, 0.0025000000000000022, -0.00099999999999999742, 0.0060000000000000001,
		  0.127991438278616, 130822.5, 0.95001171239454418 },
		{ 1000, 1, 0.0025000000000000022, 0, 0.0055000000000000014, 0.058759761127988468,
		  267514.5, 0.95000513570529055 },
	};
	static double d[1000];

	(void)state;
	for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++) {
		struct signed_rank got;

		for (size_t i = 0; i < row[k].n; i++) {
			long v = (long)(i * 7919 % 10007);

			d[i] = row[k].tied ? ((double)(v / 64) - 75) / 1000
					   : ((double)v - 4800.25) / 1000;
		}
		got = rank_of(d, row[k].n, 0.95);
		assert_same(got.theta, row[k].theta);
		assert_same(got.low, row[k].low);
		assert_same(got.high, row[k].high);
		if (row[k].tied)
			assert_at_most(fabs(got.p - row[k].p), 1e-13 * row[k].p);
		else
			assert_same(got.p, row[k].p);
		assert_same(got.statistic, row[k].statistic);
		assert_same(got.exact_confidence, row[k].exact);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_pairs_give_the_answers_of_r),
		cmocka_unit_test(known_pairs_with_two_spikes_give_the_answers_of_r),
		cmocka_unit_test(known_small_noise_gives_the_answers_of_r),
		cmocka_unit_test(too_few_values_have_an_infinite_interval),
		cmocka_unit_test(ties_get_the_conditional_exact_p),
		cmocka_unit_test(statistic_counts_the_averages_above_zero),
		cmocka_unit_test(all_zero_is_no_evidence_at_all),
		cmocka_unit_test(sign_flips_reject_in_exactly_50_of_1024),
		cmocka_unit_test(sign_flips_of_tied_sizes_reject_at_most_5_percent),
		cmocka_unit_test(p_and_interval_agree_without_ties),
		cmocka_unit_test(swapping_the_sides_negates_every_bit),
		cmocka_unit_test(equal_ratios_are_ties),
		cmocka_unit_test(scaling_both_sides_changes_nothing),
		cmocka_unit_test(one_value_gone_to_the_end_of_the_scale_moves_little),
		cmocka_unit_test(four_hundred_values_are_exact_too),
		cmocka_unit_test(many_values_give_the_bits_of_the_slow_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
