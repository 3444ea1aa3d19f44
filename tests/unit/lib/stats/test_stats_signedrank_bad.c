/* What has no signed rank: refused, and nothing is written. */
#include "tests/unit/test_stats_near.h"

#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

static void bad_input_is_refused_and_nothing_is_written(void **state)
{
	static const double wrong[3] = { (double)NAN, HUGE_VAL, -HUGE_VAL };
	struct signed_rank out = { .n = 77 };
	struct err err = ERR_INIT;
	double d[10];

	(void)state;
	for (int i = 0; i < 3; i++) {
		known_d(d);
		d[4] = wrong[i];
		err_clear(&err);
		assert_int_equal(signed_rank(d, 10, 0.95, &out, &err), -1);
		assert_int_equal(err.code, ERR_RANGE);
	}
	known_d(d);
	assert_int_equal(signed_rank(d, 0, 0.95, &out, &err), -1);
	assert_int_equal(signed_rank(d, 10, 0, &out, &err), -1);
	assert_int_equal(signed_rank(d, 10, 1, &out, &err), -1);
	assert_int_equal(signed_rank(d, 10, (double)NAN, &out, &err), -1);
	assert_int_equal(signed_rank(d, SIGNED_RANK_MAX + 1, 0.95, &out, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	assert_int_equal(out.n, 77);
}

static void pairs_without_a_ratio_are_refused(void **state)
{
	static const double good[2] = { 1, 2 };
	static const double wrong[5] = { 0, -1, (double)NAN, HUGE_VAL, -0.0 };
	struct err err = ERR_INIT;
	double bad[2] = { 1, 1 }, out[2];

	(void)state;
	for (int i = 0; i < 5; i++) {
		bad[1] = wrong[i];
		assert_int_equal(pairs_log_ratio(good, bad, 2, out, &err), -1);
		assert_int_equal(err.code, ERR_RANGE);
		assert_int_equal(pairs_log_ratio(bad, good, 2, out, &err), -1);
	}
	bad[1] = 1e-300;
	assert_int_equal(pairs_log_ratio(bad, (const double[]){ 1, 1e300 }, 2, out, &err), -1);
	assert_int_equal(pairs_log_ratio(good, good, 0, out, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_input_is_refused_and_nothing_is_written),
		cmocka_unit_test(pairs_without_a_ratio_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
