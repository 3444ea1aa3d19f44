#include "tests/unit/harness/engine/engine_fixture.h"

#include <errno.h>

#include "lib/base/banned.h"

static void doubling_stops_at_the_first_round_that_lasts_long_enough(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(1000);
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
	assert_int_equal(pawl_engine_double(&engine, 250e6), 0);
	pawl_engine_result(&engine, &m);
	/* 2^17 us = 131 ms is too short, 2^18 us = 262 ms is not. */
	assert_int_equal(m.iterations, 1 << 18);
	assert_true(m.wall_ns == 262144e3);
	assert_true(m.mean_ns == 1000);
	assert_true(m.throughput_per_s == 1e6);
	assert_true(m.cpu_ns == 262144e3 && m.process_cpu_ns == 262144e3);
	/* One warm-up call, then 1 + 2 + 4 + ... + 2^18. */
	assert_int_equal(fake.iterations, 1 + (1 << 19) - 1);
}

static void a_round_of_exactly_the_least_time_is_enough(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(1000);
	open_engine(&fake_bench);
	assert_int_equal(pawl_engine_double(&engine, 1024e3), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 1024);
	assert_int_equal(pawl_engine_double(&engine, 1024e3 + 1), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 2048);
}

static void an_operation_slower_than_the_least_time_runs_once(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(300 * MS);
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
	assert_int_equal(pawl_engine_double(&engine, 250e6), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 1);
	assert_int_equal(fake.iterations, 2);
	assert_int_equal(m.clean.n, 1);
	assert_true(m.clean.median == 300e6);
}

static void slow_first_call(uint64_t call)
{
	if (call == 1)
		fake_pass(5 * MS, 5 * MS);
}

static void the_first_call_is_timed_alone_and_not_in_the_mean(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(1000);
	fake.in_call = slow_first_call;
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
	assert_int_equal(pawl_engine_double(&engine, 10e6), 0);
	pawl_engine_result(&engine, &m);
	assert_true(m.first_ns == 5001e3);
	assert_true(m.mean_ns == 1000);
	assert_true(m.clean.p99 == 1000);
}

static void the_clocks_overhead_is_in_no_time(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(1000);
	fake.reading_ns = 40;
	pawl_instruments_calibrate(&in);
	in.wall.overhead_ticks = 40;
	assert_true(in.region_ticks == 40 && in.inlined_ticks == 40);
	open_engine(&fake_bench);
	assert_int_equal(pawl_engine_double(&engine, 50e6), 0);
	pawl_engine_result(&engine, &m);
	assert_true(m.mean_ns == 1000);
	assert_true(m.clean.mean == 1000);
}

static void the_cpu_clocks_overhead_is_in_no_time(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.cpu_reading_ns = 400;
	pawl_instruments_calibrate(&in);
	assert_true(in.thread_ns == 400);
	/* its own end, and both readings of the thread's clock */
	assert_true(in.process_ns == 1200);
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 10, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.wall_ns == 10e6);
	assert_true(m.cpu_ns == 10e6);
	assert_true(m.process_cpu_ns == 10e6);
}

static void a_slice_runs_exactly_its_iterations(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 999, 1000, 1001, 1499, 1500, 1501, 123457 };
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct slice slice;
		in = fake_instruments(1000);
		open_engine(&fake_bench);
		pawl_engine_slice(&engine, sizes[i], &slice);
		assert_int_equal(fake.iterations, sizes[i]);
		assert_int_equal(slice.iterations, sizes[i]);
		assert_true(slice.wall_ns == (double)sizes[i] * 1000);
		assert_true(slice.cpu_ns == slice.wall_ns);
	}
}

static void slices_add_up_to_the_stretch(void **state)
{
	struct slice slice;
	struct measured m;
	(void)state;
	in = fake_instruments(2000);
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 5000, &slice);
	fake_pass(77 * MS, 3 * MS); /* a wait for a turn */
	pawl_engine_slice(&engine, 2000, &slice);
	assert_int_equal(slice.iterations, 2000);
	assert_true(slice.wall_ns == 4e6);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 7000);
	assert_true(m.wall_ns == 14e6 && m.cpu_ns == 14e6);
}

static void a_clock_that_stands_still_is_an_error(void **state)
{
	(void)state;
	in = fake_instruments(0);
	open_engine(&fake_bench);
	assert_int_equal(pawl_engine_double(&engine, 250e6), -ETIME);
	assert_true(fake.iterations < (uint64_t)1 << 29);
}

static void a_still_clock_is_found_early_when_the_operation_is_slow(void **state)
{
	(void)state;
	in = fake_instruments(0);
	fake.cpu_cost_ns = 100 * MS;
	open_engine(&fake_bench);
	assert_int_equal(pawl_engine_double(&engine, 250e6), -ETIME);
	assert_true(fake.iterations < 100);
}

static void run_removed(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)n, (void)r;
	fake.calls++;
	fake_pass(3, 3);
}

static void an_operation_that_was_removed_is_an_error(void **state)
{
	static const struct pawl_bench bench = PAWL_BENCH("gone", run_removed);
	(void)state;
	in = fake_instruments(0);
	open_engine(&bench);
	assert_int_equal(pawl_engine_double(&engine, 250e6), -ETIME);
	assert_true(fake.calls < 10000);
}

static void setup_that_fails_runs_nothing(void **state)
{
	(void)state;
	in = fake_instruments(1000);
	fake.setup_code = 7;
	assert_int_equal(pawl_engine_open(&engine, &in, &fake_bench), 7);
	assert_int_equal(fake.setups, 1);
	assert_int_equal(fake.calls, 0);
	assert_int_equal(fake.teardowns, 0);
}

static void setup_and_teardown_are_called_once(void **state)
{
	(void)state;
	in = fake_instruments(1000);
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
	assert_int_equal(pawl_engine_double(&engine, 1e6), 0);
	pawl_engine_close(&engine);
	assert_int_equal(fake.setups, 1);
	assert_int_equal(fake.teardowns, 1);
}

static void one_switch(uint64_t call)
{
	(void)call;
	fake.usage.voluntary_switches++;
	fake.usage.run_delay_ns += 10;
}

static void usage_covers_the_slices_and_not_the_waiting(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = one_switch;
	fake.usage.minor_faults = 1000;
	fake.usage.major_faults = __builtin_nan("");
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
	pawl_engine_clear(&engine);
	pawl_engine_slice(&engine, 5, &slice);
	fake.usage.voluntary_switches += 100;
	fake.usage.run_delay_ns += 1e9;
	pawl_engine_slice(&engine, 5, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.usage.voluntary_switches == 10);
	assert_true(m.usage.run_delay_ns == 100);
	assert_true(m.usage.minor_faults == 0);
	assert_true(m.usage.major_faults != m.usage.major_faults);
}

static void without_a_cpu_clock_batches_are_clean_and_cpu_time_unknown(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	in.thread.state = -ENODEV;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 5, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.cpu_ns != m.cpu_ns);
	assert_true(m.process_cpu_ns == 5e6);
	assert_int_equal(m.clean.n, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(doubling_stops_at_the_first_round_that_lasts_long_enough),
		cmocka_unit_test(a_round_of_exactly_the_least_time_is_enough),
		cmocka_unit_test(an_operation_slower_than_the_least_time_runs_once),
		cmocka_unit_test(the_first_call_is_timed_alone_and_not_in_the_mean),
		cmocka_unit_test(the_clocks_overhead_is_in_no_time),
		cmocka_unit_test(the_cpu_clocks_overhead_is_in_no_time),
		cmocka_unit_test(a_slice_runs_exactly_its_iterations),
		cmocka_unit_test(slices_add_up_to_the_stretch),
		cmocka_unit_test(a_clock_that_stands_still_is_an_error),
		cmocka_unit_test(a_still_clock_is_found_early_when_the_operation_is_slow),
		cmocka_unit_test(an_operation_that_was_removed_is_an_error),
		cmocka_unit_test(setup_that_fails_runs_nothing),
		cmocka_unit_test(setup_and_teardown_are_called_once),
		cmocka_unit_test(usage_covers_the_slices_and_not_the_waiting),
		cmocka_unit_test(without_a_cpu_clock_batches_are_clean_and_cpu_time_unknown),
	};
	return cmocka_run_group_tests_name("harness/engine", tests, NULL, NULL);
}
