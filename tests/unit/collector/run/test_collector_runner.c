/* Runs of real processes: what is measured, and which side a failure belongs to. */
#include "tests/unit/collector/run/runner_fixture.h"

#include <math.h>
#include <sys/syscall.h>
#include <time.h>

#include "lib/process/stop.h"

#include "lib/base/banned.h"

/* ---- a clock that tells of a sleep ---------------------------------------------------- */

static int sleep_at_reading; /* of CLOCK_BOOTTIME, counted from 1; 0: never */
static int n_readings;
static time_t slept_s;

/* Stands in for the C library's, so that the machine can sleep while a program runs. */
int clock_gettime(clockid_t id, struct timespec *t)
{
	if (syscall(SYS_clock_gettime, id, t))
		return -1;
	if (id == CLOCK_BOOTTIME && ++n_readings == sleep_at_reading)
		slept_s += 10;
	if (id == CLOCK_BOOTTIME)
		t->tv_sec += slept_s;
	return 0;
}

/* ---- scripts ---------------------------------------------------------------------------- */

#define HELLO "'{\"type\":\"hello\",\"protocol\":1}' "
#define READY(n) "'{\"type\":\"ready\",\"slice\":" #n "}' @wait "
#define SLICE(n, ns) \
	"'{\"type\":\"slice\",\"slice\":" #n ",\"iterations\":10,\"wall_ns\":" #ns \
	",\"cpu_ns\":" #ns "}' "
#define RESULT_OF(name, n, ns) \
	"'{\"type\":\"result\",\"name\":\"" name "\",\"iterations\":" #n ",\"wall_ns\":" #ns \
	",\"cpu_ns\":" #ns ",\"process_cpu_ns\":" #ns "}' "
#define END "'{\"type\":\"end\"}'"
#define TURNS(one, two, sum) \
	"records " HELLO READY(0) SLICE(0, one) READY(1) SLICE(1, two) READY(2) \
		RESULT_OF("b", 20, sum) END

static void assert_blamed(const struct run *run, const char *part)
{
	assert_non_null(run->failure);
	if (!strstr(run->failure, part))
		fail_msg("'%s' does not say '%s'", run->failure, part);
}

/* ---- plain commands --------------------------------------------------------------------- */

static void a_command_is_measured_as_a_process(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "burn 30", NULL);
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_true(bed.pair.head.cpu_ns >= 30 * MS);
	assert_true(bed.pair.head.wall_ns >= 30 * MS);
	assert_true(!(bed.pair.head.peak_rss_bytes <= 0));
	assert_true(isnan(bed.pair.log_ratio_cpu));
}

static void the_log_ratio_is_head_over_base(void **state)
{
	int order;

	(void)state;
	set_sides(FORMAT_COMMAND, "burn 20", "burn 100");
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_true(bed.pair.head.cpu_ns < bed.pair.base.cpu_ns);
		assert_true(bed.pair.log_ratio_cpu < 0);
		assert_true(fabs(bed.pair.log_ratio_cpu -
				 log(bed.pair.head.cpu_ns / bed.pair.base.cpu_ns)) < 1e-12);
		assert_true(fabs(bed.pair.log_ratio_wall -
				 log(bed.pair.head.wall_ns / bed.pair.base.wall_ns)) < 1e-12);
	}
}

static void the_coin_says_who_goes_first(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "exit 0", "exit 0");
	run_pair_in(0);
	assert_true(bed.pair.head.start_ns < bed.pair.base.start_ns);
	run_pair_in(1);
	assert_true(bed.pair.base.start_ns < bed.pair.head.start_ns);
}

static void a_failing_command_is_its_own_failure(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "say 'no input'", "exit 0");
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "exited with status 3");
	assert_blamed(&bed.pair.head, "no input");
	assert_null(bed.pair.base.failure);
	set_sides(FORMAT_COMMAND, "exit 0", "signal 6");
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_blamed(&bed.pair.base, "SIGABRT");
	set_side(&bed.unit.base, "missing");
	run_pair_in(1);
	assert_null(bed.pair.head.failure);
	assert_blamed(&bed.pair.base, "No such file");
}

static void leftovers_of_a_command_are_counted(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "daemons 3", "exit 0");
	run_pair_in(0);
	assert_null(bed.pair.head.failure); /* a bad habit, and no reason to drop the run */
	assert_int_equal(3, bed.pair.head.n_left);
	assert_int_equal(0, bed.pair.base.n_left);
}

static void a_command_that_takes_too_long_times_out(void **state)
{
	(void)state;
	bed.config.timeout_ns = 50 * MS;
	set_sides(FORMAT_COMMAND, "flood", NULL);
	run_pair_in(0);
	assert_true(bed.pair.head.timed_out);
	assert_blamed(&bed.pair.head, "timeout of 50.0 ms");
}

/* Once asleep is one void run; it must not spoil all later ones. */
static void only_the_run_during_which_the_machine_slept_is_void(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "exit 0", "exit 0");
	n_readings = 0;
	sleep_at_reading = 4; /* at the end of the second run */
	run_pair_in(0);
	assert_false(bed.pair.head.suspended);
	assert_true(bed.pair.base.suspended);
	run_pair_in(0);
	assert_false(bed.pair.head.suspended);
	assert_false(bed.pair.base.suspended);
	n_readings = 0;
	sleep_at_reading = 3; /* between the two runs */
	run_pair_in(0);
	assert_false(bed.pair.head.suspended);
	assert_false(bed.pair.base.suspended);
	sleep_at_reading = 0;
}

/* ---- libpawl executables ---------------------------------------------------------------- */

static void two_sessions_take_turns_slice_by_slice(void **state)
{
	int order;

	(void)state;
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310), TURNS(100, 100, 200));
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.head.failure);
		assert_null(bed.pair.base.failure);
		assert_true(bed.pair.head.wall_ns == 15.5);
		assert_true(bed.pair.base.wall_ns == 10);
		/* The median of the two slices' log-ratios, not the ratio of the totals. */
		assert_true(fabs(bed.pair.log_ratio_wall - (log(1.1) + log(2)) / 2) < 1e-12);
		assert_true(fabs(bed.pair.log_ratio_cpu - (log(1.1) + log(2)) / 2) < 1e-12);
	}
}

static void threads_of_the_operation_are_told_from_helpers(void **state)
{
#define THREADED(threads) \
	"records " HELLO "'{\"type\":\"result\",\"name\":\"b\",\"iterations\":20,\"wall_ns\":100," \
	"\"cpu_ns\":200,\"process_cpu_ns\":220,\"threads\":" #threads "}' " END

	(void)state;
	set_sides(FORMAT_PAWL, THREADED(2), THREADED(1));
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_null(bed.pair.base.failure);
	assert_true(bed.pair.head.has_threads);
	assert_false(bed.pair.head.has_helpers);
	assert_false(bed.pair.base.has_threads);
	assert_true(bed.pair.base.has_helpers);
}

static void sides_that_cut_otherwise_give_the_ratio_of_the_totals(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310),
		  "records " HELLO READY(0) SLICE(0, 100) RESULT_OF("b", 20, 200) END);
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_null(bed.pair.base.failure);
	assert_true(fabs(bed.pair.log_ratio_wall - log(310.0 / 200)) < 1e-12);
}

static void a_base_that_cannot_be_started_leaves_the_head_blameless(void **state)
{
	int order;

	(void)state;
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310), "exit 0");
	set_side(&bed.unit.base, "missing");
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.head.failure);
		assert_blamed(&bed.pair.base, "No such file");
	}
}

static void a_head_that_cannot_be_started_leaves_the_base_blameless(void **state)
{
	int order;

	(void)state;
	set_sides(FORMAT_PAWL, "exit 0", TURNS(110, 200, 310));
	set_side(&bed.unit.head, "missing");
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.base.failure);
		assert_blamed(&bed.pair.head, "No such file");
	}
}

static void a_base_that_dies_in_its_turn_leaves_the_head_whole(void **state)
{
	int order;

	(void)state;
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310),
		  "records " HELLO READY(0) SLICE(0, 100) READY(1) "@abort");
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.head.failure);
		assert_true(bed.pair.head.wall_ns == 15.5);
		assert_blamed(&bed.pair.base, "SIGABRT");
	}
}

static void a_base_that_hangs_in_its_turn_leaves_the_head_whole(void **state)
{
	int order;

	(void)state;
	bed.config.timeout_ns = 2000 * (uint64_t)MS;
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310), "records " HELLO READY(0) "@hang");
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.head.failure);
		assert_false(bed.pair.head.timed_out);
		assert_true(bed.pair.base.timed_out);
		assert_blamed(&bed.pair.base, "timeout of 2.00 s");
	}
}

static void endless_turns_are_that_side_s_failure(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310),
		  "records " HELLO "@repeat 200 '{\"type\":\"ready\",\"slice\":0}' @hang");
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_blamed(&bed.pair.base, "turns without end");
}

static void an_answer_to_another_question_is_refused(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO RESULT_OF("c", 20, 310) END, NULL);
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "benchmark 'c'");
	set_sides(FORMAT_PAWL, "records " HELLO RESULT_OF("b", 21, 310) END, NULL);
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "21 iterations instead of 20");
	set_sides(FORMAT_PAWL,
		  "records " HELLO "'{\"type\":\"calibration\",\"name\":\"b\","
		  "\"iterations\":20,\"wall_ns\":1}' " END,
		  NULL);
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "another record");
	set_sides(FORMAT_PAWL, "records " HELLO END, NULL);
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "without a result");
	set_sides(FORMAT_PAWL,
		  "records " HELLO "'{\"type\":\"result\",\"name\":\"b\",\"iterations\":18,"
		  "\"wall_ns\":1,\"errors\":2}' " END,
		  NULL);
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "2 operations failed");
}

#define EMPTY(n) \
	"'{\"type\":\"slice\",\"slice\":" #n ",\"iterations\":0,\"wall_ns\":0,\"cpu_ns\":0}' "
#define ENDING(iterations, errors) \
	"records " HELLO READY(0) EMPTY(0) READY(1) SLICE(1, 200) \
		READY(2) "'{\"type\":\"result\",\"name\":\"b\",\"iterations\":" #iterations \
			 ",\"wall_ns\":0,\"errors\":" #errors "}' " END

static void a_side_of_which_every_operation_fails_says_so(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, ENDING(0, 20), TURNS(110, 200, 310));
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "20 operations failed");
	assert_null(bed.pair.base.failure);
	set_sides(FORMAT_PAWL, ENDING(0, 20) " @exit 1", TURNS(110, 200, 310));
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "20 operations failed; exited with status 1");
	/* What no slice can be is no figure. */
	set_sides(FORMAT_PAWL, TURNS(110, 200, 310), ENDING(20, 0));
	run_pair_in(0);
	assert_null(bed.pair.head.failure);
	assert_blamed(&bed.pair.base, "a slice without iterations");
}

static void a_good_result_of_a_program_that_then_fails_is_void(void **state)
{
	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO RESULT_OF("b", 20, 310) END " @exit 1", NULL);
	run_pair_in(0);
	assert_blamed(&bed.pair.head, "exited with status 1");
}

static void a_stop_signal_ends_the_pair_as_a_whole(void **state)
{
	struct runner r = process_runner_of(&bed.runner);

	(void)state;
	set_sides(FORMAT_PAWL, "records " HELLO "@hang", "records " HELLO "@hang");
	stop_signal = 2;
	assert_int_equal(-1, r.pair(r.ctx, &bed.unit, &bed.pair, &bed.err));
	stop_signal = 0;
	assert_int_equal(ERR_STOPPED, bed.err.code);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_begin, bed_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_command_is_measured_as_a_process),
		TEST(the_log_ratio_is_head_over_base),
		TEST(the_coin_says_who_goes_first),
		TEST(a_failing_command_is_its_own_failure),
		TEST(leftovers_of_a_command_are_counted),
		TEST(a_command_that_takes_too_long_times_out),
		TEST(only_the_run_during_which_the_machine_slept_is_void),
		TEST(two_sessions_take_turns_slice_by_slice),
		TEST(threads_of_the_operation_are_told_from_helpers),
		TEST(sides_that_cut_otherwise_give_the_ratio_of_the_totals),
		TEST(a_base_that_cannot_be_started_leaves_the_head_blameless),
		TEST(a_head_that_cannot_be_started_leaves_the_base_blameless),
		TEST(a_base_that_dies_in_its_turn_leaves_the_head_whole),
		TEST(a_base_that_hangs_in_its_turn_leaves_the_head_whole),
		TEST(endless_turns_are_that_side_s_failure),
		TEST(an_answer_to_another_question_is_refused),
		TEST(a_side_of_which_every_operation_fails_says_so),
		TEST(a_good_result_of_a_program_that_then_fails_is_void),
		TEST(a_stop_signal_ends_the_pair_as_a_whole),
	};

	return cmocka_run_group_tests(tests, bed_make, bed_remove);
}
