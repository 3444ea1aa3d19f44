/* Two groups are found where they are, and rarely where they are not: counted on seeded samples. */
#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/dist.h"
#include "lib/stats/groups.h"

#include "lib/base/banned.h"

enum { MOST = 100 };

static int samples(void)
{
	return getenv("PAWL_TEST_SLOW") ? 100000 : 2000;
}

static double draw_normal(struct coin *coin)
{
	return 100 + normal_quantile(coin_fraction(coin));
}

static double draw_spiked(struct coin *coin)
{
	double x = draw_normal(coin);

	return coin_fraction(coin) < 0.1 ? x - 10 * log(coin_fraction(coin)) : x;
}

static double draw_log_normal(struct coin *coin)
{
	return exp(normal_quantile(coin_fraction(coin)));
}

static double draw_exponential(struct coin *coin)
{
	return 100 - log(coin_fraction(coin));
}

static double draw_uniform(struct coin *coin)
{
	return 100 + coin_fraction(coin);
}

static double distance; /* of the two groups, in standard deviations */

static double draw_two(struct coin *coin)
{
	return draw_normal(coin) + (coin_toss(coin) ? distance : 0);
}

/* Share of the samples of n values that were found to be two groups. */
static double share_found(double (*draw)(struct coin *coin), size_t n)
{
	int found = 0, total = samples();
	struct coin coin;

	coin_init(&coin, 11);
	for (int i = 0; i < total; i++) {
		struct groups got;
		double x[MOST];

		for (size_t k = 0; k < n; k++)
			x[k] = draw(&coin);
		assert_int_equal(groups_of(x, n, &got, NULL), 0);
		found += got.found;
	}
	return (double)found / total;
}

static void one_group_is_rarely_called_two(void **state)
{
	static const struct {
		const char *name;
		double (*draw)(struct coin *coin);
		double most_20, most_30;
	} cases[] = {
		{ "normal", draw_normal, 0.003, 0.001 },
		{ "spiked", draw_spiked, 0.003, 0.001 },
		{ "log-normal", draw_log_normal, 0.010, 0.002 },
		{ "exponential", draw_exponential, 0.010, 0.002 },
		{ "uniform", draw_uniform, 0.006, 0.001 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double at_20 = share_found(cases[i].draw, 20);
		double at_30 = share_found(cases[i].draw, 30);
		double at_100 = share_found(cases[i].draw, 100);

		print_message("# %s: %.3f %% of 20 values, %.3f %% of 30, %.3f %% of 100\n",
			      cases[i].name, 100 * at_20, 100 * at_30, 100 * at_100);
		assert_at_most(at_20, cases[i].most_20);
		assert_at_most(at_30, cases[i].most_30);
		assert_at_most(at_100, 0.0001);
	}
}

static void groups_far_apart_are_found(void **state)
{
	(void)state;
	for (distance = 4; distance <= 12; distance += 1)
		print_message("# two groups %.0f standard deviations apart: found in %.1f %%\n",
			      distance, 100 * share_found(draw_two, 25));
	distance = 3;
	assert_at_most(share_found(draw_two, 25), 0.1);
	distance = 12;
	assert_at_most(0.9, share_found(draw_two, 25));
}

/* 12 around 100 and 8 around 150; medians and gap by hand. */
static void a_known_sample_is_cut_where_it_should_be(void **state)
{
	static const double x[20] = { 100, 150, 101, 102, 151, 103, 104, 152, 105, 106,
				      153, 107, 108, 154, 109, 155, 110, 156, 111, 157 };
	struct groups got;

	(void)state;
	assert_int_equal(groups_of(x, 20, &got, NULL), 0);
	assert_true(got.found);
	assert_int_equal(got.n_low, 12);
	assert_same(got.low, 105.5);
	assert_same(got.high, 153.5);
	/* median |x - 105.5| = 3, scaled 4.4478; gap 150 - 111 = 39 */
	assert_near(got.gap / (39 / (3 * 1.4826022185056)), "1.00000000000000");
}

static void a_few_spikes_are_no_group(void **state)
{
	double x[20];
	struct groups got;

	(void)state;
	for (int i = 0; i < 20; i++)
		x[i] = i < 16 ? 100 + i : 500 + i;
	assert_int_equal(groups_of(x, 20, &got, NULL), 0);
	assert_false(got.found);
	x[15] = 515; /* five of twenty are a quarter */
	assert_int_equal(groups_of(x, 20, &got, NULL), 0);
	assert_true(got.found);
	assert_int_equal(got.n_low, 15);
}

static void equal_values_are_one_group(void **state)
{
	double x[20];
	struct groups got;

	(void)state;
	for (int i = 0; i < 20; i++)
		x[i] = 7;
	assert_int_equal(groups_of(x, 20, &got, NULL), 0);
	assert_false(got.found);
	for (int i = 0; i < 20; i += 2)
		x[i] = 8;
	assert_int_equal(groups_of(x, 20, &got, NULL), 0);
	assert_true(got.found && isinf(got.gap) && isinf(got.d));
	assert_same(got.low, 7);
	assert_same(got.high, 8);
}

static void few_or_bad_values_are_not_judged(void **state)
{
	double x[20] = { 0 };
	struct groups got;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 20; i++)
		x[i] = i % 2 ? 100 + i : 900 + i;
	assert_int_equal(groups_of(x, 19, &got, NULL), 0);
	assert_false(got.found);
	assert_int_equal(groups_of(x, 20, &got, NULL), 0);
	assert_true(got.found);
	x[4] = (double)NAN;
	got.n_low = 99;
	assert_int_equal(groups_of(x, 20, &got, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(groups_of(x, 0, &got, &err), -1);
	assert_int_equal(got.n_low, 99);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_group_is_rarely_called_two),
		cmocka_unit_test(groups_far_apart_are_found),
		cmocka_unit_test(a_known_sample_is_cut_where_it_should_be),
		cmocka_unit_test(a_few_spikes_are_no_group),
		cmocka_unit_test(equal_values_are_one_group),
		cmocka_unit_test(few_or_bad_values_are_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
