/*
 * Ranks that suit the tails: the sample chooses them, and p and interval hold as often as they say
 * all the same.
 *
 * PAWL_TEST_SLOW in the environment draws 25 times as many samples.  Seeded: a bound that holds
 * once holds always.
 */
#include "tests/unit/lib/stats/simulation_fixture.h"

#include "lib/stats/clusters.h"

#include "lib/base/banned.h"

enum { MOST = 200 };

static struct signed_rank suited(const double *d, size_t n)
{
	struct walsh walsh = WALSH_INIT;
	struct signed_rank rank;

	assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
	assert_int_equal(clusters_suited(&walsh, d, NULL, 0.98, &rank, NULL), 0);
	walsh_release(&walsh);
	return rank;
}

static struct signed_rank by(const double *d, size_t n, bool near)
{
	struct walsh walsh = WALSH_INIT;
	struct signed_rank rank;

	assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
	if (near)
		assert_int_equal(walsh_narrow(&walsh, NULL), 0);
	assert_int_equal(signed_rank_from(&walsh, 0.98, &rank, NULL), 0);
	walsh_release(&walsh);
	return rank;
}

static void light_tails_have_all_ranks(void **state)
{
	double d[MOST];

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		d[i] = 0.2 + normal_quantile(((double)i + 0.5) / MOST);
	assert_memory_equal(&(struct signed_rank[]){ suited(d, MOST) },
			    &(struct signed_rank[]){ by(d, MOST, false) },
			    sizeof(struct signed_rank));
}

/* A third of the values lies ten times as far out. */
static void heavy_tails_have_near_ones(void **state)
{
	struct signed_rank all, near, got;
	double d[MOST];

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		d[i] = 0.2 +
		       (i % 3 ? 1 : 10) * normal_quantile(((double)(i * 77 % MOST) + 0.5) / MOST);
	all = by(d, MOST, false);
	near = by(d, MOST, true);
	got = suited(d, MOST);
	assert_true(got.p == near.p && got.low == near.low && got.high == near.high &&
		    got.theta == near.theta);
	assert_true(got.high - got.low < all.high - all.low);
}

/* Quantiles of (1 - e^-x)^2: heavy to one side alone, where averages of near values are of
 * something else. */
static void both_have_to_agree_where_they_are_of_different_things(void **state)
{
	struct signed_rank all, near, got;
	double d[MOST];

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		d[i] = pow(-log(1 - ((double)i + 0.5) / MOST), 2) - 0.5;
	all = by(d, MOST, false);
	near = by(d, MOST, true);
	got = suited(d, MOST);
	assert_true(near.theta < all.theta);
	assert_true(got.theta == all.theta);
	assert_true(got.p == (all.p > near.p ? all.p : near.p));
	assert_true(got.low == near.low && got.high == all.high);
	assert_true(got.low <= got.theta && got.theta <= got.high);
}

/* Of fewer than seven values nothing is sure: no end of the interval can be looked from. */
static void few_values_have_no_interval(void **state)
{
	static const double d[] = { 1, 2, 3, -1, 50 };
	struct signed_rank got = suited(d, 5);

	(void)state;
	assert_true(isinf(got.low) && isinf(got.high));
	assert_true(got.theta == by(d, 5, false).theta);
}

/* Symmetric about 0, of tails from those of bell-shaped noise to those that have no variance. */
static double draw(struct coin *coin, int kind)
{
	double z = normal_quantile(coin_fraction(coin)), share = coin_fraction(coin);

	switch (kind) {
	case 0:
		return z;
	case 1:
		return share < 0.15 ? 8 * z : z;
	case 2:
		return z / sqrt(-log(share));
	default:
		return coin_toss(coin) ? -log(share) : log(share);
	}
}

/* Ranks that the sample chose by its own median came to 1.2 % here, and 97.6 % of intervals. */
static void p_and_interval_are_no_surer_than_they_say(void **state)
{
	static const char *const kinds[] = { "normal", "15 % far out", "t of 2 degrees",
					     "exponential" };
	static const size_t sizes[] = { 17, 34, 96 };
	size_t of = 2000 * (size_t)scale();
	double d[MOST];

	(void)state;
	for (int kind = 0; kind < 4; kind++) {
		double small = 0, holds = 0;
		struct coin coin;

		coin_init(&coin, 20261127);
		for (size_t k = 0; k < of; k++) {
			size_t n = sizes[k % 3];
			struct signed_rank rank;

			for (size_t i = 0; i < n; i++)
				d[i] = draw(&coin, kind);
			rank = suited(d, n);
			small += rank.p <= 0.01;
			holds += rank.low <= 0 && rank.high >= 0;
		}
		print_message(
			"# %s: p <= 1 %% in %.2f %%, intervals of 98 %% hold in %.2f %% of %zu\n",
			kinds[kind], 100 * small / (double)of, 100 * holds / (double)of, of);
		/* Three standard errors. */
		assert_true(small <= 0.01 * (double)of + 3 * sqrt(0.0099 * (double)of));
		assert_true(holds >= 0.98 * (double)of - 3 * sqrt(0.0196 * (double)of));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(light_tails_have_all_ranks),
		cmocka_unit_test(heavy_tails_have_near_ones),
		cmocka_unit_test(both_have_to_agree_where_they_are_of_different_things),
		cmocka_unit_test(few_values_have_no_interval),
		cmocka_unit_test(p_and_interval_are_no_surer_than_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
