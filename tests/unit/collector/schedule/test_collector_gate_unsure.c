/* Which metric decides where one run does not tell: our own lateness, helpers, other work. */
#include "tests/unit/collector/schedule/gate_fixture.h"

#include "lib/base/banned.h"

/* Its helpers may have waited for a processor: the next pair is watched, and tells. */
static void helpers_that_seem_to_wait_are_watched(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 4e6, 2);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.has_helpers = true;
	gate_see(&unit, &pairs[0]);
	assert_true(unit.watch);
	unit.pair_ns = 2e9;
	assert_false(gate_is_sure(&unit));
	pairs[1].head.run_delay_ns = 6e6;
	pairs[1].head.is_watched = true;
	gate_see(&unit, &pairs[1]);
	assert_false(unit.watch);
	assert_true(gate_is_sure(&unit));
	assert_int_equal(GATE_CPU, gate_of(&unit));
	unit.n_gated = 0;
	unit.works[0] = unit.works[1] = false;
	unit.is_unwatched = true;
	gate_see(&unit, &pairs[0]);
	assert_false(unit.watch);
	assert_int_equal(GATE_WALL, gate_of(&unit));
}

/* Unwatched, it is only known what the main thread waited: perhaps while its helper slept. */
static void what_the_main_thread_waited_hides_no_sleeping_helper(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 4e6, 2);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.has_helpers = true;
		pairs[i].head.run_delay_ns = 6e6;
	}
	gate_see(&unit, &pairs[0]);
	assert_true(unit.watch);
	assert_false(gate_is_sure(&unit));
	pairs[1].head.run_delay_ns = 1e6; /* in truth */
	pairs[1].head.is_watched = true;
	for (i = 0; i < GATE_PAIRS_WATCHED; i++) {
		assert_false(gate_is_sure(&unit));
		gate_see(&unit, &pairs[1]);
	}
	assert_true(gate_is_sure(&unit));
	assert_string_equal("it waits (I/O, sleep or locks), which CPU time does not show",
			    unit.gate_why);
}

/* What both waited at once is counted twice: in one run it may hide a sleep. */
static void one_watched_run_that_seems_to_work_is_not_enough(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 4e6, 5);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.has_helpers = pairs[i].head.is_watched = true;
		pairs[i].head.run_delay_ns = 1e6;
	}
	pairs[0].head.run_delay_ns = 6e6;
	assert_gate(GATE_WALL);
	assert_string_equal("it waits (I/O, sleep or locks), which CPU time does not show", why());
	pairs[1].head.run_delay_ns = 6e6;
	assert_gate(GATE_CPU);
	assert_int_equal(1, unit.n_gated);
	/* and is where they hardly waited for one */
	set_command(10e6, 9.9e6, 5);
	pairs[0].head.run_delay_ns = 0.1e6;
	assert_gate(GATE_CPU);
	assert_int_equal(1, unit.n_gated);
}

/* A shell and its helper that both wait for a processor need more than there is: that says nothing.
 */
static void what_overlaps_does_not_count(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 4e6, 2);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.has_helpers = pairs[i].head.is_watched = true;
		pairs[i].head.run_delay_ns = 8e6;
	}
	pairs[3].head.run_delay_ns = 6e6;
	assert_gate(GATE_CPU);
	assert_int_equal(1, unit.n_gated);
	pairs[3].head.run_delay_ns = 8e6; /* in every pair: they work side by side */
	assert_gate(GATE_WALL);
	assert_string_equal(why(), "it runs several threads");
	assert_int_equal(0, unit.n_gated);
	assert_true(unit.watch);
	for (i = 0; i < GATE_PAIRS; i++)
		pairs[i].head.run_delay_ns = 3e6; /* it waits; behind that nothing else is chosen */
	assert_gate(GATE_WALL);
	assert_string_equal("it waits (I/O, sleep or locks), which CPU time does not show", why());
}

/* More is looked at where helpers wait beside each other, as long as it is soon done. */
static void what_overlaps_is_looked_at_longer(void **state)
{
	(void)state;
	unit.pair_ns = 20e6;
	assert_true(gate_wants_more(&unit, GATE_PAIRS_MOST - 1));
	assert_false(gate_wants_more(&unit, GATE_PAIRS_MOST)); /* it has none */
	unit.watch = true;
	assert_true(gate_wants_more(&unit, GATE_PAIRS_MOST));
	assert_false(gate_wants_more(&unit, GATE_PAIRS_MOST_WATCHED));
	unit.pair_ns = GATE_WATCHED_NS / GATE_PAIRS_MOST;
	assert_false(gate_wants_more(&unit, GATE_PAIRS_MOST));
	unit.pair_ns = 20e6;
	unit.n_gated = GATE_PAIRS_WATCHED; /* it is known */
	assert_false(gate_wants_more(&unit, GATE_PAIRS_MOST - 1));
}

/* Each side is known by itself: where one was late in this pair, the other was in that. */
static void each_side_needs_one_run_that_works(void **state)
{
	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 9.9e6, 2);
	pairs[0].head.cpu_ns = pairs[0].head.process_cpu_ns = 4e6;
	pairs[0].head.unsure_ns = 6e6;
	pairs[1].base.cpu_ns = pairs[1].base.process_cpu_ns = 4e6;
	pairs[1].base.voluntary_switches = 2;
	pairs[1].base.unsure_ns = 6e6;
	gate_see(&unit, &pairs[0]);
	assert_false(gate_is_sure(&unit));
	gate_see(&unit, &pairs[1]);
	assert_true(gate_is_sure(&unit));
	assert_int_equal(GATE_CPU, gate_of(&unit));
}

/* Wall time is less what we took for our lateness: too much, when it worked meanwhile. */
static void our_lateness_makes_no_threads(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(4e6, 5e6, 2);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.wall_is_net = true; /* it has no helpers at all */
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.wall_is_net = false;
		pairs[i].head.late_ns = 1e6;
	}
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.late_ns = 0.5e6;
	assert_gate(GATE_WALL);
	assert_string_equal("it runs several threads", why());
}

/* What was off the processor may only be our own lateness: such a pair says nothing. */
static void a_pair_whose_end_was_seen_late_does_not_count(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 4e6, 2);
	for (i = 0; i < GATE_PAIRS; i++)
		pairs[i].head.unsure_ns = 6e6;
	pairs[3].head.cpu_ns = pairs[3].head.process_cpu_ns = 9.9e6;
	assert_gate(GATE_CPU);
	assert_int_equal(1, unit.n_gated);
	set_command(10e6, 4e6, 2);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.unsure_ns = 5e6; /* 1 ms is left */
	assert_gate(GATE_WALL);
	assert_int_equal(GATE_PAIRS, unit.n_gated);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.unsure_ns = 6e6; /* nothing better is known */
	assert_gate(GATE_WALL);
	assert_int_equal(0, unit.n_gated);
}

/* How many pairs in a row it takes until it is sure that the program waits. */
static int seen_until_sure(void)
{
	int n = 0;

	unit.n_gated = 0;
	unit.works[0] = unit.works[1] = unit.is_stolen = unit.gives_up_often = false;
	memset(unit.n_looked, 0, sizeof(unit.n_looked));
	memset(unit.n_unwaited, 0, sizeof(unit.n_unwaited));
	for (; n < 2 * GATE_PAIRS_MOST && !gate_is_sure(&unit); n++)
		gate_see(&unit, &pairs[n % N_PAIRS]);
	return n;
}

/* Half of the runs may be hit, by milliseconds: three in a row are soon found. */
static void where_the_hypervisor_takes_time_more_pairs_have_to_wait(void **state)
{
	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 8e6, 2);
	assert_int_equal(GATE_PAIRS, seen_until_sure());
	pairs[2].base.steal_ticks =
		1; /* the kernel told it of one run; which were hit, nobody knows */
	assert_int_equal(GATE_PAIRS_STOLEN, seen_until_sure());
	assert_int_equal(GATE_WALL, gate_of(&unit));
	/* One that does not wait is enough, as ever. */
	pairs[4].head.cpu_ns = pairs[4].head.process_cpu_ns = 9.9e6;
	assert_int_equal(5, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
	/* No hypervisor makes a program give the processor up. */
	pairs[4] = pairs[3];
	pairs[0].head.voluntary_switches = 20;
	assert_int_equal(GATE_PAIRS, seen_until_sure());
	pairs[0].head.voluntary_switches = 2;
	unit.pair_ns = 2e9; /* it would take long, and a hundredth of it is much */
	assert_int_equal(1, seen_until_sure());
}

/* At load 20 all ten pairs of a computation were hit, by 0.5 to 20 ms: nothing tells but how often
 * it gave up. */
static void one_that_gives_the_processor_up_only_to_end_never_waits(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 8e6, 1);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].base = pairs[i].head;
	pairs[2].base.steal_ticks = 1;
	pairs[1].head.voluntary_switches = pairs[3].base.voluntary_switches = 2; /* now and then */
	assert_int_equal(6, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
	/* The base waits once, though two of five were collected before they were counted to the
	 * end. */
	for (i = 0; i < 3; i++)
		pairs[i].base.voluntary_switches = 2;
	assert_int_equal(GATE_PAIRS_STOLEN, seen_until_sure());
	assert_int_equal(GATE_WALL, gate_of(&unit));
	/* Where it told nothing three are enough, unless how a side ends is not known yet. */
	pairs[2].base.steal_ticks = 0;
	assert_int_equal(GATE_PAIRS, seen_until_sure());
	assert_int_equal(GATE_WALL, gate_of(&unit));
	for (i = 0; i < 3; i++)
		pairs[i].base.voluntary_switches = 1;
	assert_int_equal(6, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
}

/* As gVisor has it: nothing is known of them, and a program that sleeps must not look like work. */
static void where_no_switch_is_counted_time_off_the_processor_is_waiting(void **state)
{
	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 8e6, 0);
	assert_int_equal(GATE_PAIRS, seen_until_sure());
	assert_int_equal(GATE_WALL, gate_of(&unit));
	set_command(10e6, 9.95e6, 0);
	assert_int_equal(1, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
}

/* Our stops are taken off for processes that its own count is without: 0 is no sign of work there.
 */
static void of_watched_runs_that_leave_something_switches_are_not_known(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 8e6, 0);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].base = pairs[i].head;
		pairs[i].head.is_watched = pairs[i].base.is_watched = true;
	}
	assert_int_equal(1, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.has_unwaited = true;
	assert_int_equal(GATE_PAIRS, seen_until_sure());
	assert_int_equal(GATE_WALL, gate_of(&unit));
}

/* Pairs of seconds are not run six times to be in no figure: two tell. */
static void a_long_program_shows_in_two_pairs_how_it_ends(void **state)
{
	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 8e6, 1);
	unit.pair_ns = 2e9;
	assert_int_equal(2, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
}

/* 300 ms to set up, beside others; then 10 sleeps of 1 ms, which alone it tells of. */
static void what_a_harness_waited_while_it_set_up_hides_no_sleep(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_GOOGLE;
	unit.iterations = 10;
	set_command(1.8e6, 0.3e6, 11);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.run_delay_ns = 546e6;
		pairs[i].head.whole_cpu_ns = 303e6;
		pairs[i].base = pairs[i].head;
	}
	assert_int_equal(GATE_PAIRS, seen_until_sure());
	assert_int_equal(GATE_WALL, gate_of(&unit));
	/* One that computes waited in the same parts as it computed. */
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.wall_ns = 0.3e6 + 546e6 / 303e6 * 0.3e6;
		pairs[i].base = pairs[i].head;
	}
	assert_int_equal(1, seen_until_sure());
	assert_int_equal(GATE_CPU, gate_of(&unit));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(helpers_that_seem_to_wait_are_watched, start),
		cmocka_unit_test_setup(one_watched_run_that_seems_to_work_is_not_enough, start),
		cmocka_unit_test_setup(what_the_main_thread_waited_hides_no_sleeping_helper, start),
		cmocka_unit_test_setup(what_overlaps_does_not_count, start),
		cmocka_unit_test_setup(what_overlaps_is_looked_at_longer, start),
		cmocka_unit_test_setup(each_side_needs_one_run_that_works, start),
		cmocka_unit_test_setup(our_lateness_makes_no_threads, start),
		cmocka_unit_test_setup(a_pair_whose_end_was_seen_late_does_not_count, start),
		cmocka_unit_test_setup(where_the_hypervisor_takes_time_more_pairs_have_to_wait,
				       start),
		cmocka_unit_test_setup(where_no_switch_is_counted_time_off_the_processor_is_waiting,
				       start),
		cmocka_unit_test_setup(of_watched_runs_that_leave_something_switches_are_not_known,
				       start),
		cmocka_unit_test_setup(a_long_program_shows_in_two_pairs_how_it_ends, start),
		cmocka_unit_test_setup(what_a_harness_waited_while_it_set_up_hides_no_sleep, start),
		cmocka_unit_test_setup(one_that_gives_the_processor_up_only_to_end_never_waits,
				       start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
