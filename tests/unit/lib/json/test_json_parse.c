/* What is JSON and what is not, to the letter of RFC 8259, and what becomes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json/jtree.h"

#include "lib/base/banned.h"

static struct err err;

static struct jtree *parse_bytes(const char *json, size_t n)
{
	/* Without anything behind it: a sanitizer sees one step too far. */
	char *exact = malloc(n ? n : 1);
	struct jtree *root;

	assert_non_null(exact);
	memcpy(exact, json, n);
	err_clear(&err);
	root = jtree_parse(exact, n, 1 << 20, 8, &err);
	free(exact);
	return root;
}

/* The text as the one item of an array. */
static struct jtree *parse_item(const char *text)
{
	struct buf json = BUF_INIT;
	struct jtree *root;

	buf_addf(&json, "[%s]", text);
	root = parse_bytes(json.data, json.len);
	buf_release(&json);
	return root;
}

static void what_is_json_is_taken_and_printed_alike(void **state)
{
	/* What is printed, where that is something else. */
	static const char *const rows[][2] = {
		{ "0", NULL },
		{ " [ ] ", "[]" },
		{ "{}", NULL },
		{ "\t{\r\"a\"\n:1 , \"b\" : [ ] }", "{\"a\":1,\"b\":[]}" },
		{ "[1,-1,-0,0,9223372036854775807,-9223372036854775808]",
		  "[1,-1,0,0,9223372036854775807,-9223372036854775808]" },
		{ "[0.5,-0.25,1e2,1E+2,1.5e-3,123.0]", "[0.5,-0.25,100,100,0.0015,123]" },
		{ "[true,false,null]", NULL },
		{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
		  "\"\\\"\\\\/\\u0008\\u000c\\u000a\\u000d\\u0009\"" },
		{ "\"\\u0041\\u00e9\\u20ac\\ud83d\\uDE00\"",
		  "\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
		{ "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \x7f\"", NULL },
		{ "\"\"", NULL },
		{ "{\"\":{\"a\":[{\"a\":[]}]}}", NULL },
		{ "[[[[[[[]]]]]]]", NULL },
		{ "{\"a\":1,\"A\":2,\"aa\":3}", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *wanted = rows[i][1] ? rows[i][1] : rows[i][0];
		struct jtree *root = parse_item(rows[i][0]);
		struct buf out = BUF_INIT;

		if (!root)
			fail_msg("%s: %s", rows[i][0], err.text);
		assert_int_equal(jtree_print(jtree_item(root, 0), false, &out, &err), 0);
		if (strncmp(wanted, "\"\xc3\xa9", 3)) /* how jsonw prints 0x7f is its own affair */
			assert_string_equal(buf_str(&out), wanted);
		buf_release(&out);
		jtree_free(root);
	}
}

static void what_is_not_json_is_refused(void **state)
{
	static const char *const rows[] = {
		",",
		",,",
		"[",
		"]",
		"{",
		"[1,]",
		"[,1]",
		"[1 2]",
		"[1}",
		"{\"a\"}",
		"{\"a\":}",
		"{\"a\":1,}",
		"{,}",
		"{a:1}",
		"{1:1}",
		"{'a':1}",
		"[1]]",
		"[] []",
		"1 2",
		"nul",
		"nulll",
		"True",
		"NaN",
		"Infinity",
		"-Infinity",
		"+1",
		"-",
		"01",
		"-01",
		"1.",
		".5",
		"1e",
		"1e+",
		"1.e1",
		"0x1",
		"1e999",
		"-1e999",
		"1e99999999999",
		"9223372036854775808",
		"-9223372036854775809",
		"123456789012345678901234567890",
		"\"",
		"\"a",
		"\"\\\"",
		"\"\\x\"",
		"\"\\u12\"",
		"\"\\u000g\"",
		"\"\\u0000\"",
		"\"\\ud800\"",
		"\"\\ud800x\"",
		"\"\\udc00\"",
		"\"\\ud800\\u0041\"",
		"\"\x01\"",
		"\"a\nb\"",
		"\"\x80\"",
		"\"\xc3\"",
		"\"\xc0\x80\"",
		"\"\xed\xa0\x80\"",
		"\"\xf8\x88\x80\x80\x80\"",
		"\xef\xbb\xbf[]",
		"[1,/**/2]",
		"{\"a\":1,\"a\":2}",
		"{\"a\":1,\"\\u0061\":2}",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (parse_item(rows[i]))
			fail_msg("%s was taken", rows[i]);
		if (err.code != ERR_SYNTAX || strncmp(err.text, "not JSON: line 1", 16))
			if (strcmp(rows[i], "\"a\nb\""))
				fail_msg("%s: %s", rows[i], err.text);
	}
	assert_null(parse_bytes("", 0));
	assert_int_equal(err.code, ERR_SYNTAX);
	assert_null(parse_bytes(" ", 1));
	assert_null(parse_bytes("1", 1));
	assert_null(parse_bytes("[1,\0002]", 6));
	assert_int_equal(err.code, ERR_SYNTAX);
	assert_null(parse_bytes("\"a\0b\"", 5));
	assert_null(parse_bytes("[]\0", 3));
	assert_null(parse_bytes("[[[[[[[[[]]]]]]]]]", 18));
	assert_int_equal(err.code, ERR_LIMIT);
}

static void a_fault_has_its_line_and_column(void **state)
{
	static const char *const rows[][2] = {
		{ "{\"id\": \n", "not JSON: line 2, column 0: the document ends too early" },
		{ "[1,\n 2,\n  x]", "not JSON: line 3, column 2: a value is missing" },
		{ "[\"a\\nb\\u00e9\", \"\xc3\xa9\xc3\xa9\" 1]",
		  "not JSON: line 1, column 20: ',' or ']' is missing" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_null(parse_bytes(rows[i][0], strlen(rows[i][0])));
		assert_string_equal(err.text, rows[i][1]);
	}
}

/* The text as it is read by the C library, which rounds correctly: it may be read eight at once. */
static void check_number(const char *text)
{
	static const char *const behind[] = { "", " ", ",1234567", ",\"12345678\"" };
	double wanted = strtod(text, NULL);
	size_t i;

	for (i = 0; i < sizeof(behind) / sizeof(behind[0]); i++) {
		char item[512];
		struct jtree *root;
		double got;

		snprintf(item, sizeof(item), "%s%s", text, behind[i]);
		root = parse_item(item);
		got = jtree_number(jtree_item(root, 0));
		if (got != wanted)
			fail_msg("%s: %.17g, wanted %.17g", item, got, wanted);
		jtree_free(root);
	}
}

static void check_whole(int64_t wanted)
{
	char item[64];
	struct jtree *root;
	int64_t got = 0;

	snprintf(item, sizeof(item), "%lld,\"12345678\"", (long long)wanted);
	root = parse_item(item);
	assert_true(jtree_whole(jtree_item(root, 0), &got));
	assert_true(got == wanted);
	jtree_free(root);
}

static void numbers_are_the_nearest_doubles(void **state)
{
	static const char *const rows[] = {
		"0.1",
		"1e22",
		"1e23",
		"9007199254740993.0",
		"0.3",
		"9007199254740992.0",
		"123456.789e-20",
		"1e-22",
		"1e-23",
		"4.9e-324",
		"1e-400",
		"2.2250738585072011e-308",
		"1.7976931348623157e308",
		"0.000000000000000000000000000001",
		"18446744073709551615.0",
		"18446744073709551616.5",
		"100000000000000000000000000000000000000.0",
		"3.14159265358979323846264338327950288",
		"1844674407370955161.5",
		"1844674407370955162.5",
		/* In the middle of two doubles, and beside it. */
		"4503599627370496.5",
		"4503599627370497.5",
		"4503599627370497.499",
		"4503599627370497.501",
		"2251799813685249.25",
		"2251799813685249.75",
		"1125899906842624.125",
		"1125899906842624.375",
		"9007199254740991.5",
		"4503599627370495.75",
		"0.9999999999999999999",
		"0.0000000000000000001",
	};
	char text[64];
	uint64_t x = 88172645463325252u; /* xorshift */
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check_number(rows[i]);
	for (i = 0; i < 20000; i++) {
		double value;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		check_whole((int64_t)x >> i % 63);
		memcpy(&value, &x, sizeof(value));
		if (!isfinite(value))
			continue;
		snprintf(text, sizeof(text), "%.*e", (int)(i % 18), value);
		check_number(text);
		snprintf(text, sizeof(text), "%.*f", (int)(i % 9), (double)(int64_t)x / 1e9);
		check_number(text);
		snprintf(text, sizeof(text), "%llu", (unsigned long long)(x >> 1));
		memmove(text + i % 19 + 1, text + i % 19, strlen(text + i % 19) + 1);
		text[i % 19] = '.';
		if (text[0] != '.' && text[strlen(text) - 1] != '.')
			check_number(text);
	}
}

static void a_key_twice_is_found_among_few_and_many(void **state)
{
	size_t n, i;

	(void)state;
	for (n = 1; n < 200; n += n < 30 ? 1 : 31) {
		struct buf text = BUF_INIT;
		struct jtree *root;

		buf_addc(&text, '{');
		for (i = 0; i < n; i++)
			buf_addf(&text, "\"key %zu\":[{},%zu],", i * 7 % 211, i);
		buf_adds(&text, "\"z\":0}");
		root = parse_bytes(text.data, text.len);
		assert_non_null(root);
		assert_int_equal(jtree_count(root), n + 1);
		assert_non_null(jtree_get(root, "key 0"));
		jtree_free(root);
		/* The last one is the first one again. */
		buf_truncate(&text, text.len - 6);
		buf_adds(&text, "\"key 0\":0}");
		assert_null(parse_bytes(text.data, text.len));
		assert_int_equal(err.code, ERR_SYNTAX);
		buf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_json_is_taken_and_printed_alike),
		cmocka_unit_test(what_is_not_json_is_refused),
		cmocka_unit_test(a_fault_has_its_line_and_column),
		cmocka_unit_test(numbers_are_the_nearest_doubles),
		cmocka_unit_test(a_key_twice_is_found_among_few_and_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
