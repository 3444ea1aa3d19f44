/* Units of time, by the names that other harnesses give them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/base/timeunit.h"

#include "lib/base/banned.h"

static void every_name_has_its_nanoseconds(void **state)
{
	(void)state;
	assert_true(time_unit_ns("ps") == 1e-3);
	assert_true(time_unit_ns("ns") == 1);
	assert_true(time_unit_ns("us") == 1e3);
	assert_true(time_unit_ns("\xc2\xb5s") == 1e3);
	assert_true(time_unit_ns("milliseconds") == 1e6);
	assert_true(time_unit_ns("s") == 1e9);
	assert_true(time_unit_ns("") == 0);
	assert_true(time_unit_ns("MB/s") == 0);
}

static void a_time_of_something_is_a_time_and_a_rate_is_none(void **state)
{
	(void)state;
	assert_true(time_unit_is("us"));
	assert_true(time_unit_is("ms/op"));
	assert_true(time_unit_is("sec/op"));
	assert_false(time_unit_is("1"));
	assert_false(time_unit_is("1/s"));
	assert_false(time_unit_is("MB/s"));
	assert_false(time_unit_is("allocs/op"));
	assert_false(time_unit_is("/s"));
	assert_false(time_unit_is("a name that is longer than any unit/s"));
	assert_false(time_unit_is(""));
	assert_false(time_unit_is(NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_name_has_its_nanoseconds),
		cmocka_unit_test(a_time_of_something_is_a_time_and_a_rate_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
