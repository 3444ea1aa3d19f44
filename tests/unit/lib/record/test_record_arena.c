/* An arena: what is taken stays apart and as it was, whatever sizes come in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/record/reader/arena.h"

#include "lib/base/banned.h"

#define MANY 3000

static void what_is_taken_stays(void **state)
{
	static const size_t sizes[] = { 1,    7,    8,	  9,	 240,	15999,	0, 3,
					1000, 2000, 2001, 16000, 16001, 100000, 2 };
	static struct {
		unsigned char *bytes;
		size_t n;
	} taken[MANY];
	struct arena a = { .last = NULL };
	size_t i, at;

	(void)state;
	for (i = 0; i < MANY; i++) {
		taken[i].n = i % 7 ? i % 40 : sizes[i / 7 % (sizeof(sizes) / sizeof(sizes[0]))];
		taken[i].bytes = arena_take(&a, taken[i].n);
		assert_non_null(taken[i].bytes);
		assert_int_equal((uintptr_t)taken[i].bytes % sizeof(double), 0);
		memset(taken[i].bytes, (int)(i % 251), taken[i].n);
	}
	for (i = 0; i < MANY; i++)
		for (at = 0; at < taken[i].n; at++)
			assert_int_equal(taken[i].bytes[at], i % 251);
	arena_release(&a);
	assert_null(a.last);
	assert_non_null(arena_take(&a, 0));
	arena_release(&a);
	arena_release(&a);
}

static void what_nobody_has_is_not_given(void **state)
{
	struct arena a = { .last = NULL };

	(void)state;
	assert_null(arena_take(&a, SIZE_MAX));
	assert_null(arena_take(&a, SIZE_MAX - sizeof(double)));
	assert_null(arena_take(&a, SIZE_MAX / 2));
	assert_non_null(arena_take(&a, 8));
	arena_release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_taken_stays),
		cmocka_unit_test(what_nobody_has_is_not_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
