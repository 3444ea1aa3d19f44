/* A document read from its begin to its end, value by value. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/json/pull.h"

#include "lib/base/banned.h"

#define DEPTH 4

static struct err err;
static char *exact; /* without anything behind it: a sanitizer sees one step too far */

static void begin(struct pull *s, const char *json, size_t max)
{
	size_t n = strlen(json);

	exact = malloc(n ? n : 1);
	assert_non_null(exact);
	memcpy(exact, json, n);
	err_clear(&err);
	pull_open(s, exact, n, max, DEPTH, &err);
}

static void end(struct pull *s)
{
	pull_release(s);
	free(exact);
}

/* Of the whole document, which nobody asks anything of. */
static void is_skipped(const char *json, size_t max, const char *fault)
{
	struct pull s;
	int result;

	begin(&s, json, max);
	result = pull_finish(&s);
	if (result != (fault ? -1 : 0) || (fault && strcmp(err.text, fault) != 0))
		fail_msg("%s: %d, %s", json, result, err.text);
	end(&s);
}

static void what_nobody_asks_for_is_checked(void **state)
{
	(void)state;
	is_skipped("{\"a\":[1,{\"b\":null}],\"c\":\"\\u0041\"} ", SIZE_MAX, NULL);
	is_skipped("[]", SIZE_MAX, NULL);
	is_skipped("[1 2]", SIZE_MAX, "not JSON: line 1, column 3: ',' or ']' is missing");
	is_skipped("[1,]", SIZE_MAX, "not JSON: line 1, column 3: a value is missing");
	is_skipped("[1,\n{\"a\":tru}]", SIZE_MAX, "not JSON: line 2, column 5: a value is missing");
	is_skipped("{\"a\":1,\"\\u0061\":2}", SIZE_MAX,
		   "not JSON: line 1, column 15: a duplicate key in an object");
	is_skipped("{\"a\":1,\"b\":{\"a\":2}}", SIZE_MAX, NULL);
	is_skipped("[1]]", SIZE_MAX, "not JSON: line 1, column 3: something follows the document");
	is_skipped("[[[[1]]]]", SIZE_MAX, NULL);
	is_skipped("[[[[[1]]]]]", SIZE_MAX, "document nests deeper than 4 levels");
	is_skipped("7", SIZE_MAX,
		   "not JSON: line 1, column 0: a document is an object or an array");
}

static void many_keys_are_compared_too(void **state)
{
	struct buf json = BUF_INIT;
	struct err none = ERR_INIT;
	char fault[100];
	size_t i;

	(void)state;
	buf_adds(&json, "{");
	for (i = 0; i < 100; i++)
		buf_addf(&json, "\"k%zu\":%zu,", i, i);
	buf_adds(&json, "\"x\":1}");
	is_skipped(buf_str(&json), SIZE_MAX, NULL);
	buf_truncate(&json, json.len - 7);
	buf_adds(&json, ",\"k3\":1}");
	assert_int_equal(buf_check(&json, &none), 0);
	/* All of it was read. */
	snprintf(fault, sizeof(fault), "not JSON: line 1, column %zu: a duplicate key in an object",
		 json.len);
	is_skipped(buf_str(&json), SIZE_MAX, fault);
	buf_release(&json);
}

static void values_are_counted_with_their_keys(void **state)
{
	static const char many[] = "document: holds more values than are accepted in one piece";

	(void)state;
	is_skipped("{\"a\":1,\"b\":[2,3]}", 7, NULL);
	is_skipped("{\"a\":1,\"b\":[2,3]}", 6, many);
	is_skipped("[1,2,3,4]", 4, many);
}

static void members_and_items_come_in_their_order(void **state)
{
	struct pull_text text;
	struct pull_number number;
	struct pull s;

	(void)state;
	begin(&s, "{\"a\" : \"x\\ty\", \"skipped\":[{}], \"b\":[ -1.5,7, true]}", SIZE_MAX);
	assert_int_equal(pull_kind(&s), PULL_OBJECT);
	assert_true(pull_enter(&s));
	assert_true(pull_key(&s, &text));
	assert_int_equal(text.n, 1);
	assert_memory_equal(text.text, "a", 1);
	assert_false(pull_number(&s, &number)); /* it is none, and stays */
	assert_true(pull_string(&s, &text));
	assert_string_equal(text.text, "x\ty");
	assert_false(text.is_plain);
	assert_true(pull_key(&s, &text));
	assert_true(pull_key(&s, &text));
	assert_memory_equal(text.text, "b", 1);
	assert_true(pull_enter(&s));
	assert_true(pull_item(&s));
	assert_true(pull_number(&s, &number));
	assert_true(number.real == -1.5 && !number.is_whole);
	assert_true(pull_item(&s));
	assert_true(pull_number(&s, &number));
	assert_true(number.whole == 7 && number.is_whole);
	assert_true(pull_item(&s));
	assert_int_equal(pull_kind(&s), PULL_BOOL);
	assert_true(pull_word(&s));
	assert_false(pull_item(&s));
	assert_false(pull_key(&s, &text));
	assert_int_equal(pull_finish(&s), 0);
	end(&s);
}

/* The numbers of an array, as reader_numbers() takes them. */
static size_t take(struct pull *s, double *out, size_t most)
{
	struct pull_number number;
	size_t n = 0;

	assert_true(pull_enter(s));
	for (;;) {
		n += pull_short(s, out + n, most - n);
		if (!pull_item(s))
			return n;
		assert_true(pull_number(s, &number));
		out[n++] = number.real;
	}
}

/* strtod() says what each is. */
static void short_numbers_are_what_they_say(void **state)
{
	static const char *const forms[] = {
		"0",	  "7",	    "123456",		"1234567", "12345678", "1.5",
		"123.45", "0.0625", "12345.6",		"1e3",	   "-4",       "0.5e2",
		"9999.9", "100000", "3.14159265358979", "1234.567"
	};
	size_t i, k, n = sizeof(forms) / sizeof(forms[0]);
	double got[64];

	(void)state;
	for (i = 0; i < n; i++) {
		for (k = 0; k < n; k++) {
			struct buf json = BUF_INIT;
			struct pull s;

			buf_addf(&json, "[%s,%s,5]", forms[i], forms[k]);
			begin(&s, buf_str(&json), SIZE_MAX);
			assert_int_equal(take(&s, got, 64), 3);
			assert_true(got[0] == strtod(forms[i], NULL));
			assert_true(got[1] == strtod(forms[k], NULL));
			assert_true(got[2] == 5);
			assert_int_equal(pull_finish(&s), 0);
			end(&s);
			buf_release(&json);
		}
	}
}

/* Each way to be none, among so much that eight characters are there. */
static void what_is_no_number_is_none_in_a_row_of_them(void **state)
{
	static const char *const forms[] = { "01",  "1.", ".5", "1.2.3", "1e",
					     "--1", "1a", "+1", "0x1",	 "" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct pull_number number;
		struct buf json = BUF_INIT;
		double got[8];
		struct pull s;

		buf_addf(&json, "[1,22,%s,333,4444,55555]", forms[i]);
		begin(&s, buf_str(&json), SIZE_MAX);
		assert_true(pull_enter(&s));
		while (!s.failed) {
			pull_short(&s, got, 8);
			if (!pull_item(&s))
				break;
			pull_number(&s, &number);
		}
		if (!s.failed)
			fail_msg("%s is taken", forms[i]);
		assert_int_equal(err.code, ERR_SYNTAX);
		end(&s);
		buf_release(&json);
	}
}

static void place_is_come_back_to(void **state)
{
	struct pull_number number;
	struct pull_mark mark;
	struct pull_text text;
	struct pull s;

	(void)state;
	begin(&s, "{\"a\":1,\"b\":{\"c\":[2,3]},\"d\":4}", SIZE_MAX);
	assert_true(pull_enter(&s));
	assert_true(pull_key(&s, &text));
	pull_mark(&s, &mark);
	while (pull_key(&s, &text))
		;
	assert_false(s.failed);
	pull_back(&s, &mark);
	assert_true(pull_number(&s, &number));
	assert_int_equal(number.whole, 1);
	assert_true(pull_key(&s, &text));
	assert_memory_equal(text.text, "b", 1);
	assert_int_equal(pull_finish(&s), 0);
	end(&s);
}

/* So many that they are sorted, and in the order in which sorting moves them all. */
static void many_keys_are_come_back_to(void **state)
{
	struct buf json = BUF_INIT;
	struct pull_mark mark;
	struct pull_text text;
	struct pull s;
	int i;

	(void)state;
	for (i = 99; i >= 50; i--)
		buf_addf(&json, "%s\"k%d\":%d", i == 99 ? "{" : ",", i, i);
	buf_addc(&json, '}');
	begin(&s, buf_str(&json), SIZE_MAX);
	assert_true(pull_enter(&s));
	for (i = 0; i < 10; i++)
		assert_true(pull_key(&s, &text));
	pull_mark(&s, &mark);
	while (pull_key(&s, &text))
		;
	pull_back(&s, &mark);
	if (pull_finish(&s))
		fail_msg("%s", err.text);
	end(&s);
	buf_release(&json);
}

/* {"\u006b0":0,...,"k<n-1>":0} and, where it is not NULL, what follows. */
static char *many_members(unsigned n, const char *more)
{
	struct buf b = BUF_INIT;
	unsigned i;

	for (i = 0; i < n; i++)
		buf_addf(&b, "%s\"\\u006b%u\":[{\"k0\":%u}]", i ? "," : "{", i, i);
	buf_addf(&b, "%s}", more ? more : "");
	return buf_detach(&b);
}

/* Who reads a member twice may keep it twice: that it is there again is told before. */
static void a_key_is_never_given_twice(void **state)
{
	unsigned n, given;

	(void)state;
	for (n = 1; n < 200; n++) {
		char *json = many_members(n, ",\"k0\":1,\"k0\":2");
		struct pull_text key;
		struct pull s;

		begin(&s, json, SIZE_MAX);
		assert_true(pull_enter(&s));
		for (given = 0; pull_key(&s, &key);)
			given += key.n == 2 && !memcmp(key.text, "k0", 2);
		assert_int_equal(given, 1);
		assert_non_null(strstr(err.text, "a duplicate key in an object"));
		end(&s);
		free(json);
	}
}

static void many_members_are_given_as_few_are(void **state)
{
	char *json = many_members(200, NULL), name[16];
	struct pull_text key;
	struct pull s;
	unsigned i;

	(void)state;
	begin(&s, json, 200 * 5 + 1);
	assert_true(pull_enter(&s));
	for (i = 0; pull_key(&s, &key); i++) {
		snprintf(name, sizeof(name), "k%u", i);
		assert_int_equal(key.n, strlen(name));
		assert_memory_equal(key.text, name, key.n);
		assert_int_equal(pull_kind(&s), PULL_ARRAY);
	}
	assert_int_equal(i, 200);
	assert_int_equal(pull_finish(&s), 0);
	end(&s);
	free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_is_never_given_twice),
		cmocka_unit_test(many_members_are_given_as_few_are),
		cmocka_unit_test(what_nobody_asks_for_is_checked),
		cmocka_unit_test(many_keys_are_compared_too),
		cmocka_unit_test(values_are_counted_with_their_keys),
		cmocka_unit_test(members_and_items_come_in_their_order),
		cmocka_unit_test(short_numbers_are_what_they_say),
		cmocka_unit_test(what_is_no_number_is_none_in_a_row_of_them),
		cmocka_unit_test(place_is_come_back_to),
		cmocka_unit_test(many_keys_are_come_back_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
