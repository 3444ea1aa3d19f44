/* How many iterations are enough, what is left out and what is said about it. */
#include "tests/unit/harness/engine/engine_fixture.h"

#include <errno.h>

#include "lib/base/banned.h"

#define HOUR_NS ((int64_t)3600 * 1000 * MS)

static struct measured m;

static void batches_that_agree_end_after_eleven(void **state)
{
	(void)state;
	in = fake_instruments(5);
	assert_int_equal(batches(250e6, &m), 0);
	assert_int_equal(m.strategy, STRATEGY_BATCHES);
	assert_int_equal(m.clean.n, 11);
	assert_int_equal(m.dropped, 0);
	assert_int_equal(m.notes, 0);
	assert_true(m.estimate_ns == 5 && m.mean_ns == 5 && m.throughput_per_s == 2e8);
	/* Eleven batches of 1 to 1.1 ms; growing towards them took about one more. */
	assert_true(m.wall_ns >= 11e6 && m.wall_ns <= 13e6);
	assert_in_range(fake.true_ns, 11 * MS, 15 * MS);
}

/* Every other batch is a tenth slower, for as long as `disagree` says. */
static uint64_t disagree;

static void be_uneven(uint64_t call)
{
	if (call % 2 && call < disagree)
		fake_pass(MS / 10, MS / 10);
}

static void batches_that_do_not_agree_go_on_until_they_do(void **state)
{
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = be_uneven;
	disagree = 30;
	assert_int_equal(batches(1000e6, &m), 0);
	/*
	 * k slow of n: sd of about 0.1 sqrt(k (n - k)) / n, so that 14 slow ones need some n
	 * where 2 sd / sqrt(n) is 1 % of 1.02.
	 */
	assert_in_range(m.clean.n, 60, 120);
	assert_int_equal(m.notes, 0);
	assert_true(m.estimate_ns == 1e6); /* the median */
	assert_true(m.mean_ns > 1.01e6);
}

static void batches_that_never_agree_end_with_the_time_and_say_so(void **state)
{
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = be_uneven;
	disagree = 21; /* too few batches to outweigh ten slow ones */
	assert_int_equal(batches(20e6, &m), 0);
	assert_true(m.wall_ns >= 20e6 && m.wall_ns < 22e6);
	assert_int_equal(m.notes, NOTE_APART);
}

static void an_iteration_longer_than_the_time_runs_once_and_says_so(void **state)
{
	(void)state;
	in = fake_instruments(300 * MS);
	assert_int_equal(batches(250e6, &m), 0);
	assert_int_equal(m.iterations, 1);
	assert_int_equal(m.notes, NOTE_SLOW);
	assert_true(m.estimate_ns == 300e6);
	in = fake_instruments(300 * MS);
	open_first();
	assert_int_equal(pawl_engine_double(&engine, 250e6), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.iterations, 1);
	assert_int_equal(m.notes, NOTE_SLOW);
	/* The first call is no iteration of the stretch. */
	assert_int_equal(fake.iterations, 2);
	in = fake_instruments(200 * MS);
	open_first();
	assert_int_equal(pawl_engine_double(&engine, 250e6), 0);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.notes, 0);
}

static void batches_of_a_clock_that_stands_still_are_an_error(void **state)
{
	(void)state;
	in = fake_instruments(0);
	assert_int_equal(batches(250e6, &m), -ETIME);
	assert_true(fake.iterations < (uint64_t)1 << 32);
	in = fake_instruments(0);
	fake.cpu_cost_ns = 100 * MS;
	assert_int_equal(batches(250e6, &m), -ETIME);
	assert_true(fake.iterations < 100);
}

static void bookkeeping_is_one_percent_of_a_batch_at_most(void **state)
{
	(void)state;
	in = fake_instruments(1000);
	fake.cpu_reading_ns = 20000;
	pawl_instruments_calibrate(&in);
	assert_true(in.thread_ns == 20000 && in.process_ns == 60000);
	open_first();
	/* Four readings of 20 us around a batch */
	assert_true(engine.batch_ns >= 100 * 4 * 20000.0);
	assert_int_equal(pawl_engine_batches(&engine, 1e9), 0);
	uint64_t begun = fake.true_ns, calls = fake.calls;
	struct slice slice;
	pawl_engine_slice(&engine, 100000, &slice); /* 100 ms */
	uint64_t around = fake.true_ns - begun - 100 * MS;
	assert_true(around * 100 <= 100 * MS);
	assert_true(fake.calls > calls);
}

static void an_empty_operation_is_taken_off_the_net_time(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(1000);
	in.empty_ns = 1.5;
	open_first();
	pawl_engine_slice(&engine, 5000, &slice);
	pawl_engine_result(&engine, &m);
	assert_true(m.mean_ns == 1000 && m.estimate_ns == 1000 && m.net_ns == 998.5);
	in.empty_ns = 2000; /* never below 0 */
	pawl_engine_result(&engine, &m);
	assert_true(m.net_ns == 0);
	in.empty_ns = __builtin_nan("");
	pawl_engine_result(&engine, &m);
	assert_true(m.net_ns != m.net_ns && m.mean_ns == 1000);
}

static void an_empty_operation_takes_time_on_a_real_clock_and_none_on_a_still_one(void **state)
{
	struct instruments real;
	(void)state;
	assert_int_equal(pawl_instruments_open(&real, NULL), 0);
	assert_true(real.empty_ns != real.empty_ns);
	double ns = pawl_engine_empty(&engine, &real);
	assert_true(ns != ns || ns > 0); /* unknown where others never leave the processor */
	in = fake_instruments(0);
	ns = pawl_engine_empty(&engine, &in);
	assert_true(ns != ns);
}

static void jump_once(uint64_t call)
{
	if (call == 5)
		fake.jump_ns += 5 * HOUR_NS;
	if (call == 8)
		fake.jump_ns -= 3 * HOUR_NS;
}

static void a_clock_that_jumps_either_way_costs_the_batch_and_no_time(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	in.witness = fake_witness;
	fake.wall_ns = (uint64_t)24 * HOUR_NS;
	fake.in_call = jump_once;
	open_first();
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped, 2);
	assert_int_equal(m.dropped_by[CAUSE_CLOCK], 2);
	assert_int_equal(m.iterations, 18);
	assert_true(m.wall_ns == 18e6 && m.mean_ns == 1e6 && m.clean.max == 1e6);
	assert_int_equal(slice.iterations, 18);
	assert_int_equal(m.notes, NOTE_JUMPED);
}

static void a_clock_that_goes_back_is_seen_without_another_clock(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.wall_ns = (uint64_t)24 * HOUR_NS;
	fake.in_call = jump_once;
	open_first();
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	/* The one ahead has too little CPU time to be clean. */
	assert_int_equal(m.dropped_by[CAUSE_CLOCK], 1);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 1);
	assert_true(m.clean.max == 1e6);
}

static void jump_ahead(uint64_t call)
{
	(void)call;
	fake.jump_ns += HOUR_NS;
}

static void jump_back(uint64_t call)
{
	(void)call;
	fake.jump_ns -= HOUR_NS;
}

static void a_clock_that_always_jumps_ends_and_has_no_time(void **state)
{
	/* Ahead without another clock is preempted, as far as is known. */
	static const struct {
		void (*jump)(uint64_t call);
		uint64_t (*witness)(void);
	} cases[] = { { jump_ahead, fake_witness },
		      { jump_back, fake_witness },
		      { jump_back, NULL } };
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		in = fake_instruments(1 * MS);
		in.witness = cases[i].witness;
		fake.wall_ns = UINT64_MAX / 2;
		fake.in_call = cases[i].jump;
		open_first();
		assert_true(engine.first_ns != engine.first_ns);
		assert_int_equal(pawl_engine_double(&engine, 50e6), 0);
		pawl_engine_result(&engine, &m);
		assert_int_equal(m.iterations, 0);
		assert_true(m.dropped_by[CAUSE_CLOCK] > 0 && m.mean_ns != m.mean_ns);
		assert_true(fake.iterations < 1000);
		assert_int_equal(pawl_engine_batches(&engine, 50e6), 0);
		assert_true(fake.iterations < 2000);
	}
}

static void wait_shortly(uint64_t call)
{
	(void)call;
	fake_pass(MS, 0);
}

static void a_short_wait_is_no_jump(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	in.witness = fake_witness;
	open_first();
	fake.in_call = wait_shortly;
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped_by[CAUSE_CLOCK], 0);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 20);
}

/* The thread is kept from the processor just after the other clock was read. */
static uint64_t late_witness(void)
{
	uint64_t now = fake_witness();
	fake_pass(1000 * MS, 0);
	return now;
}

static void a_long_wait_between_the_clocks_is_no_jump(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	in.witness = late_witness;
	open_first();
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped, 0);
	assert_int_equal(m.iterations, 20);
	assert_true(m.mean_ns == 1e6);
}

static void jump_back_by_half(uint64_t call)
{
	(void)call;
	fake.jump_ns -= 5000 * MS;
}

static void a_clock_that_goes_back_by_less_than_the_batch_has_jumped(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(10000 * MS);
	in.witness = fake_witness;
	fake.wall_ns = (uint64_t)24 * HOUR_NS;
	fake.in_call = jump_back_by_half;
	open_first();
	pawl_engine_slice(&engine, 4, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped_by[CAUSE_CLOCK], 4);
	assert_int_equal(m.iterations, 0);
}

static void failed_batches_are_counted_apart(void **state)
{
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	open_first();
	fake.fail_each = 5;
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.errors, 4);
	assert_int_equal(m.dropped_by[CAUSE_FAILED], 4);
	assert_int_equal(m.dropped, 4);
	assert_int_equal(m.clean.n, 16);
	assert_int_equal(m.iterations, 16);
	assert_true(m.cpu_ratio == 1);
}

static void run_by_hand(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	for (uint64_t i = 0; i < n; i++) {
		pawl_start(r);
		fake_pass(fake.cost_ns, fake.cost_ns);
		pawl_stop(r);
	}
}

static void stretches_of_few_steps_are_below_resolution(void **state)
{
	static const struct pawl_bench hand = PAWL_BENCH("hand", run_by_hand);
	struct slice slice;
	(void)state;
	for (uint64_t ns = 199; ns <= 200; ns++) {
		in = fake_instruments(ns);
		in.wall.step_ticks = 10;
		assert_int_equal(pawl_engine_open(&engine, &in, &hand), 0);
		pawl_engine_slice(&engine, 1000, &slice);
		pawl_engine_result(&engine, &m);
		assert_int_equal(m.notes, ns < 200 ? NOTE_COARSE : 0);
	}
	/* The loop is in no time of a stretch timed by hand, so none is taken off. */
	in.empty_ns = 50;
	pawl_engine_result(&engine, &m);
	assert_true(m.net_ns == 200);
}

static void everything_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(pawl_strategy_name(STRATEGY_GMPBENCH), "gmpbench");
	assert_string_equal(pawl_strategy_name(STRATEGY_BATCHES), "batches");
	assert_string_equal(pawl_strategy_name(STRATEGY_ITERATIONS), "iterations");
	for (unsigned note = 1; note <= NOTE_LAST; note *= 2)
		assert_true(strlen(pawl_note_text((enum note)note)) > 10);
	for (int i = 0; i < CAUSE_N; i++)
		assert_true(strlen(pawl_cause_name((enum cause)i)) > 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_that_agree_end_after_eleven),
		cmocka_unit_test(batches_that_do_not_agree_go_on_until_they_do),
		cmocka_unit_test(batches_that_never_agree_end_with_the_time_and_say_so),
		cmocka_unit_test(an_iteration_longer_than_the_time_runs_once_and_says_so),
		cmocka_unit_test(batches_of_a_clock_that_stands_still_are_an_error),
		cmocka_unit_test(bookkeeping_is_one_percent_of_a_batch_at_most),
		cmocka_unit_test(an_empty_operation_is_taken_off_the_net_time),
		cmocka_unit_test(
			an_empty_operation_takes_time_on_a_real_clock_and_none_on_a_still_one),
		cmocka_unit_test(a_clock_that_jumps_either_way_costs_the_batch_and_no_time),
		cmocka_unit_test(a_clock_that_goes_back_is_seen_without_another_clock),
		cmocka_unit_test(a_clock_that_always_jumps_ends_and_has_no_time),
		cmocka_unit_test(a_short_wait_is_no_jump),
		cmocka_unit_test(a_long_wait_between_the_clocks_is_no_jump),
		cmocka_unit_test(a_clock_that_goes_back_by_less_than_the_batch_has_jumped),
		cmocka_unit_test(failed_batches_are_counted_apart),
		cmocka_unit_test(stretches_of_few_steps_are_below_resolution),
		cmocka_unit_test(everything_has_a_name),
	};
	return cmocka_run_group_tests_name("harness/strategy", tests, NULL, NULL);
}
