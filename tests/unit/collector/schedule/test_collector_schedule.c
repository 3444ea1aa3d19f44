/* Who runs when and how often, with made-up numbers. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/base/banned.h"

/* Half of the values up, half down: the interval of 20 is exactly +- the amount. */
static double narrow(int call)
{
	return call % 2 ? 0.004 : -0.004;
}

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
	fake.schedule.runs_max = 12;
	assert_int_equal(0, fake_schedule());
	for (i = 0; i < 5; i++) /* the warm-ups */
		assert_int_equal(i, fake.calls[i].unit);
	assert_int_equal(5 + 5 * 6, fake.n_calls); /* all equal: narrow as soon as it can be */
	for (round = 0; round < 6; round++) {
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
		fake.plan[i].log_ratio = wide;
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
		fake.plan[i].log_ratio = wide;
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

static void a_narrow_interval_ends_at_the_fewest_runs(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].log_ratio = narrow; /* 0.004 <= ln(1.01) / 2 */
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	fake_release();
}

static void a_wide_interval_goes_on_to_the_most_runs(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].log_ratio = wide;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	fake_release();
}

/* 20 values +-0.008 are too wide; one 0 more moves the cut to 0.004 (k = 58: W_59 of 231). */
static double wide_then_zero(int call)
{
	if (call == 0 || call > 20) /* 0 is the warm-up */
		return 0;
	return call % 2 ? 0.008 : -0.008;
}

static void the_first_narrow_interval_ends_it(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].log_ratio = wide_then_zero;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(21, fake.units[0].n_pairs);
	fake_release();
}

static void the_threshold_says_what_is_narrow(void **state)
{
	(void)state;
	fake_init(1);
	fake.config[0].threshold = 0.15;
	fake.plan[0].log_ratio = wide;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	fake_release();
}

static double wide_and_slower(int call)
{
	return 0.5 + wide(call);
}

static double wide_and_faster(int call)
{
	return -0.5 - wide(call);
}

static double narrow_and_slower(int call)
{
	return 0.5 + narrow(call);
}

/* However clear the sign is: only the spread ends it. */
static void it_never_stops_for_the_sign(void **state)
{
	(void)state;
	fake_init(3);
	fake.plan[0].log_ratio = wide_and_slower;
	fake.plan[1].log_ratio = wide_and_faster;
	fake.plan[2].log_ratio = narrow_and_slower;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	assert_int_equal(30, fake.units[1].n_pairs);
	assert_int_equal(20, fake.units[2].n_pairs);
	fake_release();
}

static void the_gated_metric_decides_what_is_narrow(void **state)
{
	char metric[] = "wall";

	(void)state;
	fake_init(2);
	fake.plan[0].log_ratio = fake.plan[1].log_ratio = wide;
	fake.plan[0].log_ratio_wall = fake.plan[1].log_ratio_wall = narrow;
	fake.config[0].metric = metric;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	assert_int_equal(30, fake.units[1].n_pairs);
	fake_release();
}

static void without_a_base_the_spread_of_the_times_counts(void **state)
{
	(void)state;
	fake_init(2);
	fake.units[0].has_base = fake.units[1].has_base = false;
	fake.plan[0].log_ratio = narrow;
	fake.plan[1].log_ratio = wide;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	assert_int_equal(30, fake.units[1].n_pairs);
	fake_release();
}

static double no_ratio(int call)
{
	(void)call;
	return (double)NAN;
}

static void pairs_without_a_ratio_are_never_narrow(void **state)
{
	(void)state;
	fake_init(1);
	fake.plan[0].log_ratio = no_ratio;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	fake_release();
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

/* Nothing else tells how fast the machine was in each of its runs. */
static void anchors_run_first_in_every_round_of_a_unit_without_a_base(void **state)
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
	assert_int_equal(20, fake.units[0].n_pairs);
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
		cmocka_unit_test(a_narrow_interval_ends_at_the_fewest_runs),
		cmocka_unit_test(a_wide_interval_goes_on_to_the_most_runs),
		cmocka_unit_test(the_first_narrow_interval_ends_it),
		cmocka_unit_test(the_threshold_says_what_is_narrow),
		cmocka_unit_test(it_never_stops_for_the_sign),
		cmocka_unit_test(the_gated_metric_decides_what_is_narrow),
		cmocka_unit_test(without_a_base_the_spread_of_the_times_counts),
		cmocka_unit_test(pairs_without_a_ratio_are_never_narrow),
		cmocka_unit_test(the_warm_up_is_run_and_not_kept),
		cmocka_unit_test(identical_and_failed_units_never_run),
		cmocka_unit_test(n_is_found_once_on_the_base_where_there_is_one),
		cmocka_unit_test(anchors_run_first_in_every_round_of_a_unit_without_a_base),
		cmocka_unit_test(
			beside_their_bases_one_reading_of_the_anchors_serves_for_half_a_second),
		cmocka_unit_test(an_anchor_that_fails_costs_only_its_own_times),
		cmocka_unit_test(processes_left_behind_are_summed_up),
		cmocka_unit_test(a_signal_stops_and_keeps_what_was_measured),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
