/* Unit tests of lib/profile/profile_diff.c and line_map.c. */
#include "tests/unit/profile_fixture.h"

#include <stdlib.h>

#include "lib/profile/profile_diff.h"

#include "lib/base/banned.h"

static void functions_are_sorted_by_what_they_add(void **state)
{
	struct profile_diff d;
	struct profile a, b;

	(void)state;
	parse("events: Ir\nob=/x/1/prog\nfl=a.c\nfn=same\n1 50\nfn=more\n2 100\nfn=gone\n3 5\n",
	      &a);
	parse("events: Ir\nob=/x/2/prog\nfl=a.c\nfn=same\n1 50\nfn=more\n2 130\nfn=new\n3 7\n", &b);
	assert_int_equal(0, profile_diff(&a, &b, &d, NULL));
	assert_true(d.base == 155 && d.head == 187);
	assert_int_equal(d.n, 3);
	assert_string_equal(function_delta_either(&d.v[0])->name, "more");
	assert_true(d.v[0].delta == 30 && d.v[0].base && d.v[0].head);
	assert_string_equal(function_delta_either(&d.v[1])->name, "new");
	assert_true(d.v[1].delta == 7 && !d.v[1].base);
	assert_string_equal(function_delta_either(&d.v[2])->name, "gone");
	assert_true(d.v[2].delta == -5 && !d.v[2].head);
	profile_diff_release(&d);
	profile_release(&a);
	profile_release(&b);
}

static void static_functions_of_one_name_are_told_apart_by_file(void **state)
{
	struct profile_diff d;
	struct profile a, b;

	(void)state;
	parse("events: Ir\nfl=a.c\nfn=(1) init\n1 10\nfl=b.c\nfn=(2) init\n1 20\n"
	      "fl=old.c\nfn=moved\n1 3\n",
	      &a);
	parse("events: Ir\nfl=a.c\nfn=(1) init\n1 10\nfl=b.c\nfn=(2) init\n1 29\n"
	      "fl=new.c\nfn=moved\n1 4\n",
	      &b);
	assert_int_equal(0, profile_diff(&a, &b, &d, NULL));
	assert_int_equal(d.n, 2);
	assert_string_equal(d.v[0].head->file, "b.c");
	assert_true(d.v[0].delta == 9);
	assert_true(d.v[1].delta == 1 && d.v[1].base && d.v[1].head);
	profile_diff_release(&d);
	profile_release(&a);
	profile_release(&b);
}

static void the_same_name_in_another_object_is_another_function(void **state)
{
	struct profile_diff d;
	struct profile a, b;

	(void)state;
	parse("events: Ir\nob=/x/libone.so\nfn=f\n1 10\n", &a);
	parse("events: Ir\nob=/x/libtwo.so\nfn=f\n1 10\n", &b);
	assert_int_equal(0, profile_diff(&a, &b, &d, NULL));
	assert_int_equal(d.n, 2);
	profile_diff_release(&d);
	assert_int_equal(0, profile_diff(&a, &a, &d, NULL));
	assert_int_equal(d.n, 0);
	profile_diff_release(&d);
	profile_release(&a);
	profile_release(&b);
}

static void expect_map(const char *base, const char *head, unsigned line, unsigned expected)
{
	struct line_map map;

	assert_int_equal(0, line_map_make(base, strlen(base), head, strlen(head), &map, NULL));
	assert_int_equal(line_map_find(&map, line), expected);
	line_map_release(&map);
}

static void lines_are_followed_through_an_edit(void **state)
{
	static const char base[] = "a\nb\nc\nd\ne\n", head[] = "a\nnew\nb\nC\nd\nmore\ne";

	(void)state;
	expect_map(base, head, 1, 1);
	expect_map(base, head, 2, 3);
	expect_map(base, head, 3, 4); /* edited */
	expect_map(base, head, 4, 5);
	expect_map(base, head, 5, 7);
	expect_map(base, head, 6, 0);
	expect_map(base, head, 0, 0);
	expect_map(base, "", 1, 0);
	expect_map("", head, 1, 0);
	expect_map("a\nb\nc\n", "a\nx\ny\nc\n", 2, 0);
	expect_map("x\nx\nx\n", "x\nx\n", 2, 2);
	assert_int_equal(line_map_find(NULL, 17), 17);
}

static struct line_map the_map;

static const struct line_map *map_of(void *ctx, const char *file)
{
	(void)ctx;
	return strcmp(file, "a.c") ? NULL : &the_map;
}

static void lines_of_a_function_meet_at_their_new_place(void **state)
{
	static const char base[] = "one\ntwo\nthree\n", head[] = "zero\none\ntwo\nthree\n";
	struct line_delta *v;
	struct profile_diff d;
	struct profile a, b;
	size_t n;

	(void)state;
	parse("events: Ir\nfl=(1) a.c\nfn=f\n1 10\n2 20\n3 30\nfi=(2) b.h\n9 4\n", &a);
	parse("events: Ir\nfl=(1) a.c\nfn=f\n1 1\n2 10\n3 25\n4 33\nfi=(2) b.h\n9 4\n", &b);
	assert_int_equal(0, line_map_make(base, strlen(base), head, strlen(head), &the_map, NULL));
	assert_int_equal(0, profile_diff(&a, &b, &d, NULL));
	assert_int_equal(0, profile_line_diff(&d.v[0], map_of, NULL, &v, &n, NULL));
	assert_int_equal(n, 3);
	assert_true(v[0].base_line == 2 && v[0].head_line == 3 && v[0].delta == 5);
	assert_true(v[1].base_line == 3 && v[1].head_line == 4 && v[1].delta == 3);
	assert_true(v[2].base_line == 0 && v[2].head_line == 1 && v[2].delta == 1);
	free(v);
	/* Without a map the numbers alone are compared. */
	assert_int_equal(0, profile_line_diff(&d.v[0], NULL, NULL, &v, &n, NULL));
	assert_int_equal(n, 4);
	free(v);
	line_map_release(&the_map);
	profile_diff_release(&d);
	profile_release(&a);
	profile_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_sorted_by_what_they_add),
		cmocka_unit_test(static_functions_of_one_name_are_told_apart_by_file),
		cmocka_unit_test(the_same_name_in_another_object_is_another_function),
		cmocka_unit_test(lines_are_followed_through_an_edit),
		cmocka_unit_test(lines_of_a_function_meet_at_their_new_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
