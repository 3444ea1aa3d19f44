/* Two built trees: what is the same in both for who reads a file, looks at it, or looks for one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/compare/alike.h"
#include "lib/base/file.h"

#include "lib/base/banned.h"

static char top[64], trees[2][72];

static int begin(void **state)
{
	int i;

	(void)state;
	snprintf(top, sizeof(top), "/tmp/pawl-alike.XXXXXX");
	if (!mkdtemp(top))
		return -1;
	for (i = 0; i < 2; i++) {
		snprintf(trees[i], sizeof(trees[i]), "%s/%d", top, i);
		if (mkdir(trees[i], 0700))
			return -1;
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	return file_remove_tree(top, NULL);
}

static const char *in(int tree, const char *name)
{
	static char paths[2][128];

	snprintf(paths[tree], sizeof(paths[tree]), "%s/%s", trees[tree], name);
	return paths[tree];
}

/* NULL: there is none. */
static void put(int tree, const char *name, const char *text, mode_t mode)
{
	const char *path = in(tree, name);
	int fd;

	unlink(path);
	if (!text)
		return;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(strlen(text), write(fd, text, strlen(text)));
	assert_int_equal(0, fchmod(fd, mode));
	close(fd);
}

static void put_both(const char *name, const char *one, const char *two)
{
	put(0, name, one, 0644);
	put(1, name, two, 0644);
}

static bool names_are_alike(void)
{
	bool same = alike_names(trees[0], trees[1]);

	assert_true(alike_names(trees[1], trees[0]) == same);
	return same;
}

static void who_reads_sees_the_bytes(void **state)
{
	(void)state;
	put_both("a", "one", "one");
	assert_true(alike_file(in(0, "a"), in(1, "a")));
	put_both("a", "one", "two");
	assert_false(alike_file(in(0, "a"), in(1, "a")));
	put_both("a", NULL, "two");
	assert_false(alike_file(in(0, "a"), in(1, "a")));
	put_both("a", NULL, NULL);
	assert_false(alike_file(in(0, "a"), in(1, "a")));
}

static void all_of_several_must_be_the_same(void **state)
{
	struct strv files = STRV_INIT;

	(void)state;
	assert_true(alike_files(&files, trees[0], trees[1]));
	put_both("a", "one", "one");
	put_both("b", "one", "two");
	assert_int_equal(0, strv_add(&files, "a", NULL));
	assert_true(alike_files(&files, trees[0], trees[1]));
	assert_int_equal(0, strv_add(&files, "b", NULL));
	assert_false(alike_files(&files, trees[0], trees[1]));
	strv_release(&files);
}

static void who_looks_sees_kind_rights_and_size(void **state)
{
	(void)state;
	assert_true(alike_look("none", trees[0], trees[1]));
	put_both("a", "one", "two");
	assert_true(alike_look("a", trees[0], trees[1]));
	put(1, "a", "two", 0600);
	assert_false(alike_look("a", trees[0], trees[1]));
	put_both("a", "one", "three");
	assert_false(alike_look("a", trees[0], trees[1]));
	put_both("a", "one", NULL);
	assert_false(alike_look("a", trees[0], trees[1]));
	assert_int_equal(0, symlink("x", in(1, "a")));
	assert_false(alike_look("a", trees[0], trees[1]));
	put_both("a", NULL, NULL);
	assert_int_equal(0, symlink("x", in(0, "l")));
	assert_int_equal(0, symlink("y", in(1, "l")));
	assert_false(alike_look("l", trees[0], trees[1]));
	assert_int_equal(0, unlink(in(1, "l")));
	assert_int_equal(0, symlink("x", in(1, "l")));
	assert_true(alike_look("l", trees[0], trees[1]));
}

static void who_may_look_for_anything_sees_names_and_sizes(void **state)
{
	(void)state;
	assert_true(names_are_alike());
	put_both("data", "one", "two");
	assert_true(names_are_alike());
	put_both("data", "one", "three");
	assert_false(names_are_alike());
	put_both("data", NULL, NULL);
	put_both("plugin.so", "x", NULL);
	assert_false(names_are_alike());
	put_both("plugin.so", NULL, NULL);
	assert_int_equal(0, mkdir(in(0, "d"), 0700));
	assert_true(names_are_alike()); /* folders alone hold nothing */
	put(0, "d/data", "x", 0644);
	assert_false(names_are_alike());
}

static void what_no_program_looks_for_may_differ(void **state)
{
	(void)state;
	put_both("main.c", "one", "three");
	put_both("README.md", NULL, "page");
	put_both(".pawlconfig", "[pawl]", NULL);
	put_both(".pawlaccepted", NULL, "[accept]");
	assert_true(names_are_alike());
	put_both(".config", NULL, "x");
	assert_false(names_are_alike());
}

/* What is built is of any size, and of the same kind. */
static void programs_may_have_other_sizes(void **state)
{
	(void)state;
	put(0, "tool", "one", 0755);
	put(1, "tool", "three", 0755);
	assert_true(names_are_alike());
	put(1, "tool", "three", 0644);
	assert_false(names_are_alike());
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(who_reads_sees_the_bytes),
		TEST(all_of_several_must_be_the_same),
		TEST(who_looks_sees_kind_rights_and_size),
		TEST(who_may_look_for_anything_sees_names_and_sizes),
		TEST(what_no_program_looks_for_may_differ),
		TEST(programs_may_have_other_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
