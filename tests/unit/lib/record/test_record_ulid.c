/* Unit tests of lib/record/ulid.c, with a clock of their own instead of lib/base/when.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/when.h"
#include "lib/record/ulid.h"

#include "lib/base/banned.h"

static int64_t clock_us;

int64_t when_now_us(void)
{
	return clock_us;
}

/* Makes n ids and requires that each is valid and greater than *last. */
static void make_rising(int n, char last[ULID_TEXT])
{
	char id[ULID_TEXT];

	for (; n > 0; n--) {
		assert_int_equal(ulid_new(id, NULL), 0);
		assert_true(ulid_is_valid(id));
		assert_true(strcmp(id, last) > 0);
		memcpy(last, id, ULID_TEXT);
	}
}

/* Runs first: the clock has to stand at 1970 before any id was made. */
static void ids_rise_on_a_machine_without_a_clock(void **state)
{
	char last[ULID_TEXT] = "";

	(void)state;
	clock_us = 0;
	make_rising(1000, last);
	assert_memory_equal(last, "0000000000", 10);
	clock_us = -5000000;
	make_rising(10, last);
}

/* The ten characters of 1469918176385 ms are the specification's own example. */
static void the_time_stands_in_front(void **state)
{
	char id[ULID_TEXT];

	(void)state;
	clock_us = 1469918176385000;
	assert_int_equal(ulid_new(id, NULL), 0);
	assert_memory_equal(id, "01ARYZ6S41", 10);
}

static void ids_rise_when_the_clock_steps_back(void **state)
{
	char last[ULID_TEXT] = "";

	(void)state;
	clock_us = 1800000000000000;
	make_rising(100, last);
	clock_us -= 3600000000;
	make_rising(100, last);
	clock_us += 2 * 3600000000;
	make_rising(100, last);
}

static void only_ids_are_valid(void **state)
{
	(void)state;
	assert_true(ulid_is_valid("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
	assert_true(ulid_is_valid("7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
	assert_false(ulid_is_valid("8ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
	assert_false(ulid_is_valid(""));
	assert_false(ulid_is_valid("01ARZ3NDEKTSV4RRFFQ69G5FA"));
	assert_false(ulid_is_valid("01ARZ3NDEKTSV4RRFFQ69G5FAVV"));
	assert_false(ulid_is_valid("01arz3ndektsv4rrffq69g5fav"));
	assert_false(ulid_is_valid("01ARZ3NDEKTSV4RRFFQ69G5FAI"));
	assert_false(ulid_is_valid("01ARZ3NDEKTSV4RRFFQ69G5FAU"));
	assert_false(ulid_is_valid("../../../../../etc/passwd."));
}

static void random_bytes_differ(void **state)
{
	unsigned char a[32] = { 0 }, b[32] = { 0 };

	(void)state;
	assert_int_equal(random_bytes(a, sizeof(a), NULL), 0);
	assert_int_equal(random_bytes(b, sizeof(b), NULL), 0);
	assert_memory_not_equal(a, b, sizeof(a));
	assert_int_equal(random_bytes(a, 0, NULL), 0);
}

/* The example of the ULID specification: 01ARZ3NDEKTSV4RRFFQ69G5FAV is of 1469922850259 ms. */
static void the_same_time_and_bits_give_the_same_id(void **state)
{
	static const unsigned char bits[ULID_RANDOM] = { 0xd6, 0x76, 0x4c, 0x61, 0xef,
							 0xb9, 0x93, 0x02, 0xbd, 0x5b };
	char id[ULID_TEXT];

	(void)state;
	ulid_of(UINT64_C(1469922850259), bits, id);
	assert_string_equal("01ARZ3NDEKTSV4RRFFQ69G5FAV", id);
	assert_true(ulid_is_valid(id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ids_rise_on_a_machine_without_a_clock),
		cmocka_unit_test(the_time_stands_in_front),
		cmocka_unit_test(ids_rise_when_the_clock_steps_back),
		cmocka_unit_test(only_ids_are_valid),
		cmocka_unit_test(random_bytes_differ),
		cmocka_unit_test(the_same_time_and_bits_give_the_same_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
