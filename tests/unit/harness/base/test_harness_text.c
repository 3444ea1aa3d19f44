#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "harness/base/text.h"

#include "lib/base/banned.h"

static char memory[512];
static struct text t;

static int start_anew(void **state)
{
	(void)state;
	pawl_text_init(&t, memory, sizeof(memory));
	return 0;
}

static void strings_are_escaped_as_json(void **state)
{
	(void)state;
	pawl_text_quote(&t, "a\"b\\c\n\x7f\xc3\xa9");
	assert_string_equal(t.at, "\"a\\\"b\\\\c\\u000a\\u007f\xc3\xa9\"");
}

static void a_field_without_a_string_is_null(void **state)
{
	(void)state;
	pawl_text_add(&t, "{");
	pawl_text_field(&t, "a", "b\"");
	pawl_text_field(&t, "c", NULL);
	pawl_text_field(&t, "d", "");
	assert_string_equal(t.at, "{\"a\":\"b\\\"\",\"c\":null,\"d\":\"\"");
}

static void numbers_keep_17_digits_and_nan_is_null(void **state)
{
	(void)state;
	pawl_text_number(&t, 0.1);
	pawl_text_add(&t, " ");
	pawl_text_number(&t, -2.5e-300);
	pawl_text_add(&t, " ");
	pawl_text_number(&t, __builtin_nan(""));
	pawl_text_add(&t, " ");
	pawl_text_number(&t, __builtin_inf());
	pawl_text_add(&t, " ");
	pawl_text_number(&t, -__builtin_inf());
	assert_string_equal(t.at, "0.10000000000000001 -2.5e-300 null null null");
}

static void whole_numbers_are_rounded_and_have_no_exponent(void **state)
{
	(void)state;
	pawl_text_whole(&t, 2.75e20);
	pawl_text_add(&t, " ");
	pawl_text_whole(&t, 12.6);
	pawl_text_add(&t, " ");
	pawl_text_whole(&t, __builtin_nan(""));
	pawl_text_add(&t, " ");
	pawl_text_count(&t, UINT64_MAX);
	assert_string_equal(t.at, "275000000000000000000 13 null 18446744073709551615");
}

static void keys_have_commas_between_them_only(void **state)
{
	(void)state;
	pawl_text_add(&t, "{");
	pawl_text_key(&t, "a");
	pawl_text_count(&t, 1);
	pawl_text_key(&t, "b");
	pawl_text_add(&t, "{");
	pawl_text_key(&t, "c");
	pawl_text_count(&t, 2);
	pawl_text_add(&t, "}}");
	assert_string_equal(t.at, "{\"a\":1,\"b\":{\"c\":2}}");
}

static void what_does_not_fit_is_marked_and_never_written(void **state)
{
	char small[8];
	(void)state;
	memset(small, 'x', sizeof(small));
	pawl_text_init(&t, small, 4);
	pawl_text_add(&t, "abc");
	assert_false(t.full);
	pawl_text_add(&t, "d");
	assert_true(t.full);
	pawl_text_add(&t, "");
	assert_true(t.full);
	assert_string_equal(small, "abc");
	assert_int_equal(small[4], 'x');
	pawl_text_clear(&t);
	assert_false(t.full);
	assert_string_equal(small, "");
}

static void only_utf8_without_control_characters_is_clean(void **state)
{
	static const char *const good[] = {
		"",	    "a/b c",	    "\xc3\xa9",	       "\xe2\x82\xac", "\xf0\x9f\x90\x8e",
		"\xc2\xa0", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"
	};
	static const char *const bad[] = { "\n",
					   "a\tb",
					   "\x7f",
					   "\x80",
					   "\xc0\xaf",
					   "\xc3",
					   "\xe2\x82",
					   "\xe0\x80\xaf",
					   "\xed\xa0\x80",
					   "\xf0\x80\x80\xaf",
					   "\xf4\x90\x80\x80",
					   "\xff",
					   "\xc2\x80",
					   "\xc2\x9f",
					   "\xe9 latin" };
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(pawl_text_is_clean(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(pawl_text_is_clean(bad[i]));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, start_anew)
	const struct CMUnitTest tests[] = {
		TEST(strings_are_escaped_as_json),
		TEST(a_field_without_a_string_is_null),
		TEST(numbers_keep_17_digits_and_nan_is_null),
		TEST(whole_numbers_are_rounded_and_have_no_exponent),
		TEST(keys_have_commas_between_them_only),
		TEST(what_does_not_fit_is_marked_and_never_written),
		TEST(only_utf8_without_control_characters_is_clean),
	};
	return cmocka_run_group_tests_name("harness/text", tests, NULL, NULL);
}
