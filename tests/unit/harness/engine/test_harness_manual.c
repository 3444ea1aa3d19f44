#include "tests/unit/harness/engine/engine_fixture.h"

#include "lib/base/banned.h"

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

static const struct pawl_bench by_hand = PAWL_BENCH("by hand", run_by_hand);

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

static void run_counting(void *ctx, uint64_t n, struct pawl_run *r)
{
	for (uint64_t i = 0; i < n; i++) {
		pawl_add(r, "things", 1);
		run_by_hand(ctx, 1, r);
	}
}

/* It was divided by the operations that did not fail, and so 2. */
static void what_was_counted_of_failed_operations_is_divided_by_them_too(void **state)
{
	static const struct pawl_bench counting = { .name = "counting", .run = run_counting };
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(0);
	fake.fail_each = 2;
	open_engine(&counting);
	pawl_engine_slice(&engine, 1000, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 500);
	assert_int_equal(m.tally.operations, 1000);
	assert_true(pawl_tally_value(&m.tally.entry[0], m.tally.operations) == 1);
}

static void run_one_stretch(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	pawl_start(r);
	fake_pass(n * 1000, n * 1000);
	if (fake.fail_each && ++fake.calls % fake.fail_each == 0)
		pawl_fail(r);
	pawl_stop(r);
}

/* How many of its operations were in the time that was thrown away cannot be known. */
static void by_hand_a_failed_stretch_of_many_operations_takes_the_others_with_it(void **state)
{
	static const struct pawl_bench one = { .name = "one", .run = run_one_stretch };
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(0);
	open_engine(&one);
	pawl_engine_first(&engine);
	fake.fail_each = 2; /* every other call */
	pawl_engine_slice(&engine, 100000, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.errors > 10);
	assert_int_equal(m.dropped_by[CAUSE_FAILED], m.errors);
	assert_in_range(m.iterations, 1000, 90000);
	assert_true(m.mean_ns == 1000);
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
	static const struct pawl_bench bench = PAWL_BENCH("open", run_left_open);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failed_operations_are_counted_and_not_in_the_time),
		cmocka_unit_test(a_benchmark_that_always_fails_ends),
		cmocka_unit_test(by_hand_only_what_lies_between_start_and_stop_counts),
		cmocka_unit_test(by_hand_a_failed_stretch_is_thrown_away_alone),
		cmocka_unit_test(
			by_hand_a_failed_stretch_of_many_operations_takes_the_others_with_it),
		cmocka_unit_test(what_was_counted_of_failed_operations_is_divided_by_them_too),
		cmocka_unit_test(a_stretch_left_open_ends_with_run),
		cmocka_unit_test(by_hand_doubling_ends_at_ten_times_the_least_time),
	};
	return cmocka_run_group_tests_name("harness/manual", tests, NULL, NULL);
}
