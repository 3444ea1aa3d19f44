#include "tests/unit/test_stats_near.h"

#include "lib/stats/coin.h"
#include "lib/stats/ranksum.h"

#include "lib/base/banned.h"

static double tail_of(double u, size_t m, size_t n)
{
	double p = -1;

	assert_int_equal(rank_sum_tail(u, m, n, &p, NULL), 0);
	return p;
}

/* R: pwilcox(u, m, n) */
static void tail_equals_pwilcox(void **state)
{
	(void)state;
	assert_near(tail_of(23, 10, 10), "0.0216285262725");
	assert_near(tail_of(127, 20, 20), "0.0245451625947");
	assert_near(tail_of(211, 25, 25), "0.0247125366126");
	assert_near(tail_of(317, 30, 30), "0.0248099999823");
}

static void tail_is_counted_by_hand_for_two_and_two(void **state)
{
	/* the 6 choices of 2 ranks of 4: U = 0 1 2 2 3 4 */
	static const double count[] = { 1, 2, 4, 5, 6 };

	(void)state;
	for (int u = 0; u <= 4; u++)
		assert_near(tail_of(u, 2, 2) * 6 / count[u], "1.00000000000000");
	assert_same(tail_of(-1, 2, 2), 0);
	assert_same(tail_of(99, 2, 2), 1);
	for (int u = 0; u < 150; u++)
		assert_true(fabs(tail_of(u, 3, 50) + tail_of(149 - u, 50, 3) - 1) < 1e-12);
}

static void cut_is_the_published_one(void **state)
{
	long k = 0;

	(void)state;
	assert_int_equal(rank_sum_cut(10, 10, 0.05, &k, NULL), 0);
	assert_int_equal(k, 23);
	assert_int_equal(rank_sum_cut(30, 30, 0.05, &k, NULL), 0);
	assert_int_equal(k, 317);
	assert_int_equal(rank_sum_cut(3, 3, 0.05, &k, NULL), 0);
	assert_int_equal(k, -1);
}

/* R: wilcox.test(log(y), log(x), conf.int = TRUE), and exact = FALSE, correct = TRUE/FALSE */
static void known_samples_give_the_answers_of_r(void **state)
{
	struct rank_sum got;
	double x[10], y[10];

	(void)state;
	for (int i = 0; i < 10; i++) {
		x[i] = log(KNOWN_X[i]);
		y[i] = log(KNOWN_Y[i]);
	}
	assert_int_equal(rank_sum(x, 10, y, 10, 0.95, &got, NULL), 0);
	assert_same(got.statistic, 76);
	assert_true(got.exact);
	assert_near(got.p, "0.0524259022711035");
	assert_near(got.p_corrected, "0.0539025571693872");
	assert_near(got.p_normal, "0.0493661947519327");
	assert_near(got.shift, "0.0283145539013911");
	assert_near(got.low, "-0.00198019866686217");
	assert_near(got.high, "0.0510954508811188");
}

/* All 10 choices of 2 of {1, 1, 2, 2, 3}, by hand: double rank sums of 3 3 7 7 10. */
static void ties_get_the_conditional_exact_p(void **state)
{
	static const double x[3] = { 1, 2, 1 }, y[2] = { 2, 3 };
	struct rank_sum got;

	(void)state;
	assert_int_equal(rank_sum(x, 3, y, 2, 0.95, &got, NULL), 0);
	/* y has 7 + 10 = 17; two of the ten choices reach that */
	assert_same(got.statistic, 5.5);
	assert_near(got.p, "0.40000000000000");
	assert_int_equal(rank_sum(y, 2, x, 3, 0.95, &got, NULL), 0);
	assert_same(got.statistic, 0.5);
	assert_near(got.p, "0.40000000000000");
}

static void all_equal_is_no_evidence(void **state)
{
	static const double x[60] = { 0 };
	struct rank_sum got;

	(void)state;
	assert_int_equal(rank_sum(x, 8, x, 9, 0.95, &got, NULL), 0);
	assert_same(got.p, 1);
	assert_same(got.shift, 0);
	assert_int_equal(rank_sum(x, 60, x, 60, 0.95, &got, NULL), 0);
	assert_same(got.p, 1);
	assert_false(got.exact);
}

static void swapping_the_samples_negates(void **state)
{
	struct rank_sum a, b;

	(void)state;
	assert_int_equal(rank_sum(KNOWN_A, 12, KNOWN_B, 11, 0.95, &a, NULL), 0);
	assert_int_equal(rank_sum(KNOWN_B, 11, KNOWN_A, 12, 0.95, &b, NULL), 0);
	assert_same(a.shift, -b.shift);
	assert_same(a.low, -b.high);
	assert_same(a.high, -b.low);
	assert_true(fabs(a.p - b.p) < 1e-14);
	assert_same(a.p_corrected, b.p_corrected);
	assert_same(a.statistic + b.statistic, 132);
}

static void p_and_interval_agree_without_ties(void **state)
{
	struct coin coin;
	double x[15], y[15];
	unsigned found = 0;

	(void)state;
	coin_init(&coin, 4);
	for (int round = 0; round < 300; round++) {
		struct rank_sum got;
		size_t m = 4 + (size_t)round % 12, n = 15 - (size_t)round % 9;

		for (size_t i = 0; i < 15; i++) {
			x[i] = coin_fraction(&coin);
			y[i] = coin_fraction(&coin) + 0.3;
		}
		assert_int_equal(rank_sum(x, m, y, n, 0.95, &got, NULL), 0);
		assert_int_equal(got.p <= 0.05, got.low > 0 || got.high < 0);
		found += got.p <= 0.05;
	}
	assert_in_range(found, 30, 270);
}

/* At the border of exact and normal the two tell the same. */
static void large_samples_are_judged_by_the_normal_curve(void **state)
{
	static double x[200], y[200];
	struct rank_sum exact, normal;
	struct coin coin;

	(void)state;
	coin_init(&coin, 12);
	for (int i = 0; i < 200; i++) {
		x[i] = coin_fraction(&coin);
		y[i] = coin_fraction(&coin) + 0.1;
	}
	assert_int_equal(rank_sum(x, 50, y, 50, 0.95, &exact, NULL), 0);
	assert_true(exact.exact);
	assert_true(fabs(exact.p / exact.p_corrected - 1) < 0.05);
	assert_int_equal(rank_sum(x, 51, y, 50, 0.95, &normal, NULL), 0);
	assert_false(normal.exact);
	assert_same(normal.p, normal.p_corrected);
	assert_true(fabs((normal.high - normal.low) / (exact.high - exact.low) - 1) < 0.05);
	assert_int_equal(rank_sum(x, 200, y, 200, 0.95, &normal, NULL), 0);
	assert_at_most(normal.low, normal.shift);
	assert_at_most(normal.shift, normal.high);
	assert_int_equal(rank_sum(x, 1, y, 200, 0.999, &normal, NULL), 0);
	assert_same(normal.low, -HUGE_VAL);
}

static void bad_input_is_refused(void **state)
{
	static const double huge[2] = { 1.7e308, 1.6e308 }, low[2] = { -1.7e308, -1.6e308 };
	struct rank_sum out = { .n_x = 7 };
	struct err err = ERR_INIT;
	double bad[2] = { 1, (double)NAN };
	double p = 7;
	long k = 7;

	(void)state;
	assert_int_equal(rank_sum(bad, 2, KNOWN_X, 10, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(rank_sum(KNOWN_X, 10, bad, 2, 0.95, &out, &err), -1);
	assert_int_equal(rank_sum(KNOWN_X, 0, KNOWN_Y, 10, 0.95, &out, &err), -1);
	assert_int_equal(rank_sum(KNOWN_X, 10, KNOWN_Y, 0, 0.95, &out, &err), -1);
	assert_int_equal(rank_sum(KNOWN_X, 10, KNOWN_Y, 10, 1, &out, &err), -1);
	assert_int_equal(rank_sum(low, 2, huge, 2, 0.95, &out, &err), -1);
	assert_int_equal(rank_sum_tail(1, 0, 3, &p, &err), -1);
	assert_int_equal(rank_sum_tail(1, 3, RANK_SUM_EXACT_MAX + 1, &p, &err), -1);
	assert_int_equal(rank_sum_tail((double)NAN, 3, 3, &p, &err), -1);
	assert_int_equal(rank_sum_cut(3, 3, 0, &k, &err), -1);
	assert_int_equal(rank_sum_cut(0, 3, 0.05, &k, &err), -1);
	assert_int_equal(out.n_x, 7);
	assert_same(p, 7);
	assert_int_equal(k, 7);
}

static void too_many_differences_are_refused(void **state)
{
	double *x = calloc(3000, sizeof(*x));
	struct err err = ERR_INIT;
	struct rank_sum out;

	(void)state;
	assert_non_null(x);
	assert_int_equal(rank_sum(x, 3000, x, 3000, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	free(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tail_equals_pwilcox),
		cmocka_unit_test(tail_is_counted_by_hand_for_two_and_two),
		cmocka_unit_test(cut_is_the_published_one),
		cmocka_unit_test(known_samples_give_the_answers_of_r),
		cmocka_unit_test(ties_get_the_conditional_exact_p),
		cmocka_unit_test(all_equal_is_no_evidence),
		cmocka_unit_test(swapping_the_samples_negates),
		cmocka_unit_test(p_and_interval_agree_without_ties),
		cmocka_unit_test(large_samples_are_judged_by_the_normal_curve),
		cmocka_unit_test(bad_input_is_refused),
		cmocka_unit_test(too_many_differences_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
