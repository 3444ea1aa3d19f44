#include "tests/unit/test_stats_near.h"
#include "tests/unit/coin_draws.h"

#include "lib/stats/multiple.h"

#include "lib/base/banned.h"

static const double P[10] = { .0004, .010, .021, .029, .031, .20, .47, .003, .61, .049 };

/* R: p.adjust(p, "BH") */
static void bh_equals_r(void **state)
{
	static const char *const expected[10] = { "0.00400000000000", "0.0333333333333",
						  "0.0516666666667",  "0.0516666666667",
						  "0.0516666666667",  "0.25000000000000",
						  "0.522222222222",   "0.01500000000000",
						  "0.61000000000000", "0.07000000000000" };
	double out[10];
	unsigned flags = 0;

	(void)state;
	assert_int_equal(adjust_bh(P, 10, out, NULL), 0);
	for (int i = 0; i < 10; i++) {
		assert_near(out[i], expected[i]);
		flags += out[i] <= 0.05;
	}
	assert_int_equal(flags, 3);
	assert_true(out[0] <= 0.05 && out[1] <= 0.05 && out[7] <= 0.05);
}

static void adjusting_in_place_gives_the_same(void **state)
{
	double apart[10], place[10];

	(void)state;
	memcpy(place, P, sizeof(place));
	assert_int_equal(adjust_bh(P, 10, apart, NULL), 0);
	assert_int_equal(adjust_bh(place, 10, place, NULL), 0);
	assert_memory_equal(apart, place, sizeof(apart));
}

static void adjustment_keeps_the_order_and_never_lowers_p(void **state)
{
	double p[30], bh[30];
	struct coin coin;

	(void)state;
	coin_init(&coin, 2);
	for (int round = 0; round < 100; round++) {
		for (int i = 0; i < 30; i++)
			p[i] = pow(coin_fraction(&coin), 3);
		p[7] = p[3];
		assert_int_equal(adjust_bh(p, 30, bh, NULL), 0);
		assert_same(bh[7], bh[3]);
		for (int i = 0; i < 30; i++) {
			assert_at_most(p[i], bh[i]);
			assert_at_most(bh[i], 1);
			for (int j = 0; j < 30; j++)
				if (p[i] <= p[j])
					assert_at_most(bh[i], bh[j]);
		}
	}
}

static void one_p_value_stays_itself(void **state)
{
	double p = 0.03, out = 0;

	(void)state;
	assert_int_equal(adjust_bh(&p, 1, &out, NULL), 0);
	assert_same(out, 0.03);
}

static void what_is_no_probability_is_refused(void **state)
{
	static const double wrong[3] = { -0.01, 1.01, (double)NAN };
	double p[2] = { 0.5, 0 }, out[2] = { 9, 9 };
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < 3; i++) {
		p[1] = wrong[i];
		assert_int_equal(adjust_bh(p, 2, out, &err), -1);
		assert_int_equal(err.code, ERR_RANGE);
	}
	assert_int_equal(adjust_bh(p, 0, out, &err), -1);
	assert_same(out[0], 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bh_equals_r),
		cmocka_unit_test(adjusting_in_place_gives_the_same),
		cmocka_unit_test(adjustment_keeps_the_order_and_never_lowers_p),
		cmocka_unit_test(one_p_value_stays_itself),
		cmocka_unit_test(what_is_no_probability_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
