/* What is reported beside others, with a clean batch and without one. */
#include "tests/unit/harness/engine/engine_fixture.h"

#include "lib/base/banned.h"

static struct measured m;

static void half_of_the_processor(uint64_t call)
{
	if (call % 2)
		fake_pass(2 * MS, 0);
}

static void a_neighbour_is_in_the_mean_and_not_in_the_estimate(void **state)
{
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = half_of_the_processor;
	assert_int_equal(batches(250e6, &m), 0);
	assert_true(m.mean_ns > 1.9e6);
	assert_true(m.estimate_ns == 1e6);
	assert_int_equal(m.clean.n, 11);
	assert_in_range(m.dropped_by[CAUSE_PREEMPTED], 10, 12);
	assert_int_equal(m.dropped, m.dropped_by[CAUSE_PREEMPTED]);
}

/* Of a stretch of n iterations: what --strategy gmpbench, which doubles, and --iterations say. */
static void half_the_processor_is_in_the_mean_and_not_in_the_throughput_of_any_strategy(
	void **state)
{
	struct slice whole;
	(void)state;
	for (int doubled = 0; doubled < 2; doubled++) {
		in = fake_instruments(1 * MS);
		fake.in_call = half_of_the_processor;
		open_first();
		if (doubled)
			assert_int_equal(pawl_engine_double(&engine, 50e6), 0);
		else
			pawl_engine_slice(&engine, 64, &whole);
		pawl_engine_result(&engine, &m);
		pawl_engine_close(&engine);
		assert_int_equal(m.strategy, doubled ? STRATEGY_GMPBENCH : STRATEGY_ITERATIONS);
		assert_true(m.mean_ns > 1.9e6);
		assert_int_equal(m.estimated, ESTIMATE_CLEAN);
		assert_true(m.estimate_ns == 1e6 && m.net_ns == 1e6 && m.throughput_per_s == 1000);
		assert_int_equal(m.notes, 0);
	}
}

/* Nothing is known to have disturbed it, so that its mean is no fault to speak of. */
static void a_stretch_shorter_than_a_batch_is_its_own_mean(void **state)
{
	struct slice whole;
	(void)state;
	in = fake_instruments(1000);
	open_first();
	pawl_engine_slice(&engine, 5, &whole);
	pawl_engine_result(&engine, &m);
	pawl_engine_close(&engine);
	assert_int_equal(m.clean.n, 0);
	assert_int_equal(m.estimated, ESTIMATE_MEAN);
	assert_true(m.estimate_ns == 1000 && m.throughput_per_s == 1e6);
	assert_int_equal(m.notes, 0);
}

static void lose_all_the_time_at_once(uint64_t call)
{
	if (call == 5)
		fake_pass(60 * MS, 0);
}

static void the_time_is_doubled_while_no_batch_is_clean(void **state)
{
	(void)state;
	in = fake_instruments(5);
	fake.in_call = lose_all_the_time_at_once;
	assert_int_equal(batches(50e6, &m), 0);
	assert_true(m.clean.n > 0);
	assert_true(m.estimate_ns == 5);
	assert_int_equal(m.estimated, ESTIMATE_CLEAN);
	assert_true(fake.true_ns < 100 * MS);
}

static double told_delay_ns;

static void never_alone(uint64_t call)
{
	(void)call;
	fake_pass(MS, 0);
	fake.usage.involuntary_switches += 1;
	fake.usage.run_delay_ns += told_delay_ns;
}

static void without_a_clean_batch_the_estimate_is_cpu_time_and_says_so(void **state)
{
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = never_alone;
	told_delay_ns = 1 * MS;
	assert_int_equal(batches(50e6, &m), 0);
	assert_int_equal(m.clean.n, 0);
	assert_true(m.estimate_ns == 1e6 && m.mean_ns == 2e6);
	assert_int_equal(m.estimated, ESTIMATE_CPU);
	assert_int_equal(m.notes, NOTE_APART | NOTE_DIRTY | NOTE_CPU);
	assert_in_range(fake.true_ns, 100 * MS, 110 * MS); /* twice the time, and the first */
}

/* Half of the missing time is run delay; what became of the other half nobody knows. */
static void without_a_clean_batch_or_a_cause_the_estimate_is_the_mean_and_says_so(void **state)
{
	(void)state;
	for (int unknown = 0; unknown < 2; unknown++) {
		in = fake_instruments(1 * MS);
		fake.in_call = never_alone;
		told_delay_ns = unknown ? __builtin_nan("") : 500000;
		assert_int_equal(batches(50e6, &m), 0);
		assert_true(m.estimate_ns == 2e6 && m.mean_ns == 2e6);
		assert_int_equal(m.estimated, ESTIMATE_MEAN);
		assert_int_equal(m.notes, NOTE_APART | NOTE_DIRTY | NOTE_MEAN);
	}
}

/* Some batches are stopped, as by Ctrl-Z, for longer than the time. */
static void be_stopped_at_once(uint64_t call)
{
	if (call == 2)
		fake_pass(MS / 2, 0);
	if (call == 3)
		fake_pass(MS / 2, 0);
	if (call == 4) {
		fake_pass(300 * MS, 0);
		fake.usage.voluntary_switches += 1;
	}
}

static void a_stop_is_no_estimate(void **state)
{
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = be_stopped_at_once;
	assert_int_equal(batches(50e6, &m), 0);
	assert_int_equal(m.clean.n, 0);
	assert_int_equal(m.estimated, ESTIMATE_MEAN);
	assert_int_equal(m.notes, NOTE_APART | NOTE_DIRTY | NOTE_MEAN);
}

/* 1 us of 10 ms is timed: far from a batch when the time is over. */
static void time_little(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	for (uint64_t i = 0; i < n; i++) {
		fake_pass(10 * MS, 10 * MS);
		pawl_start(r);
		fake_pass(1000, 1000);
		pawl_stop(r);
	}
}

static void by_hand_ten_times_the_time_is_the_most_without_a_batch_too(void **state)
{
	static const struct pawl_bench by_hand = PAWL_BENCH("by hand", time_little);
	uint64_t began_ns;
	(void)state;
	in = fake_instruments(0);
	assert_int_equal(pawl_engine_open(&engine, &in, &by_hand), 0);
	pawl_engine_first(&engine);
	began_ns = fake.true_ns;
	assert_int_equal(pawl_engine_batches(&engine, 50e6), 0);
	assert_in_range(fake.true_ns - began_ns, 500 * MS, 520 * MS);
	pawl_engine_close(&engine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_neighbour_is_in_the_mean_and_not_in_the_estimate),
		cmocka_unit_test(
			half_the_processor_is_in_the_mean_and_not_in_the_throughput_of_any_strategy),
		cmocka_unit_test(a_stretch_shorter_than_a_batch_is_its_own_mean),
		cmocka_unit_test(the_time_is_doubled_while_no_batch_is_clean),
		cmocka_unit_test(without_a_clean_batch_the_estimate_is_cpu_time_and_says_so),
		cmocka_unit_test(
			without_a_clean_batch_or_a_cause_the_estimate_is_the_mean_and_says_so),
		cmocka_unit_test(a_stop_is_no_estimate),
		cmocka_unit_test(by_hand_ten_times_the_time_is_the_most_without_a_batch_too),
	};
	return cmocka_run_group_tests_name("harness/estimate", tests, NULL, NULL);
}
