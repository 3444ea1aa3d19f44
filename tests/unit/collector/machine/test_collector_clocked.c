/* Whether a time is fixed by a clock: runs written by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collector/machine/clocked.h"

#define N 10

static struct pair pairs[N];
static struct unit unit;

/* Waiting is 40 ms more than the time by itself in each run. */
static void fill(double wall_ns, double step_ns, double cpu_ns)
{
	size_t i;

	for (i = 0; i < N; i++) {
		struct run run = { .wall_ns = wall_ns - 40e6 + step_ns * (double)i,
				   .run_delay_ns = 40e6,
				   .wall_is_net = true,
				   .process_cpu_ns = cpu_ns };

		pairs[i].head = pairs[i].base = run;
	}
	unit = (struct unit){ .has_base = true, .pairs = pairs, .n_pairs = N };
}

static void a_loop_until_a_time_is_over_is_seen(void **state)
{
	double ns = 0;

	(void)state;
	fill(201e6, 1e5, 150e6);
	assert_true(clocked_is(&unit, &ns));
	assert_true(ns == 200e6);
	pairs[3].head.wall_ns += 80e6; /* one was held up */
	assert_true(clocked_is(&unit, &ns));
	unit.n_pairs = CLOCKED_RUNS - 1;
	assert_false(clocked_is(&unit, &ns));
}

static void a_timer_of_processor_time_is_seen(void **state)
{
	double ns = 0;

	(void)state;
	fill(1.2e9, 9e6, 1.001e9);
	assert_true(clocked_is(&unit, &ns));
	assert_true(ns == 1e9);
}

static void work_is_no_clock(void **state)
{
	double ns = 0;

	(void)state;
	fill(201e6, 1e6, 150e6); /* spread as work is */
	assert_false(clocked_is(&unit, &ns));
	fill(213e6, 0, 170e6); /* steady, and not round */
	assert_false(clocked_is(&unit, &ns));
	fill(201e6, 1e5, 150e6);
	pairs[2].base.wall_ns -= 2e6; /* no clock ends early */
	assert_false(clocked_is(&unit, &ns));
	fill(201e6, 1e5, 150e6);
	pairs[2].base.wall_ns = (double)NAN;
	assert_false(clocked_is(&unit, &ns));
	unit.has_base = false;
	assert_false(clocked_is(&unit, &ns));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_until_a_time_is_over_is_seen),
		cmocka_unit_test(a_timer_of_processor_time_is_seen),
		cmocka_unit_test(work_is_no_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
