/* Unit tests of lib/base/strv.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/buf.h"
#include "lib/base/strv.h"

#include "lib/base/banned.h"

static void a_list_is_always_an_argv(void **state)
{
	struct strv list = STRV_INIT;
	char name[16];
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		assert_int_equal(strv_addf(&list, NULL, "%d", i), 0);
		assert_null(list.v[list.n]);
	}
	assert_int_equal(list.n, 100);
	snprintf(name, sizeof(name), "%d", 99);
	assert_true(strv_has(&list, name));
	assert_false(strv_has(&list, "100"));
	strv_cut(&list, 3);
	assert_int_equal(list.n, 3);
	assert_null(list.v[3]);
	assert_false(strv_has(&list, name));
	strv_release(&list);
	assert_null(list.v);
	assert_false(strv_has(&list, "1"));
}

static void a_sorted_list_is_searched_in_its_order(void **state)
{
	static const char *const names[] = { "b", "a", "\xc3\xa4", "b", "", "ab", "a" };
	static const char *const sorted[] = { "", "a", "ab", "b", "\xc3\xa4" };
	struct strv list = STRV_INIT, none = STRV_INIT;
	size_t i;

	(void)state;
	strv_sort(&none);
	strv_sort_unique(&none);
	assert_false(strv_has_sorted(&none, ""));
	for (i = 0; i < 7; i++)
		assert_int_equal(strv_add(&list, names[i], NULL), 0);
	strv_sort(&list);
	assert_int_equal(list.n, 7);
	assert_string_equal(list.v[1], list.v[2]);
	strv_sort_unique(&list);
	assert_int_equal(list.n, 5);
	assert_null(list.v[5]);
	for (i = 0; i < 5; i++) {
		assert_string_equal(list.v[i], sorted[i]);
		assert_true(strv_has_sorted(&list, sorted[i]));
	}
	assert_false(strv_has_sorted(&list, "aa"));
	assert_false(strv_has_sorted(&list, "c"));
	strv_release(&list);
}

/* Splits line and compares with the words that follow, NULL at the end. */
static void check_words(const char *line, ...)
{
	struct strv list = STRV_INIT;
	struct err err = ERR_INIT;
	const char *word;
	size_t n = 0;
	va_list ap;

	if (words_split(line, &list, &err))
		fail_msg("%s: %s", line, err.text);
	va_start(ap, line);
	while ((word = va_arg(ap, const char *)) != NULL) {
		assert_true(n < list.n);
		assert_string_equal(list.v[n++], word);
	}
	va_end(ap);
	assert_int_equal(list.n, n);
	strv_release(&list);
}

/* The wanted words follow POSIX.1-2017, Shell Command Language, 2.2; dash prints the same. */
static void words_are_split_as_a_shell_does(void **state)
{
	(void)state;
	check_words("", NULL);
	check_words(" \t\n", NULL);
	check_words("a b", "a", "b", NULL);
	check_words("  a\t\tb \n", "a", "b", NULL);
	check_words("'a b' \"c d\"", "a b", "c d", NULL);
	check_words("a'b'\"c\"d", "abcd", NULL);
	check_words("'' \"\"", "", "", NULL);
	check_words("a\\\\ b", "a\\", "b", NULL);
	check_words("a\\ b", "a b", NULL);
	check_words("\\'a", "'a", NULL);
	check_words("'a\\b'", "a\\b", NULL);
	check_words("\"a\\b\"", "a\\b", NULL);
	check_words("\"a\\\\b\"", "a\\b", NULL);
	check_words("\"a\\\"b\"", "a\"b", NULL);
	check_words("\"it's\"", "it's", NULL);
	check_words("'say \"x\"'", "say \"x\"", NULL);
	check_words("\"\\$x\"", "$x", NULL);
}

static void nothing_is_expanded(void **state)
{
	(void)state;
	check_words("$HOME *.c ~ `id` $(id) a;b a|b >x #y", "$HOME", "*.c", "~", "`id`", "$(id)",
		    "a;b", "a|b", ">x", "#y", NULL);
}

static void broken_quoting_is_refused_and_the_list_kept(void **state)
{
	static const char *const bad[] = { "a 'b", "a \"b", "a b\\", "\"a\\", "'", "\"", "\\" };
	struct strv list = STRV_INIT;
	size_t i;

	(void)state;
	assert_int_equal(strv_add(&list, "kept", NULL), 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct err err = ERR_INIT;

		assert_int_equal(words_split(bad[i], &list, &err), -1);
		assert_int_equal(err.code, ERR_SYNTAX);
		assert_int_equal(list.n, 1);
	}
	strv_release(&list);
}

static void quoting_is_undone_by_splitting(void **state)
{
	static const char *const hostile[] = {
		"plain", "",   " ",    "a b",  "it's", "\"", "\\", "\\\\'", "$HOME", "*",
		"a=b",	 "-x", "\n\t", "\xff", "~",    "#",  "'",  "''",    ";rm",   "\xc3\xa9",
	};
	size_t n = sizeof(hostile) / sizeof(hostile[0]), i;
	struct strv before = STRV_INIT, after = STRV_INIT;
	struct buf line = BUF_INIT;

	(void)state;
	for (i = 0; i < n; i++)
		assert_int_equal(strv_add(&before, hostile[i], NULL), 0);
	words_quote(before.v, &line);
	assert_int_equal(words_split(buf_str(&line), &after, NULL), 0);
	assert_int_equal(after.n, n);
	for (i = 0; i < n; i++)
		assert_string_equal(after.v[i], hostile[i]);
	buf_release(&line);
	strv_release(&before);
	strv_release(&after);
}

static void quoting_is_plain_where_it_can_be(void **state)
{
	char *plain[] = { (char[]){ "./bench" }, (char[]){ "--level=6" }, NULL };
	char *assignment[] = { (char[]){ "A=1" }, (char[]){ "B=2" }, NULL };
	struct buf line = BUF_INIT;

	(void)state;
	words_quote(plain, &line);
	assert_string_equal(buf_str(&line), "./bench --level=6");
	buf_reset(&line);
	words_quote(assignment, &line);
	assert_string_equal(buf_str(&line), "'A=1' B=2");
	buf_release(&line);
}

static void a_line_is_taken_and_emptied(void **state)
{
	struct strv list = STRV_INIT;
	struct buf line = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(0, strv_take(&list, &line, &err)); /* nothing is no line */
	assert_int_equal(0, list.n);
	buf_adds(&line, "one");
	assert_int_equal(0, strv_take(&list, &line, &err));
	assert_int_equal(0, line.len);
	line.failed = true;
	assert_int_equal(-1, strv_take(&list, &line, &err));
	assert_int_equal(ERR_NOMEM, err.code);
	assert_false(line.failed);
	assert_int_equal(1, list.n);
	assert_string_equal("one", list.v[0]);
	strv_release(&list);
	buf_release(&line);
}

static void a_slot_takes_a_copy(void **state)
{
	char *slot = NULL;
	char text[] = "abc";

	(void)state;
	assert_int_equal(str_set(&slot, text, NULL), 0);
	text[0] = 'x';
	assert_string_equal(slot, "abc");
	assert_int_equal(str_set(&slot, slot, NULL), 0);
	assert_string_equal(slot, "abc");
	assert_int_equal(str_set(&slot, NULL, NULL), 0);
	assert_null(slot);
	assert_null(str_dup(NULL, NULL));
	assert_true(str_starts("abc", "ab"));
	assert_true(str_starts("abc", ""));
	assert_false(str_starts("a", "ab"));
	assert_string_equal("b/c", str_below("a/b/c", "a"));
	assert_string_equal("", str_below("a/", "a"));
	assert_null(str_below("a", "a"));
	assert_null(str_below("ab/c", "a"));
	assert_null(str_below("b/a/c", "a"));
}

static void the_last_part_of_a_path_is_its_base(void **state)
{
	(void)state;
	assert_string_equal(path_base("/usr/bin/perf"), "perf");
	assert_string_equal(path_base("perf"), "perf");
	assert_string_equal(path_base("a/b/"), "a/b/");
	assert_string_equal(path_base(""), "");
}

static void a_pattern_names_one_text_or_those_that_begin_so(void **state)
{
	static const char *const names[] = { "get", "get*", "get**", "*", "get\\", "" };
	size_t i, k;

	(void)state;
	assert_true(str_is_named("get", "get"));
	assert_false(str_is_named("gets", "get"));
	assert_true(str_is_named("gets", "get*"));
	assert_true(str_is_named("get*", "get*"));
	assert_false(str_is_named("ge", "get*"));
	assert_true(str_is_named("get*", "get\\*"));
	assert_false(str_is_named("gets", "get\\*"));
	assert_false(str_is_named("get", "get\\*"));
	assert_false(str_is_named("get*s", "get\\*"));
	assert_false(str_is_named("", "\\*"));
	assert_true(str_is_named("x", "*"));
	assert_true(str_is_named("", ""));
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct buf pattern = BUF_INIT;

		str_add_pattern(names[i], &pattern);
		assert_int_equal(buf_check(&pattern, NULL), 0);
		for (k = 0; k < sizeof(names) / sizeof(*names); k++)
			assert_int_equal(str_is_named(names[k], buf_str(&pattern)), i == k);
		buf_release(&pattern);
	}
}

static void names_of_an_array_are_found_whole_or_as_beginnings(void **state)
{
	static const char *const names[] = { "first", "mid", "last" };

	(void)state;
	assert_true(STR_IS_ONE_OF("first", names));
	assert_true(STR_IS_ONE_OF("last", names));
	assert_false(STR_IS_ONE_OF("lasting", names));
	assert_false(STR_IS_ONE_OF("", names));
	assert_true(STR_STARTS_ONE_OF("lasting", names));
	assert_true(STR_STARTS_ONE_OF("first", names));
	assert_false(STR_STARTS_ONE_OF("firs", names));
	assert_false(str_is_one_of("first", names, 0));
}

static void nothing_is_the_same_as_nothing_alone(void **state)
{
	char copy[] = "a";

	(void)state;
	assert_true(str_same("a", copy));
	assert_false(str_same("a", "b"));
	assert_false(str_same("", NULL));
	assert_false(str_same(NULL, "a"));
	assert_true(str_same(NULL, NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_is_always_an_argv),
		cmocka_unit_test(nothing_is_the_same_as_nothing_alone),
		cmocka_unit_test(a_sorted_list_is_searched_in_its_order),
		cmocka_unit_test(words_are_split_as_a_shell_does),
		cmocka_unit_test(nothing_is_expanded),
		cmocka_unit_test(broken_quoting_is_refused_and_the_list_kept),
		cmocka_unit_test(quoting_is_undone_by_splitting),
		cmocka_unit_test(quoting_is_plain_where_it_can_be),
		cmocka_unit_test(a_line_is_taken_and_emptied),
		cmocka_unit_test(a_slot_takes_a_copy),
		cmocka_unit_test(the_last_part_of_a_path_is_its_base),
		cmocka_unit_test(a_pattern_names_one_text_or_those_that_begin_so),
		cmocka_unit_test(names_of_an_array_are_found_whole_or_as_beginnings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
