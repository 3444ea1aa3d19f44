#include "tests/unit/harness/test_harness_fake.h"

#include <errno.h>

#include "lib/base/banned.h"

static int probe_refuses(const char **out_reason)
{
	*out_reason = "made up to be absent";
	return -ENOTSUP;
}

static struct clock_row row_of(double hz)
{
	struct clock_row row = fake_wall_row;
	row.hz = hz;
	return row;
}

static void step_and_overhead_are_those_of_the_clock(void **state)
{
	struct clock_row row = row_of(1e9);
	struct clock c;
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.reading_ns = 40;
	assert_int_equal(pawl_clock_open(&row, &c), 0);
	assert_true(c.step_ticks == 40 && c.overhead_ticks == 40);
	assert_true(c.calibration_ratio == 0);
}

static void a_quantised_clock_shows_its_step_and_its_mean_overhead(void **state)
{
	struct clock_row row = row_of(1e9);
	struct clock c;
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.reading_ns = 4;
	fake.step_ns = 100;
	assert_int_equal(pawl_clock_open(&row, &c), 0);
	assert_true(c.step_ticks == 100);
	/* One pair in 25 sees a step of 100: 4 in the mean, though the median is 0. */
	assert_true(c.overhead_ticks > 3.5 && c.overhead_ticks < 4.5);
}

static void a_clock_that_does_not_advance_says_so(void **state)
{
	struct clock_row row = row_of(1e9);
	struct clock c;
	(void)state;
	memset(&fake, 0, sizeof(fake));
	assert_int_equal(pawl_clock_open(&row, &c), -ETIME);
	assert_int_equal(c.state, -ETIME);
	assert_string_equal(c.reason, "the clock does not advance");
	/* ... also where its frequency had to be measured */
	row.hz = 0;
	assert_int_equal(pawl_clock_open(&row, &c), -ETIME);
	assert_non_null(c.reason);
}

static void a_clock_that_is_absent_says_why(void **state)
{
	struct clock_row row = row_of(1e9);
	struct clock c;
	(void)state;
	row.probe = probe_refuses;
	assert_int_equal(pawl_clock_open(&row, &c), -ENOTSUP);
	assert_int_equal(c.state, -ENOTSUP);
	assert_string_equal(c.reason, "made up to be absent");
}

static void ticks_become_nanoseconds_less_the_overhead(void **state)
{
	struct clock c = { .hz = 2.5e9, .overhead_ticks = 50 };
	(void)state;
	assert_true(pawl_clock_ns(&c, 2500, 0) == 1000);
	assert_true(pawl_clock_ns(&c, 2550, 1) == 1000);
	assert_true(pawl_clock_ns(&c, 3000, 10) == 1000);
	assert_true(pawl_clock_ns(&c, 10, 1) == 0);
}

static void the_typical_value_leaves_interrupts_out(void **state)
{
	double x[20];
	(void)state;
	for (int i = 0; i < 20; i++)
		x[i] = 10;
	x[3] = 1e9;
	x[7] = 1e5;
	assert_true(pawl_clock_typical(x, 20, 1) == 10);
	assert_true(pawl_clock_typical(x, 0, 1) == 0);
	/* Of a clock of 10 ms three pairs saw a step: that is no cost.  Four are one. */
	memset(x, 0, sizeof(x));
	x[3] = x[9] = x[15] = 1e7;
	assert_true(pawl_clock_typical(x, 20, 1e7) == 0);
	memset(x, 0, sizeof(x));
	x[2] = x[3] = x[9] = x[15] = 1e7;
	assert_true(pawl_clock_typical(x, 20, 1e7) == 2e6);
}

static void every_row_works_or_says_why_not(void **state)
{
	const struct clock_row *row;
	size_t n = 0;
	(void)state;
	for (; (row = pawl_clock_row(n)); n++) {
		struct clock c;
		assert_ptr_equal(pawl_clock_find(row->name), row);
		if (pawl_clock_open(row, &c)) {
			assert_true(c.state < 0);
			assert_non_null(c.reason);
			continue;
		}
		assert_true(c.hz > 0 && c.step_ticks > 0);
		uint64_t begin = row->begin(), end = row->end();
		assert_true(end >= begin);
	}
	assert_true(n >= 20);
	assert_null(pawl_clock_find("sundial"));
}

static void the_instruments_of_this_machine_open(void **state)
{
	struct instruments in;
	(void)state;
	assert_int_equal(pawl_instruments_open(&in, NULL), 0);
	assert_int_equal(in.wall.row->kind, KIND_WALL);
	assert_int_equal(in.thread.state, 0);
	assert_int_equal(in.process.state, 0);
	assert_true(in.region_ticks >= 0 && in.thread_ns >= 0);
}

static void the_engine_corrects_what_leaves_it(void **state)
{
	struct instruments in = fake_instruments(1000);
	static struct engine e;
	struct measured before, after;
	struct slice slice;
	(void)state;
	assert_int_equal(pawl_engine_open(&e, &in, &fake_bench), 0);
	pawl_engine_first(&e);
	assert_int_equal(pawl_engine_double(&e, 1e7), 0);
	pawl_engine_result(&e, &before);
	in.wall.settled_hz = in.wall.hz * 2;
	pawl_engine_result(&e, &after);
	assert_true(after.wall_ns == before.wall_ns / 2 && after.mean_ns == 500);
	assert_true(after.first_ns == before.first_ns / 2);
	assert_true(after.clean.median == before.clean.median / 2);
	assert_true(after.clean.min == 500 && after.clean.p99 == 500);
	assert_true(after.cpu_ns == before.cpu_ns);
	pawl_engine_slice(&e, 10, &slice);
	assert_true(slice.wall_ns == 5000);
	pawl_engine_close(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_and_overhead_are_those_of_the_clock),
		cmocka_unit_test(a_quantised_clock_shows_its_step_and_its_mean_overhead),
		cmocka_unit_test(a_clock_that_does_not_advance_says_so),
		cmocka_unit_test(a_clock_that_is_absent_says_why),
		cmocka_unit_test(ticks_become_nanoseconds_less_the_overhead),
		cmocka_unit_test(the_typical_value_leaves_interrupts_out),
		cmocka_unit_test(every_row_works_or_says_why_not),
		cmocka_unit_test(the_instruments_of_this_machine_open),
		cmocka_unit_test(the_engine_corrects_what_leaves_it),
	};
	return cmocka_run_group_tests_name("harness/clock", tests, NULL, NULL);
}
