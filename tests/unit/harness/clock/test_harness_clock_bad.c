/* Clocks that are wrong in every way there is, and what is said of each. */
#include "tests/unit/harness/test_harness_fake.h"

#include <errno.h>

#include "harness/clock/check.h"
#include "harness/clock/say.h"

#include "lib/base/banned.h"

/* A counter of ticks beside the fake wall clock, which is what it is measured against. */
static double ticks_per_ns, gained;
static uint64_t since_ns; /* from here on the counter runs at ticks_per_ns, having `gained` */
static double told;
static uint64_t outside_ns; /* what lies before the first reading and behind the second */

static uint64_t ticks_now(void)
{
	return (uint64_t)(gained + (double)(fake.wall_ns - since_ns) * ticks_per_ns);
}

static uint64_t ticks_begin(void)
{
	fake_pass(outside_ns, outside_ns);
	fake.wall_ns += fake.reading_ns;
	return ticks_now();
}

static uint64_t ticks_end(void)
{
	uint64_t now;
	fake.wall_ns += fake.reading_ns;
	now = ticks_now();
	fake_pass(outside_ns, outside_ns);
	return now;
}

static double tell(void)
{
	return told;
}

static const char *beware(void)
{
	return "made up to be dangerous";
}

/* From this instant on the counter runs at another rate. */
static void run_at(double rate)
{
	gained += (double)(fake.wall_ns - since_ns) * ticks_per_ns;
	since_ns = fake.wall_ns;
	ticks_per_ns = rate;
}

static struct clock_row counter_of(double rate)
{
	struct clock_row row = { .name = "counter",
				 .kind = KIND_TICKS,
				 .probe = fake_probe,
				 .begin = ticks_begin,
				 .end = ticks_end,
				 .told_hz = tell };
	memset(&fake, 0, sizeof(fake));
	fake.reading_ns = 10;
	told = 0;
	outside_ns = 0;
	gained = 1e6;
	since_ns = 0;
	ticks_per_ns = rate;
	return row;
}

static int open_counter(const struct clock_row *row, struct clock *out)
{
	return pawl_clock_open_against(row, &fake_wall_row, out);
}

/* The clock's warnings are just these. */
static void warns(const struct clock *c, unsigned warnings, const char *sentence)
{
	char said[CLOCK_WARNING];
	assert_int_equal(c->warnings, warnings);
	assert_int_equal(pawl_clock_warning(c, 0, said), sentence != NULL);
	if (sentence)
		assert_string_equal(said, sentence);
	assert_false(pawl_clock_warning(c, 1, said));
}

static void a_frequency_is_measured_against_the_wall_clock(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	assert_true(fake_is_near(c.hz, 2.5e9, 1));
	assert_true(c.step_ticks == 25 && c.overhead_ticks == 25);
	assert_true(c.told_hz == 0 && c.settled_hz == 0);
	assert_true(pawl_clock_correction(&c) == 1);
	warns(&c, 0, NULL);
}

static void a_told_frequency_that_agrees_is_no_news(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	told = 2.5e9 * (1 + 400e-6);
	assert_int_equal(open_counter(&row, &c), 0);
	assert_true(c.told_hz == told);
	assert_true(fake_is_near(c.hz, 2.5e9, 1));
	warns(&c, 0, NULL);
}

static void a_told_frequency_that_is_wrong_is_said_and_not_believed(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	told = 2e9; /* 2.5 / 2 - 1 = 250000 ppm */
	assert_int_equal(open_counter(&row, &c), 0);
	assert_true(fake_is_near(c.hz, 2.5e9, 1));
	warns(&c, WARN_TOLD, "measured 2.500 GHz, told 2.000 GHz: 250000 ppm apart");
}

static void what_a_wall_clock_tells_is_believed(void **state)
{
	struct clock_row row = counter_of(0.01);
	struct clock c;
	(void)state;
	row.kind = KIND_WALL;
	told = 1e7;
	assert_int_equal(open_counter(&row, &c), 0);
	assert_true(c.hz == 1e7 && c.calibration_ratio == 0);
	/* Its readings in ns: 123456789012 ticks of 100 ns, whose product fits in no 64 bits. */
	gained = 1234567890123.0 + 9e11;
	since_ns = fake.wall_ns;
	assert_true(pawl_clock_reference_ns(&row) == 213456789012300u);
}

static void the_whole_run_gives_a_better_frequency(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	c.hz *= 1 + 5e-6; /* as an opening may be wrong */
	fake_pass(100000000, 0);
	pawl_clock_settle(&c);
	assert_true(fake_is_near(c.settled_hz, 2.5e9, 0.1));
	assert_true(fake_is_near(pawl_clock_correction(&c), 1 + 5e-6, 0.1));
	warns(&c, 0, NULL);
}

static void a_short_run_stays_with_its_opening(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	fake_pass(5000000, 0);
	pawl_clock_settle(&c);
	assert_true(c.settled_hz == 0 && pawl_clock_correction(&c) == 1);
}

static void a_frequency_that_changes_during_the_run_is_said(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	fake_pass(1000000000, 0);
	run_at(2.5 * (1 + 500e-6)); /* 9 s of 10: 450 ppm in the mean */
	fake_pass(9000000000, 0);
	pawl_clock_settle(&c);
	assert_true(fake_is_near(c.settled_hz, 2.5e9 * (1 + 450e-6), 2));
	warns(&c, WARN_DRIFTED,
	      "its frequency changed by 450 ppm since it was opened: the virtual machine may have "
	      "moved");
	/* It is not forgotten when the mean comes back. */
	run_at(2.5 * (1 - 500e-6));
	fake_pass(9000000000, 0);
	pawl_clock_settle(&c);
	assert_int_equal(c.warnings, WARN_DRIFTED);
}

static void forty_parts_in_a_million_are_no_drift(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	run_at(2.5 * (1 + 40e-6));
	fake_pass(10000000000, 0);
	pawl_clock_settle(&c);
	assert_true(fake_is_near(c.settled_hz, 2.5e9 * (1 + 40e-6), 1));
	warns(&c, 0, NULL);
}

static void an_unsure_opening_is_not_taken_for_a_drift(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	c.calibration_ratio = 100e-6;
	run_at(2.5 * (1 + 300e-6));
	fake_pass(10000000000, 0);
	pawl_clock_settle(&c);
	warns(&c, 0, NULL);
}

static void a_clock_that_stops_later_is_said(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	run_at(0);
	gained = 1e6;
	fake_pass(1000000000, 0);
	pawl_clock_settle(&c);
	assert_true(c.settled_hz == 0);
	warns(&c, WARN_STOPPED, "has stopped since it was opened");
}

static void a_certain_frequency_is_never_settled(void **state)
{
	struct clock c;
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.reading_ns = 10;
	assert_int_equal(pawl_clock_open_against(&fake_wall_row, &fake_wall_row, &c), 0);
	fake_pass(1000000000, 0);
	pawl_clock_settle(&c);
	assert_true(c.settled_hz == 0);
}

static uint64_t backwards(void)
{
	static uint64_t at;
	fake.wall_ns += 100;
	at += 100;
	return at % 1000 ? at : at - 500;
}

static void a_clock_that_jumps_backwards_is_refused(void **state)
{
	struct clock_row row = counter_of(1);
	struct clock c;
	(void)state;
	row.begin = backwards;
	row.end = backwards;
	row.hz = 1e9;
	assert_int_equal(open_counter(&row, &c), -ERANGE);
	assert_string_equal(c.reason, "the clock runs backwards");
	/* ... also one whose frequency would have to be measured */
	row = counter_of(-2.5);
	gained = 1e18;
	assert_int_equal(open_counter(&row, &c), -ERANGE);
	assert_string_equal(c.reason, "the clock runs backwards");
}

static void a_counter_that_stands_still_is_refused(void **state)
{
	struct clock_row row = counter_of(0);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), -ETIME);
	assert_string_equal(c.reason, "the clock does not advance");
}

static void without_a_wall_clock_that_moves_nothing_can_be_measured(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	fake.step_ns = UINT64_MAX; /* of the wall clock: it shows 0 for ever */
	assert_int_equal(open_counter(&row, &c), -ETIME);
	assert_string_equal(c.reason, "the wall clock it is measured by stands still");
	assert_int_equal(pawl_clock_open_against(&row, NULL, &c), -ENODEV);
	assert_non_null(c.reason);
}

static void a_clock_of_long_steps_says_how_long(void **state)
{
	struct clock_row row = fake_wall_row;
	struct clock c;
	(void)state;
	memset(&fake, 0, sizeof(fake));
	fake.reading_ns = 20;
	fake.step_ns = 15625000; /* what Windows once had */
	assert_int_equal(pawl_clock_open_against(&row, &row, &c), 0);
	assert_true(c.step_ticks == 15625000);
	warns(&c, WARN_COARSE, "moves in steps of 15.62 ms");
}

static unsigned readings;

static uint64_t counted_reading(void)
{
	readings++;
	return ticks_end();
}

/* Two CPU clocks in each process of a suite: 865 readings each were most of what it did. */
static void a_clock_beside_another_is_read_only_for_its_step(void **state)
{
	struct clock_row row = counter_of(1);
	struct clock c;
	(void)state;
	row.kind = KIND_THREAD;
	row.hz = 1e9;
	row.begin = row.end = counted_reading;
	row.flags = ROW_BOOKED;
	readings = 0;
	assert_int_equal(pawl_clock_open_beside(&row, &c), 0);
	assert_true(c.hz == 1e9 && c.step_ticks == 10 && c.warnings == 0);
	assert_in_range(readings, 34, 50);
	ticks_per_ns = 0;
	assert_int_equal(pawl_clock_open_beside(&row, &c), -ETIME);
	assert_string_equal(c.reason, "the clock does not advance");
}

static void a_clock_that_costs_more_than_it_resolves_says_so(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	outside_ns = 3480; /* twice that, and two readings of 10 ns */
	assert_int_equal(open_counter(&row, &c), 0);
	assert_true(c.step_ticks == 25 && c.overhead_ticks == 25);
	warns(&c, WARN_COSTLY, "a pair of readings costs 6.980 us, more than it resolves");
}

static void every_caution_of_a_row_is_a_warning_in_the_document(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	struct text t;
	char memory[1000];
	(void)state;
	row.flags = ROW_SETTABLE;
	row.caution = beware;
	assert_int_equal(open_counter(&row, &c), 0);
	assert_int_equal(c.warnings, WARN_SETTABLE | WARN_CAUTION);
	pawl_text_init(&t, memory, sizeof(memory));
	pawl_clock_warnings(&t, &c);
	assert_string_equal(t.at, "[\"jumps when the date is set\",\"made up to be dangerous\"]");
}

static void passes(uint64_t n)
{
	fake_pass(3 * n, 3 * n);
}

static void tires(uint64_t n)
{
	fake_pass(n > 100000 ? 300000 + n / 10 : 3 * n, n);
}

static void work_that_is_twice_as_much_shows_twice_as_long(void **state)
{
	struct clock_row row = counter_of(2.5);
	struct clock c;
	(void)state;
	assert_int_equal(open_counter(&row, &c), 0);
	assert_true(fake_is_near(pawl_clock_proportion(&c, passes), 2, 100));
	/* 131072 steps show 313107 ns, twice as many 326214 */
	assert_true(fake_is_near(pawl_clock_proportion(&c, tires), 326214.0 / 313107, 100));
	c.step_ticks = 1e9;
	assert_true(__builtin_isnan(pawl_clock_proportion(&c, passes)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frequency_is_measured_against_the_wall_clock),
		cmocka_unit_test(a_told_frequency_that_agrees_is_no_news),
		cmocka_unit_test(a_told_frequency_that_is_wrong_is_said_and_not_believed),
		cmocka_unit_test(what_a_wall_clock_tells_is_believed),
		cmocka_unit_test(the_whole_run_gives_a_better_frequency),
		cmocka_unit_test(a_short_run_stays_with_its_opening),
		cmocka_unit_test(a_frequency_that_changes_during_the_run_is_said),
		cmocka_unit_test(forty_parts_in_a_million_are_no_drift),
		cmocka_unit_test(an_unsure_opening_is_not_taken_for_a_drift),
		cmocka_unit_test(a_clock_that_stops_later_is_said),
		cmocka_unit_test(a_certain_frequency_is_never_settled),
		cmocka_unit_test(a_clock_that_jumps_backwards_is_refused),
		cmocka_unit_test(a_counter_that_stands_still_is_refused),
		cmocka_unit_test(without_a_wall_clock_that_moves_nothing_can_be_measured),
		cmocka_unit_test(a_clock_of_long_steps_says_how_long),
		cmocka_unit_test(a_clock_beside_another_is_read_only_for_its_step),
		cmocka_unit_test(a_clock_that_costs_more_than_it_resolves_says_so),
		cmocka_unit_test(every_caution_of_a_row_is_a_warning_in_the_document),
		cmocka_unit_test(work_that_is_twice_as_much_shows_twice_as_long),
	};
	return cmocka_run_group_tests_name("harness/clock, bad ones", tests, NULL, NULL);
}
