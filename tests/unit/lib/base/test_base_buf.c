/* Unit tests of lib/base/buf.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

static void an_empty_buf_is_an_empty_text(void **state)
{
	struct buf buf = BUF_INIT;
	char *text;

	(void)state;
	assert_string_equal(buf_str(&buf), "");
	buf_truncate(&buf, 0);
	buf_reset(&buf);
	assert_int_equal(buf_check(&buf, NULL), 0);
	text = buf_detach(&buf);
	assert_string_equal(text, "");
	free(text);
	buf_release(&buf);
}

static void additions_are_joined_and_closed(void **state)
{
	struct buf buf = BUF_INIT;

	(void)state;
	buf_adds(&buf, "ab");
	buf_addc(&buf, 'c');
	buf_addn(&buf, 'd', 3);
	buf_addn(&buf, 'e', 0);
	buf_add(&buf, "", 0);
	buf_addf(&buf, "-%d-%s", 12, "x");
	assert_string_equal(buf_str(&buf), "abcddd-12-x");
	assert_int_equal(buf.len, 11);
	buf_truncate(&buf, 100);
	assert_int_equal(buf.len, 11);
	buf_truncate(&buf, 2);
	assert_string_equal(buf_str(&buf), "ab");
	buf_release(&buf);
}

static void it_grows_and_keeps_nul_bytes(void **state)
{
	struct buf buf = BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < 100000; i++)
		buf_addc(&buf, (char)(i % 3));
	assert_int_equal(buf_check(&buf, NULL), 0);
	assert_int_equal(buf.len, 100000);
	for (i = 0; i < 100000; i++)
		assert_int_equal(buf.data[i], i % 3);
	assert_int_equal(buf.data[100000], 0);
	buf_release(&buf);
}

static void what_is_written_into_its_room_is_added(void **state)
{
	struct buf buf = BUF_INIT;
	char *at;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		at = buf_room(&buf, 40);
		assert_non_null(at);
		memset(at, 'x', 40);
		at[0] = 'a';
		at[1] = 'b';
		buf_wrote(&buf, at + 2);
		assert_int_equal(buf.len, 2 * (i + 1));
		assert_int_equal(buf.data[buf.len], 0);
	}
	assert_string_equal(buf.data + 1996, "abab");
	assert_null(buf_room(&buf, SIZE_MAX));
	assert_int_not_equal(buf_check(&buf, NULL), 0);
	assert_null(buf_room(&buf, 1));
	buf_release(&buf);
}

static void what_does_not_need_its_room_gives_it_back(void **state)
{
	struct buf buf = BUF_INIT;

	(void)state;
	buf_fit(&buf);
	assert_string_equal(buf_str(&buf), "");
	buf_addn(&buf, 'x', 1000);
	buf_fit(&buf);
	assert_int_equal(buf.cap, 1001);
	buf_addc(&buf, 'y');
	assert_int_equal(buf.len, 1001);
	assert_string_equal(buf.data + 999, "xy");
	buf_release(&buf);
}

static void a_text_longer_than_the_room_is_formatted_whole(void **state)
{
	struct buf buf = BUF_INIT;
	char big[3000];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	buf_addc(&buf, '<');
	buf_addf(&buf, "%s>", big);
	assert_int_equal(buf.len, sizeof(big) + 1);
	assert_int_equal(buf.data[buf.len - 1], '>');
	buf_release(&buf);
}

static void a_failure_sticks_until_it_is_forgotten(void **state)
{
	struct buf buf = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	buf_adds(&buf, "kept");
	buf_addn(&buf, 'x', SIZE_MAX);
	buf_addn(&buf, 'x', SIZE_MAX / 2);
	buf_adds(&buf, "lost");
	assert_string_equal(buf_str(&buf), "kept");
	assert_int_equal(buf_check(&buf, &err), -1);
	assert_int_equal(err.code, ERR_NOMEM);
	buf_reset(&buf);
	buf_adds(&buf, "new");
	assert_int_equal(buf_check(&buf, NULL), 0);
	assert_string_equal(buf_str(&buf), "new");
	buf_addn(&buf, 'x', SIZE_MAX);
	assert_null(buf_detach(&buf));
	assert_null(buf.data);
}

static void a_detached_text_belongs_to_the_caller(void **state)
{
	struct buf buf = BUF_INIT;
	char *text;

	(void)state;
	buf_adds(&buf, "mine");
	text = buf_detach(&buf);
	assert_string_equal(text, "mine");
	assert_int_equal(buf.len, 0);
	assert_null(buf.data);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buf_is_an_empty_text),
		cmocka_unit_test(additions_are_joined_and_closed),
		cmocka_unit_test(it_grows_and_keeps_nul_bytes),
		cmocka_unit_test(what_is_written_into_its_room_is_added),
		cmocka_unit_test(what_does_not_need_its_room_gives_it_back),
		cmocka_unit_test(a_text_longer_than_the_room_is_formatted_whole),
		cmocka_unit_test(a_failure_sticks_until_it_is_forgotten),
		cmocka_unit_test(a_detached_text_belongs_to_the_caller),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
