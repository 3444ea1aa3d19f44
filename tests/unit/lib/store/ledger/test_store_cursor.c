/* Cursors: what was written is read, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "lib/store/ledger/cursor.h"

static const char *const here[] = { "history", "zlib", NULL };
static const char *const there[] = { "history", "zlib", "" };
static const int64_t parts[] = { INT64_MIN, -1, 0, INT64_MAX };

static void what_is_written_is_read(void **state)
{
	char text[LEDGER_CURSOR];
	int64_t read[4];

	(void)state;
	cursor_write(cursor_scope(here, 3), parts, 4, text);
	assert_int_equal(cursor_read(text, cursor_scope(here, 3), read, 4, NULL), 0);
	assert_memory_equal(read, parts, sizeof(parts));
}

static void another_question_does_not_take_it(void **state)
{
	struct err err = ERR_INIT;
	char text[LEDGER_CURSOR];
	int64_t read[4] = { 7 };

	(void)state;
	cursor_write(cursor_scope(here, 3), parts, 4, text);
	assert_int_equal(cursor_read(text, cursor_scope(there, 3), read, 4, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(cursor_read(text, cursor_scope(here, 3), read, 3, &err), -1);
	assert_int_equal(read[0], 7);
}

static void no_changed_digit_is_taken(void **state)
{
	char text[LEDGER_CURSOR];
	int64_t read[4];
	size_t i;

	(void)state;
	cursor_write(cursor_scope(here, 3), parts, 4, text);
	for (i = 0; text[i]; i++) {
		char was = text[i];

		text[i] = was == '0' ? '1' : '0';
		assert_int_equal(cursor_read(text, cursor_scope(here, 3), read, 4, NULL), -1);
		text[i] = 'g';
		assert_int_equal(cursor_read(text, cursor_scope(here, 3), read, 4, NULL), -1);
		text[i] = '\0';
		assert_int_equal(cursor_read(text, cursor_scope(here, 3), read, 4, NULL), -1);
		text[i] = was;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(another_question_does_not_take_it),
		cmocka_unit_test(no_changed_digit_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
