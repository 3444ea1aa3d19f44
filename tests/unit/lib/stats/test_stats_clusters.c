/* Values that share a cause: means, signed ranks and variance components of clusters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "lib/stats/clusters.h"

#include "lib/base/banned.h"

static void near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-12 * fmax(1, fabs(b))))
		fail_msg("%.17g is not %.17g", a, b);
}

static void means_come_in_the_order_of_the_first_values(void **state)
{
	static const double d[] = { 1, 10, 3, 20, 5, 7 }, key[] = { 4, 2, 4, 2, 4, 9 };
	double out[6];

	(void)state;
	assert_int_equal(clusters_count(key, 6), 3);
	assert_int_equal(clusters_means(d, key, 6, out), 3);
	near(out[0], 3);
	near(out[1], 15);
	near(out[2], 7);
}

static void means_may_take_the_place_of_the_values(void **state)
{
	double d[] = { 1, 2, 4, 8, 16, 32 };
	static const double key[] = { 1, 2, 3, 3, 2, 1 };

	(void)state;
	assert_int_equal(clusters_means(d, key, 6, d), 3);
	near(d[0], 16.5);
	near(d[1], 9);
	near(d[2], 6);
}

static void one_value_of_each_stays_as_it_is(void **state)
{
	double d[] = { 0.5, -1, 2 };
	static const double key[] = { 3, 1, 2 };

	(void)state;
	assert_int_equal(clusters_means(d, key, 3, d), 3);
	assert_true(d[0] == 0.5 && d[1] == -1 && d[2] == 2);
}

static struct signed_rank rank_of(const double *d, const double *key, size_t n, bool narrow)
{
	struct walsh walsh = WALSH_INIT;
	struct signed_rank rank;

	assert_int_equal(walsh_build(d, n, &walsh, NULL), 0);
	if (narrow)
		assert_int_equal(walsh_narrow(&walsh, NULL), 0);
	assert_int_equal(signed_rank_from(&walsh, 0.98, &rank, NULL), 0);
	if (key)
		assert_int_equal(clusters_signed_rank(&walsh, d, key, &rank, NULL), 0);
	walsh_release(&walsh);
	return rank;
}

/* Twenty values of seven clusters, the last of one value. */
static void make_twenty(double *d, double *key, double shared)
{
	for (int i = 0; i < 20; i++) {
		key[i] = i < 19 ? 9 - i % 6 : 0;
		d[i] = 0.4 + sin(i * i) + shared * cos(3 * key[i]);
	}
}

/* Twice the signed rank of value i, of ranks to reach, as seen from centre. */
static double signed_rank_of(const double *d, int n, int i, double reach, double centre)
{
	double rank = 1;

	for (int k = 0; k < n; k++)
		rank += (fabs(d[k] - centre) < fabs(d[i] - centre)) +
			(fabs(d[k] - centre) <= fabs(d[i] - centre));
	rank = fmin(rank, 2 * reach);
	return d[i] > centre ? rank : d[i] < centre ? -rank : 0;
}

static void sums_of(const double *d, const double *key, double reach, double centre, double *sum,
		    double *squares)
{
	static const double keys[7] = { 9, 8, 7, 6, 5, 4, 0 };

	*squares = 0;
	for (int k = 0; k < 7; k++)
		sum[k] = 0;
	for (int i = 0; i < 20; i++) {
		double rank = signed_rank_of(d, 20, i, reach, centre);

		*squares += rank * rank;
		for (int k = 0; k < 7; k++)
			sum[k] += key[i] == keys[k] ? rank : 0;
	}
}

/* All 2^7 ways in which the clusters' coins may fall. */
static double p_by_counting(const double *sum)
{
	double seen = 0, count = 0;

	for (int k = 0; k < 7; k++)
		seen += sum[k];
	for (unsigned signs = 0; signs < 128; signs++) {
		double s = 0;

		for (int k = 0; k < 7; k++)
			s += (signs >> k & 1 ? 1 : -1) * sum[k];
		count += fabs(s) >= fabs(seen);
	}
	return count / 128;
}

static void p_is_that_of_the_clusters_coins(void **state)
{
	double d[20], key[20], sum[7], squares;

	(void)state;
	for (int narrow = 0; narrow < 2; narrow++) {
		for (int shared = 0; shared < 8; shared++) {
			struct signed_rank alone, rank;

			make_twenty(d, key, shared);
			sums_of(d, key, narrow ? 5 : 20, 0, sum, &squares);
			alone = rank_of(d, NULL, 20, narrow);
			rank = rank_of(d, key, 20, narrow);
			near(rank.theta, alone.theta);
			near(rank.p, fmax(alone.p, p_by_counting(sum)));
		}
	}
}

/* R: qt(0.99, 6) = 3.14266840329, qnorm(0.99) = 2.32634787404 */
static void the_interval_widens_by_what_the_sums_vary_more(void **state)
{
	double d[20], key[20], sum[7], squares;
	int widened = 0;

	(void)state;
	for (int shared = 0; shared < 8; shared++) {
		struct signed_rank alone, rank;
		double share = 0, wider;

		make_twenty(d, key, shared);
		alone = rank_of(d, NULL, 20, false);
		rank = rank_of(d, key, 20, false);
		sums_of(d, key, 20, alone.theta, sum, &squares);
		for (int k = 0; k < 7; k++)
			share += sum[k] * sum[k] / squares * 7 / 6;
		widened += share > 1;
		wider = sqrt(fmax(share, 1)) * 3.14266840329 / 2.32634787404;
		assert_true(fabs(rank.low - (alone.theta - wider * (alone.theta - alone.low))) <
			    1e-9);
		assert_true(fabs(rank.high - (alone.theta + wider * (alone.high - alone.theta))) <
			    1e-9);
	}
	assert_true(widened >= 5);
}

/* Both values of a cluster lie as far to either side: the sums are 0.  R: qt(0.99, 7) */
static void sums_that_vary_less_make_no_interval_narrower(void **state)
{
	double d[16], key[16];
	struct signed_rank alone, rank;

	(void)state;
	for (int i = 0; i < 16; i++) {
		key[i] = i / 2;
		d[i] = i % 2 ? -(i / 2) - 1 : i / 2 + 1;
	}
	alone = rank_of(d, NULL, 16, false);
	rank = rank_of(d, key, 16, false);
	assert_true(fabs(rank.high / alone.high - 2.99795156687 / 2.32634787404) < 1e-9);
	assert_true(fabs(rank.low / alone.low - 2.99795156687 / 2.32634787404) < 1e-9);
	near(rank.p, 1);
}

static void values_of_their_own_or_of_one_cluster_change_nothing(void **state)
{
	double d[20], key[20], own[20], one[20];
	struct signed_rank alone, rank;

	(void)state;
	make_twenty(d, key, 1);
	for (int i = 0; i < 20; i++) {
		own[i] = 100 - i;
		one[i] = 3;
	}
	alone = rank_of(d, NULL, 20, false);
	rank = rank_of(d, own, 20, false);
	assert_memory_equal(&rank, &alone, sizeof(rank));
	rank = rank_of(d, one, 20, false);
	assert_memory_equal(&rank, &alone, sizeof(rank));
}

/* 2 x 2^-6 is more than 2 %: six coins are not enough, seven are. */
static void few_clusters_have_no_interval(void **state)
{
	double d[20], key[20];
	struct signed_rank rank;

	(void)state;
	make_twenty(d, key, 1);
	assert_true(isfinite(rank_of(d, key, 20, false).low));
	key[19] = 9;
	rank = rank_of(d, key, 20, false);
	assert_true(isinf(rank.low) && rank.low < 0 && isinf(rank.high) && rank.high > 0);
	assert_true(rank.p >= 2 * ldexp(1, -6));
}

static void zeros_have_no_sign(void **state)
{
	double d[20] = { 0 }, key[20];
	struct signed_rank rank;

	(void)state;
	for (int i = 0; i < 20; i++)
		key[i] = i % 8;
	rank = rank_of(d, key, 20, false);
	near(rank.p, 1);
	near(rank.low, 0);
	near(rank.high, 0);
}

static struct clusters_spread six_of_two(void)
{
	double d[12], key[12];
	struct clusters_spread s;
	int i;

	for (i = 0; i < 12; i++) {
		key[i] = i % 6;
		d[i] = 1 + i % 6 + (i < 6 ? 0.25 : -0.25);
	}
	clusters_spread(d, key, 12, &s);
	return s;
}

/*
 * Six clusters of two: means 1, 2, 3, 4, 5, 6, values 0.5 apart.  By hand: within 12 x 0.25^2 / 6
 * = 0.125; between the means 3.5, so (2 x 3.5 - 0.125) / 2 = 3.4375.
 */
static void components_of_equal_clusters(void **state)
{
	struct clusters_spread s = six_of_two();

	(void)state;
	assert_int_equal(s.n, 6);
	near(s.within, 0.125);
	near(s.between, 3.4375);
}

/*
 * The same: mean squares 7 with 5 degrees of freedom and 0.125 with 6.  With the quantiles of
 * chi-squared from tables (0.8312 and 12.8325; 1.2373 and 14.4494) they lie in [2.7274, 42.107] and
 * [0.0519, 0.6061]: the difference 6.875 - 4.3, + 35.107, over 2.  The quantiles here are to 4 %.
 */
static void the_interval_of_a_variance_component(void **state)
{
	struct clusters_spread s = six_of_two();

	(void)state;
	near(s.means, 3.5);
	assert_true(s.low > 1.28 * 0.97 && s.low < 1.288 * 1.03);
	assert_true(s.high > 20.99 * 0.96 && s.high < 20.99 * 1.05);
}

/*
 * By hand: six clusters 1..6 of sizes 3, 3, 2, 2, 1, 1 with means 1..6; within (.5, 0, -.5) twice
 * and (.5, -.5) twice.  SSW = 2, 6 degrees: 1/3.  Grand mean 34/12; SSB = sum n (m - mean)^2 =
 * 126 - 34^2/12 = 29 2/3, 5 degrees; n0 = (12 - 28/12) / 5.
 */
static void components_of_unequal_clusters(void **state)
{
	static const double key[] = { 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6 };
	static const double d[] = { 1.5, 1, 0.5, 2.5, 2, 1.5, 3.5, 2.5, 4.5, 3.5, 5, 6 };
	struct clusters_spread s;

	(void)state;
	clusters_spread(d, key, 12, &s);
	near(s.within, 2.0 / 6);
	near(s.between, ((126 - 34.0 * 34 / 12) / 5 - 2.0 / 6) / ((12 - 28.0 / 12) / 5));
}

static void clusters_that_do_not_differ_have_no_variance(void **state)
{
	double d[12], key[12];
	struct clusters_spread s;
	int i;

	(void)state;
	for (i = 0; i < 12; i++) {
		key[i] = i % 6;
		d[i] = i < 6 ? 1 : -1;
	}
	clusters_spread(d, key, 12, &s);
	near(s.between, 0);
	near(s.within, 2);
	near(s.low, 0);
}

static void too_few_tell_nothing(void **state)
{
	double d[20], key[20];
	struct clusters_spread s;
	int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		d[i] = i;
		key[i] = i % 15; /* five are left over */
	}
	clusters_spread(d, key, 20, &s);
	assert_int_equal(s.n, 15);
	assert_true(isnan(s.between) && isnan(s.within));
	assert_true(isnan(s.low) && isnan(s.high) && isnan(s.means));
	for (i = 0; i < 20; i++)
		key[i] = i % 5;
	clusters_spread(d, key, 20, &s);
	assert_int_equal(s.n, 5);
	assert_true(isnan(s.between) && isnan(s.within));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_come_in_the_order_of_the_first_values),
		cmocka_unit_test(means_may_take_the_place_of_the_values),
		cmocka_unit_test(one_value_of_each_stays_as_it_is),
		cmocka_unit_test(p_is_that_of_the_clusters_coins),
		cmocka_unit_test(the_interval_widens_by_what_the_sums_vary_more),
		cmocka_unit_test(sums_that_vary_less_make_no_interval_narrower),
		cmocka_unit_test(values_of_their_own_or_of_one_cluster_change_nothing),
		cmocka_unit_test(few_clusters_have_no_interval),
		cmocka_unit_test(zeros_have_no_sign),
		cmocka_unit_test(components_of_equal_clusters),
		cmocka_unit_test(the_interval_of_a_variance_component),
		cmocka_unit_test(components_of_unequal_clusters),
		cmocka_unit_test(clusters_that_do_not_differ_have_no_variance),
		cmocka_unit_test(too_few_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
