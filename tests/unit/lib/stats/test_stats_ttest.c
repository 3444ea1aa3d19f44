#include "tests/unit/test_stats_near.h"

#include "lib/stats/ttest.h"

#include "lib/base/banned.h"

/* R: t.test(z[1:5], z[6:10], var.equal = TRUE) */
static void pooled_test_equals_r(void **state)
{
	static const double before[5] = { 1.00, 1.02, .99, 1.01, 1.00 };
	static const double after[5] = { 1.06, 1.05, 1.07, 1.04, 1.06 };
	struct t_test got;

	(void)state;
	assert_int_equal(pooled_t(before, 5, after, 5, 0.95, &got, NULL), 0);
	assert_near(-got.t, "-7.21110255093");
	assert_near(got.p, "9.14536560511e-05");
	assert_same(got.df, 8);
}

static void swapping_the_sides_negates(void **state)
{
	struct t_test a, b;

	(void)state;
	assert_int_equal(pooled_t(KNOWN_A, 12, KNOWN_B, 10, 0.95, &a, NULL), 0);
	assert_int_equal(pooled_t(KNOWN_B, 10, KNOWN_A, 12, 0.95, &b, NULL), 0);
	assert_same(a.shift, -b.shift);
	assert_same(a.t, -b.t);
	assert_same(a.low, -b.high);
	assert_same(a.p, b.p);
}

static void values_without_spread_are_exact(void **state)
{
	static const double two[4] = { 2, 2, 2, 2 }, three[4] = { 3, 3, 3, 3 };
	struct t_test got;

	(void)state;
	assert_int_equal(pooled_t(two, 4, three, 4, 0.95, &got, NULL), 0);
	assert_same(got.t, HUGE_VAL);
	assert_same(got.p, 0);
	assert_same(got.low, 1);
	assert_same(got.high, 1);
	assert_same(got.df, 6);
	assert_int_equal(pooled_t(three, 4, two, 4, 0.95, &got, NULL), 0);
	assert_same(got.t, -HUGE_VAL);
	assert_int_equal(pooled_t(two, 4, two, 4, 0.95, &got, NULL), 0);
	assert_same(got.t, 0);
	assert_same(got.p, 1);
}

static void bad_input_is_refused(void **state)
{
	static const double huge[3] = { 1.7e308, -1.7e308, 1.7e308 };
	struct t_test out = { .df = 77 };
	struct err err = ERR_INIT;
	double bad[10];

	(void)state;
	memcpy(bad, KNOWN_X, sizeof(bad));
	bad[9] = (double)NAN;
	assert_int_equal(pooled_t(bad, 10, KNOWN_Y, 10, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(pooled_t(KNOWN_Y, 10, bad, 10, 0.95, &out, &err), -1);
	assert_int_equal(pooled_t(KNOWN_X, 10, KNOWN_Y, 10, 1, &out, &err), -1);
	assert_int_equal(pooled_t(KNOWN_X, 10, huge, 3, 0.95, &out, &err), -1);
	assert_int_equal(pooled_t(KNOWN_X, 1, KNOWN_Y, 1, 0.95, &out, &err), -1);
	assert_int_equal(pooled_t(KNOWN_X, 0, KNOWN_Y, 9, 0.95, &out, &err), -1);
	assert_same(out.df, 77);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pooled_test_equals_r),
		cmocka_unit_test(swapping_the_sides_negates),
		cmocka_unit_test(values_without_spread_are_exact),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
