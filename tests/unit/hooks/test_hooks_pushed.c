/* Unit tests of hooks/pushed.c; the lines are those that git 2.39 was seen to write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hooks/pushed.h"

#include "lib/base/banned.h"

#define ZEROS "0000000000000000000000000000000000000000"
#define ONES "1111111111111111111111111111111111111111"
#define TWOS "2222222222222222222222222222222222222222"
#define MORE "333333333333333333333333"

static void parse(const char *text, struct pushed *out)
{
	struct err err = ERR_INIT;

	assert_int_equal(pushed_parse(text, strlen(text), out, &err), 0);
	assert_int_equal(err.code, ERR_NONE);
}

static void refuses(const char *text, size_t n, const char *line)
{
	struct err err = ERR_INIT;
	struct pushed p;

	assert_int_equal(pushed_parse(text, n, &p, &err), -1);
	assert_int_equal(err.code, ERR_SYNTAX);
	assert_non_null(strstr(err.text, line));
	assert_int_equal(p.n, 0);
	assert_null(p.v);
}

static void nothing_to_push_is_no_fault(void **state)
{
	struct pushed p;

	(void)state;
	parse("", &p);
	assert_int_equal(p.n, 0);
	pushed_release(&p);
}

static void a_new_branch_has_no_remote_id(void **state)
{
	struct pushed p;

	(void)state;
	parse("refs/heads/x " ONES " refs/heads/y " ZEROS "\n", &p);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.v[0].local_ref, "refs/heads/x");
	assert_string_equal(p.v[0].local_id, ONES);
	assert_string_equal(p.v[0].remote_ref, "refs/heads/y");
	assert_string_equal(p.v[0].remote_id, "");
	pushed_release(&p);
}

static void a_deleted_ref_has_no_local_id(void **state)
{
	struct pushed p;

	(void)state;
	parse("(delete) " ZEROS " refs/heads/x " TWOS "\nHEAD " ONES " refs/heads/z " TWOS "\n",
	      &p);
	assert_int_equal(p.n, 2);
	assert_string_equal(p.v[0].local_id, "");
	assert_string_equal(p.v[0].remote_id, TWOS);
	assert_string_equal(p.v[1].local_ref, "HEAD");
	pushed_release(&p);
}

static void what_was_typed_for_a_ref_may_hold_blanks(void **state)
{
	struct pushed p;

	(void)state;
	parse("HEAD@{1 day ago} " ONES " refs/heads/x " TWOS, &p);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.v[0].local_ref, "HEAD@{1 day ago}");
	pushed_release(&p);
}

static void ids_of_sha256_are_taken(void **state)
{
	struct pushed p;

	(void)state;
	parse("refs/heads/x " ONES MORE " refs/heads/x " ZEROS "000000000000000000000000\n", &p);
	assert_string_equal(p.v[0].local_id, ONES MORE);
	assert_string_equal(p.v[0].remote_id, "");
	pushed_release(&p);
}

static void five_thousand_refs_are_taken(void **state)
{
	const char line[] = "refs/tags/t " ONES " refs/tags/t " ZEROS "\n";
	size_t n = sizeof(line) - 1, i;
	char *text = malloc(5000 * n + 1);
	struct pushed p;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < 5000; i++)
		memcpy(text + i * n, line, n + 1);
	parse(text, &p);
	assert_int_equal(p.n, 5000);
	pushed_release(&p);
	free(text);
}

static void what_is_no_such_line_is_refused_by_its_number(void **state)
{
	static const char good[] = "refs/heads/x " ONES " refs/heads/x " TWOS "\n";
	static const char *const bad[] = {
		"rubbish\n",
		"\n",
		"a b c d\n",
		" " ONES " refs/heads/x " TWOS "\n",
		"refs/heads/x " ONES "  " TWOS "\n",
		"refs/heads/x " ONES " refs/heads/x " TWOS "0\n",
		"refs/heads/x " ONES " refs/heads/x 222222222222222222222222222222222222222G\n",
		"refs/heads/x " ONES " refs/heads/x\n",
	};
	char text[512];
	size_t i, n = sizeof(good) - 1;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memcpy(text, good, n);
		memcpy(text + n, bad[i], strlen(bad[i]) + 1);
		refuses(text, strlen(text), "line 2");
	}
}

static void a_nul_byte_is_no_digit(void **state)
{
	static const char text[] = "refs/heads/x " ONES " refs/heads/x 22222222222222222222"
				   "\0"
				   "2222222222222222222\n";

	(void)state;
	refuses(text, sizeof(text) - 1, "line 1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_to_push_is_no_fault),
		cmocka_unit_test(a_new_branch_has_no_remote_id),
		cmocka_unit_test(a_deleted_ref_has_no_local_id),
		cmocka_unit_test(what_was_typed_for_a_ref_may_hold_blanks),
		cmocka_unit_test(ids_of_sha256_are_taken),
		cmocka_unit_test(five_thousand_refs_are_taken),
		cmocka_unit_test(what_is_no_such_line_is_refused_by_its_number),
		cmocka_unit_test(a_nul_byte_is_no_digit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
