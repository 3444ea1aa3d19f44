/* Both sides of a pair at once: what is known of each, and which side a failure belongs to. */
#include "tests/unit/collector/run/runner_fixture.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>

#include "collector/child/count.h"
#include "lib/process/stop.h"

#include "lib/base/banned.h"

/* A processor that this process may use. */
static int some_processor(void)
{
	cpu_set_t set;
	int cpu = 0;

	assert_int_equal(0, sched_getaffinity(0, sizeof(set), &set));
	while (!CPU_ISSET((size_t)cpu, &set))
		cpu++;
	return cpu;
}

static int at_once_begin(void **state)
{
	int result = bed_begin(state);

	bed.unit.at_once = bed.unit.pinned = true;
	bed.runner.cpu = some_processor();
	bed.runner.counters = NULL;
	return result;
}

/* Replaces a side's script by these lines. */
static void write_lines(const char *name, const char *lines)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "#!/bin/sh\ncd '%s' || exit 1\n%s\n", bed.dir, lines);
	assert_int_equal(0, file_write_whole(in_bed(name), text.data, text.len, 0755, NULL));
	buf_release(&text);
}

/* Each end of a FIFO is only opened when the other one is: one after the other they would hang. */
static void both_are_alive_together_in_either_order(void **state)
{
	int order;

	(void)state;
	bed.config.timeout_ns = 10000u * MS;
	set_sides(FORMAT_COMMAND, "exit 0", "exit 0");
	assert_int_equal(0, mkfifo(in_bed("fifo"), 0600));
	write_lines("head", "echo word >fifo");
	write_lines("base", "read word <fifo && echo \"$word\"");
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.head.failure);
		assert_null(bed.pair.base.failure);
		assert_string_equal("", bed.pair.head.output);
		assert_int_equal(16, strlen(bed.pair.base.output));
	}
	assert_int_equal(0, unlink(in_bed("fifo")));
}

static void each_side_has_its_own_cpu_time_and_no_wall_time(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "burn 60", "burn 30");
	run_pair_in(1);
	assert_null(bed.pair.head.failure);
	assert_true(bed.pair.head.cpu_ns >= 60 * MS);
	assert_true(bed.pair.base.cpu_ns >= 30 * MS);
	assert_true(bed.pair.log_ratio_cpu == log(bed.pair.head.cpu_ns / bed.pair.base.cpu_ns));
	assert_true(isnan(bed.pair.log_ratio_wall));
	assert_true(isnan(bed.pair.head.wall_ns) && isnan(bed.pair.base.wall_ns));
	assert_true(isnan(bed.pair.head.run_delay_ns) && isnan(bed.pair.head.pressure_ns));
	assert_true(isnan(bed.pair.head.involuntary_switches));
	assert_true(bed.pair.head.minor_faults > 0 && bed.pair.base.minor_faults > 0);
}

static void what_each_prints_is_its_own(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "print 5", "print 6");
	run_pair_in(0);
	assert_non_null(bed.pair.head.output);
	assert_non_null(bed.pair.base.output);
	assert_string_not_equal(bed.pair.head.output, bed.pair.base.output);
	set_sides(FORMAT_COMMAND, "print 5", "print 5");
	run_pair_in(0);
	assert_string_equal(bed.pair.head.output, bed.pair.base.output);
}

static void a_failure_is_that_of_its_side(void **state)
{
	(void)state;
	set_sides(FORMAT_COMMAND, "exit 3", "exit 0");
	run_pair_in(1);
	assert_non_null(bed.pair.head.failure);
	assert_non_null(strstr(bed.pair.head.failure, "exited with status 3"));
	assert_null(bed.pair.base.failure);
}

static void a_side_that_cannot_be_started_ends_the_other(void **state)
{
	int order;

	(void)state;
	set_sides(FORMAT_COMMAND, "stop", "exit 0");
	assert_int_equal(0, unlink(in_bed("base")));
	for (order = 0; order < 2; order++) {
		run_pair_in(order);
		assert_null(bed.pair.head.failure);
		assert_non_null(bed.pair.base.failure);
		assert_non_null(strstr(bed.pair.base.failure, "cannot run"));
	}
}

/* They share a processor: each has twice its time. */
static void one_that_hangs_is_ended_at_twice_its_timeout(void **state)
{
	const char *twice[] = { "timeout of 200 ms", "timeout of 2.00 s", "timeout of 20.0 s" };
	uint64_t ns = 100u * MS;

	(void)state;
	set_sides(FORMAT_COMMAND, "stop", "exit 0");
	/* The other one has time enough, sooner or later. */
	for (size_t i = 0; i < 3 && (!i || bed.pair.base.timed_out); i++, ns *= 10) {
		bed.config.timeout_ns = ns;
		run_pair_in(0);
		assert_true(bed.pair.head.timed_out);
		assert_non_null(bed.pair.head.failure);
		assert_non_null(strstr(bed.pair.head.failure, twice[i]));
	}
	assert_null(bed.pair.base.failure);
	assert_false(bed.pair.base.timed_out);
}

static void without_a_processor_of_their_own_they_do_not_run(void **state)
{
	(void)state;
	bed.runner.cpu = -1;
	set_sides(FORMAT_COMMAND, "exit 0", "exit 0");
	run_pair_in(0);
	assert_non_null(bed.pair.head.failure);
	assert_string_equal("no processor was picked for both", bed.pair.head.failure);
}

/* bed_end() sees that neither is left. */
static void a_signal_ends_both(void **state)
{
	struct runner r = process_runner_of(&bed.runner);

	(void)state;
	set_sides(FORMAT_COMMAND, "stop", "stop");
	stop_signal = SIGTERM;
	assert_int_equal(-1, r.pair(r.ctx, &bed.unit, &bed.pair, &bed.err));
	stop_signal = 0;
	assert_int_equal(ERR_STOPPED, bed.err.code);
}

static void what_cannot_be_counted_apart_says_so(void **state)
{
	static struct child_count count;
	size_t i;

	(void)state;
	child_count_init(&pawl_counter_system, &count);
	/* As on a processor that has them: they are not opened here. */
	for (i = 0; i < COUNTER_CHILD_MAX; i++)
		count.with.opens[i] = true;
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "exit 0", "exit 0");
	run_pair_in(0);
	assert_int_equal(bed.pair.head.n_counters, COUNTER_CHILD_MAX + 3);
	for (i = 0; i < COUNTER_CHILD_MAX; i++) {
		const struct counter_value *c = &bed.pair.head.counters[i];

		assert_int_equal(c->state, METRIC_ABSENT);
		assert_string_equal(c->name, pawl_counter_child_name(i));
		assert_string_equal(c->reason, "both sides ran at once: not counted apart");
	}
	assert_string_equal(bed.pair.base.counters[i].name, "page-faults");
	assert_true(bed.pair.base.counters[i].value > 0);
	assert_string_equal(bed.pair.base.counters[i + 1].name, "context-switches");
	assert_int_equal(bed.pair.base.counters[i + 1].state, METRIC_ABSENT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, at_once_begin, bed_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(both_are_alive_together_in_either_order),
		TEST(each_side_has_its_own_cpu_time_and_no_wall_time),
		TEST(what_each_prints_is_its_own),
		TEST(a_failure_is_that_of_its_side),
		TEST(a_side_that_cannot_be_started_ends_the_other),
		TEST(one_that_hangs_is_ended_at_twice_its_timeout),
		TEST(without_a_processor_of_their_own_they_do_not_run),
		TEST(a_signal_ends_both),
		TEST(what_cannot_be_counted_apart_says_so),
	};

	return cmocka_run_group_tests(tests, bed_make, bed_remove);
}
