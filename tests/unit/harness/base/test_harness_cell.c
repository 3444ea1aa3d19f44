#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "harness/base/cell.h"

#include "lib/base/banned.h"

static void figures_have_four_digits_and_a_unit(void **state)
{
	static const struct {
		double ns;
		const char *cell;
	} times[] = { { 0, "0.000 ns" },       { 0.2345, "0.234 ns" }, { 9.9996, "10.00 ns" },
		      { 99.996, "100.0 ns" },  { 999.94, "999.9 ns" }, { 999.96, "1.000 us" },
		      { 1234567, "1.235 ms" }, { 61.5e9, "61.50 s" },  { 123456e9, "123456.0 s" } };
	char cell[32];
	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		pawl_cell_time(cell, sizeof(cell), times[i].ns);
		assert_string_equal(cell, times[i].cell);
	}
	pawl_cell_time(cell, sizeof(cell), __builtin_nan(""));
	assert_string_equal(cell, "-");
	pawl_cell_count(cell, sizeof(cell), 4.2e6, "/s");
	assert_string_equal(cell, "4.200 M/s");
	pawl_cell_count(cell, sizeof(cell), 12, "");
	assert_string_equal(cell, "12.00");
	pawl_cell_count(cell, sizeof(cell), __builtin_inf(), "");
	assert_string_equal(cell, "-");
}

static void width_is_in_characters(void **state)
{
	(void)state;
	assert_int_equal(pawl_cell_width("gr\xc3\xbc\xc3\x9f"), 4);
	assert_int_equal(pawl_cell_width(""), 0);
}

static void percentages_are_short(void **state)
{
	char cell[32];
	(void)state;
	pawl_cell_percent(cell, sizeof(cell), 0.01234);
	assert_string_equal(cell, "1.23 %");
	pawl_cell_percent(cell, sizeof(cell), 0.99999);
	assert_string_equal(cell, "100.0 %");
	pawl_cell_percent(cell, sizeof(cell), __builtin_nan(""));
	assert_string_equal(cell, "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_have_four_digits_and_a_unit),
		cmocka_unit_test(width_is_in_characters),
		cmocka_unit_test(percentages_are_short),
	};
	return cmocka_run_group_tests_name("harness/cell", tests, NULL, NULL);
}
