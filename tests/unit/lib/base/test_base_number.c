/* Unit tests of lib/base/number.c. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/number.h"
#include "tests/unit/coin_draws.h"

#include "lib/base/banned.h"

static void whole_numbers_reach_to_the_last_u64(void **state)
{
	uint64_t value = 1;

	(void)state;
	assert_true(number_u64("0", &value));
	assert_true(value == 0);
	assert_true(number_u64("007", &value));
	assert_true(value == 7);
	assert_true(number_u64("18446744073709551615", &value));
	assert_true(value == UINT64_MAX);
}

static void whole_numbers_never_wrap_nor_guess(void **state)
{
	static const char *const bad[] = { "",
					   " ",
					   "+1",
					   "-1",
					   "-0",
					   " 1",
					   "1 ",
					   "1.",
					   "1e3",
					   "0x10",
					   "\t1",
					   "1\n",
					   "1k",
					   "1_0",
					   "18446744073709551616",
					   "99999999999999999999999" };
	uint64_t value = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (number_u64(bad[i], &value))
			fail_msg("accepted '%s'", bad[i]);
	assert_true(value == 42);
}

static void fractions_are_read_exactly(void **state)
{
	double value;

	(void)state;
	assert_true(number_double("0.1", &value));
	assert_true(value == 0.1);
	assert_true(number_double("-1.5e-3", &value));
	assert_true(value == -1.5e-3);
	assert_true(number_double("+2", &value));
	assert_true(value == 2);
	assert_true(number_double(".5", &value));
	assert_true(value == 0.5);
	assert_true(number_double("1.7976931348623157e308", &value));
	assert_true(value == DBL_MAX);
	assert_true(number_double("4.9406564584124654e-324", &value));
	assert_true(value > 0 && value < DBL_MIN);
}

static void what_is_no_finite_fraction_is_refused(void **state)
{
	static const char *const bad[] = { "",	    " ",      "inf",	  "-inf",  "+inf",   "nan",
					   "NaN",   "-nan",   "+nan",	  "1e400", "-1e999", "0x10",
					   "0X10",  "-0x1p4", "+0X1",	  " 1",	   "1 ",     "1,5",
					   "1e",    "e5",     ".",	  "-",	   "--1",    "+-1",
					   "1.2.3", "1 2",    "infinity", "\n1" };
	double value = 42;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (number_double(bad[i], &value))
			fail_msg("accepted '%s'", bad[i]);
	assert_true(value == 42);
}

static void ratios_take_percent_and_fractions(void **state)
{
	static const char *const bad[] = { "",	  "%",	   "-1%", "-0.1", "11",	 "1001%",
					   "2%%", "2 % x", "2%5", "two",  "0X1%" };
	double value;
	size_t i;

	(void)state;
	assert_true(number_ratio("2%", &value));
	assert_true(fabs(value - 0.02) < 1e-15);
	assert_true(number_ratio("2.5 %", &value));
	assert_true(fabs(value - 0.025) < 1e-15);
	assert_true(number_ratio("0.02", &value));
	assert_true(value == 0.02);
	assert_true(number_ratio("0", &value));
	assert_true(value == 0);
	assert_true(number_ratio("1000%", &value));
	assert_true(value == 10);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (number_ratio(bad[i], &value))
			fail_msg("accepted '%s'", bad[i]);
}

static void check_duration(const char *text, uint64_t wanted)
{
	uint64_t value = 0;

	if (!number_duration_ns(text, &value))
		fail_msg("refused '%s'", text);
	if (value != wanted)
		fail_msg("'%s' gave %llu", text, (unsigned long long)value);
}

static void durations_take_their_unit(void **state)
{
	static const char *const bad[] = { "",	    "s",       "-1s",  "1x",	"1 s s",
					   "1d",    "0x1s",    "0X10", "1e30s", "9223372037s",
					   "nan s", "10 ms x", "1s " };
	uint64_t value;
	size_t i;

	(void)state;
	check_duration("250ms", 250000000);
	check_duration("60s", 60000000000u);
	check_duration("2m", 120000000000u);
	check_duration("1 min", 60000000000u);
	check_duration("1h", 3600000000000u);
	check_duration("15us", 15000);
	check_duration("80ns", 80);
	check_duration("1.5", 1500000000);
	check_duration("0", 0);
	check_duration("1MS", 1000000);
	check_duration("9223372036s", 9223372036000000000u);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (number_duration_ns(bad[i], &value))
			fail_msg("accepted '%s'", bad[i]);
}

static void sizes_are_powers_of_1024(void **state)
{
	static const char *const bad[] = { "", "k", "-1", "1T", "1kk", "8589934592G", "0x10" };
	uint64_t value;
	size_t i;

	(void)state;
	assert_true(number_bytes("64k", &value) && value == 65536);
	assert_true(number_bytes("1MiB", &value) && value == 1048576);
	assert_true(number_bytes("2 G", &value) && value == 2147483648u);
	assert_true(number_bytes("4096", &value) && value == 4096);
	assert_true(number_bytes("1.5KB", &value) && value == 1536);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (number_bytes(bad[i], &value))
			fail_msg("accepted '%s'", bad[i]);
}

static void truth_is_one_of_eight_words(void **state)
{
	static const char *const bad[] = { "", "2", "y", "n", "truee", " true", "00", "-1" };
	bool value = false;
	size_t i;

	(void)state;
	assert_true(number_bool("TRUE", &value) && value);
	assert_true(number_bool("Yes", &value) && value);
	assert_true(number_bool("on", &value) && value);
	assert_true(number_bool("1", &value) && value);
	assert_true(number_bool("false", &value) && !value);
	assert_true(number_bool("No", &value) && !value);
	assert_true(number_bool("off", &value) && !value);
	assert_true(number_bool("0", &value) && !value);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(number_bool(bad[i], &value));
}

static void what_is_printed_reads_back_the_same(void **state)
{
	static const double values[] = { 0,
					 0.1,
					 0.1 + 0.2,
					 1.0 / 3,
					 1e15,
					 1e15 - 1,
					 1e22,
					 5e-324,
					 DBL_MAX,
					 DBL_MIN,
					 -1.5e-9,
					 123456.789,
					 1e-7,
					 9007199254740993.0,
					 9007199254740991.0,
					 M_PI,
					 1e100,
					 -DBL_MAX };
	char text[NUMBER_TEXT];
	double back;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (!number_double(number_print(values[i], text), &back) || back != values[i])
			fail_msg("%s is not %.17g", text, values[i]);
		assert_true(strspn(text, "0123456789.e+-") == strlen(text));
	}
}

static void numbers_are_printed_short(void **state)
{
	char text[NUMBER_TEXT];

	(void)state;
	assert_string_equal(number_print(0.1, text), "0.1");
	assert_string_equal(number_print(-0.0, text), "0");
	assert_string_equal(number_print(250000000, text), "250000000");
	assert_string_equal(number_print(-999999999999999, text), "-999999999999999");
	assert_string_equal(number_print_whole(0, text), "0");
	assert_string_equal(number_print_whole(INT64_MAX, text), "9223372036854775807");
	assert_string_equal(number_print_whole(INT64_MIN, text), "-9223372036854775808");
	assert_string_equal(number_print(1.034, text), "1.034");
	assert_string_equal(number_print(0.1 + 0.2, text), "0.30000000000000004");
}

/* What the header promises, digit after digit; the program takes shorter ways. */
static const char *plainly(double value, char out[NUMBER_TEXT])
{
	int digits;

	for (digits = 15; digits <= 17; digits++) {
		snprintf(out, NUMBER_TEXT, "%.*g", digits, value);
		if (strtod(out, NULL) == value)
			break;
	}
	return out;
}

static void check_print(double value)
{
	char quick[NUMBER_TEXT], plain[NUMBER_TEXT];
	size_t n;

	if (value == floor(value))
		return;
	n = number_write(value, quick);
	assert_int_equal(n, strlen(quick));
	assert_string_equal(quick, plainly(value, plain));
	assert_string_equal(number_print(value, quick), plain);
}

static void short_ways_print_the_same(void **state)
{
	static const double factors[] = { 1, 10, 1e3, 1e-3, 1e-4, 1e9, 1e-9, 0.1, 1.0 / 3, 3 };
	struct coin coin;
	size_t i, k;

	(void)state;
	coin_init(&coin, 4);
	for (i = 0; i < 20000; i++) {
		double bits = coin_fraction(&coin), decimal = round(bits * 1e6) / 1e6;

		for (k = 0; k < sizeof(factors) / sizeof(factors[0]); k++) {
			check_print(bits * factors[k] * (i % 2 ? -1 : 1));
			check_print(decimal * factors[k] + (double)i / 64);
		}
	}
	/* on both sides of powers of ten, where the number of digits changes */
	for (k = 0; k < 19; k++)
		for (i = 0; i < 40; i++)
			check_print(pow(10, (double)k - 4) * (1 + ((double)i - 20) * DBL_EPSILON));
	/* so many digits before and behind the point */
	for (k = 0; k < 15; k++)
		for (i = 1; i <= 15; i++)
			check_print((pow(10, (double)k) + 1) / pow(10, (double)i));
}

/* One digit more and one less, at each number of them. */
static void whole_numbers_are_printed_to_the_last_digit(void **state)
{
	char quick[NUMBER_TEXT], plain[NUMBER_TEXT];
	int64_t power = 1;
	int i, k;

	(void)state;
	for (k = 0; k < 19; k++, power = k < 19 ? power * 10 : power) {
		for (i = -1; i < 2; i++) {
			snprintf(plain, sizeof(plain), "%lld", (long long)(power + i));
			assert_int_equal(number_write_whole(power + i, quick), strlen(plain));
			assert_string_equal(quick, plain);
			snprintf(plain, sizeof(plain), "%lld", -(long long)(power + i));
			assert_int_equal(number_write_whole(-(power + i), quick), strlen(plain));
			assert_string_equal(quick, plain);
		}
	}
}

static void durations_are_printed_with_three_digits(void **state)
{
	char text[NUMBER_TEXT];

	(void)state;
	assert_string_equal(number_print_ns(0, text), "0.00 ns");
	assert_string_equal(number_print_ns(0.5, text), "0.50 ns");
	assert_string_equal(number_print_ns(250e6, text), "250 ms");
	assert_string_equal(number_print_ns(1.5e9, text), "1.50 s");
	assert_string_equal(number_print_ns(12345, text), "12.3 us");
	assert_string_equal(number_print_ns(9.996, text), "10.0 ns");
	assert_string_equal(number_print_ns(99.96, text), "100 ns");
	assert_string_equal(number_print_ns(999.4, text), "999 ns");
	assert_string_equal(number_print_ns(999.6, text), "1.00 us");
	assert_string_equal(number_print_ns(-2e6, text), "-2.00 ms");
	assert_string_equal(number_print_ns(7200e9, text), "7200 s");
	assert_true(strlen(number_print_ns(DBL_MAX, text)) < NUMBER_TEXT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers_reach_to_the_last_u64),
		cmocka_unit_test(whole_numbers_never_wrap_nor_guess),
		cmocka_unit_test(fractions_are_read_exactly),
		cmocka_unit_test(what_is_no_finite_fraction_is_refused),
		cmocka_unit_test(ratios_take_percent_and_fractions),
		cmocka_unit_test(durations_take_their_unit),
		cmocka_unit_test(sizes_are_powers_of_1024),
		cmocka_unit_test(truth_is_one_of_eight_words),
		cmocka_unit_test(what_is_printed_reads_back_the_same),
		cmocka_unit_test(numbers_are_printed_short),
		cmocka_unit_test(short_ways_print_the_same),
		cmocka_unit_test(whole_numbers_are_printed_to_the_last_digit),
		cmocka_unit_test(durations_are_printed_with_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
