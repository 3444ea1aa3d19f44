/* How long a child takes by itself, whatever else the machine does. */
#include "tests/unit/collector/child_fixture.h"

#include "collector/child/effort.h"

#include "lib/base/banned.h"

#define SECOND 1000000000u

/* Looks at a child that n times in a row got so much, was ready or not, in intervals of 1 s. */
static uint64_t after(unsigned n, struct effort_look each)
{
	struct effort e = { .ns = 0 };
	struct effort_look look = each;

	for (unsigned i = 1; i <= n; i++) {
		look.now_ns = (uint64_t)i * SECOND;
		look.cpu_ns = i * each.cpu_ns;
		effort_add(&e, &look);
	}
	return e.ns;
}

static void what_waits_for_a_processor_takes_no_longer(void **state)
{
	(void)state;
	/* A twelfth of a processor for a minute: 5 s of work. */
	assert_int_equal(
		60ull * (SECOND / 12),
		after(60, (struct effort_look){ .cpu_ns = SECOND / 12, .is_ready = true }));
	assert_int_equal(0, after(60, (struct effort_look){ .is_ready = true }));
}

static void what_sleeps_takes_as_long_as_it_sleeps(void **state)
{
	(void)state;
	assert_int_equal(10ull * SECOND, after(10, (struct effort_look){ .cpu_ns = 0 }));
	assert_int_equal(10ull * SECOND, after(10, (struct effort_look){ .cpu_ns = SECOND / 10 }));
}

static void threads_that_work_behind_a_sleeping_one_are_not_asleep(void **state)
{
	(void)state;
	assert_int_equal(SECOND, after(10, (struct effort_look){ .cpu_ns = SECOND / 10,
								 .has_threads = true }));
	assert_int_equal(10ull * SECOND, after(10, (struct effort_look){ .has_threads = true }));
}

static void work_side_by_side_takes_no_longer_than_the_clock(void **state)
{
	(void)state;
	assert_int_equal(10ull * SECOND, after(10, (struct effort_look){ .cpu_ns = 16ull * SECOND,
									 .is_ready = true }));
}

static void a_process_that_took_its_time_along_counts_nothing(void **state)
{
	struct effort e = { .last = { .now_ns = SECOND, .cpu_ns = 5ull * SECOND }, .ns = 7 };
	const struct effort_look look = { 2ull * SECOND, SECOND, true, false };

	(void)state;
	effort_add(&e, &look);
	assert_int_equal(7, e.ns);
}

static void the_time_of_what_a_child_started_is_seen(void **state)
{
	struct effort_look look;
	bool was_ready = false;

	(void)state;
	rig_start("helper", "1", "100000"); /* a process of its own works, the first one sleeps */
	assert_int_equal(0, child_start(&rig.spec, &rig.child, &rig.err));
	do {
		effort_look(&look);
		was_ready = was_ready || look.is_ready;
	} while (look.cpu_ns < 50u * MS || !was_ready);
	assert_false(look.has_threads);
	assert_true(look.now_ns >= rig.child.start_ns);
	child_finish(&rig.child, NULL, true, &rig.result);
	assert_no_children();
}

static void what_stands_still_is_ended_at_its_limit(void **state)
{
	uint64_t ns = 0;

	(void)state;
	rig_start("stop", NULL, NULL);
	assert_int_equal(0, effort_run(&rig.spec, 1, &rig.child, &rig.result, &ns, &rig.err));
	assert_true(rig.result.timed_out);
	assert_true(ns >= 1);
	assert_no_children();
}

static void what_ends_is_a_child_like_others(void **state)
{
	uint64_t ns = 0;

	(void)state;
	rig_start("exit", "3", NULL);
	rig.spec.timeout_ns = 60ull * SECOND;
	assert_int_equal(0,
			 effort_run(&rig.spec, UINT64_MAX, &rig.child, &rig.result, &ns, &rig.err));
	assert_false(rig.result.timed_out);
	assert_int_equal(3, rig.result.exit_status);
}

static void the_clock_ends_it_too(void **state)
{
	uint64_t ns = 0;

	(void)state;
	rig_start("stop", NULL, NULL);
	rig.spec.timeout_ns = MS;
	assert_int_equal(0,
			 effort_run(&rig.spec, UINT64_MAX, &rig.child, &rig.result, &ns, &rig.err));
	assert_true(rig.result.timed_out);
}

#define TEST(name) cmocka_unit_test_teardown(name, rig_release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_waits_for_a_processor_takes_no_longer),
		cmocka_unit_test(what_sleeps_takes_as_long_as_it_sleeps),
		cmocka_unit_test(threads_that_work_behind_a_sleeping_one_are_not_asleep),
		cmocka_unit_test(work_side_by_side_takes_no_longer_than_the_clock),
		cmocka_unit_test(a_process_that_took_its_time_along_counts_nothing),
		TEST(the_time_of_what_a_child_started_is_seen),
		TEST(what_stands_still_is_ended_at_its_limit),
		TEST(what_ends_is_a_child_like_others),
		TEST(the_clock_ends_it_too),
	};

	return cmocka_run_group_tests(tests, rig_setup, rig_teardown);
}
