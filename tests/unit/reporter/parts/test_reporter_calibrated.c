/* Which changes a calibration says will be called. */
#include "tests/unit/reporter/render_fixture.h"

#include "lib/record/calibration/calibrations.h"
#include "reporter/parts/compared.h"

#include "lib/base/banned.h"

#define N 5

static double small[N] = { 0.0001, -0.0001, 0.0001, -0.0001, 0.0001 };
static double large[N] = { 0.03, -0.03, 0.03, -0.03, 0.03 };

static void expect_called(double *a, double *b, const char *has, const char *has_not)
{
	struct calibrated v[] = { { .log_ratios = a, .n_log_ratios = N, .threshold = 0.01 },
				  { .log_ratios = b, .n_log_ratios = N, .threshold = 0.01 } };
	const struct calibrations c = { v, 2 };
	struct buf out = BUF_INIT;

	compared_called(&c, &out);
	assert_int_equal(0, buf_check(&out, NULL));
	assert_non_null(strstr(buf_str(&out), has));
	assert_null(strstr(buf_str(&out), has_not));
	assert_non_null(strstr(buf_str(&out), "'found 9 in 10'"));
	buf_release(&out);
}

/* It was half of the time, beside "same code differed by 4.29 %" and a threshold of 1 %. */
static void no_change_below_what_the_same_code_differed_by_is_promised(void **state)
{
	(void)state;
	expect_called(large, large, "threshold is not called", "half of the time");
	expect_called(small, large,
		      "half of the time,\nbut not where the same code differed by more",
		      "is not called");
	expect_called(small, small, "called about half of the time; one", "not");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_change_below_what_the_same_code_differed_by_is_promised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
