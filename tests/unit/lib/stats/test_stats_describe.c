#include "tests/unit/test_stats_near.h"

#include "lib/stats/describe.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

/* R: mean(x), sd(x), t.test(x)$conf.int, mad(x) */
static void known_sample_gives_the_answers_of_r(void **state)
{
	struct description got;

	(void)state;
	assert_int_equal(describe(KNOWN_X, 10, 0.95, &got, NULL), 0);
	assert_int_equal(got.n, 10);
	assert_near(got.mean, "10.3950000000000");
	assert_near(got.sd, "0.761157743907997");
	assert_near(got.ci_low, "9.85050055136236");
	assert_near(got.ci_high, "10.9394994486376");
	assert_near(got.mad, "0.200151299498");
	assert_same(got.min, 9.87);
	assert_same(got.max, 12.50);
	assert_near(got.median, "10.2100000000000");
	/* by hand: rank 9.91 of 10.46 and 12.50: 10.46 + .91 * 2.04 */
	assert_near(got.p99, "12.3164000000000");
}

static void one_value_has_a_centre_but_no_spread(void **state)
{
	static const double x = 5;
	struct description got;

	(void)state;
	assert_int_equal(describe(&x, 1, 0.95, &got, NULL), 0);
	assert_same(got.mean, 5);
	assert_same(got.median, 5);
	assert_same(got.min, 5);
	assert_same(got.max, 5);
	assert_same(got.p99, 5);
	assert_same(got.mad, 0);
	assert_true(isnan(got.sd) && isnan(got.ci_low) && isnan(got.ci_high));
}

static void equal_values_have_an_interval_of_no_width(void **state)
{
	static const double x[4] = { 0.1, 0.1, 0.1, 0.1 };
	struct description got;

	(void)state;
	assert_int_equal(describe(x, 4, 0.95, &got, NULL), 0);
	assert_same(got.mean, 0.1);
	assert_true(got.sd < 1e-17 && got.mad <= 0);
	assert_at_most(got.ci_low, 0.1);
	assert_at_most(0.1, got.ci_high);
}

/* Values far from 0 keep the digits of their spread. */
static void large_offset_does_not_spoil_the_spread(void **state)
{
	static const double x[4] = { 1e15 + 1, 1e15 + 2, 1e15 + 3, 1e15 + 4 };
	struct description got;

	(void)state;
	assert_int_equal(describe(x, 4, 0.95, &got, NULL), 0);
	assert_near(got.sd, "1.29099444873581");
	assert_same(got.mean, 1e15 + 2.5);
}

/* R: quantile(c(1, 2, 4, 8), p, type = 7) */
static void quantile_is_definition_7(void **state)
{
	static const double x[4] = { 1, 2, 4, 8 };

	(void)state;
	assert_same(quantile_sorted(x, 4, 0), 1);
	assert_same(quantile_sorted(x, 4, 1), 8);
	assert_same(quantile_sorted(x, 4, 0.25), 1.75);
	assert_same(quantile_sorted(x, 4, 0.5), 3);
	assert_near(quantile_sorted(x, 4, 0.9), "6.8000000000000");
}

/* The definition: all distances written out and sorted. */
static double mad_by_definition(const double *sorted, size_t n)
{
	double centre = sample_median_sorted(sorted, n), distance[40], *in_order, mad;

	for (size_t i = 0; i < n; i++)
		distance[i] = fabs(sorted[i] - centre);
	in_order = sample_sorted(distance, n, NULL);
	assert_non_null(in_order);
	mad = MAD_SCALE * sample_median_sorted(in_order, n);
	free(in_order);
	return mad;
}

static void mad_is_the_median_of_the_distances(void **state)
{
	static const double by_hand[5] = { 1, 2, 4, 8, 100 }; /* 3 2 0 4 96 */
	double x[40], *sorted;

	(void)state;
	assert_same(mad_sorted(by_hand, 5), 3 * MAD_SCALE);
	for (unsigned round = 0; round < 400; round++) {
		size_t n = 1 + round % 40;

		for (size_t i = 0; i < n; i++) {
			x[i] = sin((double)(i * i + round));
			x[i] = round % 3 ? x[i] : floor(3 * x[i]);
			x[i] *= round % 7 ? 1 : fabs(x[i]) * 1e307;
		}
		sorted = sample_sorted(x, n, NULL);
		assert_non_null(sorted);
		assert_same(mad_sorted(sorted, n), mad_by_definition(sorted, n));
		free(sorted);
	}
}

static void order_of_the_values_does_not_matter(void **state)
{
	double back[10];
	struct description a, b;

	(void)state;
	for (int i = 0; i < 10; i++)
		back[i] = KNOWN_X[9 - i];
	assert_int_equal(describe(KNOWN_X, 10, 0.9, &a, NULL), 0);
	assert_int_equal(describe(back, 10, 0.9, &b, NULL), 0);
	assert_same(a.median, b.median);
	assert_same(a.mad, b.mad);
	assert_same(a.p99, b.p99);
	assert_same(a.mean, b.mean);
	assert_same(a.ci_low, b.ci_low);
}

static void bad_input_is_refused_and_nothing_is_written(void **state)
{
	static const double huge[2] = { -1.7e308, 1.7e308 };
	static const double wrong[3] = { (double)NAN, HUGE_VAL, -HUGE_VAL };
	struct description out = { .n = 99 };
	struct err err = ERR_INIT;
	double x[3] = { 1, 2, 3 };

	(void)state;
	assert_int_equal(describe(x, 0, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(describe(x, 3, 1, &out, &err), -1);
	assert_int_equal(describe(x, 3, 0, &out, &err), -1);
	assert_int_equal(describe(x, 3, (double)NAN, &out, &err), -1);
	err_clear(&err);
	assert_int_equal(describe(huge, 2, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	for (int i = 0; i < 3; i++) {
		x[1] = wrong[i];
		assert_int_equal(describe(x, 3, 0.95, &out, &err), -1);
	}
	assert_int_equal(out.n, 99);
}

/* describe() says what they are; values meet, and both buffers are used. */
static void middle_is_that_of_the_description(void **state)
{
	double x[200];
	struct err err = ERR_INIT;
	uint32_t draw = 1;

	(void)state;
	for (size_t n = 1; n <= 200; n += n < 20 ? 1 : 7) {
		struct description all;
		struct middle middle;

		for (size_t i = 0; i < n; i++) {
			draw = draw * 1664525u + 1013904223u;
			x[i] = (double)(draw >> 8) / (n % 3 ? 1e6 : 4e6);
			x[i] = n % 3 ? x[i] : floor(x[i]) - 2;
		}
		assert_int_equal(describe(x, n, 0.95, &all, &err), 0);
		assert_int_equal(describe_middle(x, n, &middle, &err), 0);
		assert_true(middle.mean == all.mean && middle.median == all.median);
		assert_true(middle.min == all.min && middle.max == all.max);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_sample_gives_the_answers_of_r),
		cmocka_unit_test(one_value_has_a_centre_but_no_spread),
		cmocka_unit_test(equal_values_have_an_interval_of_no_width),
		cmocka_unit_test(large_offset_does_not_spoil_the_spread),
		cmocka_unit_test(quantile_is_definition_7),
		cmocka_unit_test(mad_is_the_median_of_the_distances),
		cmocka_unit_test(order_of_the_values_does_not_matter),
		cmocka_unit_test(bad_input_is_refused_and_nothing_is_written),
		cmocka_unit_test(middle_is_that_of_the_description),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
