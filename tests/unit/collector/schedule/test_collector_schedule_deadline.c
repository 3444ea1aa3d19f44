/* Who runs when time is short, with made-up numbers. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/base/banned.h"

static double quiet(int call)
{
	return call % 2 ? 0.004 : -0.004;
}

/* +-2.4 % around the threshold itself: 200 pairs might decide it all the time. */
static double at_the_threshold(int call)
{
	return 0.01 + 0.4 * wide(call);
}

static bool always(int call)
{
	(void)call;
	return true;
}

/* A clock that goes on by one with every run pair. */
static uint64_t calls_as_ns(void)
{
	return 1000 + (uint64_t)fake.n_calls;
}

static char noted[512];

static void note(void *ctx, const char *text)
{
	(void)ctx;
	snprintf(noted, sizeof(noted), "%s", text);
}

static const struct talk noting = { NULL, note, NULL, NULL };

static void the_deadline_ends_between_pairs_and_keeps_them(void **state)
{
	(void)state;
	points_init(2);
	fake.plan[0].log_ratio = fake.plan[1].log_ratio = wide;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000 + 2 + 15;
	fake.schedule.talk = &noting;
	*noted = '\0';
	assert_int_equal(0, fake_schedule());
	assert_int_equal(15, fake.units[0].n_pairs + fake.units[1].n_pairs);
	assert_null(fake.units[0].failure);
	assert_non_null(strstr(noted, "2 of 2 benchmarks are judged on fewer pairs"));
	fake_release();
}

/* Unit 0 is open at every point; the others, quiet, are decided at 12 pairs. */
static void a_deadline_takes_one_unit_after_the_other_up_to_a_point(void **state)
{
	int i, changes = 0;

	(void)state;
	points_init(3);
	fake.plan[0].log_ratio = at_the_threshold;
	fake.plan[1].log_ratio = fake.plan[2].log_ratio = quiet;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000000;
	assert_int_equal(0, fake_schedule());
	/* The warm-ups and one pair of each, then 11 of the one, 11 of another, 11 of the third. */
	for (i = 7; i < 6 + 33; i++)
		changes += fake.calls[i].unit != fake.calls[i - 1].unit;
	assert_int_equal(2, changes);
	for (i = 0; i < 3; i++)
		assert_true(fake.units[i].done);
	assert_true(fake.units[0].n_pairs >= 48);
	fake_release();
}

/* Both are open at 12 pairs: what needs 17 is decided before what needs more. */
static double needs_17(int call)
{
	return 0.3 * wide(call);
}

static void time_that_is_short_goes_to_what_is_decided_soonest(void **state)
{
	(void)state;
	points_init(2);
	fake.plan[0].log_ratio = at_the_threshold;
	fake.plan[1].log_ratio = needs_17;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000 + 2 + 2 * 12 + 5;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(12, fake.units[0].n_pairs);
	assert_int_equal(17, fake.units[1].n_pairs);
	assert_int_equal(CALL_UNCHANGED, fake.units[1].judged.call);
	fake_release();
}

/* Unit 1 takes ten times as long: with time for 12 pairs of one, they are those of unit 0. */
static uint64_t unit_1_is_slow(void)
{
	uint64_t now = 1000;
	int i;

	for (i = 0; i < fake.n_calls; i++)
		now += fake.calls[i].unit == 1 ? 10 : 1;
	return now;
}

static void time_that_is_short_goes_to_short_benchmarks_first(void **state)
{
	(void)state;
	points_init(2);
	fake.plan[0].log_ratio = fake.plan[1].log_ratio = quiet;
	fake.schedule.now_ns = unit_1_is_slow;
	fake.schedule.deadline_ns = 1000 + 2 * 11 + 11;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(12, fake.units[0].n_pairs);
	assert_int_equal(1, fake.units[1].n_pairs);
	fake_release();
}

static bool all_but_the_first(int call)
{
	return call > 1;
}

static void void_pairs_do_not_hold_up_a_deadline(void **state)
{
	(void)state;
	points_init(2);
	fake.plan[0].log_ratio = fake.plan[1].log_ratio = quiet;
	fake.plan[0].suspended = all_but_the_first;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000000;
	assert_int_equal(0, fake_schedule());
	assert_non_null(fake.units[0].failure);
	assert_int_equal(12, fake.units[1].n_pairs);
	fake_release();
}

static void one_unit_gets_one_pair_however_late_it_is(void **state)
{
	(void)state;
	points_init(5);
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1, fake.n_calls); /* without a warm-up */
	for (int i = 0; i < 5; i++) {
		assert_int_equal(i == fake.calls[0].unit, fake.units[i].n_pairs);
		assert_int_equal(i != fake.calls[0].unit, fake.units[i].unreached);
		assert_null(fake.units[i].failure); /* nothing is wrong with it */
	}
	fake_release();
}

/* 40 seeds: that one of 5 is none of them has a chance of 0.0007, and seeds stay as they are. */
static void who_is_left_out_hangs_on_no_order(void **state)
{
	int measured[5] = { 0 };

	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		points_init(5);
		fake.schedule.seed = seed;
		fake.schedule.now_ns = calls_as_ns;
		fake.schedule.deadline_ns = 1;
		assert_int_equal(0, fake_schedule());
		for (int i = 0; i < 5; i++)
			measured[i] += fake.units[i].n_pairs > 0;
		fake_release();
	}
	for (int i = 0; i < 5; i++)
		assert_true(measured[i] > 0);
}

/* 100 calls: of 8 units with a warm-up of 20 three are ready in half of them, the others wait. */
static uint64_t warm_ups_are_slow(void)
{
	uint64_t now = 1000;
	int i, seen[FAKE_UNITS] = { 0 };

	for (i = 0; i < fake.n_calls; i++)
		now += seen[fake.calls[i].unit]++ ? 1 : 20;
	return now;
}

static void half_of_the_time_is_left_to_decide_some(void **state)
{
	size_t i, n_unreached = 0, n_decided = 0;

	(void)state;
	points_init(8);
	for (i = 0; i < 8; i++)
		fake.plan[i].log_ratio = quiet;
	fake.schedule.now_ns = warm_ups_are_slow;
	fake.schedule.deadline_ns = 1000 + 100;
	assert_int_equal(0, fake_schedule());
	for (i = 0; i < 8; i++) {
		n_decided +=
			fake.units[i].n_pairs == 12 && fake.units[i].judged.call == CALL_UNCHANGED;
		n_unreached += fake.units[i].unreached;
	}
	assert_int_equal(3, n_decided);
	assert_int_equal(5, n_unreached); /* 60 + 36 went by: a fourth one is begun, and too late */
	assert_true(warm_ups_are_slow() <= 1000 + 100 + 20);
	fake_release();
}

/* Those that were not ready in half of the time come when the others are decided. */
static void those_that_wait_come_when_there_is_time(void **state)
{
	(void)state;
	points_init(8);
	for (int i = 0; i < 8; i++)
		fake.plan[i].log_ratio = quiet;
	fake.schedule.now_ns = warm_ups_are_slow;
	fake.schedule.deadline_ns = 1000 + 8 * 32;
	assert_int_equal(0, fake_schedule());
	for (int i = 0; i < 8; i++)
		assert_int_equal(12, fake.units[i].n_pairs);
	fake_release();
}

static void a_unit_without_any_pair_failed(void **state)
{
	int run;

	(void)state;
	points_init(2);
	fake.plan[0].suspended = fake.plan[1].suspended = always;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1;
	assert_int_equal(0, fake_schedule());
	run = fake.calls[0].unit; /* before it the time was over, and behind it */
	assert_non_null(fake.units[run].failure);
	assert_string_equal("the time budget ended before one pair was measured",
			    fake.units[run].failure);
	assert_null(fake.units[1 - run].failure);
	fake_release();
}

static void a_deadline_that_is_not_reached_changes_nothing(void **state)
{
	(void)state;
	points_init(1);
	fake.plan[0].log_ratio = undecided;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000000;
	fake.schedule.runs_max = 30;
	fake.schedule.talk = &noting;
	*noted = '\0';
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	assert_string_equal("", noted);
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_deadline_ends_between_pairs_and_keeps_them),
		cmocka_unit_test(a_deadline_takes_one_unit_after_the_other_up_to_a_point),
		cmocka_unit_test(time_that_is_short_goes_to_what_is_decided_soonest),
		cmocka_unit_test(time_that_is_short_goes_to_short_benchmarks_first),
		cmocka_unit_test(void_pairs_do_not_hold_up_a_deadline),
		cmocka_unit_test(one_unit_gets_one_pair_however_late_it_is),
		cmocka_unit_test(who_is_left_out_hangs_on_no_order),
		cmocka_unit_test(half_of_the_time_is_left_to_decide_some),
		cmocka_unit_test(those_that_wait_come_when_there_is_time),
		cmocka_unit_test(a_unit_without_any_pair_failed),
		cmocka_unit_test(a_deadline_that_is_not_reached_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
