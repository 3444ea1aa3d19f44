/* Unit tests of lib/base/jsonw.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/jsonw.h"
#include "lib/base/utf8.h"

#include "lib/base/banned.h"

static void write_sample(struct jsonw *w)
{
	const double x[] = { 1, 2.5, (double)NAN };

	jsonw_object(w);
	jsonw_kstring(w, "name", "deflate/6");
	jsonw_kstring(w, "none", NULL);
	jsonw_knumber(w, "ratio", 1.034);
	jsonw_kinteger(w, "least", INT64_MIN);
	jsonw_kbool(w, "dirty", false);
	jsonw_knumbers(w, "samples", x, 3);
	jsonw_key(w, "empty");
	jsonw_array(w);
	jsonw_array_end(w);
	jsonw_key(w, "deep");
	jsonw_array(w);
	jsonw_object(w);
	jsonw_object_end(w);
	jsonw_raw(w, "7", 1);
	jsonw_array_end(w);
	jsonw_object_end(w);
}

static void one_line_has_no_blank(void **state)
{
	struct buf out = BUF_INIT;
	struct jsonw w;

	(void)state;
	jsonw_init(&w, &out, 0);
	write_sample(&w);
	assert_string_equal(buf_str(&out),
			    "{\"name\":\"deflate/6\",\"none\":null,\"ratio\":1.034,"
			    "\"least\":-9223372036854775808,\"dirty\":false,"
			    "\"samples\":[1,2.5,null],\"empty\":[],\"deep\":[{},7]}");
	buf_release(&out);
}

static void indenting_keeps_flat_lists_on_a_line(void **state)
{
	struct buf out = BUF_INIT;
	struct jsonw w;

	(void)state;
	jsonw_init(&w, &out, 2);
	write_sample(&w);
	assert_string_equal(buf_str(&out), "{\n"
					   "  \"name\": \"deflate/6\",\n"
					   "  \"none\": null,\n"
					   "  \"ratio\": 1.034,\n"
					   "  \"least\": -9223372036854775808,\n"
					   "  \"dirty\": false,\n"
					   "  \"samples\": [1, 2.5, null],\n"
					   "  \"empty\": [],\n"
					   "  \"deep\": [\n"
					   "    {},\n"
					   "    7\n"
					   "  ]\n"
					   "}");
	buf_release(&out);
}

static void nan_and_infinities_never_leave(void **state)
{
	struct buf out = BUF_INIT;
	struct jsonw w;

	(void)state;
	jsonw_init(&w, &out, 0);
	jsonw_array(&w);
	jsonw_number(&w, (double)NAN);
	jsonw_number(&w, -HUGE_VAL);
	jsonw_number(&w, HUGE_VAL);
	jsonw_number(&w, -0.0);
	jsonw_array_end(&w);
	assert_string_equal(buf_str(&out), "[null,null,null,0]");
	buf_release(&out);
}

static void strings_are_escaped(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	json_quote(&out, "a\"b\\c\n\t\001\177\0z", 11);
	assert_string_equal(buf_str(&out), "\"a\\\"b\\\\c\\u000a\\u0009\\u0001\\u007f\\u0000z\"");
	buf_release(&out);
}

/* A runner takes "##[" and "##vso[" for commands wherever they are in its log. */
static void a_hash_after_another_one_is_escaped(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	json_quote(&out, "##[error]a # #b ###vso[", 23);
	assert_string_equal(buf_str(&out), "\"#\\u0023[error]a # #b #\\u0023\\u0023vso[\"");
	buf_release(&out);
}

static void bytes_that_are_no_utf8_become_the_replacement(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "\xff", "\"\xef\xbf\xbd\"" },
		{ "a\xc3", "\"a\xef\xbf\xbd\"" },
		{ "\xc3z", "\"\xef\xbf\xbdz\"" },
		{ "\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"" },			/* overlong '/' */
		{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* surrogate */
		{ "\xc3\xa9", "\"\xc3\xa9\"" },
		{ "\xc2\x9b\xc2\xa0", "\"\\u009b\xc2\xa0\"" }, /* it steers a terminal */
		{ "\xf0\x9f\x90\xa2", "\"\xf0\x9f\x90\xa2\"" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf out = BUF_INIT;

		json_quote(&out, cases[i].in, strlen(cases[i].in));
		assert_string_equal(buf_str(&out), cases[i].out);
		buf_release(&out);
	}
}

static size_t length_of(const char *text, size_t n)
{
	return utf8_length((const unsigned char *)text, n);
}

static void utf8_sequences_are_measured_to_the_last_code_point(void **state)
{
	(void)state;
	assert_int_equal(length_of("", 0), 0);
	assert_int_equal(length_of("a", 1), 1);
	assert_int_equal(length_of("\0", 1), 1);
	assert_int_equal(length_of("\x80", 1), 0);
	assert_int_equal(length_of("\xc1\xbf", 2), 0); /* overlong */
	assert_int_equal(length_of("\xc2\x80", 2), 2);
	assert_int_equal(length_of("\xc2\x80", 1), 0);
	assert_int_equal(length_of("\xe0\x9f\xbf", 3), 0); /* overlong */
	assert_int_equal(length_of("\xe0\xa0\x80", 3), 3);
	assert_int_equal(length_of("\xed\x9f\xbf", 3), 3); /* last before the surrogates */
	assert_int_equal(length_of("\xed\xa0\x80", 3), 0);
	assert_int_equal(length_of("\xed\xbf\xbf", 3), 0);
	assert_int_equal(length_of("\xee\x80\x80", 3), 3);
	assert_int_equal(length_of("\xf0\x8f\xbf\xbf", 4), 0); /* overlong */
	assert_int_equal(length_of("\xf4\x8f\xbf\xbf", 4), 4); /* U+10FFFF */
	assert_int_equal(length_of("\xf4\x90\x80\x80", 4), 0);
	assert_int_equal(length_of("\xf8\x88\x80\x80\x80", 5), 0);
	assert_int_equal(length_of("\xff", 1), 0);
}

static void a_text_is_cut_before_a_character_that_does_not_fit(void **state)
{
	static const struct {
		const char *text;
		size_t most, fits;
	} cases[] = { { "", 0, 0 },
		      { "abc", 3, 3 },
		      { "abc", 2, 2 },
		      { "a\xc3\xa4", 3, 3 },
		      { "a\xc3\xa4", 2, 1 },
		      { "\xf0\x9f\x98\x80", 3, 0 },
		      { "\x80\x80", 1, 0 },
		      { "a\xe2\x82\xac"
			"b",
			4, 4 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(utf8_fitting(cases[i].text, cases[i].most), cases[i].fits);
}

static void nesting_reaches_its_stated_depth(void **state)
{
	struct buf out = BUF_INIT;
	struct jsonw w;
	int i;

	(void)state;
	jsonw_init(&w, &out, 0);
	for (i = 0; i < JSONW_DEPTH - 1; i++)
		jsonw_array(&w);
	for (i = 0; i < JSONW_DEPTH - 1; i++)
		jsonw_array_end(&w);
	assert_int_equal(out.len, 2 * (JSONW_DEPTH - 1));
	buf_release(&out);
}

static void key_in_an_array(struct jsonw *w)
{
	jsonw_array(w);
	jsonw_key(w, "x");
}

static void value_without_a_key(struct jsonw *w)
{
	jsonw_object(w);
	jsonw_integer(w, 1);
}

static void key_without_a_value(struct jsonw *w)
{
	jsonw_object(w);
	jsonw_key(w, "x");
	jsonw_object_end(w);
}

static void wrong_end(struct jsonw *w)
{
	jsonw_array(w);
	jsonw_object_end(w);
}

static void too_deep(struct jsonw *w)
{
	int i;

	for (i = 0; i < JSONW_DEPTH; i++)
		jsonw_array(w);
}

static void misuse_stops_the_program(void **state)
{
	static void (*const misuses[])(struct jsonw *) = { key_in_an_array, value_without_a_key,
							   key_without_a_value, wrong_end,
							   too_deep };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(misuses) / sizeof(misuses[0]); i++) {
		int status;
		pid_t pid = fork();

		assert_true(pid >= 0);
		if (!pid) {
			struct buf out = BUF_INIT;
			struct jsonw w;

			close(2);
			jsonw_init(&w, &out, 0);
			misuses[i](&w);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_line_has_no_blank),
		cmocka_unit_test(indenting_keeps_flat_lists_on_a_line),
		cmocka_unit_test(nan_and_infinities_never_leave),
		cmocka_unit_test(strings_are_escaped),
		cmocka_unit_test(a_hash_after_another_one_is_escaped),
		cmocka_unit_test(bytes_that_are_no_utf8_become_the_replacement),
		cmocka_unit_test(utf8_sequences_are_measured_to_the_last_code_point),
		cmocka_unit_test(a_text_is_cut_before_a_character_that_does_not_fit),
		cmocka_unit_test(nesting_reaches_its_stated_depth),
		cmocka_unit_test(misuse_stops_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
