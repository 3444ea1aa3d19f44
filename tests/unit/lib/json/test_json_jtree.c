/* A JSON document of any shape: what is there, what is not, and the same text again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json/jtree.h"

#include "lib/base/banned.h"

static struct err err;

static struct jtree *parse(const char *json)
{
	err_clear(&err);
	return jtree_parse(json, strlen(json), 4096, 4, &err);
}

static void values_are_found_by_key_and_place(void **state)
{
	struct jtree *root = parse("{\"a\":[1,\"x\",true,null,{\"b\":2.5}]}");
	const struct jtree *a = jtree_get(root, "a");

	(void)state;
	assert_non_null(root);
	assert_int_equal(JTREE_OBJECT, jtree_kind(root));
	assert_int_equal(5, jtree_count(a));
	assert_true(jtree_number(jtree_item(a, 0)) == 1);
	assert_string_equal("x", jtree_text(jtree_item(a, 1)));
	assert_true(jtree_is_true(jtree_item(a, 2)));
	assert_int_equal(JTREE_NULL, jtree_kind(jtree_item(a, 3)));
	assert_true(jtree_number(jtree_get(jtree_item(a, 4), "b")) == 2.5);
	jtree_free(root);
}

static void what_is_not_there_is_nothing(void **state)
{
	struct jtree *root = parse("[1]");
	struct jtree_field field = { NULL, NULL, NULL };

	(void)state;
	assert_null(jtree_get(root, "a"));
	assert_null(jtree_item(root, 1));
	assert_null(jtree_item(jtree_item(root, 0), 0));
	assert_null(jtree_text(jtree_item(root, 0)));
	assert_true(isnan(jtree_number(root)));
	assert_false(jtree_next(root, &field));
	assert_int_equal(JTREE_ABSENT, jtree_kind(NULL));
	assert_int_equal(0, jtree_count(NULL));
	assert_false(jtree_is_true(NULL));
	assert_true(isnan(jtree_number(NULL)));
	jtree_free(root);
	jtree_free(NULL);
}

static void fields_come_in_their_order(void **state)
{
	struct jtree *root = parse("{\"z\":1,\"a\":2}");
	struct jtree_field field = { NULL, NULL, NULL };

	(void)state;
	assert_true(jtree_next(root, &field));
	assert_string_equal("z", field.key);
	assert_true(jtree_next(root, &field));
	assert_string_equal("a", field.key);
	assert_true(jtree_number(field.value) == 2);
	assert_false(jtree_next(root, &field));
	jtree_free(root);
}

static void a_value_is_printed_as_it_was(void **state)
{
	static const char json[] = "{\"a\":[87.4,-3,\"q\\\"\",true,null],\"b\":{}}";
	struct jtree *root = parse(json);
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(0, jtree_print(root, false, &out, &err));
	assert_string_equal(json, buf_str(&out));
	buf_reset(&out);
	assert_int_equal(0, jtree_print(jtree_item(jtree_get(root, "a"), 2), true, &out, &err));
	assert_string_equal("q\"", buf_str(&out));
	buf_release(&out);
	jtree_free(root);
}

static void what_is_broken_or_too_deep_is_refused(void **state)
{
	(void)state;
	assert_null(parse("{\"a\":1,\"a\":2}"));
	assert_int_equal(ERR_SYNTAX, err.code);
	assert_null(parse("[1e999]"));
	assert_null(parse("[[[[[1]]]]]"));
	assert_int_equal(ERR_LIMIT, err.code);
	assert_null(parse("[\"a"));
	assert_non_null(strstr(err.text, "line 1"));
}

/* What C++ streams and counters of 64 bits give is no JSON, and is read where that is asked for. */
static void numbers_as_programs_print_them_are_read_where_that_is_asked_for(void **state)
{
	static const char json[] = "{\"a\":NaN,\"b\":[Infinity,-Infinity,-NaN],"
				   "\"c\":18446744073709551615,\"d\":-3,\"e\":1e30}";
	static const char *const bad[] = { "[Nan]",  "[N]", "[--NaN]", "[Inf]",
					   "[NaNa]", "[-]", "[1e999]", "[I" };
	struct jtree *root = jtree_parse_loose(json, strlen(json), 4096, 4, &err);
	const struct jtree *b = jtree_get(root, "b");
	struct buf out = BUF_INIT;
	int64_t whole;
	size_t i;

	(void)state;
	assert_non_null(root);
	assert_int_equal(JTREE_NUMBER, jtree_kind(jtree_get(root, "a")));
	assert_true(isnan(jtree_number(jtree_get(root, "a"))));
	assert_true(jtree_number(jtree_item(b, 0)) == (double)INFINITY);
	assert_true(jtree_number(jtree_item(b, 1)) == -(double)INFINITY);
	assert_true(isnan(jtree_number(jtree_item(b, 2))));
	assert_true(jtree_number(jtree_get(root, "c")) == 18446744073709551615.0);
	assert_false(jtree_whole(jtree_get(root, "c"), &whole));
	assert_true(jtree_whole(jtree_get(root, "d"), &whole));
	assert_int_equal(0, jtree_print(b, false, &out, &err));
	assert_string_equal("[null,null,null]", buf_str(&out));
	jtree_free(root);
	buf_release(&out);
	assert_null(parse(json));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (jtree_parse_loose(bad[i], strlen(bad[i]), 4096, 4, &err))
			fail_msg("%s was taken", bad[i]);
		assert_int_equal(ERR_SYNTAX, err.code);
	}
	assert_null(jtree_parse_loose(json, strlen(json), 8, 4, &err));
	assert_int_equal(ERR_LIMIT, err.code);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_by_key_and_place),
		cmocka_unit_test(what_is_not_there_is_nothing),
		cmocka_unit_test(fields_come_in_their_order),
		cmocka_unit_test(a_value_is_printed_as_it_was),
		cmocka_unit_test(what_is_broken_or_too_deep_is_refused),
		cmocka_unit_test(numbers_as_programs_print_them_are_read_where_that_is_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
