/* When a batch of an operation is clean that gives the processor away. */
#include "tests/unit/harness/engine/engine_fixture.h"

#include "lib/base/banned.h"

/* One millisecond of work, one of waiting; every fourth time others keep the processor as well. */
static void wait_often(uint64_t call)
{
	uint64_t delay_ns = call % 4 ? 0 : 1 * MS;
	fake_pass(1 * MS + delay_ns, 0);
	fake.usage.voluntary_switches += 10;
	fake.usage.involuntary_switches += 1;
	fake.usage.run_delay_ns += (double)delay_ns;
}

static void an_operation_that_waits_is_judged_by_its_run_delay(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = wait_often;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 15);
	assert_true(m.clean.median == 2e6 && m.clean.max == 2e6);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 5);
	assert_int_equal(m.dropped, 5);
	assert_int_equal(m.waiting, 20);
	assert_int_equal(m.notes, NOTE_WAITS);
	assert_true(m.usage.run_delay_ns == 5e6 && m.usage.voluntary_switches == 200);
}

static void wait_and_be_late(uint64_t call)
{
	/* 2 % of 1 ms, and 5 us for the one switch */
	fake_pass(0, 100000);
	fake.usage.voluntary_switches += 1;
	fake.usage.run_delay_ns += call == 1 ? 24000 : 26000;
}

static void a_waiting_batch_may_be_delayed_by_2_percent(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.cpu_cost_ns = 0;
	fake.in_call = wait_and_be_late;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 2, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 1);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 1);
}

static void hand_over(uint64_t call)
{
	/* Forty switches at 4.9 and 5.6 us of run delay, in 1 ms of which 20 us may be late */
	fake_pass(0, 500000);
	fake.usage.voluntary_switches += 30;
	fake.usage.involuntary_switches += 10;
	fake.usage.run_delay_ns += call == 1 ? 40 * 4900 : 40 * 5600;
}

static void handing_over_the_processor_is_no_delay(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.cpu_cost_ns = 0;
	fake.in_call = hand_over;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 2, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 1);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 1);
}

static void wait_always(uint64_t call)
{
	fake_pass(1 * MS, 0);
	fake.usage.voluntary_switches += 10;
	fake.usage.involuntary_switches += call % 4 ? 0 : 1;
}

/* As of a kernel without schedstat. */
static void without_a_run_delay_a_waiting_batch_must_not_be_interrupted(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = wait_always;
	fake.usage.run_delay_ns = __builtin_nan("");
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 15);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 5);
}

/* Time that is gone without a switch of either kind, as where a hypervisor takes it. */
static void lose_time(uint64_t call)
{
	(void)call;
	fake_pass(1 * MS, 0);
}

static void time_that_no_switch_explains_is_not_clean(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	for (int known = 0; known < 2; known++) {
		in = fake_instruments(1 * MS);
		fake.in_call = lose_time;
		if (!known)
			memset(&fake.usage, 0xff, sizeof(fake.usage)); /* all NaN */
		open_engine(&fake_bench);
		pawl_engine_slice(&engine, 20, &slice);
		pawl_engine_result(&engine, &m);
		assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 20);
		assert_int_equal(m.waiting, 0);
		assert_int_equal(m.notes, NOTE_DIRTY | NOTE_MEAN);
	}
}

static void be_late(uint64_t call)
{
	(void)call;
	fake_pass(1 * MS, 0);
	fake.usage.voluntary_switches += 10;
	fake.usage.run_delay_ns += 1 * MS;
}

static void an_operation_that_is_always_late_says_so(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = be_late;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 0);
	assert_int_equal(m.notes, NOTE_DELAYED | NOTE_MEAN);
}

/* Between two slices the program waits for its turn, and others have the processor. */
static void waiting_for_a_turn_is_no_waiting_of_the_operation(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(300000); /* three and a bit are a batch */
	fake.cpu_cost_ns = 100000;
	open_engine(&fake_bench);
	engine.step = 1;
	engine.batch_ns = 900000;
	for (int i = 0; i < 6; i++) {
		pawl_engine_slice(&engine, 1, &slice);
		engine.step = 1;
		fake.usage.voluntary_switches += 5;
	}
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 2);
	assert_int_equal(m.waiting, 0);
}

/* On a machine with nothing else to do whoever is woken may find itself on another processor. */
static void wait_and_move(uint64_t call)
{
	(void)call;
	fake_pass(1 * MS, 0);
	fake.usage.voluntary_switches += 10;
	fake.where++;
}

static void to_change_the_processor_is_not_to_wait_for_one(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = wait_and_move;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped_by[CAUSE_MIGRATED], 20);
	assert_int_equal(m.waiting, 20);
	assert_int_equal(m.notes, NOTE_WAITS | NOTE_MEAN);
}

/* Every other call fails, and waits; the others lose time that nothing explains. */
static void wait_and_fail(uint64_t call)
{
	fake_pass(1 * MS, 0);
	if (call % 2)
		fake.usage.voluntary_switches += 10;
}

static void what_failed_does_not_say_that_the_others_wait(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = wait_and_fail;
	fake.fail_each = 2;
	fake.iterations = 1; /* so that the first call is the first to fail */
	open_engine(&fake_bench);
	engine.step = 1;
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.dropped_by[CAUSE_FAILED], 10);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 10);
	assert_int_equal(m.waiting, 0);
	assert_true(m.usage.voluntary_switches == 100);
}

/* The first slice waits; the second loses time that nothing explains. */
static void wait_at_first(uint64_t call)
{
	fake_pass(1 * MS, 0);
	fake.usage.voluntary_switches += call == 1;
}

static void a_steady_slice_is_not_judged_by_what_the_one_before_did(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = wait_at_first;
	open_engine(&fake_bench);
	pawl_engine_hold_steady(&engine);
	for (int i = 0; i < 2; i++)
		pawl_engine_slice(&engine, 1, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 0);
	assert_int_equal(m.waiting, 0);
	assert_true(m.usage.voluntary_switches == 1);
}

static void be_stopped(uint64_t call)
{
	if (call == 3) {
		fake_pass(300 * MS, 0);
		fake.usage.voluntary_switches += 1;
	}
}

/* As by SIGSTOP, a debugger or a page that others had driven out: no switch of the operation's. */
static void an_operation_that_does_not_wait_is_not_clean_where_it_did(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = be_stopped;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 20, &slice);
	pawl_engine_result(&engine, &m);
	assert_int_equal(m.clean.n, 19);
	assert_true(m.clean.max == 1e6 && m.clean.mean == 1e6);
	assert_int_equal(m.dropped_by[CAUSE_PREEMPTED], 1);
	assert_int_equal(m.dropped, 1);
	assert_int_equal(m.waiting, 1);
	assert_int_equal(m.notes, 0);
}

static void wait_in_most(uint64_t call)
{
	if (call % 3 == 0)
		return;
	fake_pass(1 * MS, 0);
	fake.usage.voluntary_switches += 1;
}

static void of_one_that_mostly_waits_all_batches_count(void **state)
{
	struct measured m;
	struct slice slice;
	(void)state;
	in = fake_instruments(1 * MS);
	fake.in_call = wait_in_most;
	open_engine(&fake_bench);
	pawl_engine_slice(&engine, 3 * SPREAD_CAPACITY, &slice); /* which are joined on the way */
	pawl_engine_result(&engine, &m);
	assert_true(m.clean.n > SPREAD_CAPACITY / 4);
	assert_true(m.clean.min < 1.9e6 && m.clean.max > 1.4e6);
	assert_int_equal(m.dropped, 0);
	assert_int_equal(m.notes, NOTE_WAITS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_that_waits_is_judged_by_its_run_delay),
		cmocka_unit_test(a_waiting_batch_may_be_delayed_by_2_percent),
		cmocka_unit_test(handing_over_the_processor_is_no_delay),
		cmocka_unit_test(without_a_run_delay_a_waiting_batch_must_not_be_interrupted),
		cmocka_unit_test(time_that_no_switch_explains_is_not_clean),
		cmocka_unit_test(an_operation_that_is_always_late_says_so),
		cmocka_unit_test(waiting_for_a_turn_is_no_waiting_of_the_operation),
		cmocka_unit_test(to_change_the_processor_is_not_to_wait_for_one),
		cmocka_unit_test(what_failed_does_not_say_that_the_others_wait),
		cmocka_unit_test(a_steady_slice_is_not_judged_by_what_the_one_before_did),
		cmocka_unit_test(an_operation_that_does_not_wait_is_not_clean_where_it_did),
		cmocka_unit_test(of_one_that_mostly_waits_all_batches_count),
	};
	return cmocka_run_group_tests_name("harness/waiting", tests, NULL, NULL);
}
