/* What a hypervisor takes of the processor: told of a child, and off its wall time. */
#include "tests/unit/collector/child_fixture.h"

#include <math.h>

#include "collector/child/stolen.h"
#include "collector/run/launch.h"

#include "lib/base/banned.h"

/* A task clock that stands at ns. */
static int clock_at(uint64_t ns)
{
	int ends[2];

	assert_int_equal(0, pipe(ends));
	assert_int_equal(write(ends[1], &ns, sizeof(ns)), sizeof(ns));
	close(ends[1]);
	return ends[0];
}

static double stolen_of(uint64_t occupied_ns, double cpu_ns)
{
	int fd = clock_at(occupied_ns);
	double stolen = stolen_ns(fd, cpu_ns);

	close(fd);
	return stolen;
}

static void it_is_what_the_processor_was_given_for_and_no_cpu_time(void **state)
{
	int fd;

	(void)state;
	assert_true(stolen_of(50000000, 20e6) == 30e6);
	assert_true(stolen_of(50000000, 50e6) == 0);
	assert_true(stolen_of(50000000, 50.1e6) == 0); /* worked before it was watched */
	assert_true(isnan(stolen_of(50000000, (double)NAN)));
	assert_true(isnan(stolen_ns(-1, 20e6)));
	fd = clock_at(0);
	assert_true(stolen_ns(fd, 0) == 0);
	assert_true(isnan(stolen_ns(fd, 0))); /* cannot be read */
	close(fd);
}

static void wall_time_is_without_it_where_one_thread_worked(void **state)
{
	struct child_result res = { .wall_ns = 100, .run_delay_ns = 20, .stolen_ns = 30 };
	struct run run = { 0 };

	(void)state;
	launch_wall(&run, &res);
	assert_true(run.wall_is_net && run.wall_ns == 50 && run.run_delay_ns == 50);
	res.stolen_ns = (double)NAN;
	launch_wall(&run, &res);
	assert_true(run.wall_is_net && run.wall_ns == 80 && run.run_delay_ns == 20);
	res.stolen_ns = 80; /* more than there was: one of the clocks is wrong */
	launch_wall(&run, &res);
	assert_true(!run.wall_is_net && run.wall_ns == 100);
	res.stolen_ns = 30;
	run.has_helpers = true; /* what they waited is not known */
	launch_wall(&run, &res);
	assert_true(!run.wall_is_net && run.wall_ns == 100 && run.run_delay_ns == 50);
}

static void it_is_told_of_a_child_where_that_is_asked(void **state)
{
	size_t before = count_descriptors();

	(void)state;
	run_fixture("burn", "20", NULL);
	assert_true(isnan(rig.result.stolen_ns));
	child_release(&rig.child);
	rig_start("burn", "20", NULL);
	rig.spec.tells_stolen = true;
	assert_int_equal(0, rig_run());
	assert_int_equal(0, rig.result.exit_status);
	child_release(&rig.child);
	assert_int_equal(before, count_descriptors());
	if (isnan(rig.result.stolen_ns))
		skip(); /* the kernel forbids it */
	assert_true(rig.result.stolen_ns >= 0);
	assert_true(rig.result.stolen_ns < (double)rig.result.wall_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_what_the_processor_was_given_for_and_no_cpu_time),
		cmocka_unit_test(wall_time_is_without_it_where_one_thread_worked),
		cmocka_unit_test_teardown(it_is_told_of_a_child_where_that_is_asked, rig_release),
	};
	return cmocka_run_group_tests_name("collector/child_stolen", tests, rig_setup,
					   rig_teardown);
}
