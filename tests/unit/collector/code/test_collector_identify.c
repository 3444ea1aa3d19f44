/* Which file a command runs. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/code/identify.h"

#include "lib/base/banned.h"

/* Taken for absent, the base would have no such benchmark, and the head's be an added one. */
static void no_memory_is_no_missing_program(void **state)
{
	struct buf out = { .failed = true };
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(identify_find("/", "./bin/sh", &out, &err), -1);
	assert_int_equal(err.code, ERR_NOMEM);
	buf_reset(&out);
	assert_int_equal(identify_find("/", "./bin/sh", &out, NULL), 0);
	assert_string_equal(buf_str(&out), "//./bin/sh");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_memory_is_no_missing_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
