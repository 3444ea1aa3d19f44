#include "tests/unit/test_harness_fake.h"

#include <errno.h>

#include "lib/base/banned.h"

#define MS 1000000u

static struct engine engine;
static struct instruments in;

static void open_engine(const struct pawl_bench *bench)
{
	assert_int_equal(pawl_engine_open(&engine, &in, bench), 0);
}

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
	assert_true(in.region_ticks == 40);
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

static void batches_last_at_least_a_millisecond(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1000);
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 100000, &slice); /* 100 ms */
	pawl_engine_result(&engine, &m);
	assert_in_range(m.clean.n, 50, 100);
	assert_int_equal(m.dropped, 0);
	assert_true(m.clean.min == 1000 && m.clean.median == 1000 && m.clean.p99 == 1000);
	assert_true(m.clean.sd == 0);
}

static void batches_last_a_thousand_steps_of_a_coarse_clock(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(7000);
	in.wall.step_ticks = MS;
	fake.step_ns = MS;
	open_engine(&fake_bench);
	assert_true(engine.batch_ns == 1e9);
	assert_int_equal(pawl_engine_double(&engine, 5e9), 0);
	pawl_engine_result(&engine, &m);
	/* 2^20 times 7 us are 7.3 s; each batch of a second is right within a step or two. */
	assert_int_equal(m.iterations, 1 << 20);
	assert_true(m.mean_ns > 6990 && m.mean_ns < 7010);
	assert_in_range(m.clean.n, 1, 8);
	assert_true(m.clean.min > 6990 && m.clean.p99 < 7010);
}

static void lose_the_processor(uint64_t call)
{
	if (call >= 10 && call < 13)
		fake_pass(1 * MS, 0);
}

static void a_batch_that_lost_the_processor_is_not_clean(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = lose_the_processor;
	open_engine(&fake_bench);
	struct slice slice;
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped, 3);
	assert_int_equal(m.clean.n, 17);
	assert_true(m.clean.mean == 1e6);
	/* The plain mean carries them: 20 ms of work, 3 ms lost. */
	assert_true(m.mean_ns == 23e6 / 20);
}

static void lose_a_little(uint64_t call)
{
	/* 0.979 and 0.981 of the time on the processor */
	fake_pass(0, call == 1 ? 979000 : 981000);
}

static void the_clean_ratio_is_0_98(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.cpu_cost_ns = 0;
	fake.in_call = lose_a_little;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 2, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped, 1);
	assert_int_equal(m.clean.n, 1);
}

static void migrate(uint64_t call)
{
	if (call == 5 || call == 9)
		fake.where++;
}

static void a_batch_that_migrated_is_not_clean_and_is_counted(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = migrate;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 8, &slice);
	fake.where = 7; /* between slices: none of ours */
	pawl_engine_slice(&engine, 8, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.migrations == 2);
	assert_int_equal(m.dropped, 2);
	assert_int_equal(m.clean.n, 14);
}

static void an_unknown_processor_makes_migrations_unknown(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.where = -1;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 4, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.migrations != m.migrations);
	assert_int_equal(m.clean.n, 4);
}

static void failed_operations_are_counted_and_not_in_the_time(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS); /* one operation a batch */
	fake.fail_each = 4;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.errors, 5);
	assert_int_equal(m.iterations, 15);
	assert_int_equal(slice.iterations, 15);
	assert_true(m.wall_ns == 15e6 && m.cpu_ns == 15e6 && m.process_cpu_ns == 15e6);
	assert_int_equal(m.clean.n, 15);
}

static void a_benchmark_that_always_fails_ends(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(1000);
	fake.fail_each = 1;
	open_engine(&fake_bench);
	pawl_engine_first(&engine);
	assert_int_equal(pawl_engine_double(&engine, 10e6), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 0);
	assert_int_equal(m.errors, 16384); /* 16.4 ms */
	assert_true(m.mean_ns != m.mean_ns && m.first_ns != m.first_ns);
	assert_true(m.throughput_per_s != m.throughput_per_s);
}

static void run_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	for (uint64_t i = 0; i < n; i++) {
		fake_pass(9000, 9000); /* preparing */
		pawl_start(r);
		fake_pass(1000, 1000);
		if (fake.fail_each && ++fake.iterations % fake.fail_each == 0) {
			pawl_fail(r);
			continue;
		}
		pawl_stop(r);
		pawl_stop(r); /* does nothing */
	}
}

static const struct pawl_bench by_hand = { "by hand", NULL, run_by_hand, NULL, NULL, 0, 0 };

static void by_hand_only_what_lies_between_start_and_stop_counts(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(0);
	fake.reading_ns = 30;
	in.wall.overhead_ticks = 30;
	in.region_ticks = 30;
	open_engine(&by_hand);
	pawl_engine_first(&engine);
	pawl_engine_slice(&engine, 10000, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.first_ns == 1000);
	assert_int_equal(m.iterations, 10000);
	assert_true(m.mean_ns == 1000);
	assert_true(m.cpu_ns != m.cpu_ns && slice.cpu_ns != slice.cpu_ns);
	assert_in_range(m.clean.n, 4, 10);
}

static void by_hand_a_failed_stretch_is_thrown_away_alone(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(0);
	fake.fail_each = 10;
	open_engine(&by_hand);
	pawl_engine_slice(&engine, 1000, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.errors, 100);
	assert_int_equal(m.iterations, 900);
	assert_true(m.wall_ns == 900e3);
}

static void run_left_open(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	fake_pass(500, 500);
	pawl_start(r);
	pawl_start(r);
	fake_pass(n * 1000, n * 1000);
}

static void a_stretch_left_open_ends_with_run(void **state)
{
	static const struct pawl_bench bench = { "open", NULL, run_left_open, NULL, NULL, 0, 0 };
	struct slice slice;
	(void)state;
	in = fake_instruments(0);
	open_engine(&bench);
	pawl_engine_slice(&engine, 1, &slice);
	assert_true(slice.wall_ns == 1000);
}

static void by_hand_doubling_ends_at_ten_times_the_least_time(void **state)
{
	struct measured m;
	(void)state;
	in = fake_instruments(0);
	open_engine(&by_hand);
	/* Of 10 us an iteration 1 us is timed: both limits are met by 1024 iterations. */
	assert_int_equal(pawl_engine_double(&engine, 1024e3), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 1024);
	fake.fail_each = 1; /* nothing timed at all */
	assert_int_equal(pawl_engine_double(&engine, 1024e3), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 0);
	assert_int_equal(m.errors, 128);
}

static void a_clock_that_stands_still_is_an_error(void **state)
{
	(void)state;
	in = fake_instruments(0);
	open_engine(&fake_bench);
	assert_int_equal(pawl_engine_double(&engine, 250e6), -ETIME);
	assert_true(fake.iterations < (uint64_t)1 << 26);
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
	static const struct pawl_bench bench = { "gone", NULL, run_removed, NULL, NULL, 0, 0 };
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

static void a_stretch_of_more_batches_than_fit_joins_them(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 3 * SPREAD_CAPACITY, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 3 * SPREAD_CAPACITY);
	/* 4096 of 1 ms become 2048 of 2 ms; the other 8192 ms are 2048 more, of 4 ms in the end */
	assert_in_range(m.clean.n, SPREAD_CAPACITY / 2, SPREAD_CAPACITY);
	assert_true(m.clean.mean == 1e6 && m.clean.sd == 0);
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
		cmocka_unit_test(batches_last_at_least_a_millisecond),
		cmocka_unit_test(batches_last_a_thousand_steps_of_a_coarse_clock),
		cmocka_unit_test(a_batch_that_lost_the_processor_is_not_clean),
		cmocka_unit_test(the_clean_ratio_is_0_98),
		cmocka_unit_test(a_batch_that_migrated_is_not_clean_and_is_counted),
		cmocka_unit_test(an_unknown_processor_makes_migrations_unknown),
		cmocka_unit_test(failed_operations_are_counted_and_not_in_the_time),
		cmocka_unit_test(a_benchmark_that_always_fails_ends),
		cmocka_unit_test(by_hand_only_what_lies_between_start_and_stop_counts),
		cmocka_unit_test(by_hand_a_failed_stretch_is_thrown_away_alone),
		cmocka_unit_test(a_stretch_left_open_ends_with_run),
		cmocka_unit_test(by_hand_doubling_ends_at_ten_times_the_least_time),
		cmocka_unit_test(a_clock_that_stands_still_is_an_error),
		cmocka_unit_test(a_still_clock_is_found_early_when_the_operation_is_slow),
		cmocka_unit_test(an_operation_that_was_removed_is_an_error),
		cmocka_unit_test(setup_that_fails_runs_nothing),
		cmocka_unit_test(setup_and_teardown_are_called_once),
		cmocka_unit_test(usage_covers_the_slices_and_not_the_waiting),
		cmocka_unit_test(without_a_cpu_clock_batches_are_clean_and_cpu_time_unknown),
		cmocka_unit_test(a_stretch_of_more_batches_than_fit_joins_them),
	};
	return cmocka_run_group_tests_name("harness/engine", tests, NULL, NULL);
}
