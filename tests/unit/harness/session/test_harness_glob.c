#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "harness/session/glob.h"

#include "lib/base/banned.h"

static void texts_without_signs_take_themselves(void **state)
{
	(void)state;
	assert_true(pawl_glob_takes("", ""));
	assert_true(pawl_glob_takes("sort/1024", "sort/1024"));
	assert_false(pawl_glob_takes("sort", "sort/1024"));
	assert_false(pawl_glob_takes("sort/1024", "sort"));
}

static void a_star_takes_any_text(void **state)
{
	(void)state;
	assert_true(pawl_glob_takes("*", ""));
	assert_true(pawl_glob_takes("*/merged*", "arrays/merged-loop"));
	assert_true(pawl_glob_takes("a*b*c", "aXbYbZc"));
	assert_false(pawl_glob_takes("a*b*c", "aXbYbZ"));
}

static void a_set_takes_its_ranges_and_classes(void **state)
{
	(void)state;
	assert_true(pawl_glob_takes("sort/[0-9]", "sort/7"));
	assert_false(pawl_glob_takes("sort/[!0-9]", "sort/7"));
	assert_true(pawl_glob_takes("x[[:upper:]_][[:digit:]]", "x_4"));
	assert_true(pawl_glob_takes("[]x]", "]"));
	assert_true(pawl_glob_takes("[x", "[x"));
	assert_false(pawl_glob_takes("[z-a]", "m"));
	assert_false(pawl_glob_takes("[[:nothing:]]", "n"));
}

static void a_backslash_takes_the_sign_itself(void **state)
{
	(void)state;
	assert_true(pawl_glob_takes("\\*", "*"));
	assert_false(pawl_glob_takes("\\*", "x"));
	assert_true(pawl_glob_takes("[\\]]", "]"));
	assert_true(pawl_glob_takes("\\", "\\"));
}

static void a_character_is_a_sequence_of_utf8(void **state)
{
	(void)state;
	assert_true(pawl_glob_takes("gr?n", "gr\xc3\xbcn"));
	assert_true(pawl_glob_takes("[\xc3\xa0-\xc3\xbf]", "\xc3\xbc"));
	assert_false(pawl_glob_takes("[\xc3\xa0-\xc3\xba]", "\xc3\xbc"));
	assert_false(pawl_glob_takes("?", "\xc3\xbcx"));
	/* A stray byte is a character of its own. */
	assert_true(pawl_glob_takes("?", "\xbc"));
	assert_true(pawl_glob_takes("?b", "\xc3"
					  "b"));
}

/* A pattern that a search which tries every split of the text would take years for. */
static void many_stars_take_no_time(void **state)
{
	char text[4097], pattern[65] = "";
	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (int i = 0; i < 62; i += 2)
		memcpy(pattern + i, "*a", 3);
	memcpy(pattern + 62, "*b", 3);
	assert_false(pawl_glob_takes(pattern, text));
}

/* The system's fnmatch(3) is the oracle, over all patterns that a small alphabet can make. */
static void it_says_what_fnmatch_says(void **state)
{
	static const char signs[] = "ab*?[]!-\\/";
	size_t n = sizeof(signs) - 1, all = 1;
	(void)state;
	for (int length = 0; length < 6; length++, all *= n) {
		for (size_t i = 0; i < all; i++) {
			static const char *const texts[] = { "",   "a", "b",  "ab",  "-",  "a]",
							     "[a", "!", "\\", "ba/", "a-b" };
			char pattern[8] = "";
			size_t rest = i;
			for (int k = 0; k < length; k++, rest /= n)
				pattern[k] = signs[rest % n];
			/* Whether a lone \ at the end takes itself is not settled among systems. */
			if (length && pattern[length - 1] == '\\')
				continue;
			for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
				if (pawl_glob_takes(pattern, texts[t]) !=
				    (fnmatch(pattern, texts[t], 0) == 0))
					fail_msg("'%s' over '%s'", pattern, texts[t]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_without_signs_take_themselves),
		cmocka_unit_test(a_star_takes_any_text),
		cmocka_unit_test(a_set_takes_its_ranges_and_classes),
		cmocka_unit_test(a_backslash_takes_the_sign_itself),
		cmocka_unit_test(a_character_is_a_sequence_of_utf8),
		cmocka_unit_test(many_stars_take_no_time),
		cmocka_unit_test(it_says_what_fnmatch_says),
	};
	return cmocka_run_group_tests_name("harness/glob", tests, NULL, NULL);
}
