/* The rounds of PAWL_TIME_WALL on a made-up clock, and the macros once on real ones. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "include/pawl.h"

#include "lib/base/banned.h"

static uint64_t now;
static uint64_t done;

static uint64_t fake_read(void)
{
	now += 10; /* what a reading costs */
	return now;
}

static uint64_t still(void)
{
	return 5;
}

static struct pawl_timer timer(void)
{
	struct pawl_timer t;
	memset(&t, 0, sizeof(t));
	now = 0;
	done = 0;
	t.min_ns = 1e6;
	t.overhead = 10;
	t.tick_ns = 0.5;
	t.unit = 0.5;
	t.read_begin = fake_read;
	t.read_end = fake_read;
	return t;
}

static void one_warm_up_then_rounds_that_double(void **state)
{
	static const uint64_t rounds[] = { 1, 1, 2, 4, 8, 16, 32, 64 };
	struct pawl_timer t = timer();
	size_t i = 0;
	(void)state;
	while (pawl_timer_next(&t)) {
		assert_true(i < sizeof(rounds) / sizeof(rounds[0]));
		assert_int_equal(t.n, rounds[i++]);
		now += t.n * 40000; /* 20 us each: 50 last 1 ms */
	}
	assert_int_equal(i, 8);
	assert_true(t.per_op == 20000);
}

static void the_warm_up_is_not_timed(void **state)
{
	struct pawl_timer t = timer();
	int calls = 0;
	(void)state;
	while (pawl_timer_next(&t))
		now += calls++ == 0 ? 1000000000 : t.n * 4000000;
	assert_int_equal(calls, 2);
	assert_true(t.per_op == 2e6);
}

static void a_unit_of_one_gives_ticks(void **state)
{
	struct pawl_timer t = timer();
	(void)state;
	t.unit = 1;
	while (pawl_timer_next(&t))
		now += t.n * 40000;
	assert_true(t.per_op == 40000);
}

static void a_clock_that_stands_still_is_a_negative_result(void **state)
{
	struct pawl_timer t = timer();
	(void)state;
	t.read_begin = still;
	t.read_end = still;
	while (pawl_timer_next(&t))
		done += t.n;
	assert_true(t.per_op == -ETIME);
	assert_true(done <= (uint64_t)1 << 28);
}

static void rounds_end_where_nothing_takes_time(void **state)
{
	struct pawl_timer t = timer();
	int rounds = 0;
	(void)state;
	while (pawl_timer_next(&t))
		rounds++;
	assert_true(t.per_op == -ETIME);
	assert_true(rounds < 60);
}

static void the_macros_give_a_time_or_say_that_there_is_no_clock(void **state)
{
	double wall, cpu, ticks;
	uint64_t x = 1;
	(void)state;
	PAWL_TIME_WALL(wall, x = x * 3 + 1; pawl_keep(x));
	assert_true(wall > 0);
	PAWL_TIME_CPU(cpu, x = pawl_hide(x) * 3, x += 1);
	assert_true(cpu > 0);
	PAWL_TIME_TICKS(ticks, pawl_keep(x * 3));
	assert_true(ticks > 0 || ticks < 0);
}

static uint64_t counted;

static void the_statement_is_executed_once_a_round_and_iteration(void **state)
{
	double out;
	(void)state;
	counted = 0;
	PAWL_TIME_WALL(out, counted++);
	assert_true(out > 0);
	/* 1 to warm up, and 1 + 2 + 4 + ... = 2^k - 1 */
	assert_true(counted > 1 && (counted & (counted - 1)) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_warm_up_then_rounds_that_double),
		cmocka_unit_test(the_warm_up_is_not_timed),
		cmocka_unit_test(a_unit_of_one_gives_ticks),
		cmocka_unit_test(a_clock_that_stands_still_is_a_negative_result),
		cmocka_unit_test(rounds_end_where_nothing_takes_time),
		cmocka_unit_test(the_macros_give_a_time_or_say_that_there_is_no_clock),
		cmocka_unit_test(the_statement_is_executed_once_a_round_and_iteration),
	};
	return cmocka_run_group_tests_name("harness/timer", tests, NULL, NULL);
}
