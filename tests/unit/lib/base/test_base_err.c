/* Unit tests of lib/base/err.c. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/err.h"

#include "lib/base/banned.h"

static void a_fault_carries_code_and_text(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(err_set(&err, ERR_RANGE, "%d is too %s", 7, "small"), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_string_equal(err.text, "7 is too small");
	assert_string_equal(err.hint, "");
}

static void a_fault_is_one_line_that_cannot_steer_a_terminal(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_set(&err, ERR_IO, "a\nb\r\nc\td\033[2Je\177");
	assert_string_equal(err.text, "a b  c d?[2Je?");
	err_set(&err, ERR_IO,
		"a\xc2\x9b"
		"2Jb\xc3\xa9\xc2\xa0");
	assert_string_equal(err.text, "a??2Jb\xc3\xa9\xc2\xa0");
	err_hint(&err, "x\n\033y");
	assert_string_equal(err.hint, "x ?y");
}

static void the_text_may_quote_itself(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_set(&err, ERR_IO, "disk gone");
	err_hint(&err, "plug it in");
	err_set(&err, ERR_STORE, "cannot save: %s (%s)", err.text, err.hint);
	assert_string_equal(err.text, "cannot save: disk gone (plug it in)");
	assert_string_equal(err.hint, "");
	assert_int_equal(err.code, ERR_STORE);
}

static void context_stands_in_front_and_keeps_code_and_hint(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	err_set(&err, ERR_SYNTAX, "open quote");
	err_hint(&err, "close it");
	err_hint(&err, "a second cure is not taken");
	assert_int_equal(err_in(&err, "%s:%d", "file", 3), -1);
	assert_string_equal(err.text, "file:3: open quote");
	assert_string_equal(err.hint, "close it");
	assert_int_equal(err.code, ERR_SYNTAX);
}

static void a_long_text_is_cut_and_closed(void **state)
{
	struct err err = ERR_INIT;
	char big[5000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	err_set(&err, ERR_IO, "%s", big);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	err_in(&err, "%s", big);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	err_hint(&err, "%s", big);
	assert_int_equal(strlen(err.hint), sizeof(err.hint) - 1);
	errno = ENOENT;
	err_sys(&err, ERR_IO, "%s", big);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void a_system_fault_names_the_reason_and_keeps_errno(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_sys(&err, ERR_ABSENT, "cannot open '%s'", "x"), -1);
	assert_string_equal(err.text, "cannot open 'x': No such file or directory");
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(errno, ENOENT);
}

static void no_space_and_no_memory_have_codes_of_their_own(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	errno = ENOSPC;
	err_sys(&err, ERR_IO, "x");
	assert_int_equal(err.code, ERR_FULL);
	errno = EDQUOT;
	err_sys(&err, ERR_IO, "x");
	assert_int_equal(err.code, ERR_FULL);
	errno = ENOMEM;
	err_sys(&err, ERR_IO, "x");
	assert_int_equal(err.code, ERR_NOMEM);
}

static void nobody_need_listen(void **state)
{
	(void)state;
	err_clear(NULL);
	assert_int_equal(err_set(NULL, ERR_IO, "x"), -1);
	assert_int_equal(err_sys(NULL, ERR_IO, "x"), -1);
	assert_int_equal(err_in(NULL, "x"), -1);
	assert_int_equal(err_hint(NULL, "x"), -1);
	assert_int_equal(err_nomem(NULL), -1);
}

static void a_stop_and_no_memory_end_all_work_and_nothing_else(void **state)
{
	struct err err = ERR_INIT;
	int code;

	(void)state;
	assert_false(err_is_fatal(&err));
	for (code = ERR_ABSENT; code <= ERR_LATER; code++) {
		err_set(&err, (enum err_code)code, "x");
		assert_int_equal(err_is_fatal(&err), code == ERR_STOPPED || code == ERR_NOMEM);
	}
}

static void every_code_has_a_name_of_its_own(void **state)
{
	int a, b;

	(void)state;
	for (a = ERR_NONE; a <= ERR_LATER; a++)
		for (b = ERR_NONE; b < a; b++)
			assert_string_not_equal(err_name((enum err_code)a),
						err_name((enum err_code)b));
	assert_string_equal(err_name((enum err_code)(ERR_LATER + 1)), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_carries_code_and_text),
		cmocka_unit_test(a_fault_is_one_line_that_cannot_steer_a_terminal),
		cmocka_unit_test(the_text_may_quote_itself),
		cmocka_unit_test(context_stands_in_front_and_keeps_code_and_hint),
		cmocka_unit_test(a_long_text_is_cut_and_closed),
		cmocka_unit_test(a_system_fault_names_the_reason_and_keeps_errno),
		cmocka_unit_test(no_space_and_no_memory_have_codes_of_their_own),
		cmocka_unit_test(nobody_need_listen),
		cmocka_unit_test(a_stop_and_no_memory_end_all_work_and_nothing_else),
		cmocka_unit_test(every_code_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
