/* Doubles and their digits, held against the C library, which rounds correctly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/decimal.h"
#include "tests/unit/coin_draws.h"

#include "lib/base/banned.h"

/* As a decimal fraction that strtod() reads. */
static double as_read(uint64_t digits, unsigned places)
{
	char text[64];

	snprintf(text, sizeof(text), "%llue-%u", (unsigned long long)digits, places);
	return strtod(text, NULL);
}

static void check_read(uint64_t digits, unsigned places)
{
	double got = 0;

	assert_true(decimal_read(digits, places, &got));
	if (got != as_read(digits, places))
		fail_msg("%llu / 10^%u: %a, wanted %a", (unsigned long long)digits, places, got,
			 as_read(digits, places));
}

static void digits_are_read_to_the_nearest_double(void **state)
{
	struct coin coin;
	unsigned i;

	(void)state;
	coin_init(&coin, 5);
	for (i = 0; i < 100000; i++)
		check_read((uint64_t)(coin_fraction(&coin) * 1.8e19) >> i % 60 | 1, i % 20);
	check_read(1, 0);
	check_read(UINT64_MAX, 0);
	check_read(UINT64_MAX, 19);
}

/* 2^52 + 0.5, + 1.5: the even neighbour; and what is one in the last place beside them. */
static void the_even_of_two_as_near_is_read(void **state)
{
	(void)state;
	check_read(UINT64_C(45035996273704965), 1);
	check_read(UINT64_C(45035996273704975), 1);
	check_read(UINT64_C(4503599627370497499), 3);
	check_read(UINT64_C(4503599627370496501), 3);
	check_read(UINT64_C(18014398509481985), 0); /* 2^54 + 1 */
	check_read(UINT64_C(18446744073709550591), 0);
	check_read(UINT64_C(18446744073709550592), 0);
	check_read(UINT64_C(18446744073709550593), 0);
}

static void what_is_none_is_refused(void **state)
{
	uint64_t digits;
	unsigned places;
	double got;

	(void)state;
	assert_false(decimal_read(0, 3, &got));
	assert_false(decimal_read(1, 20, &got));
	assert_false(decimal_write(0.00009999, &digits, &places));
	assert_false(decimal_write(1e15, &digits, &places));
	assert_false(decimal_write(-1, &digits, &places));
	assert_false(decimal_write(NAN, &digits, &places));
}

static void check_write(double value)
{
	char wanted[64], got[64];
	uint64_t digits;
	unsigned places;

	snprintf(wanted, sizeof(wanted), "%.15e", value);
	if (strtod(wanted, NULL) != value)
		snprintf(wanted, sizeof(wanted), "%.16e", value);
	assert_true(decimal_write(value, &digits, &places));
	assert_true(as_read(digits, places) == value);
	snprintf(got, sizeof(got), "%.*e", (int)strcspn(wanted, "e") - 2, as_read(digits, places));
	assert_string_equal(got, wanted);
	assert_true(digits < UINT64_C(100000000000000000));
	/* Not 17 digits where 16 do. */
	assert_true(strcspn(wanted, "e") == 18 || digits < UINT64_C(10000000000000000));
}

static void what_is_written_is_what_is_printed(void **state)
{
	struct coin coin;
	unsigned i;

	(void)state;
	coin_init(&coin, 6);
	for (i = 0; i < 100000; i++) {
		double value = coin_fraction(&coin) * pow(10, (int)(i % 19) - 3) + 1e-4;

		if (value < 1e15)
			check_write(value);
	}
}

/* Below a power of two the next double is half as far away as above it. */
static void what_is_beside_a_power_of_two_is_too(void **state)
{
	int power, i;

	(void)state;
	for (power = -13; power < 50; power++) {
		double up = ldexp(1, power), down = up;

		for (i = 0; i < 20; i++) {
			check_write(up);
			check_write(down);
			up = nextafter(up, 1e16);
			down = nextafter(down, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_are_read_to_the_nearest_double),
		cmocka_unit_test(the_even_of_two_as_near_is_read),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(what_is_written_is_what_is_printed),
		cmocka_unit_test(what_is_beside_a_power_of_two_is_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
