/* Which metric decides: CPU time, unless it would not tell the truth. */
#include "tests/unit/collector/schedule/gate_fixture.h"

#include "lib/base/banned.h"

static void threads_of_a_command_count_without_a_free_processor(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.has_threads = true; /* and no more CPU time than wall time */
	assert_gate(GATE_WALL);
	assert_string_equal(why(), "it runs several threads");
}

/* As many threads as the result says, whose CPU time is all of the process's. */
static void threads_of_an_operation_count_in_either_side(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].base.has_threads = true;
	assert_gate(GATE_WALL);
	assert_string_equal(why(), "it runs several threads");
}

static void cpu_time_decides_by_default(void **state)
{
	(void)state;
	assert_gate(GATE_CPU);
	unit.has_base = false;
	assert_gate(GATE_CPU);
	unit.n_pairs = 0;
	assert_gate(GATE_CPU);
}

static void threads_of_the_process_make_it_wall_time(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.process_cpu_ns = 1100;
	assert_gate(GATE_WALL);
	assert_non_null(strstr(why(), "threads"));
}

static void more_cpu_than_wall_time_makes_it_wall_time(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 1800;
	assert_gate(GATE_WALL);
	assert_non_null(strstr(why(), "threads"));
}

static void what_a_harness_was_asked_for_decides(void **state)
{
	(void)state;
	pairs[0].base.wants_wall = true;
	assert_gate(GATE_WALL);
	assert_non_null(strstr(why(), "asks for it"));
	assert_int_equal(1, unit.n_gated);
}

static void waiting_makes_it_wall_time(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 900;
		pairs[i].head.voluntary_switches = 3;
	}
	assert_gate(GATE_WALL);
	assert_non_null(strstr(why(), "waits"));
}

/* Off the processor though it never gave it up: others ran, and CPU time is the better witness. */
static void time_taken_by_others_is_no_waiting(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 500;
	assert_gate(GATE_CPU);
}

/* It gave the processor up, but the time off it was spent in the queue for one. */
static void time_in_the_run_queue_is_no_waiting(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 500;
		pairs[i].head.voluntary_switches = 3;
		pairs[i].head.run_delay_ns = 500 * 1000.0; /* of the whole run */
	}
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.run_delay_ns = 400 * 1000.0;
	assert_gate(GATE_WALL);
}

static void a_command_may_give_the_processor_up_to_start_and_end(void **state)
{
	int i;

	(void)state;
	unit.format = FORMAT_COMMAND;
	unit.iterations = 1;
	set_command(10e6, 9.6e6, 4); /* 0.4 ms off the processor */
	assert_gate(GATE_CPU);
	set_command(10e6, 9.6e6, 5);
	assert_gate(GATE_WALL);
	set_command(10e6, 9.4e6, 4);
	assert_gate(GATE_WALL);
	set_command(10e6, 9.4e6, 0); /* it was taken from it */
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.involuntary_switches = 3;
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.run_delay_ns = 0.5e6;
	set_command(10e6, 9.4e6, 5); /* 0.1 ms is left: its end was seen as late as that */
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.wall_is_net = true; /* it is not in the 10 ms */
	assert_gate(GATE_WALL);
}

static void unknown_cpu_time_makes_it_wall_time(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = (double)NAN;
	assert_gate(GATE_WALL);
	assert_non_null(strstr(why(), "not known"));
}

/* The metric would be left out then, and the gate would have no samples at all. */
static void one_run_without_cpu_time_is_enough(void **state)
{
	(void)state;
	pairs[3].base.cpu_ns = pairs[3].base.process_cpu_ns = (double)NAN;
	assert_gate(GATE_WALL);
	assert_non_null(strstr(why(), "not known"));
	start(NULL);
	pairs[2].head.cpu_ns = 0; /* no ratio */
	assert_gate(GATE_WALL);
}

static void the_base_counts_like_the_head(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].base.cpu_ns = pairs[i].base.process_cpu_ns = 900;
		pairs[i].base.voluntary_switches = 3;
	}
	assert_gate(GATE_WALL);
	unit.has_base = false; /* then its fields mean nothing */
	assert_gate(GATE_CPU);
}

/* It waits in some of the first pairs and not in another: that is no property of the program. */
static void one_pair_that_does_not_wait_is_enough(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < GATE_PAIRS - 1; i++) {
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 100;
		pairs[i].head.voluntary_switches = 50;
	}
	assert_gate(GATE_CPU);
	assert_int_equal(GATE_PAIRS, unit.n_gated);
	/* The other side waits there, and did not before. */
	pairs[i].base.cpu_ns = pairs[i].base.process_cpu_ns = 100;
	pairs[i].base.voluntary_switches = 50;
	assert_gate(GATE_CPU);
	for (i = 0; i < GATE_PAIRS; i++) {
		pairs[i].base.cpu_ns = pairs[i].base.process_cpu_ns = 100;
		pairs[i].base.voluntary_switches = 50;
	}
	assert_gate(GATE_WALL);
}

/* Most programs compute, and are not run more often for that. */
static void who_computes_or_has_threads_is_known_from_one_pair(void **state)
{
	(void)state;
	assert_gate(GATE_CPU);
	assert_int_equal(1, unit.n_gated);
	pairs[0].head.has_threads = true;
	assert_gate(GATE_WALL);
	assert_int_equal(1, unit.n_gated);
}

/* A hundredth of two seconds is not what starting and ending take. */
static void a_long_pair_that_waits_is_enough(void **state)
{
	(void)state;
	unit.pair_ns = 2e9;
	pairs[0].head.cpu_ns = pairs[0].head.process_cpu_ns = 100;
	pairs[0].head.voluntary_switches = 50;
	assert_gate(GATE_WALL);
	assert_int_equal(1, unit.n_gated);
}

/* What was measured is judged by what was chosen before, whatever comes. */
static void what_was_chosen_is_kept(void **state)
{
	const char *text;
	int i;

	(void)state;
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 100;
		pairs[i].head.voluntary_switches = 50;
		pairs[i].base.has_threads = true;
	}
	assert_int_equal(GATE_CPU, gate_of(&unit));
	assert_string_equal("cpu", gate_metric(&unit, &text));
	start(NULL);
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].base.cpu_ns = pairs[i].base.process_cpu_ns = 100;
		pairs[i].base.voluntary_switches = 50;
	}
	assert_gate(GATE_WALL);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].base = pairs[i].head;
	assert_int_equal(GATE_WALL, gate_of(&unit));
}

/* Which way the benchmark moved must not choose the metric: mirrored pairs, the same answer. */
static void swapped_sides_give_the_same_gate(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.cpu_ns = 1980;
		pairs[i].head.process_cpu_ns = pairs[i].head.wall_ns = 2000;
		pairs[i].head.voluntary_switches = 1;
	}
	assert_gate(GATE_CPU); /* exactly 1 % */
	for (i = 0; i < N_PAIRS; i++) {
		struct run swap = pairs[i].head;

		pairs[i].head = pairs[i].base;
		pairs[i].base = swap;
	}
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].base.cpu_ns = pairs[i].base.process_cpu_ns = 1970;
	assert_gate(GATE_WALL);
}

static void the_configuration_wins(void **state)
{
	char wall[] = "wall", cpu[] = "cpu", counter[] = "instructions";
	const char *text;
	int i;

	(void)state;
	config.metric = wall;
	assert_gate(GATE_WALL);
	assert_string_equal("configured", why());
	config.metric = cpu;
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.process_cpu_ns = 4000;
	assert_gate(GATE_CPU);
	config.metric = counter;
	assert_string_equal("instructions", gate_metric(&unit, &text));
	assert_string_equal("configured", text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(threads_of_an_operation_count_in_either_side, start),
		cmocka_unit_test_setup(threads_of_a_command_count_without_a_free_processor, start),
		cmocka_unit_test_setup(cpu_time_decides_by_default, start),
		cmocka_unit_test_setup(threads_of_the_process_make_it_wall_time, start),
		cmocka_unit_test_setup(more_cpu_than_wall_time_makes_it_wall_time, start),
		cmocka_unit_test_setup(what_a_harness_was_asked_for_decides, start),
		cmocka_unit_test_setup(waiting_makes_it_wall_time, start),
		cmocka_unit_test_setup(time_taken_by_others_is_no_waiting, start),
		cmocka_unit_test_setup(time_in_the_run_queue_is_no_waiting, start),
		cmocka_unit_test_setup(a_command_may_give_the_processor_up_to_start_and_end, start),
		cmocka_unit_test_setup(unknown_cpu_time_makes_it_wall_time, start),
		cmocka_unit_test_setup(one_run_without_cpu_time_is_enough, start),
		cmocka_unit_test_setup(the_base_counts_like_the_head, start),
		cmocka_unit_test_setup(one_pair_that_does_not_wait_is_enough, start),
		cmocka_unit_test_setup(who_computes_or_has_threads_is_known_from_one_pair, start),
		cmocka_unit_test_setup(a_long_pair_that_waits_is_enough, start),
		cmocka_unit_test_setup(what_was_chosen_is_kept, start),
		cmocka_unit_test_setup(swapped_sides_give_the_same_gate, start),
		cmocka_unit_test_setup(the_configuration_wins, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
