#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/session/twice.h"

#include "lib/base/banned.h"

enum { MANY = 5000 };

static char names[MANY][8];
static struct pawl_bench list[MANY];

static int fill(void **state)
{
	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "b%zu", i);
		list[i].name = names[i];
	}
	return 0;
}

static void names_that_differ_are_none(void **state)
{
	const char *twice = "";

	(void)state;
	for (size_t n = 0; n < 40; n++) {
		assert_true(pawl_twice_find(list, n, &twice));
		assert_null(twice);
	}
	assert_true(pawl_twice_find(list, MANY, &twice));
	assert_null(twice);
}

static void a_name_is_found_wherever_its_like_is(void **state)
{
	static const size_t at[] = { 0, 1, 2, 17, MANY / 2, MANY - 1 };
	const char *twice;

	(void)state;
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		for (size_t j = 0; j < i; j++) {
			list[at[i]].name = names[at[j]];
			assert_true(pawl_twice_find(list, MANY, &twice));
			assert_string_equal(twice, names[at[j]]);
			assert_true(pawl_twice_find(list, at[i] + 1, &twice));
			assert_string_equal(twice, names[at[j]]);
			assert_true(pawl_twice_find(list, at[i], &twice));
			assert_null(twice);
			list[at[i]].name = names[at[i]];
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_differ_are_none),
		cmocka_unit_test(a_name_is_found_wherever_its_like_is),
	};

	return cmocka_run_group_tests(tests, fill, NULL);
}
