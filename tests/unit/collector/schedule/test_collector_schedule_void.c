/* Runs that fail or were suspended: repeated a few times, then given up, and nothing is lost. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/base/banned.h"

/* The warm-up is call 0. */
static bool third(int call)
{
	return call == 3;
}

static bool third_to_fifth(int call)
{
	return call >= 3 && call <= 5;
}

static bool from_third_on(int call)
{
	return call >= 3;
}

static bool every_ninth(int call)
{
	return call && call % 9 == 0;
}

static bool every_twentieth(int call)
{
	return call && call % 20 == 0;
}

static bool always(int call)
{
	(void)call;
	return true;
}

static bool third_to_sixth(int call)
{
	return call >= 3 && call <= 6;
}

static void a_void_pair_is_repeated(void **state)
{
	(void)state;
	fake_init(2);
	fake.plan[0].head_fails = third;
	fake.plan[1].base_fails = third;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(24, fake.units[0].n_pairs);
	assert_int_equal(24, fake.units[1].n_pairs);
	assert_int_equal(1, fake.units[0].n_void);
	assert_int_equal(1, fake.units[1].n_void);
	assert_int_equal(26, fake.plan[0].n_calls);
	assert_null(fake.units[0].failure);
	assert_null(fake.units[1].base_failure);
	fake_release();
}

/* With 3 of 27 void no verdict is possible: the unit goes on to the next decision point. */
static void three_void_pairs_are_outweighed_by_more_runs(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].head_fails = third_to_fifth;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(3, fake.units[0].n_void);
	assert_int_equal(30, fake.units[0].n_pairs);
	assert_null(fake.units[0].failure);
	fake_release();
}

static void a_head_that_keeps_failing_is_over_with_its_reason(void **state)
{
	(void)state;
	fake_init(2);
	fake.plan[0].head_fails = from_third_on;
	assert_int_equal(0, fake_schedule());
	assert_string_equal("head broke", fake.units[0].failure);
	assert_int_equal(3 + 4, fake.plan[0].n_calls); /* three repetitions, not more */
	assert_int_equal(24, fake.units[1].n_pairs);   /* the others go on */
	assert_null(fake.units[1].failure);
	fake_release();
}

static void every_tenth_pair_may_be_void(void **state)
{
	(void)state;
	fake_init(2);
	fake.schedule.runs_min = fake.schedule.runs_max = 200;
	fake.plan[0].head_fails = every_twentieth;
	fake.plan[1].head_fails = every_ninth; /* 1 of 9 is more than 1 of 10 pairs */
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_int_equal(200, fake.units[0].n_pairs);
	assert_non_null(fake.units[1].failure);
	fake_release();
}

static void what_fails_from_the_start_is_not_repeated(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].head_fails = always;
	assert_int_equal(0, fake_schedule());
	assert_string_equal("head broke", fake.units[0].failure);
	assert_int_equal(1, fake.plan[0].n_calls);
	fake_release();
}

static void a_failing_calibration_is_the_unit_s_failure(void **state)
{
	(void)state;
	fake_init(2);
	fake.units[0].has_base = false;
	fake.plan[0].calibration_fails = true;
	assert_int_equal(0, fake_schedule());
	assert_string_equal("no calibration", fake.units[0].failure);
	assert_int_equal(0, fake.plan[0].n_calls);
	assert_int_equal(24, fake.units[1].n_pairs);
	fake_release();
}

static void a_base_that_fails_is_given_up_and_the_head_goes_on(void **state)
{
	size_t i;

	(void)state;
	fake_init(1);
	fake.plan[0].base_fails = from_third_on;
	fake.plan[0].log_ratio = undecided;
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_string_equal("base broke", fake.units[0].base_failure);
	assert_false(fake.units[0].has_base);
	assert_int_equal(20, fake.units[0].n_pairs); /* the first ones were dropped */
	assert_int_equal(0, fake.units[0].n_void);
	for (i = 0; i < fake.units[0].n_pairs; i++)
		assert_true(isnan(fake.units[0].pairs[i].log_ratio_cpu));
	assert_int_equal(3 + 4 + 20, fake.n_calls);
	fake_release();
}

static void a_base_that_never_runs_is_given_up_at_once(void **state)
{
	(void)state;
	fake_init(2);
	fake.plan[0].base_fails = always;
	fake.plan[1].base_calibration_fails = true;
	assert_int_equal(0, fake_schedule());
	assert_string_equal("base broke", fake.units[0].base_failure);
	assert_string_equal("no base", fake.units[1].base_failure);
	assert_null(fake.units[0].failure);
	assert_null(fake.units[1].failure);
	assert_int_equal(20, fake.units[0].n_pairs);
	assert_int_equal(20, fake.units[1].n_pairs);
	assert_int_equal(1, fake.plan[1].n_base_calibrated);
	assert_int_equal(1, fake.plan[1].n_calibrated); /* N was not found yet */
	fake_release();
}

static void both_sides_failing_is_the_head_s_failure(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].head_fails = fake.plan[0].base_fails = always;
	assert_int_equal(0, fake_schedule());
	assert_string_equal("head broke", fake.units[0].failure);
	fake_release();
}

static void a_suspended_run_is_void_and_no_failure(void **state)
{
	(void)state;
	fake_init(2);
	fake.plan[0].suspended = third;
	fake.plan[1].suspended = third_to_sixth;
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_int_equal(24, fake.units[0].n_pairs);
	assert_int_equal(1, fake.units[0].n_void);
	assert_string_equal("the machine was suspended too often", fake.units[1].failure);
	fake_release();
}

static bool first(int call)
{
	return call == 0;
}

static void a_suspended_warm_up_changes_nothing(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].suspended = first;
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_int_equal(24, fake.units[0].n_pairs);
	fake_release();
}

static void a_run_that_lost_a_processor_is_void(void **state)
{
	(void)state;
	fake_init(2);
	fake.plan[0].lost_processor = third;
	fake.plan[1].lost_processor = third_to_sixth;
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_int_equal(24, fake.units[0].n_pairs);
	assert_int_equal(1, fake.units[0].n_void);
	assert_string_equal("processors were taken from us too often", fake.units[1].failure);
	fake_release();
}

/* The run that failed says nothing about helpers; the unit works with several all the same. */
static void a_void_pair_does_not_pin_what_was_not_pinned(void **state)
{
	bool pinned[64] = { false };
	int i;

	(void)state;
	fake_init(1);
	fake.plan[0].has_helpers = true;
	fake.plan[0].head_fails = third;
	fake.plan[0].pinned = pinned;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1, fake.units[0].n_void);
	for (i = 0; i < fake.plan[0].n_calls; i++)
		assert_false(pinned[i]);
	fake_release();
}

/* Their CPU time is all in the benchmark's, so that no helper shows. */
static void threads_of_one_operation_are_not_pinned(void **state)
{
	bool alone[64] = { false }, together[64] = { false };

	(void)state;
	fake_init(2);
	fake.plan[0].pinned = alone;
	fake.plan[1].pinned = together;
	fake.plan[1].has_threads = true;
	assert_int_equal(0, fake_schedule());
	assert_false(alone[0]); /* the warm-up: nothing is known yet */
	assert_true(alone[1]);
	for (int i = 0; i < fake.plan[1].n_calls; i++)
		assert_false(together[i]);
	fake_release();
}

/* A shell and what it starts: nothing is lost on one processor, and the figures scatter less. */
static void processes_that_work_one_at_a_time_are_pinned(void **state)
{
	bool in_turn[64] = { false }, at_once[64] = { false };

	(void)state;
	fake_init(2);
	fake.units[0].format = fake.units[1].format = FORMAT_COMMAND;
	fake.plan[0].has_helpers = true;
	fake.plan[0].pinned = in_turn;
	fake.plan[1].has_helpers = fake.plan[1].has_threads = true;
	fake.plan[1].pinned = at_once;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(GATE_CPU, fake.units[0].gate);
	assert_int_equal(GATE_WALL, fake.units[1].gate);
	assert_false(in_turn[0]); /* unpinned it showed that */
	assert_true(in_turn[fake.plan[0].n_calls - 1]);
	assert_true(fake.units[0].pinned);
	for (int i = 0; i < fake.plan[1].n_calls; i++)
		assert_false(at_once[i]);
	fake_release();
}

static double far_off_at_first(int call)
{
	return call ? 0.001 : 3;
}

static void the_warm_up_pair_is_kept_apart(void **state)
{
	(void)state;
	fake_init(2);
	fake.plan[0].log_ratio = far_off_at_first;
	fake.plan[1].suspended = first;
	assert_int_equal(0, fake_schedule());
	assert_true(fake.units[0].has_warm_up);
	assert_true(fake.units[0].warm_up.log_ratio_cpu == 3);
	assert_int_equal(24, fake.units[0].n_pairs);
	assert_true(fake.units[0].pairs[0].log_ratio_cpu == 0.001);
	assert_true(fake.units[1].has_warm_up); /* the second one: the first was void */
	assert_int_equal(26, fake.plan[1].n_calls);
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_that_lost_a_processor_is_void),
		cmocka_unit_test(a_void_pair_does_not_pin_what_was_not_pinned),
		cmocka_unit_test(threads_of_one_operation_are_not_pinned),
		cmocka_unit_test(processes_that_work_one_at_a_time_are_pinned),
		cmocka_unit_test(the_warm_up_pair_is_kept_apart),
		cmocka_unit_test(a_void_pair_is_repeated),
		cmocka_unit_test(three_void_pairs_are_outweighed_by_more_runs),
		cmocka_unit_test(a_head_that_keeps_failing_is_over_with_its_reason),
		cmocka_unit_test(every_tenth_pair_may_be_void),
		cmocka_unit_test(what_fails_from_the_start_is_not_repeated),
		cmocka_unit_test(a_failing_calibration_is_the_unit_s_failure),
		cmocka_unit_test(a_base_that_fails_is_given_up_and_the_head_goes_on),
		cmocka_unit_test(a_base_that_never_runs_is_given_up_at_once),
		cmocka_unit_test(both_sides_failing_is_the_head_s_failure),
		cmocka_unit_test(a_suspended_run_is_void_and_no_failure),
		cmocka_unit_test(a_suspended_warm_up_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
