/* What fills a side of a comparison: which variables reach what, and what it is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "collector/compare/way.h"

#include "lib/base/banned.h"

static struct strv one, two;
static struct compare_way a, b;
static struct buf text;

static int begin(void **state)
{
	(void)state;
	a = b = (struct compare_way)COMPARE_WAY_INIT;
	a.env = &one;
	b.env = &two;
	return 0;
}

static int end(void **state)
{
	(void)state;
	strv_release(&one);
	strv_release(&two);
	buf_release(&text);
	return 0;
}

static const char *name_of(const struct compare_way *way, const char *commit, const char *build)
{
	buf_reset(&text);
	compare_way_name(way, commit, build, &text);
	return buf_str(&text);
}

static void what_says_nothing_is_not_given(void **state)
{
	(void)state;
	assert_false(compare_way_is_given(&a));
	a.build = "make";
	assert_true(compare_way_is_given(&a));
	assert_false(compare_way_is_given(&b));
	assert_int_equal(0, strv_add(&two, "A=b", NULL));
	assert_true(compare_way_is_given(&b));
}

static void variables_of_compilers_reach_builds_alone(void **state)
{
	static const char *const entries[] = { "CC=clang", "CFLAGS=", "CMAKE_BUILD_TYPE=Debug" };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		assert_true(compare_way_builds(entries[i]));
		assert_false(compare_way_runs(entries[i]));
	}
	/* a longer name is another one */
	assert_true(compare_way_runs("CCX=1") && compare_way_builds("CCX=1"));
}

static void those_of_the_loader_and_of_libc_reach_runs_alone(void **state)
{
	static const char *const entries[] = { "LD_PRELOAD=/x.so", "LD_LIBRARY_PATH=/a",
					       "MALLOC_ARENA_MAX=1", "GLIBC_TUNABLES=x" };
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_false(compare_way_builds(entries[i]));
		assert_true(compare_way_runs(entries[i]));
	}
}

static void all_others_reach_both(void **state)
{
	struct strv builds = STRV_INIT, runs = STRV_INIT;

	(void)state;
	assert_int_equal(0, strv_add(&one, "LEVEL=9", NULL));
	assert_int_equal(0, strv_add(&one, "CC=gcc", NULL));
	assert_int_equal(0, strv_add(&one, "LD_PRELOAD=x", NULL));
	assert_int_equal(0, compare_way_env(&a, true, &builds, NULL));
	assert_int_equal(0, compare_way_env(&a, false, &runs, NULL));
	assert_int_equal(2, builds.n);
	assert_string_equal("LEVEL=9", builds.v[0]);
	assert_string_equal("CC=gcc", builds.v[1]);
	assert_int_equal(2, runs.n);
	assert_string_equal("LD_PRELOAD=x", runs.v[1]);
	strv_release(&builds);
	strv_release(&runs);
}

static void runs_are_the_same_whatever_builds_get(void **state)
{
	(void)state;
	assert_true(compare_way_same_runs(&a, &b));
	assert_int_equal(0, strv_add(&one, "CC=gcc", NULL) | strv_add(&one, "X=1", NULL));
	assert_false(compare_way_same_runs(&a, &b));
	assert_false(compare_way_same_runs(&b, &a));
	assert_int_equal(0, strv_add(&two, "X=1", NULL));
	assert_true(compare_way_same_runs(&a, &b));
	assert_int_equal(0, strv_add(&two, "Y=1", NULL));
	assert_false(compare_way_same_runs(&a, &b));
	b.env = NULL;
	assert_false(compare_way_same_runs(&a, &b));
}

static void a_side_is_called_what_it_is(void **state)
{
	(void)state;
	assert_string_equal("as configured", name_of(&a, NULL, NULL));
	assert_string_equal("make", name_of(&a, NULL, "make"));
	a.build = "make CC=gcc";
	assert_string_equal("make CC=gcc", name_of(&a, NULL, "make"));
	assert_int_equal(0, strv_add(&one, "A=b", NULL) | strv_add(&one, "C=d", NULL));
	assert_string_equal("A=b C=d make CC=gcc", name_of(&a, NULL, "make"));
	assert_string_equal("0123456: A=b C=d make CC=gcc", name_of(&a, "0123456789", NULL));
	a.text = "ls -l";
	assert_string_equal("A=b C=d ls -l", name_of(&a, NULL, NULL));
	assert_string_equal("0123456: as configured",
			    (b.env = NULL, name_of(&b, "0123456789", NULL)));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(what_says_nothing_is_not_given),
		TEST(variables_of_compilers_reach_builds_alone),
		TEST(those_of_the_loader_and_of_libc_reach_runs_alone),
		TEST(all_others_reach_both),
		TEST(runs_are_the_same_whatever_builds_get),
		TEST(a_side_is_called_what_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
