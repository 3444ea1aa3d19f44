/* Counters of commands: what the runner keeps of them. */
#include "tests/unit/collector/run/runner_fixture.h"

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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bed_begin, bed_end)
	const struct CMUnitTest tests[] = {
		TEST(a_command_has_its_counters_or_why_not),
		TEST(a_calibration_is_not_counted),
		TEST(where_nothing_can_be_counted_a_run_asks_for_nothing),
		TEST(a_program_that_cannot_be_started_leaves_nothing_open),
	};
	return cmocka_run_group_tests_name("collector/child_count", tests, bed_make, bed_remove);
}
