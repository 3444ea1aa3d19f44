/* Unit tests of lib/record/ack.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/record/ack.h"

#include "lib/base/banned.h"

#define ID "01ARZ3NDEKTSV4RRFFQ69G5FAV"

static int decode(const char *json, struct ack *out, struct err *err)
{
	return ack_decode(json, strlen(json), out, err);
}

static void an_acknowledgement_gives_its_id(void **state)
{
	struct ack ack;

	(void)state;
	assert_int_equal(decode("{\"id\": \"" ID "\", \"more\": [1]}", &ack, NULL), 0);
	assert_string_equal(ack.id, ID);
	assert_string_equal(ack.code, "");
	assert_string_equal(ack.message, "");
	assert_false(ack.untrusted);
	assert_int_equal(decode("{\"id\": \"" ID "\", \"untrusted\": true}", &ack, NULL), 0);
	assert_true(ack.untrusted);
	assert_int_equal(decode("{\"id\": \"" ID "\", \"untrusted\": \"yes\"}", &ack, NULL), 0);
	assert_false(ack.untrusted);
}

static void an_error_gives_its_reason_and_place(void **state)
{
	struct ack ack;

	(void)state;
	assert_int_equal(decode("{\"error\": {\"code\": \"range\", \"message\": \"too big\", "
				"\"where\": \"benchmarks[2].name\"}}",
				&ack, NULL),
			 0);
	assert_string_equal(ack.id, "");
	assert_string_equal(ack.code, "range");
	assert_string_equal(ack.message, "too big");
	assert_string_equal(ack.where, "benchmarks[2].name");
}

static void a_status_is_one_of_http(void **state)
{
	static const struct {
		const char *json;
		int status;
	} rows[] = {
		{ "{\"status\": 201}", 201 },
		{ "{\"status\": 99}", 0 },
		{ "{\"status\": 600}", 0 },
		{ "{\"status\": 201.0}", 0 },
		{ "{\"status\": \"201\"}", 0 },
		{ "{\"status\": 4294967497}", 0 },
		{ "{}", 0 },
	};
	struct ack ack;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(decode(rows[i].json, &ack, NULL), 0);
		assert_int_equal(ack.status, rows[i].status);
	}
}

static void what_is_no_ulid_is_no_id(void **state)
{
	static const char *const ids[] = { "{\"id\": \"\"}",
					   "{\"id\": 7}",
					   "{\"id\": null}",
					   "{\"id\": [\"" ID "\"]}",
					   "{\"id\": \"" ID "X\"}",
					   "{\"id\": \"../../../../../../etc/pass\"}",
					   "{}" };
	struct ack ack;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		assert_int_equal(decode(ids[i], &ack, NULL), 0);
		assert_string_equal(ack.id, "");
	}
}

static void what_is_no_object_is_refused(void **state)
{
	static const char *const bad[] = { "",
					   " ",
					   "null",
					   "[]",
					   "1",
					   "\"" ID "\"",
					   "{\"id\": ",
					   "{\"id\": \"" ID "\"} x",
					   "{,}",
					   "<html>",
					   "{\"a\": 1, \"a\": 2}",
					   "{\"a\": \"\xff\"}",
					   "\xef\xbb\xbf{}" };
	struct ack ack = { "kept", "", "", "", 0, false };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = ERR_INIT;

		if (!decode(bad[i], &ack, &err))
			fail_msg("accepted '%s'", bad[i]);
		assert_int_equal(err.code, ERR_SYNTAX);
	}
	assert_string_equal(ack.id, "kept");
}

static void errors_of_another_shape_leave_the_texts_empty(void **state)
{
	static const char *const odd[] = { "{\"error\": \"text\"}", "{\"error\": null}",
					   "{\"error\": [1]}", "{\"error\": {\"message\": 5}}" };
	struct ack ack;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		assert_int_equal(decode(odd[i], &ack, NULL), 0);
		assert_string_equal(ack.message, "");
	}
}

static void texts_are_cut_between_characters_and_cannot_steer_a_terminal(void **state)
{
	struct buf json = BUF_INIT;
	struct ack ack;
	size_t i;

	(void)state;
	buf_adds(&json, "{\"error\": {\"message\": \"a\\u001b[2J\\r\\n\\u009b");
	for (i = 0; i < 1000; i++)
		buf_adds(&json, "\xc3\xa9");
	buf_adds(&json, "\"}}");
	assert_int_equal(decode(buf_str(&json), &ack, NULL), 0);
	assert_memory_equal(ack.message, "a?[2J  ??\xc3\xa9", 11);
	assert_true(strlen(ack.message) >= sizeof(ack.message) - 2);
	assert_int_equal((unsigned char)ack.message[strlen(ack.message) - 1], 0xa9);
	buf_release(&json);
}

static void a_huge_or_deep_answer_is_refused(void **state)
{
	struct buf json = BUF_INIT;
	struct err err = ERR_INIT;
	struct ack ack;

	(void)state;
	buf_adds(&json, "{\"id\": \"" ID "\", \"x\": \"");
	buf_addn(&json, 'x', ACK_MAX_BYTES);
	buf_adds(&json, "\"}");
	assert_int_equal(decode(buf_str(&json), &ack, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	buf_reset(&json);
	buf_addn(&json, '[', 100000);
	assert_int_equal(decode(buf_str(&json), &ack, &err), -1);
	assert_int_equal(err.code, ERR_LIMIT);
	buf_release(&json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_acknowledgement_gives_its_id),
		cmocka_unit_test(a_status_is_one_of_http),
		cmocka_unit_test(an_error_gives_its_reason_and_place),
		cmocka_unit_test(what_is_no_ulid_is_no_id),
		cmocka_unit_test(what_is_no_object_is_refused),
		cmocka_unit_test(errors_of_another_shape_leave_the_texts_empty),
		cmocka_unit_test(texts_are_cut_between_characters_and_cannot_steer_a_terminal),
		cmocka_unit_test(a_huge_or_deep_answer_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
