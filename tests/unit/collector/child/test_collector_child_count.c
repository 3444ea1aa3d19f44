/* Counters of commands: what the runner keeps of them. */
#include "tests/unit/collector/run/runner_fixture.h"

#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>

#include "collector/child/count.h"
#include "collector/run/launch.h"

#include "lib/base/banned.h"

static struct child_count count;

static const struct counter_value *counted(const struct run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->n_counters; i++)
		if (!strcmp(run->counters[i].name, name))
			return &run->counters[i];
	fail_msg("no counter '%s'", name);
	return NULL;
}

static void a_command_has_its_counters_or_why_not(void **state)
{
	size_t i;

	(void)state;
	child_count_init(&pawl_counter_system, false, &count);
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "exit 0", "exit 0");
	run_pair_in(1);
	assert_null(bed.pair.head.failure);
	assert_int_equal(bed.pair.base.n_counters, COUNTER_CHILD_MAX + 3);
	for (i = 0; i < bed.pair.head.n_counters; i++) {
		const struct counter_value *c = &bed.pair.head.counters[i];

		if (c->state <= METRIC_SCALED) {
			assert_true(c->value >= 0);
		} else {
			assert_true(isnan(c->value));
			assert_non_null(c->reason);
		}
	}
	/* A shell, and the program that it becomes. */
	assert_true(counted(&bed.pair.head, "page-faults")->value > 50);
	assert_true(counted(&bed.pair.head, "page-faults")->value ==
		    bed.pair.head.minor_faults + bed.pair.head.major_faults);
	assert_true(counted(&bed.pair.base, "context-switches")->value ==
		    bed.pair.base.voluntary_switches + bed.pair.base.involuntary_switches);
	child_count_pause(&count);
}

static void a_calibration_is_not_counted(void **state)
{
	(void)state;
	child_count_init(&pawl_counter_system, false, &count);
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "exit 0", NULL);
	calibrate_on(&bed.unit.head);
	assert_null(bed.unit.failure);
	bed.runner.counters = NULL;
	run_pair_in(0);
	assert_int_equal(bed.pair.head.n_counters, 0);
}

/* ---- calls that are made up --------------------------------------------------------------- */

static int opens;

static int refuse(struct perf_event_attr *attr, int group_fd)
{
	(void)attr;
	(void)group_fd;
	opens++;
	return -EACCES;
}

static int paranoid(void)
{
	return 3;
}

static const struct counter_calls refusing = { .open = refuse,
					       .paranoid = paranoid,
					       .devices = "/nonexistent" };

static void where_nothing_can_be_counted_a_run_asks_for_nothing(void **state)
{
	size_t i;

	(void)state;
	child_count_init(&refusing, false, &count);
	bed.runner.counters = &count;
	opens = 0;
	set_sides(FORMAT_COMMAND, "exit 0", NULL);
	run_pair_in(0);
	assert_int_equal(opens, 0);
	assert_int_equal(bed.pair.head.n_counters, COUNTER_CHILD_MAX + 3);
	for (i = 0; i < COUNTER_CHILD_MAX; i++) {
		assert_int_equal(bed.pair.head.counters[i].state, METRIC_FORBIDDEN);
		assert_non_null(strstr(bed.pair.head.counters[i].reason, "paranoid is 3"));
	}
}

static void a_program_that_cannot_be_started_leaves_nothing_open(void **state)
{
	int before, after;

	(void)state;
	child_count_init(&pawl_counter_system, false, &count);
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "exit 0", NULL);
	assert_int_equal(0, unlink(in_bed("head")));
	before = dup(0);
	close(before);
	run_pair_in(0);
	assert_non_null(bed.pair.head.failure);
	assert_int_equal(bed.pair.head.n_counters, 0);
	child_count_pause(&count);
	after = dup(0);
	close(after);
	assert_int_equal(before, after); /* the lowest number that is free */
}

/* ---- a hypervisor that is made up --------------------------------------------------------- */

#define STEALS_NS 30000000u /* of each program */
#define CLOCK_FD 1000
#define HELD_FD 1001

static int clocks;
static double told_ns; /* by the clock */
static bool clock_is_refused;

static int open_clock(struct perf_event_attr *attr, int group_fd)
{
	(void)group_fd;
	if (attr->type != PERF_TYPE_SOFTWARE || clock_is_refused) {
		opens += attr->config == PERF_COUNT_SW_TASK_CLOCK &&
			 attr->type == PERF_TYPE_SOFTWARE;
		return -ENOENT;
	}
	clocks += attr->config == PERF_COUNT_SW_TASK_CLOCK;
	if (attr->config == PERF_COUNT_SW_PAGE_FAULTS) {
		assert_false(attr->inherit);
		return HELD_FD;
	}
	return CLOCK_FD;
}

/* Read when a program begins and behind its end: the CPU time that it then had, and more. */
static ssize_t read_clock(int fd, void *out, size_t size)
{
	struct rusage ended;
	uint64_t value[3] = { 0 };
	bool ends = told_ns > 0;

	assert_int_equal(fd, CLOCK_FD);
	assert_int_equal(size, sizeof(value));
	assert_int_equal(0, getrusage(RUSAGE_CHILDREN, &ended));
	told_ns = 1e9 * (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
		  1e3 * (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec) +
		  (ends ? STEALS_NS : 0);
	value[0] = (uint64_t)told_ns;
	told_ns = ends ? 0 : told_ns;
	memcpy(out, value, sizeof(value));
	return (ssize_t)size;
}

static int close_clock(int fd)
{
	assert_in_range(fd, CLOCK_FD, HELD_FD);
	clocks -= fd == CLOCK_FD;
	return 0;
}

static const struct counter_calls stealing = { .open = open_clock,
					       .read = read_clock,
					       .close = close_clock,
					       .paranoid = paranoid,
					       .devices = "/nonexistent" };

static void what_a_hypervisor_took_is_no_part_of_the_wall_time(void **state)
{
	const struct run *run = &bed.pair.head;

	(void)state;
	clocks = opens = 0;
	told_ns = 0;
	clock_is_refused = false;
	child_count_init(&stealing, true, &count);
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "burn 40", NULL);
	run_pair_in(0);
	assert_null(run->failure);
	assert_int_equal(clocks, 1);
	/* Not to the last: CPU time is told in microseconds. */
	assert_true(run->run_delay_ns > STEALS_NS - 1e4);
	assert_true(run->wall_is_net);
	child_count_pause(&count);
	assert_int_equal(clocks, 0);
}

/* Linux gave the events to the second program, and nothing was counted behind it. */
static void every_program_is_counted_not_the_first_ones(void **state)
{
	const struct child_count *c = &count;
	int i;

	(void)state;
	child_count_init(&pawl_counter_system, true, &count);
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "burn 5", NULL);
	for (i = 0; i < 8; i++) {
		run_pair_in(0);
		assert_null(bed.pair.head.failure);
		if (c->occupied_fd < 0)
			skip(); /* the kernel forbids it */
		assert_true(pawl_counter_occupied_ns(c->with.calls, c->occupied_fd) -
				    c->occupied_ns >
			    4.5e6);
	}
	child_count_pause(&count);
}

static void wall_time_is_without_both_where_one_thread_worked(void **state)
{
	const struct child_result res = { .wall_ns = 100, .run_delay_ns = 20 };
	struct run run = { 0 };

	(void)state;
	launch_wall(&run, &res, 30);
	assert_true(run.wall_is_net && run.wall_ns == 50 && run.run_delay_ns == 50);
	launch_wall(&run, &res, (double)NAN);
	assert_true(run.wall_is_net && run.wall_ns == 80 && run.run_delay_ns == 20);
	launch_wall(&run, &res, 80); /* more than there was: one of the clocks is wrong */
	assert_true(!run.wall_is_net && run.wall_ns == 100);
	run.has_helpers = true; /* when each of them waited is not known */
	launch_wall(&run, &res, 30);
	assert_true(!run.wall_is_net && run.wall_ns == 100 && run.run_delay_ns == 50);
}

/* What ends before anything runs closes all the same. */
static void what_was_never_looked_for_closes_nothing(void **state)
{
	struct child_count none = { .open = false };

	(void)state;
	child_count_pause(&none);
	child_count_pause(NULL);
	assert_true(fcntl(0, F_GETFD) >= 0);
}

static void where_nobody_takes_it_or_tells_it_nothing_is_taken_off(void **state)
{
	(void)state;
	clocks = opens = 0;
	child_count_init(&stealing, false, &count);
	bed.runner.counters = &count;
	set_sides(FORMAT_COMMAND, "exit 0", NULL);
	run_pair_in(0);
	assert_int_equal(clocks, 0);
	assert_true(isnan(child_count_stolen(&count, 1)));
	clock_is_refused = true;
	child_count_init(&stealing, true, &count);
	run_pair_in(0);
	run_pair_in(0);
	assert_int_equal(opens, 1); /* it is not asked for again */
	assert_true(isnan(child_count_stolen(&count, 1)));
	assert_true(isnan(child_count_stolen(NULL, 1)));
	child_count_pause(&count);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_begin, bed_end)
	const struct CMUnitTest tests[] = {
		TEST(a_command_has_its_counters_or_why_not),
		TEST(a_calibration_is_not_counted),
		TEST(where_nothing_can_be_counted_a_run_asks_for_nothing),
		TEST(a_program_that_cannot_be_started_leaves_nothing_open),
		TEST(what_a_hypervisor_took_is_no_part_of_the_wall_time),
		TEST(every_program_is_counted_not_the_first_ones),
		TEST(wall_time_is_without_both_where_one_thread_worked),
		TEST(what_was_never_looked_for_closes_nothing),
		TEST(where_nobody_takes_it_or_tells_it_nothing_is_taken_off),
	};
	return cmocka_run_group_tests_name("collector/child_count", tests, bed_make, bed_remove);
}
