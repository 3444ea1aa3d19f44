#include "tests/unit/test_stats_near.h"

#include "lib/stats/anytime.h"
#include "lib/stats/bootstrap.h"

#include "lib/base/banned.h"

static void mean_gives_the_published_interval(void **state)
{
	struct bootstrap got;
	double d[10];

	(void)state;
	known_d(d);
	assert_int_equal(bootstrap_bca(d, 10, BOOTSTRAP_MEAN, 200, 42, 0.95, &got, NULL), 0);
	assert_near(got.estimate, "0.0108363247192");
	assert_near(got.bias, "-0.227544976641");
	assert_near(got.acceleration, "-0.138150189556");
	assert_near(got.low, "-0.0604950983805");
	assert_near(got.high, "0.0300445087063");
}

/* The ends of the quantiles that bias and acceleration lead to, from the published ones. */
static void median_gives_the_published_interval(void **state)
{
	struct bootstrap got;
	double d[10];

	(void)state;
	known_d(d);
	assert_int_equal(bootstrap_bca(d, 10, BOOTSTRAP_MEDIAN, 200, 42, 0.95, &got, NULL), 0);
	assert_near(got.estimate, "0.0306541912634");
	assert_same(got.bias, 0);
	assert_true(fabs(got.acceleration) < 1e-9);
	assert_near(got.low, "0.0219791041754");
	assert_near(got.high, "0.0314554268521");
}

static void same_seed_gives_the_same_interval(void **state)
{
	struct bootstrap a, b, c;

	(void)state;
	assert_int_equal(bootstrap_bca(KNOWN_X, 10, BOOTSTRAP_MEAN, 500, 7, 0.9, &a, NULL), 0);
	assert_int_equal(bootstrap_bca(KNOWN_X, 10, BOOTSTRAP_MEAN, 500, 7, 0.9, &b, NULL), 0);
	assert_int_equal(bootstrap_bca(KNOWN_X, 10, BOOTSTRAP_MEAN, 500, 8, 0.9, &c, NULL), 0);
	assert_same(a.low, b.low);
	assert_same(a.high, b.high);
	assert_false(a.low <= c.low && a.low >= c.low);
}

static void equal_values_have_an_interval_of_no_width(void **state)
{
	static const double x[5] = { 3, 3, 3, 3, 3 };
	struct bootstrap got;

	(void)state;
	assert_int_equal(bootstrap_bca(x, 5, BOOTSTRAP_MEAN, 100, 1, 0.95, &got, NULL), 0);
	assert_same(got.low, 3);
	assert_same(got.high, 3);
	assert_same(got.acceleration, 0);
	assert_int_equal(bootstrap_bca(KNOWN_X, 2, BOOTSTRAP_MEDIAN, 1, 1, 0.95, &got, NULL), 0);
	assert_true(isfinite(got.low) && isfinite(got.high));
}

static void bad_input_is_refused(void **state)
{
	static const double bad[3] = { 1, HUGE_VAL, 2 };
	struct bootstrap out = { .estimate = 7 };
	struct err err = ERR_INIT;
	double p = 7;

	(void)state;
	assert_int_equal(bootstrap_bca(bad, 3, BOOTSTRAP_MEAN, 9, 1, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(bootstrap_bca(KNOWN_X, 1, BOOTSTRAP_MEAN, 9, 1, 0.95, &out, &err), -1);
	assert_int_equal(bootstrap_bca(KNOWN_X, 9, BOOTSTRAP_MEAN, 0, 1, 0.95, &out, &err), -1);
	assert_int_equal(bootstrap_bca(KNOWN_X, 9, BOOTSTRAP_MEAN, SIZE_MAX, 1, 0.95, &out, &err),
			 -1);
	assert_int_equal(bootstrap_bca(KNOWN_X, 9, BOOTSTRAP_MEAN, 9, 1, 1, &out, &err), -1);
	assert_int_equal(anytime_p(bad, 3, 8, &p, &err), -1);
	assert_int_equal(anytime_p(KNOWN_E, 1, 8, &p, &err), -1);
	assert_int_equal(anytime_p(KNOWN_E, 10, 0, &p, &err), -1);
	assert_int_equal(anytime_p(KNOWN_E, 10, HUGE_VAL, &p, &err), -1);
	assert_int_equal(anytime_p(KNOWN_E, 10, (double)NAN, &p, &err), -1);
	assert_same(out.estimate, 7);
	assert_same(p, 7);
}

/* The formula by hand in R: t = 3, n = 20, c = 8 */
static void anytime_evidence_is_the_published_one(void **state)
{
	(void)state;
	assert_near(anytime_log_e(3, 20, 8), "1.98196673991");
	assert_same(anytime_log_e(-3, 20, 8), anytime_log_e(3, 20, 8));
	assert_true(anytime_log_e(0, 20, 8) < 0);
}

static void anytime_evidence_grows_with_t_up_to_its_limit(void **state)
{
	double last = anytime_log_e(0, 20, 8), limit = anytime_log_e(HUGE_VAL, 20, 8);

	(void)state;
	for (double t = 0.5; t < 1e8; t *= 2) {
		double now = anytime_log_e(t, 20, 8);

		assert_at_most(last, now);
		assert_at_most(now, limit + 1e-9);
		last = now;
	}
	assert_true(limit - last < 1e-6);
}

static void anytime_p_follows_the_evidence(void **state)
{
	static const double equal[6] = { 1, 1, 1, 1, 1, 1 }, zero[6] = { 0 };
	double p = -1;

	(void)state;
	assert_int_equal(anytime_p(KNOWN_E, 10, 8, &p, NULL), 0);
	assert_same(p, 1); /* nothing there: evidence below 1 */
	assert_int_equal(anytime_p(equal, 6, 8, &p, NULL), 0);
	assert_near(p / exp(-anytime_log_e(HUGE_VAL, 6, 8)), "1.00000000000000");
	assert_true(p > 0 && p < 0.5);
	assert_int_equal(anytime_p(zero, 6, 8, &p, NULL), 0);
	assert_same(p, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_gives_the_published_interval),
		cmocka_unit_test(median_gives_the_published_interval),
		cmocka_unit_test(same_seed_gives_the_same_interval),
		cmocka_unit_test(equal_values_have_an_interval_of_no_width),
		cmocka_unit_test(bad_input_is_refused),
		cmocka_unit_test(anytime_evidence_is_the_published_one),
		cmocka_unit_test(anytime_evidence_grows_with_t_up_to_its_limit),
		cmocka_unit_test(anytime_p_follows_the_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
