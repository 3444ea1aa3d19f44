/* How bad a change is, whichever way is better, and whether so much was accepted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "lib/judge/worse.h"

static void where_less_is_better_the_ends_are_those_of_the_interval(void **state)
{
	struct worse w = { 1.5, 1.25, 2, false };

	(void)state;
	assert_true(worse_at_least(&w) == 1.25);
	assert_true(worse_at_most(&w) == 2);
}

static void where_more_is_better_they_are_turned_round(void **state)
{
	struct worse w = { 0.5, 0.25, 0.8, true };

	(void)state;
	assert_true(worse_at_least(&w) == 1.25);
	assert_true(worse_at_most(&w) == 4);
}

static void without_an_end_what_was_estimated_counts(void **state)
{
	struct worse less = { 1.5, -INFINITY, INFINITY, false };
	struct worse more = { 0.5, (double)NAN, (double)NAN, true };

	(void)state;
	assert_true(worse_at_least(&less) == 1.5);
	assert_false(isfinite(worse_at_most(&less)));
	assert_true(worse_at_least(&more) == 2);
	assert_false(isfinite(worse_at_most(&more)));
}

static void the_threshold_comes_on_top_of_what_was_accepted(void **state)
{
	(void)state;
	assert_true(worse_is_within(1.25, 1.25, 0));
	assert_false(worse_is_within(1.375, 1.25, 0));
	assert_true(worse_is_within(1.875, 1.25, 0.5)); /* 1.25 * 1.5 */
	assert_false(worse_is_within(1.876, 1.25, 0.5));
}

static void any_size_takes_all_and_a_size_nothing_unknown(void **state)
{
	(void)state;
	assert_true(worse_is_within(1e9, (double)INFINITY, 0.02));
	assert_true(worse_is_within((double)NAN, (double)INFINITY, 0.02));
	assert_false(worse_is_within((double)NAN, 1e6, 0.02));
	assert_false(worse_is_within((double)INFINITY, 1e6, 0.02));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_less_is_better_the_ends_are_those_of_the_interval),
		cmocka_unit_test(where_more_is_better_they_are_turned_round),
		cmocka_unit_test(without_an_end_what_was_estimated_counts),
		cmocka_unit_test(the_threshold_comes_on_top_of_what_was_accepted),
		cmocka_unit_test(any_size_takes_all_and_a_size_nothing_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
