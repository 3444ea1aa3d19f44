/* In which order the commits of a range are measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>

#include "collector/bisect/gaps.h"

#include "lib/base/banned.h"

static struct gaps g;

static int begin(void **state)
{
	(void)state;
	return gaps_init(9, &g, NULL);
}

static int end(void **state)
{
	(void)state;
	gaps_release(&g);
	return 0;
}

/* The next gap is this one, and turns out to be so. */
static void next(size_t from, size_t to, enum gap found)
{
	size_t a = 99, b = 99;

	assert_true(gaps_next(&g, &a, &b));
	assert_int_equal(from, a);
	assert_int_equal(to, b);
	gaps_found(&g, a, found);
}

static void is_over(void)
{
	size_t a, b;

	assert_false(gaps_next(&g, &a, &b));
}

static void the_widest_gap_is_halved_first(void **state)
{
	size_t widest;

	(void)state;
	next(0, 8, GAP_QUIET);
	next(0, 4, GAP_QUIET);
	next(4, 8, GAP_QUIET);
	assert_int_equal(2, gaps_count(&g, &widest));
	assert_int_equal(4, widest);
	next(0, 2, GAP_QUIET);
	next(2, 4, GAP_QUIET);
	next(4, 6, GAP_QUIET);
	next(6, 8, GAP_QUIET);
}

static void what_moved_is_looked_into_first(void **state)
{
	(void)state;
	next(0, 8, GAP_MOVED);
	next(0, 4, GAP_QUIET);
	next(4, 8, GAP_MOVED);
	next(4, 6, GAP_QUIET);
	next(6, 8, GAP_MOVED);
	next(6, 7, GAP_QUIET);
	next(7, 8, GAP_MOVED); /* the commit that did it; then the rest */
	next(0, 2, GAP_QUIET);
}

static void identical_code_is_looked_into_last(void **state)
{
	(void)state;
	next(0, 8, GAP_QUIET);
	next(0, 4, GAP_SAME);
	next(4, 8, GAP_QUIET);
	next(4, 6, GAP_QUIET);
	next(6, 8, GAP_QUIET);
	next(4, 5, GAP_QUIET);
	next(5, 6, GAP_QUIET);
	next(6, 7, GAP_QUIET);
	next(7, 8, GAP_QUIET);
	next(0, 2, GAP_SAME);
}

static void in_the_end_all_neighbours_are_measured(void **state)
{
	size_t a, b, n = 0, widest;

	(void)state;
	while (gaps_next(&g, &a, &b)) {
		assert_true(++n < 100);
		gaps_found(&g, a, n < 12 ? GAP_QUIET : n < 14 ? GAP_SAME : GAP_MOVED);
	}
	assert_int_equal(8, gaps_count(&g, &widest));
	assert_int_equal(2, gaps_count_of(&g, GAP_SAME));
	assert_int_equal(8, gaps_count_of(&g, GAP_SAME) + gaps_count_of(&g, GAP_QUIET) +
				    gaps_count_of(&g, GAP_MOVED));
	assert_int_equal(0, gaps_count_of(&g, GAP_UNKNOWN));
	assert_int_equal(1, widest);
}

static void a_commit_that_fails_leaves_its_gap_as_it_was(void **state)
{
	size_t widest;

	(void)state;
	next(0, 8, GAP_QUIET);
	next(0, 4, GAP_UNKNOWN);
	gaps_drop(&g, 4);
	assert_int_equal(1, gaps_count(&g, &widest));
	assert_int_equal(8, widest);
	next(0, 3, GAP_QUIET); /* the one nearest to the middle */
	next(3, 8, GAP_QUIET);
}

static void what_was_found_before_the_split_is_known_again(void **state)
{
	(void)state;
	next(0, 8, GAP_SAME);
	next(0, 4, GAP_UNKNOWN);
	gaps_drop(&g, 4);
	assert_int_equal(1, gaps_count_of(&g, GAP_SAME));
}

/* A commit that failed only after it had been measured: nobody measured from 2 to 8. */
static void what_was_never_measured_is_not_called_quiet(void **state)
{
	size_t widest;

	(void)state;
	next(0, 8, GAP_QUIET);
	next(0, 4, GAP_MOVED);
	next(4, 8, GAP_QUIET);
	next(0, 2, GAP_MOVED);
	next(2, 4, GAP_QUIET);
	gaps_drop(&g, 4);
	assert_int_equal(1, gaps_count(&g, &widest));
	next(2, 8, GAP_QUIET);
}

static void a_range_begins_later_where_its_first_commit_fails(void **state)
{
	(void)state;
	gaps_drop(&g, 0);
	next(1, 8, GAP_QUIET);
	next(1, 4, GAP_QUIET);
}

static void and_ends_earlier_where_its_last_one_does(void **state)
{
	(void)state;
	gaps_drop(&g, 8);
	gaps_drop(&g, 7);
	next(0, 6, GAP_QUIET);
	next(0, 3, GAP_QUIET);
}

static void where_all_fail_nothing_is_left(void **state)
{
	size_t i, widest;

	(void)state;
	for (i = 8; i > 0; i--)
		gaps_drop(&g, i);
	is_over();
	assert_int_equal(0, gaps_count(&g, &widest));
}

static void two_commits_are_one_gap(void **state)
{
	(void)state;
	gaps_release(&g);
	assert_int_equal(0, gaps_init(2, &g, NULL));
	next(0, 1, GAP_MOVED);
	is_over();
	gaps_drop(&g, 0);
	is_over();
}

static void neighbours_alone_are_measured_where_all_are_chosen(void **state)
{
	size_t widest;

	(void)state;
	gaps_release(&g);
	assert_int_equal(0, gaps_init_all(4, &g, NULL));
	next(0, 1, GAP_MOVED);
	next(1, 2, GAP_SAME);
	next(2, 3, GAP_QUIET);
	is_over();
	assert_int_equal(3, gaps_count(&g, &widest));
	assert_int_equal(1, widest);
}

static void then_what_lies_around_a_failed_one_is_still_to_be_measured(void **state)
{
	(void)state;
	gaps_release(&g);
	assert_int_equal(0, gaps_init_all(4, &g, NULL));
	next(0, 1, GAP_UNKNOWN);
	gaps_drop(&g, 1);
	next(0, 2, GAP_UNKNOWN);
	gaps_drop(&g, 0);
	next(2, 3, GAP_UNKNOWN);
	gaps_drop(&g, 3);
	is_over();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(the_widest_gap_is_halved_first),
		TEST(what_moved_is_looked_into_first),
		TEST(identical_code_is_looked_into_last),
		TEST(in_the_end_all_neighbours_are_measured),
		TEST(a_commit_that_fails_leaves_its_gap_as_it_was),
		TEST(what_was_found_before_the_split_is_known_again),
		TEST(what_was_never_measured_is_not_called_quiet),
		TEST(a_range_begins_later_where_its_first_commit_fails),
		TEST(and_ends_earlier_where_its_last_one_does),
		TEST(where_all_fail_nothing_is_left),
		TEST(two_commits_are_one_gap),
		TEST(neighbours_alone_are_measured_where_all_are_chosen),
		TEST(then_what_lies_around_a_failed_one_is_still_to_be_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
