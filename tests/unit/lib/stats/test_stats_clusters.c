/* Values that share a cause: means and variance components of clusters. */
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
		cmocka_unit_test(components_of_equal_clusters),
		cmocka_unit_test(the_interval_of_a_variance_component),
		cmocka_unit_test(components_of_unequal_clusters),
		cmocka_unit_test(clusters_that_do_not_differ_have_no_variance),
		cmocka_unit_test(too_few_tell_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
