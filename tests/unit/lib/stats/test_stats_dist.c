#include "tests/unit/test_stats_near.h"

#include "lib/stats/dist.h"

#include "lib/base/banned.h"

static int gammas; /* times that the logarithm of the gamma function was worked out */

/* Stands before the library's. */
long double lgammal_r(long double x, int *sign)
{
	gammas++;
	*sign = 1;
	return lgammal(x);
}

/* R: qt(.975, df), qt(.9999, 24) */
static void student_quantile_equals_r(void **state)
{
	(void)state;
	assert_near(student_quantile(.975, 1), "12.7062047361747");
	assert_near(student_quantile(.975, 4), "2.77644510519779");
	assert_near(student_quantile(.975, 9), "2.2621571627982");
	assert_near(student_quantile(.975, 19), "2.09302405440831");
	assert_near(student_quantile(.975, 24), "2.06389856162803");
	assert_near(student_quantile(.975, 29), "2.0452296421327");
	assert_near(student_quantile(.9999, 24), "4.38191675192978");
}

/* R: 2 * pt(-2.5, 7.3), 2 * pt(-3.3, 24) */
static void student_two_sided_equals_r(void **state)
{
	(void)state;
	assert_near(student_two_sided(2.5, 7.3), "0.039650234666");
	assert_near(student_two_sided(-3.3, 24), "0.003011900789");
}

/* R: qnorm(.975), qnorm(1e-10) */
static void normal_quantile_equals_r(void **state)
{
	(void)state;
	assert_near(normal_quantile(.975), "1.95996398454005");
	assert_near(normal_quantile(1e-10), "-6.36134090240406");
	assert_same(normal_quantile(.5), 0);
}

/* Closed forms: df = 1 is Cauchy, df = 2 is t/sqrt(2 + t^2). */
static void student_has_its_closed_forms(void **state)
{
	(void)state;
	for (double t = 0.001; t < 1e6; t *= 3) {
		double cauchy = atan(1 / t) / acos(-1);
		double two = 1 / ((2 + t * t) * (1 + t / sqrt(2 + t * t)));

		assert_true(fabs(student_two_sided(t, 1) / (2 * cauchy) - 1) < 1e-13);
		assert_true(fabs(student_two_sided(t, 2) / (2 * two) - 1) < 1e-13);
		assert_true(fabs(student_two_sided(-t, 1) / (2 * cauchy) - 1) < 1e-13);
	}
}

static void quantiles_undo_the_distributions(void **state)
{
	static const double df[] = { 0.5, 1, 2, 2.7, 5, 29, 400, 1e5, 1e13 };

	(void)state;
	for (double p = 1e-300; p < 0.5; p *= 1e3)
		assert_true(fabs(normal_cdf(normal_quantile(p)) / p - 1) < 1e-12);
	for (size_t i = 0; i < sizeof(df) / sizeof(df[0]); i++) {
		for (double p = 1e-12; p < 0.5; p *= 7) {
			double t = student_quantile(p, df[i]);

			assert_true(t < 0);
			assert_true(fabs(student_two_sided(t, df[i]) / (2 * p) - 1) < 1e-12);
			assert_same(student_quantile(1 - 0.5, df[i]), 0);
		}
	}
}

static void quantiles_are_symmetric(void **state)
{
	(void)state;
	for (int i = 1; i < 64; i++) {
		double p = i / 128.0;

		assert_same(normal_quantile(p), -normal_quantile(1 - p));
		assert_same(student_quantile(p, 7), -student_quantile(1 - p, 7));
	}
}

static void ends_are_infinite_and_nonsense_is_nan(void **state)
{
	(void)state;
	assert_same(normal_quantile(0), -HUGE_VAL);
	assert_same(normal_quantile(1), HUGE_VAL);
	assert_same(student_quantile(0, 3), -HUGE_VAL);
	assert_same(student_quantile(1, 3), HUGE_VAL);
	assert_same(student_two_sided(HUGE_VAL, 3), 0);
	assert_same(student_two_sided(-HUGE_VAL, 3), 0);
	assert_same(student_two_sided(0, 3), 1);
	assert_true(isnan(normal_quantile(-0.1)));
	assert_true(isnan(normal_quantile(1.1)));
	assert_true(isnan(normal_quantile((double)NAN)));
	assert_true(isnan(student_quantile(0.3, 0)));
	assert_true(isnan(student_quantile((double)NAN, 3)));
	assert_true(isnan(student_two_sided(1, -1)));
	assert_true(isnan(student_two_sided((double)NAN, 3)));
}

/* Thousands of benchmarks ask for the same few. */
static void quantile_asked_for_again_costs_nothing(void **state)
{
	static const double df[] = { 19, 24, 29, 59 };
	double t[4];

	(void)state;
	for (int i = 0; i < 4; i++)
		t[i] = student_quantile(.95, df[i]);
	gammas = 0;
	for (int i = 0; i < 4000; i++)
		assert_same(student_quantile(.95, df[i % 4]), t[i % 4]);
	assert_int_equal(gammas, 0);
	assert_true(student_quantile(.975, 29) > t[2]);
	assert_true(gammas > 0);
	assert_same(student_quantile(.95, 29), t[2]);
	/* 93 = 29 + 64 has the place of 29 */
	assert_true(student_quantile(.95, 93) < t[2]);
	assert_same(student_quantile(.95, 29), t[2]);
	assert_same(student_quantile(1 - .95, 29), -t[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_quantile_equals_r),
		cmocka_unit_test(student_two_sided_equals_r),
		cmocka_unit_test(normal_quantile_equals_r),
		cmocka_unit_test(student_has_its_closed_forms),
		cmocka_unit_test(quantiles_undo_the_distributions),
		cmocka_unit_test(quantiles_are_symmetric),
		cmocka_unit_test(quantile_asked_for_again_costs_nothing),
		cmocka_unit_test(ends_are_infinite_and_nonsense_is_nan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
