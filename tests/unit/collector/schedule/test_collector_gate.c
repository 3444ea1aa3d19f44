/* Which metric decides: CPU time, unless it would not tell the truth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "collector/schedule/gate.h"

#include "lib/base/banned.h"

#define N_PAIRS 5

static struct bench_config config;
static struct pair pairs[N_PAIRS];
static struct unit unit;

/* Five pairs of one thread that computes all the time: 1,000 iterations of 1 us. */
static int start(void **state)
{
	const struct run run = {
		.wall_ns = 1000, .cpu_ns = 999, .process_cpu_ns = 1000, .run_delay_ns = (double)NAN
	};
	int i;

	(void)state;
	memset(&config, 0, sizeof(config));
	memset(&unit, 0, sizeof(unit));
	memset(pairs, 0, sizeof(pairs));
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head = pairs[i].base = run;
	unit.config = &config;
	unit.format = FORMAT_PAWL;
	unit.has_base = true;
	unit.iterations = 1000;
	unit.pairs = pairs;
	unit.n_pairs = N_PAIRS;
	return 0;
}

static const char *why(void)
{
	const char *text = NULL;

	gate_metric(&unit, &text);
	return text;
}

static void assert_gate(enum gate expected)
{
	const char *text = NULL, *name = gate_metric(&unit, &text);

	assert_int_equal(expected, gate_of(&unit));
	assert_string_equal(expected == GATE_WALL ? "wall" : "cpu", name);
	assert_non_null(text);
}

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
	for (i = 0; i < N_PAIRS; i++) {
		pairs[i].head.cpu_ns = pairs[i].head.process_cpu_ns = 900;
		pairs[i].head.voluntary_switches = 4;
	}
	assert_gate(GATE_CPU);
	for (i = 0; i < N_PAIRS; i++)
		pairs[i].head.voluntary_switches = 5;
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

static void one_disturbed_run_changes_nothing(void **state)
{
	(void)state;
	pairs[1].head.cpu_ns = pairs[1].head.process_cpu_ns = 100;
	pairs[1].head.voluntary_switches = 50;
	pairs[2].base.process_cpu_ns = 5000;
	assert_gate(GATE_CPU);
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
		cmocka_unit_test_setup(waiting_makes_it_wall_time, start),
		cmocka_unit_test_setup(time_taken_by_others_is_no_waiting, start),
		cmocka_unit_test_setup(time_in_the_run_queue_is_no_waiting, start),
		cmocka_unit_test_setup(a_command_may_give_the_processor_up_to_start_and_end, start),
		cmocka_unit_test_setup(unknown_cpu_time_makes_it_wall_time, start),
		cmocka_unit_test_setup(one_run_without_cpu_time_is_enough, start),
		cmocka_unit_test_setup(the_base_counts_like_the_head, start),
		cmocka_unit_test_setup(one_disturbed_run_changes_nothing, start),
		cmocka_unit_test_setup(swapped_sides_give_the_same_gate, start),
		cmocka_unit_test_setup(the_configuration_wins, start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
