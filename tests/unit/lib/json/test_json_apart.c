/* The elements of a long array, one at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/json/jtree.h"

#include "lib/base/banned.h"

static struct err err;
static struct buf taken; /* each element behind its number */

static int take(void *arg, size_t i, const struct jtree *element, struct err *fault)
{
	const size_t *refused = arg;

	if (refused && i == *refused)
		return err_set(fault, ERR_RANGE, "not this one");
	buf_addf(&taken, "%zu=", i);
	assert_int_equal(jtree_print(element, false, &taken, fault), 0);
	buf_addc(&taken, ';');
	return 0;
}

static struct jtree *parse(const char *json, size_t max_tree, size_t *refused)
{
	const struct jtree_apart apart = { "v", take, refused };
	size_t n = strlen(json);
	/* Without anything behind it: a sanitizer sees one step too far. */
	char *exact = malloc(n ? n : 1);
	struct jtree *root;

	assert_non_null(exact);
	memcpy(exact, json, n);
	err_clear(&err);
	buf_release(&taken);
	root = jtree_parse_apart(exact, n, max_tree, 8, &apart, &err);
	free(exact);
	return root;
}

static void gives(const char *json, const char *elements, const char *rest)
{
	struct jtree *root = parse(json, SIZE_MAX, NULL);
	struct buf out = BUF_INIT;

	if (!root)
		fail_msg("%s: %s", json, err.text);
	assert_string_equal(buf_str(&taken), elements);
	assert_int_equal(jtree_print(root, false, &out, &err), 0);
	assert_string_equal(buf_str(&out), rest);
	buf_release(&out);
	jtree_free(root);
}

static void elements_come_one_by_one_and_the_rest_without_them(void **state)
{
	(void)state;
	gives(" {\"a\": [\"one\"], \"v\" :[ {\"x\":\"],{\\\"\"} ,[1,2], 3\n], "
	      "\"z\":{\"y\":\"two\"}}\n",
	      "0={\"x\":\"],{\\\"\"};1=[1,2];2=3;",
	      "{\"a\":[\"one\"],\"v\":[],\"z\":{\"y\":\"two\"}}");
	gives("{\"v\":[]}", "", "{\"v\":[]}");
	gives("{\"\\u0076\":[null]}", "0=null;", "{\"v\":[]}");
}

static void only_an_array_of_the_root_comes_apart(void **state)
{
	(void)state;
	gives("[\"v\",[1]]", "", "[\"v\",[1]]");
	gives("{\"v\":{\"v\":[1]}}", "", "{\"v\":{\"v\":[1]}}");
	gives("{\"w\":[{\"v\":[1]}],\"v\":[{\"v\":[2]}]}", "0={\"v\":[2]};",
	      "{\"w\":[{\"v\":[1]}],\"v\":[]}");
}

static void more_strings_than_fit_at_once_go_through(void **state)
{
	struct buf json = BUF_INIT;
	struct jtree *root;
	int i;

	(void)state;
	buf_adds(&json, "{\"first\":\"kept\",\"v\":[");
	for (i = 0; i < 1000; i++)
		buf_addf(&json, "%s[\"element\",%d,1.2345678901234568e-300,\"\\u00e9\"]",
			 i ? "," : "", i);
	buf_adds(&json, "],\"last\":\"kept, too\"}");
	/* Far fewer values than all elements have. */
	root = parse(buf_str(&json), 20 * 16, NULL);
	if (!root)
		fail_msg("%s", err.text);
	assert_non_null(strstr(buf_str(&taken), "999=[\"element\",999,1.2345678901234568e-300,"));
	assert_string_equal(jtree_text(jtree_get(root, "first")), "kept");
	assert_string_equal(jtree_text(jtree_get(root, "last")), "kept, too");
	jtree_free(root);
	buf_release(&json);
}

static void what_is_wrong_is_said(void **state)
{
	static const struct {
		const char *json, *wanted;
		enum err_code code;
	} rows[] = {
		{ "{\"v\":[1,]}", "v[1]: not JSON: line 1, column 8: a value is missing",
		  ERR_SYNTAX },
		{ "{\"v\":[1", "the document ends too early", ERR_SYNTAX },
		{ "{\"v\":[1 2]}", "',' or ']' is missing", ERR_SYNTAX },
		{ "{\"v\":[1],\"v\":[2]}", "a duplicate key", ERR_SYNTAX },
		{ "{\"v\":[1]} 1", "something follows", ERR_SYNTAX },
		{ "{\"v\":[[[[[[[[]]]]]]]]}", "deeper than 8 levels", ERR_LIMIT },
		{ "{\"v\":[1,[1,2,3,4,5,6,7,8,9,10]]}", "v[1]: holds more values", ERR_LIMIT },
		{ "{\"v\":[1],\"w\":[1,2,3,4,5,6,7,8,9]}", "document: holds more values",
		  ERR_LIMIT },
	};
	size_t i, refused = 1;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_null(parse(rows[i].json, 10 * 16, NULL));
		assert_int_equal(err.code, rows[i].code);
		if (!strstr(err.text, rows[i].wanted))
			fail_msg("%s: %s", rows[i].json, err.text);
	}
	assert_null(parse("{\"v\":[1,2,3]}", SIZE_MAX, &refused));
	assert_string_equal(err.text, "not this one");
	assert_string_equal(buf_str(&taken), "0=1;");
}

static int release(void **state)
{
	(void)state;
	buf_release(&taken);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_come_one_by_one_and_the_rest_without_them),
		cmocka_unit_test(only_an_array_of_the_root_comes_apart),
		cmocka_unit_test(more_strings_than_fit_at_once_go_through),
		cmocka_unit_test(what_is_wrong_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, release);
}
