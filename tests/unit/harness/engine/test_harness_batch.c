#include "tests/unit/harness/engine/engine_fixture.h"

#include <errno.h>

#include "lib/base/banned.h"

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
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 3);
	/* 20 ms of work in 23 ms */
	assert_true(m.cpu_ratio == 20.0 / 23);
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

/* As on Windows, where the CPU clock moves with the timer interrupt. */
static void a_cpu_clock_coarser_than_a_batch_is_no_witness(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	in.thread.step_ticks = 10 * MS;
	fake.cpu_cost_ns = 0;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 5, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped, 0);
	assert_int_equal(m.clean.n, 5);
}

static void few_iterations_of_a_coarse_clock_are_below_resolution(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	for (uint64_t n = 19; n <= 20; n++) {
		in = fake_instruments(10);
		in.wall.step_ticks = 10;
		open_engine(&fake_bench);
		pawl_engine_slice(&engine, n, &slice);
		pawl_engine_result(&engine, &m);
		assert_int_equal(m.notes, n < 20 ? NOTE_COARSE : 0);
	}
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
	assert_int_equal(m.dropped_by[CAUSE_MIGRATED], 2);
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

/* It takes 300 us whatever n is. */
static void run_once(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)n, (void)r;
	fake_pass(300000, 300000);
}

static void a_run_that_does_not_do_it_n_times_is_an_error(void **state)
{
	static const struct pawl_bench once = { .name = "once", .run = run_once };
	(void)state;
	in = fake_instruments(0);
	open_engine(&once);
	pawl_engine_first(&engine);
	assert_int_equal(pawl_engine_batches(&engine, 250e6), -ETIME);
	assert_int_equal(pawl_engine_double(&engine, 250e6), -ETIME);
	assert_true(fake.wall_ns < 100 * MS);
}

/* Every other 128 ms, so that it is half of the batches of 1, 2, 4 and 8 ms, or nearly. */
static void lose_half(uint64_t call)
{
	(void)call;
	fake.cpu_ns += fake.wall_ns / (128 * MS) % 2 ? fake.wall_ns - fake.process_ns : 0;
	fake.process_ns = fake.wall_ns; /* here: when the call before ended */
}

static void joined_batches_join_the_dropped_ones_too(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.cpu_cost_ns = 0;
	fake.in_call = lose_half;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 6 * SPREAD_CAPACITY, &slice);
	pawl_engine_result(&engine, &m);
	assert_in_range(m.clean.n, SPREAD_CAPACITY / 2, SPREAD_CAPACITY);
	assert_in_range(m.dropped, m.clean.n - m.clean.n / 8, m.clean.n + m.clean.n / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_last_at_least_a_millisecond),
		cmocka_unit_test(batches_last_a_thousand_steps_of_a_coarse_clock),
		cmocka_unit_test(a_batch_that_lost_the_processor_is_not_clean),
		cmocka_unit_test(the_clean_ratio_is_0_98),
		cmocka_unit_test(a_cpu_clock_coarser_than_a_batch_is_no_witness),
		cmocka_unit_test(few_iterations_of_a_coarse_clock_are_below_resolution),
		cmocka_unit_test(a_batch_that_migrated_is_not_clean_and_is_counted),
		cmocka_unit_test(an_unknown_processor_makes_migrations_unknown),
		cmocka_unit_test(a_run_that_does_not_do_it_n_times_is_an_error),
		cmocka_unit_test(joined_batches_join_the_dropped_ones_too),
		cmocka_unit_test(a_stretch_of_more_batches_than_fit_joins_them),
	};
	return cmocka_run_group_tests_name("harness/batch", tests, NULL, NULL);
}
