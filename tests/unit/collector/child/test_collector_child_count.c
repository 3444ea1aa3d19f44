/* Counters of commands: what the runner keeps of them. */
#include "tests/unit/collector/run/runner_fixture.h"

#include <fcntl.h>
#include <math.h>

#include "collector/child/count.h"

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
	child_count_init(&pawl_counter_system, &count);
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
	child_count_init(&pawl_counter_system, &count);
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
	child_count_init(&refusing, &count);
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
	child_count_init(&pawl_counter_system, &count);
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

/* ---- counters that are made up ----------------------------------------------------------- */

#define MOST 16

static struct {
	bool is_open, is_inherited;
} event[MOST];

static int open_any(struct perf_event_attr *attr, int group_fd)
{
	int fd = 0;

	(void)group_fd;
	while (event[fd].is_open)
		assert_true(++fd < MOST);
	event[fd].is_open = true;
	event[fd].is_inherited = attr->inherit;
	return fd;
}

static int close_any(int fd)
{
	assert_true(event[fd].is_open);
	event[fd].is_open = false;
	return 0;
}

static ssize_t read_any(int fd, void *out, size_t size)
{
	assert_true(event[fd].is_open);
	memset(out, 1, size);
	return (ssize_t)size;
}

static const struct counter_calls counting = { .open = open_any,
					       .read = read_any,
					       .close = close_any,
					       .paranoid = paranoid,
					       .devices = "/nonexistent" };

static int n_open(bool is_inherited)
{
	int i, n = 0;

	for (i = 0; i < MOST; i++)
		n += event[i].is_open && event[i].is_inherited == is_inherited;
	return n;
}

/* Inherited events alone may be handed to a program that is waited for, and end with it. */
static void one_that_is_not_inherited_is_held_beside_them(void **state)
{
	(void)state;
	child_count_init(&counting, &count);
	assert_int_equal(n_open(false) + n_open(true), 0);
	child_count_begin(&count);
	assert_int_equal(n_open(true), COUNTER_CHILD_MAX);
	assert_int_equal(n_open(false), 1);
	child_count_begin(&count);
	assert_int_equal(n_open(true), COUNTER_CHILD_MAX);
	assert_int_equal(n_open(false), 1);
	child_count_pause(&count);
	child_count_pause(&count);
	assert_int_equal(n_open(false) + n_open(true), 0);
}

/* That it is so: a clock of the kernel's, inherited as they are, over programs of 5 ms. */
static void held_every_program_is_counted_not_the_first_ones(void **state)
{
	static const struct counter_event clock = { "task-clock", PERF_TYPE_SOFTWARE,
						    PERF_COUNT_SW_TASK_CLOCK, MODE_USER };
	static const struct counter_ask ask = { .group_fd = -1, .inherit = true, .on_exec = true };
	int held = pawl_counter_hold(&pawl_counter_system), fd, i;
	uint64_t before = 0, now[3];
	bool both;

	(void)state;
	fd = pawl_counter_open(&pawl_counter_system, &clock, &ask, &both);
	if (fd < 0 || held < 0)
		skip(); /* the kernel forbids it */
	set_sides(FORMAT_COMMAND, "burn 5", NULL);
	for (i = 0; i < 8; i++) {
		run_pair_in(0);
		assert_null(bed.pair.head.failure);
		assert_int_equal(read(fd, now, sizeof(now)), sizeof(now));
		assert_true(now[0] - before > 4500000);
		before = now[0];
	}
	close(fd);
	close(held);
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_begin, bed_end)
	const struct CMUnitTest tests[] = {
		TEST(a_command_has_its_counters_or_why_not),
		TEST(a_calibration_is_not_counted),
		TEST(where_nothing_can_be_counted_a_run_asks_for_nothing),
		TEST(a_program_that_cannot_be_started_leaves_nothing_open),
		TEST(one_that_is_not_inherited_is_held_beside_them),
		TEST(held_every_program_is_counted_not_the_first_ones),
		TEST(what_was_never_looked_for_closes_nothing),
	};
	return cmocka_run_group_tests_name("collector/child_count", tests, bed_make, bed_remove);
}
