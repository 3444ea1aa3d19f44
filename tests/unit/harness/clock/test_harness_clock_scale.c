#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/clock/scale.h"

#include "lib/base/banned.h"

/* All figures: python3 -c 'print(TICKS * NUMER // DENOM % 2**64)'. */

static void a_tick_of_125_thirds_is_24_megahertz(void **state)
{
	struct clock_scale s = pawl_clock_scale(125, 3);
	(void)state;
	assert_int_equal(pawl_clock_scaled(&s, 0), 0);
	assert_int_equal(pawl_clock_scaled(&s, 1), 41);
	assert_int_equal(pawl_clock_scaled(&s, 2), 83);
	assert_int_equal(pawl_clock_scaled(&s, 3), 125);
	assert_int_equal(pawl_clock_scaled(&s, 24000000), 1000000000);
}

/* Ticks of some 195 years: the last whose plain product fits, and the next. */
static void the_plain_product_may_overflow(void **state)
{
	struct clock_scale s = pawl_clock_scale(125, 3);
	(void)state;
	assert_true(pawl_clock_scaled(&s, UINT64_MAX / 125) == UINT64_C(6148914691236517166));
	assert_true(pawl_clock_scaled(&s, UINT64_MAX / 125 + 1) == UINT64_C(6148914691236517208));
	/* ... where the plain product would be this: */
	assert_true((UINT64_MAX / 125 + 1) * 125 / 3 < 100);
}

static void near_2_to_the_63_differences_are_right(void **state)
{
	struct clock_scale s = pawl_clock_scale(125, 3);
	const uint64_t half = UINT64_C(1) << 63;
	(void)state;
	assert_true(pawl_clock_scaled(&s, half - 1) == UINT64_C(15372286728091292971));
	assert_true(pawl_clock_scaled(&s, half) == UINT64_C(15372286728091293013));
	assert_true(pawl_clock_scaled(&s, half + 24000000) - pawl_clock_scaled(&s, half) ==
		    1000000000);
	assert_true(pawl_clock_scaled(&s, UINT64_MAX) == UINT64_C(12297829382473034369));
}

static void the_fraction_is_put_in_lowest_terms(void **state)
{
	struct clock_scale ten_mhz = pawl_clock_scale(1000000000, 10000000);
	struct clock_scale one = pawl_clock_scale(1, 1);
	struct clock_scale odd = pawl_clock_scale(1000000000, 2929687);
	(void)state;
	assert_int_equal(ten_mhz.numer, 100);
	assert_int_equal(ten_mhz.denom, 1);
	assert_true(pawl_clock_scaled(&one, UINT64_MAX) == UINT64_MAX);
	assert_int_equal(odd.denom, 2929687);
	assert_true(pawl_clock_scaled(&odd, UINT64_C(2929687) * 1000000 + 1) ==
		    UINT64_C(1000000000000341));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tick_of_125_thirds_is_24_megahertz),
		cmocka_unit_test(the_plain_product_may_overflow),
		cmocka_unit_test(near_2_to_the_63_differences_are_right),
		cmocka_unit_test(the_fraction_is_put_in_lowest_terms),
	};
	return cmocka_run_group_tests_name("harness/clock_scale", tests, NULL, NULL);
}
