#include "tests/unit/test_stats_near.h"

#include "lib/stats/series/creep.h"

#include "lib/base/banned.h"

static void ten_small_steps_that_no_gate_minds_are_flagged(void **state)
{
	struct creep_step steps[10];
	struct creep c;

	(void)state;
	for (int i = 0; i < 10; i++)
		steps[i] = (struct creep_step){ 0.003, 0.002 };
	assert_int_equal(0, creep_of(steps, 10, log1p(0.01), &c, NULL));
	assert_int_equal(10, c.n);
	assert_near(c.change, ".03");
	assert_near(c.se, "0.00632455532033676"); /* by hand: 0.002 sqrt(10) */
	assert_near(c.z, "4.74341649025257");
	assert_true(c.flagged);
}

static void a_sum_within_three_errors_or_the_threshold_is_quiet(void **state)
{
	const struct creep_step noisy[] = { { 0.02, 0.005 }, { 0.01, 0.01 } };
	const struct creep_step small[] = { { 0.004, 0.0001 }, { 0.005, 0.0001 } };
	struct creep c;

	(void)state;
	assert_int_equal(0, creep_of(noisy, 2, log1p(0.01), &c, NULL));
	assert_false(c.flagged); /* 0.03 / 0.0112 = 2.68 */
	assert_int_equal(0, creep_of(small, 2, log1p(0.01), &c, NULL));
	assert_false(c.flagged);
	assert_int_equal(0, creep_of(small, 2, log1p(0.005), &c, NULL));
	assert_true(c.flagged);
}

static void improvements_creep_as_well_and_opposite_steps_cancel(void **state)
{
	const struct creep_step down[] = { { -0.02, 0.001 }, { -0.01, 0.001 } };
	const struct creep_step both[] = { { 0.02, 0.001 }, { -0.02, 0.001 } };
	struct creep c;

	(void)state;
	assert_int_equal(0, creep_of(down, 2, log1p(0.01), &c, NULL));
	assert_true(c.flagged && c.z < -3);
	assert_int_equal(0, creep_of(both, 2, log1p(0.01), &c, NULL));
	assert_false(c.flagged);
}

static void identical_code_alone_never_creeps(void **state)
{
	const struct creep_step same[] = { { 0, 0 }, { 0, 0 } };
	struct creep c;

	(void)state;
	assert_int_equal(0, creep_of(same, 2, 0, &c, NULL));
	assert_false(c.flagged);
	assert_true(isnan(c.z));
	assert_int_equal(0, creep_of(NULL, 0, 0, &c, NULL));
	assert_false(c.flagged);
}

static void what_is_no_number_is_refused(void **state)
{
	const struct creep_step bad[] = { { 0.1, (double)NAN },
					  { (double)INFINITY, 0 },
					  { 0, -1 } };
	struct err err = ERR_INIT;
	struct creep c = { .n = 77 };

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(-1, creep_of(&bad[i], 1, 0.01, &c, &err));
	assert_int_equal(ERR_RANGE, err.code);
	assert_int_equal(-1, creep_of(bad, 0, (double)NAN, &c, &err));
	assert_int_equal(77, c.n);
}

static void a_standard_error_is_read_off_an_interval(void **state)
{
	(void)state;
	/* qnorm(.975) = 1.95996398454005, STATISTICS section 3 */
	assert_near(creep_se(-0.0195996398454005, 0.0195996398454005, 0.95), ".01");
	assert_true(isnan(creep_se(-(double)INFINITY, 1, 0.95)));
	assert_true(isnan(creep_se(0, 1, 1)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_small_steps_that_no_gate_minds_are_flagged),
		cmocka_unit_test(a_sum_within_three_errors_or_the_threshold_is_quiet),
		cmocka_unit_test(improvements_creep_as_well_and_opposite_steps_cancel),
		cmocka_unit_test(identical_code_alone_never_creeps),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(a_standard_error_is_read_off_an_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
