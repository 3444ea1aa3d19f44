/* Who runs when and how often, with made-up numbers. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/base/banned.h"

static bool always(int call)
{
	(void)call;
	return true;
}

static void every_round_runs_each_open_unit_once(void **state)
{
	int round, i, seen[5];

	(void)state;
	fake_init(5);
	fake.schedule.runs_min = 3;
	fake.schedule.runs_max = 30;
	assert_int_equal(0, fake_schedule());
	for (i = 0; i < 5; i++) /* the warm-ups */
		assert_int_equal(i, fake.calls[i].unit);
	assert_int_equal(5 + 5 * 12, fake.n_calls); /* all equal: decided at the first point */
	for (round = 0; round < 12; round++) {
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < 5; i++)
			seen[fake.calls[5 + 5 * round + i].unit]++;
		for (i = 0; i < 5; i++)
			assert_int_equal(1, seen[i]);
	}
	for (i = 0; i < 5; i++)
		assert_true(fake.units[i].done);
	fake_release();
}

/* The unit numbers and orders of all calls of one schedule, as text. */
static void play(uint64_t seed, struct buf *out)
{
	int i;

	fake_init(5);
	fake.schedule.seed = seed;
	for (i = 0; i < 5; i++)
		fake.plan[i].log_ratio = undecided;
	assert_int_equal(0, fake_schedule());
	for (i = 5; i < fake.n_calls; i++)
		buf_addf(out, "%d%d ", fake.calls[i].unit, fake.calls[i].order);
	assert_int_equal(0, buf_check(out, NULL));
	fake_release();
}

static void the_order_comes_from_the_seed_alone(void **state)
{
	struct buf first = BUF_INIT, again = BUF_INIT, other = BUF_INIT;

	(void)state;
	play(1, &first);
	play(1, &again);
	play(2, &other);
	assert_string_equal(buf_str(&first), buf_str(&again));
	assert_string_not_equal(buf_str(&first), buf_str(&other));
	buf_release(&first);
	buf_release(&again);
	buf_release(&other);
}

static void the_order_varies_from_round_to_round(void **state)
{
	int first[5] = { 0 }, round, i;

	(void)state;
	fake_init(5);
	for (i = 0; i < 5; i++)
		fake.plan[i].log_ratio = undecided;
	assert_int_equal(0, fake_schedule());
	for (round = 0; round < 30; round++)
		first[fake.calls[5 + 5 * round].unit]++;
	for (i = 0; i < 5; i++) /* each one of five is first in some of 30 rounds, none in most */
		assert_in_range(first[i], 1, 15);
	fake_release();
}

/* 1,000 tosses of a fair coin lie between 440 and 560 but once in 6,000 seeds. */
static void the_coin_is_fair_and_is_stored(void **state)
{
	int i, heads = 0, same = 0;

	(void)state;
	fake_init(1);
	fake.schedule.runs_min = fake.schedule.runs_max = 1000;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1000, fake.units[0].n_pairs);
	for (i = 0; i < 1000; i++) {
		int order = fake.units[0].pairs[i].order;

		assert_in_range(order, 0, 1);
		assert_int_equal(order, fake.calls[i + 1].order); /* as the runner was told */
		heads += order;
		same += i && order == fake.calls[i].order;
	}
	assert_in_range(heads, 440, 560);
	assert_in_range(same, 440, 560);
	fake_release();
}

/* 20 times, as far as the runs allow it. */
static void without_a_base_a_fixed_number_is_run(void **state)
{
	static const int runs[][3] = {
		{ 12, 200, 20 }, { 12, 15, 15 }, { 30, 40, 30 }, { 7, 7, 7 }
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		fake_init(2);
		fake.units[0].has_base = false;
		fake.plan[0].log_ratio = wide;
		fake.schedule.runs_min = runs[i][0];
		fake.schedule.runs_max = runs[i][1];
		assert_int_equal(0, fake_schedule());
		assert_int_equal(runs[i][2], fake.units[0].n_pairs);
		fake_release();
	}
}

static void the_warm_up_is_run_and_not_kept(void **state)
{
	(void)state;
	fake_init(2);
	fake.schedule.runs_min = fake.schedule.runs_max = 8;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(2 * 9, fake.n_calls);
	assert_int_equal(8, fake.units[0].n_pairs);
	assert_int_equal(8, fake.units[1].n_pairs);
	fake_release();
}

static void identical_and_failed_units_never_run(void **state)
{
	int i;

	(void)state;
	fake_init(3);
	fake_anchors();
	fake.units[0].identical = true;
	fake.units[0].has_base = false;
	assert_int_equal(0, str_set(&fake.units[2].failure, "no such program", NULL));
	assert_true(schedule_has_work(fake.units, 3));
	assert_false(schedule_has_work(fake.units, 1));
	assert_false(schedule_has_work(&fake.units[2], 1));
	assert_int_equal(0, fake_schedule());
	for (i = 0; i < fake.n_calls; i++)
		assert_true(fake.calls[i].unit < 0 || fake.calls[i].unit == 1);
	assert_int_equal(0, fake.plan[0].n_calibrated + fake.plan[0].n_base_calibrated);
	assert_int_equal(0, fake.plan[2].n_calibrated + fake.plan[2].n_base_calibrated);
	assert_int_equal(0, fake.units[0].n_pairs);
	fake_release();
	fake_init(1); /* nothing to measure: not even an anchor runs */
	fake_anchors();
	fake.units[0].identical = true;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, fake.n_calls);
	assert_int_equal(0, fake.anchor_plan[0].n_calibrated);
	fake_release();
}

static void units_that_failed_or_are_identical_have_no_figures(void **state)
{
	static char why[] = "was killed by SIGSEGV";
	struct unit units[2] = { { .failure = why }, { .identical = true } };

	(void)state;
	assert_false(schedule_has_figures(units, 2));
	units[0].failure = NULL;
	assert_true(schedule_has_figures(units, 2));
}

static void n_is_found_once_on_the_base_where_there_is_one(void **state)
{
	(void)state;
	fake_init(2);
	fake.units[1].has_base = false;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1, fake.plan[0].n_base_calibrated);
	assert_int_equal(0, fake.plan[0].n_calibrated);
	assert_int_equal(0, fake.plan[1].n_base_calibrated);
	assert_int_equal(1, fake.plan[1].n_calibrated);
	fake_release();
}

static uint64_t tenth_of_a_second_a_call(void)
{
	return 100000000u * (uint64_t)fake.n_calls;
}

static void assert_anchors_at(int call)
{
	assert_int_equal(-1, fake.calls[call].unit);
	assert_int_equal(-2, fake.calls[call + 1].unit);
}

static int n_readings(void)
{
	int i, n = 0;

	for (i = 0; i < fake.n_calls; i++)
		n += fake.calls[i].unit == -1;
	return n;
}

/* Nothing else tells how fast the machine was in each of its runs. */
static void anchors_run_first_in_every_long_round_of_a_unit_without_a_base(void **state)
{
	int i;

	(void)state;
	fake_init(2);
	fake_anchors();
	fake.units[1].has_base = false;
	fake.schedule.now_ns = tenth_of_a_second_a_call;
	fake.schedule.runs_min = fake.schedule.runs_max = 6;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1, fake.anchor_plan[0].n_calibrated);
	assert_int_equal(2 + 6 * 4, fake.n_calls);
	for (i = 0; i < 6; i++)
		assert_anchors_at(2 + 4 * i);
	for (i = 0; i < 6; i++) {
		assert_true(fake.units[0].anchors[0][i] == FAKE_BASE_NS);
		assert_true(fake.units[1].anchors[1][i] == FAKE_BASE_NS);
	}
	fake_release();
}

static uint64_t no_time_at_all(void)
{
	return 1;
}

/* The one unit, alone, in so many runs by that clock. */
static void run_alone(int n_runs, uint64_t (*now_ns)(void), uint64_t deadline_ns)
{
	fake_init(1);
	fake_anchors();
	fake.units[0].has_base = false;
	fake.schedule.now_ns = now_ns;
	fake.schedule.deadline_ns = deadline_ns;
	fake.schedule.runs_min = fake.schedule.runs_max = n_runs;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(n_runs, fake.units[0].n_pairs);
}

static void anchors_are_spread_over_the_short_rounds_of_a_unit_without_a_base(void **state)
{
	int i;

	(void)state;
	run_alone(40, no_time_at_all, 0);
	assert_int_equal(10, n_readings());
	for (i = 0; i < 10; i++)
		assert_anchors_at(1 + 6 * i);
	for (i = 0; i < 40; i++)
		assert_true(fake.units[0].anchors[1][i] == FAKE_BASE_NS);
	fake_release();
	run_alone(400, no_time_at_all, 0);
	assert_int_equal(10, n_readings());
	fake_release();
	run_alone(6, no_time_at_all, 0);
	assert_int_equal(6, n_readings());
	fake_release();
	run_alone(40, no_time_at_all, 2); /* with a budget, too */
	assert_int_equal(10, n_readings());
	fake_release();
}

/* 1 ms of an anchor, 25 ms of a unit. */
static uint64_t quick_anchors(void)
{
	uint64_t ms = 0;
	int i;

	for (i = 0; i < fake.n_calls; i++)
		ms += fake.calls[i].unit < 0 ? 1 : 25;
	return 1000000u * ms;
}

static void anchors_take_a_twentieth_of_the_time_of_a_unit_without_a_base(void **state)
{
	int i;

	(void)state;
	run_alone(80, quick_anchors, 0);
	assert_int_equal(40, n_readings()); /* 2 of 52 ms; in every round they would be 2 of 27 */
	for (i = 0; i < 40; i++)
		assert_anchors_at(1 + 4 * i);
	fake_release();
}

static void beside_their_bases_one_reading_of_the_anchors_serves_for_half_a_second(void **state)
{
	int i;

	(void)state;
	fake_init(2);
	fake_anchors();
	fake.schedule.now_ns = tenth_of_a_second_a_call;
	fake.schedule.runs_min = fake.schedule.runs_max = 6;
	assert_int_equal(0, fake_schedule());
	/* Two warm-ups; anchors and two rounds of two pairs are 600 ms; so again, and again. */
	assert_int_equal(2 + 3 * (2 + 2 * 2), fake.n_calls);
	for (i = 0; i < 3; i++)
		assert_anchors_at(2 + 6 * i);
	for (i = 0; i < 6; i++) {
		assert_true(fake.units[0].anchors[0][i] == FAKE_BASE_NS);
		assert_true(fake.units[1].anchors[1][i] == FAKE_BASE_NS);
	}
	fake_release();
}

static void an_anchor_that_fails_costs_only_its_own_times(void **state)
{
	(void)state;
	fake_init(1);
	fake_anchors();
	fake.anchor_plan[0].calibration_fails = true;
	fake.anchor_plan[1].head_fails = always;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(24, fake.units[0].n_pairs);
	assert_int_equal(0, fake.anchor_plan[0].n_calls);
	assert_true(isnan(fake.units[0].anchors[0][0]));
	assert_true(isnan(fake.units[0].anchors[1][19]));
	fake_release();
}

static void processes_left_behind_are_summed_up(void **state)
{
	(void)state;
	fake_init(1);
	fake.schedule.runs_min = fake.schedule.runs_max = 6;
	fake.plan[0].n_left = 2;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(2 * 7, fake.units[0].n_left); /* of the warm-up, too */
	fake_release();
}

static void a_signal_stops_and_keeps_what_was_measured(void **state)
{
	(void)state;
	fake_init(2);
	fake.stop_at = 2 + 2 * 7 + 1; /* in the middle of round 8 */
	assert_int_equal(-1, fake_schedule());
	assert_int_equal(ERR_STOPPED, fake.err.code);
	assert_int_equal(15, fake.units[0].n_pairs + fake.units[1].n_pairs);
	assert_null(fake.units[0].failure);
	assert_false(fake.units[0].done);
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_round_runs_each_open_unit_once),
		cmocka_unit_test(the_order_comes_from_the_seed_alone),
		cmocka_unit_test(the_order_varies_from_round_to_round),
		cmocka_unit_test(the_coin_is_fair_and_is_stored),
		cmocka_unit_test(without_a_base_a_fixed_number_is_run),
		cmocka_unit_test(the_warm_up_is_run_and_not_kept),
		cmocka_unit_test(identical_and_failed_units_never_run),
		cmocka_unit_test(units_that_failed_or_are_identical_have_no_figures),
		cmocka_unit_test(n_is_found_once_on_the_base_where_there_is_one),
		cmocka_unit_test(anchors_run_first_in_every_long_round_of_a_unit_without_a_base),
		cmocka_unit_test(anchors_are_spread_over_the_short_rounds_of_a_unit_without_a_base),
		cmocka_unit_test(anchors_take_a_twentieth_of_the_time_of_a_unit_without_a_base),
		cmocka_unit_test(
			beside_their_bases_one_reading_of_the_anchors_serves_for_half_a_second),
		cmocka_unit_test(an_anchor_that_fails_costs_only_its_own_times),
		cmocka_unit_test(processes_left_behind_are_summed_up),
		cmocka_unit_test(a_signal_stops_and_keeps_what_was_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
