#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tests/unit/include/bare_fixture.h"

#include "lib/base/banned.h"

static struct pawl_bare_counter c;
static struct pawl_bare_result r;

/* Only the fake counter is read in this program. */
static uint32_t fake_load(uintptr_t address)
{
	fail_msg("load of %lx", (unsigned long)address);
	return 0;
}

static void fake_store(uintptr_t address, uint32_t value)
{
	fail_msg("store of %lx to %lx", (unsigned long)value, (unsigned long)address);
}

/* An open counter of 24 bits, 1 MHz, that takes 3 ticks to read. */
static void open_counter(int down, uint64_t cost)
{
	fake_reset(3, cost);
	pawl_bare_by(&c, fake_read, 24, down, 1000000);
	assert_int_equal(pawl_bare_open(&c), PAWL_BARE_OK);
}

static void a_fixed_number_is_measured_exactly_through_many_wraps(void **state)
{
	const struct pawl_bare_plan plan = { 1000, 0, 5000, 0 };
	(void)state;
	for (int down = 0; down < 2; down++) {
		open_counter(down, 7);
		assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
		assert_true(fake.now > 2 * 0x1000000);
		assert_true(r.n == 1000 && r.errors == 0 && r.first == 7);
		assert_true(r.ticks.n == 5000 && r.ticks.mean == 7 && r.ticks.m2 == 0);
		assert_true(r.ticks.min == 7 && r.ticks.max == 7 && r.p99 == 7);
		assert_false(r.p99_is_exact);
	}
}

static void without_a_plan_the_number_is_doubled(void **state)
{
	(void)state;
	open_counter(0, 7);
	assert_int_equal(pawl_bare_run(&c, NULL, fake_work, NULL, &r), PAWL_BARE_OK);
	/* 1000 steps and 100 overheads of 3 ticks: 3300; 7 * 256 = 1792, 7 * 512 = 3584 */
	assert_true(r.n == 512 && r.ticks.n == 100 && r.ticks.mean == 7 && r.p99_is_exact);
	/* first, n = 1..512, 100 samples */
	assert_int_equal(fake.calls, 1 + 10 + 100);
}

static void the_least_time_stays_within_the_period(void **state)
{
	const struct pawl_bare_plan plan = { 0, UINT64_MAX, 1, 0 };
	(void)state;
	open_counter(1, 1);
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
	/* an eighth of 2^24 - 1 is 2097151.9: 2^21 is the first power above it */
	assert_true(r.n == 1 << 21 && r.ticks.mean == 1);
}

static void a_slope_has_nothing_constant_in_it(void **state)
{
	const struct pawl_bare_plan plan = { 50, 0, 10, 1 };
	(void)state;
	open_counter(0, 7);
	c.overhead_q8 = 0; /* as if it had been measured wrongly */
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
	assert_true(r.ticks.mean == 7 && r.ticks.m2 == 0 && r.ticks.n == 10);
}

static void failed_calls_are_counted_and_left_out(void **state)
{
	const struct pawl_bare_plan plan = { 10, 0, 20, 0 };
	(void)state;
	open_counter(0, 7);
	fake.fails_from = 4;
	fake.fails_to = 9;
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
	assert_true(r.errors == 5 && r.ticks.n == 15 && r.ticks.mean == 7);
	open_counter(0, 7);
	fake.fails_to = 1; /* only the first of all */
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
	assert_true(r.errors == 1 && r.first == 0 && r.ticks.n == 20);
	open_counter(0, 7);
	fake.fails_to = UINT32_MAX;
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_ERRORS);
	assert_int_equal(r.errors, 21);
	open_counter(0, 7);
	fake.fails_to = UINT32_MAX;
	assert_int_equal(pawl_bare_run(&c, NULL, fake_work, NULL, &r), PAWL_BARE_ERRORS);
}

static void an_operation_of_no_time_ends(void **state)
{
	(void)state;
	open_counter(0, 0);
	assert_int_equal(pawl_bare_run(&c, NULL, fake_work, NULL, &r), PAWL_BARE_FAST);
	assert_int_equal(r.state, PAWL_BARE_FAST);
}

static void a_guard_notices_what_outlasts_the_period(void **state)
{
	const struct pawl_bare_plan plan = { 1, 0, 3, 0 };
	struct pawl_bare_counter wide;
	(void)state;
	open_counter(0, 0x1000000 + 5);
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
	assert_true(r.ticks.mean == 5); /* nobody looked */
	pawl_bare_by(&wide, fake_read, 64, 0, 1000000);
	pawl_bare_open(&wide);
	c.guard = &wide;
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_WRAPPED);
	fake.cost = 0xfffff0;
	assert_int_equal(pawl_bare_run(&c, &plan, fake_work, NULL, &r), PAWL_BARE_OK);
	assert_true(r.ticks.mean == 0xfffff0);
}

static void a_counter_that_is_not_open_is_refused(void **state)
{
	(void)state;
	fake_reset(0, 1);
	pawl_bare_by(&c, fake_read, 24, 0, 0);
	assert_int_equal(pawl_bare_run(&c, NULL, fake_work, NULL, &r), PAWL_BARE_CLOSED);
	pawl_bare_open(&c);
	assert_int_equal(pawl_bare_run(&c, NULL, fake_work, NULL, &r), PAWL_BARE_DEAD);
	assert_int_equal(fake.calls, 0);
}

/* ---- text ------------------------------------------------------------------------------- */

static void a_result_is_a_record_line(void **state)
{
	const struct pawl_bare_plan plan = { 10, 0, 4, 0 };
	char text[700];
	size_t length;
	(void)state;
	open_counter(0, 7);
	pawl_bare_run(&c, &plan, fake_work, NULL, &r);
	length = pawl_bare_text(text, sizeof(text), "copy/64", &c, &r);
	assert_string_equal(
		text,
		"{\"type\":\"result\",\"name\":\"copy/64\",\"iterations\":40,\"errors\":0,"
		"\"wall_ns\":280000.000000,\"mean_ns\":7000.000000,\"first_ns\":7000.000000,"
		"\"clean\":{\"n\":4,\"dropped\":0,\"min_ns\":7000.000000,\"mean_ns\":7000.000000,"
		"\"sd_ns\":0.000000,\"p99_ns\":7000.000000,\"max_ns\":7000.000000},"
		"\"ticks\":{\"hz\":1000000,\"mean\":7.000000,\"variance\":0.000000,\"min\":7."
		"000000,"
		"\"max\":7.000000,\"p99\":7.000000,\"first\":7.000000}}\n");
	assert_int_equal(length, strlen(text));
}

static void without_a_frequency_there_are_ticks_alone(void **state)
{
	const struct pawl_bare_plan plan = { 1, 0, 2, 0 };
	char text[700];
	(void)state;
	open_counter(0, 7);
	c.hz = 0;
	pawl_bare_run(&c, &plan, fake_work, NULL, &r);
	r.ticks.min = -0.0625;
	r.ticks.max = 2e13;
	r.p99_is_exact = 0;
	pawl_bare_text(text, sizeof(text), "x", &c, &r);
	assert_string_equal(
		text,
		"{\"type\":\"result\",\"name\":\"x\",\"iterations\":2,\"errors\":0,"
		"\"ticks\":{\"hz\":0,\"mean\":7.000000,\"variance\":0.000000,\"min\":-0.062500,"
		"\"max\":null,\"p99_estimate\":7.000000,\"first\":7.000000}}\n");
}

static void what_one_sample_or_a_failed_first_operation_cannot_tell_is_null(void **state)
{
	const struct pawl_bare_plan plan = { 10, 0, 1, 0 };
	char text[700];
	(void)state;
	open_counter(0, 7);
	fake.fails_to = 1;
	pawl_bare_run(&c, &plan, fake_work, NULL, &r);
	pawl_bare_text(text, sizeof(text), "x", &c, &r);
	assert_non_null(strstr(text, "\"first_ns\":null"));
	assert_non_null(strstr(text, "\"sd_ns\":null"));
	assert_non_null(strstr(text, "\"variance\":null"));
	assert_non_null(strstr(text, "\"first\":null"));
	assert_non_null(strstr(text, "\"mean\":7.000000"));
}

static void what_failed_is_an_error_line_with_the_reason(void **state)
{
	char text[700];
	(void)state;
	open_counter(0, 0);
	pawl_bare_run(&c, NULL, fake_work, NULL, &r);
	pawl_bare_text(text, sizeof(text), "x", &c, &r);
	assert_string_equal(text, "{\"type\":\"error\",\"name\":\"x\",\"message\":\"no number of "
				  "operations takes a time that can be measured\"}\n");
}

static void text_that_does_not_fit_is_cut_off_and_told(void **state)
{
	char text[16], whole[700];
	size_t length;
	(void)state;
	open_counter(0, 0);
	pawl_bare_run(&c, NULL, fake_work, NULL, &r);
	length = pawl_bare_text(whole, sizeof(whole), "x", &c, &r);
	memset(text, '#', sizeof(text));
	assert_int_equal(pawl_bare_text(text, 15, "x", &c, &r), length);
	assert_memory_equal(text, "{\"type\":\"error\0#", 16);
	assert_int_equal(pawl_bare_text(NULL, 0, "x", &c, &r), length);
	assert_int_equal(pawl_bare_text(whole, length, "x", &c, &r), length);
	assert_int_equal(strlen(whole), length - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fixed_number_is_measured_exactly_through_many_wraps),
		cmocka_unit_test(without_a_plan_the_number_is_doubled),
		cmocka_unit_test(the_least_time_stays_within_the_period),
		cmocka_unit_test(a_slope_has_nothing_constant_in_it),
		cmocka_unit_test(failed_calls_are_counted_and_left_out),
		cmocka_unit_test(an_operation_of_no_time_ends),
		cmocka_unit_test(a_guard_notices_what_outlasts_the_period),
		cmocka_unit_test(a_counter_that_is_not_open_is_refused),
		cmocka_unit_test(a_result_is_a_record_line),
		cmocka_unit_test(without_a_frequency_there_are_ticks_alone),
		cmocka_unit_test(what_one_sample_or_a_failed_first_operation_cannot_tell_is_null),
		cmocka_unit_test(what_failed_is_an_error_line_with_the_reason),
		cmocka_unit_test(text_that_does_not_fit_is_cut_off_and_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
