/* Where a comparison decides; made-up numbers. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "collector/schedule/fill_runs.h"
#include "collector/schedule/local.h"
#include "lib/judge/pairs.h"

#include "lib/base/banned.h"

static double quiet(int call)
{
	return call % 2 ? 0.004 : -0.004;
}

static double slower(int call)
{
	return 0.5 + wide(call);
}

static double faster(int call)
{
	return -0.5 - wide(call);
}

/* Of +-6 %: at 12, 17 and 24 pairs open, at 34 not even 200 pairs would bring it within +-0.1 %. */
static void a_point_ends_what_is_decided_and_what_never_will_be(void **state)
{
	(void)state;
	points_init(4);
	fake.plan[0].log_ratio = quiet;
	fake.plan[1].log_ratio = slower;
	fake.plan[2].log_ratio = faster;
	fake.plan[3].log_ratio = wide;
	fake.config[3].threshold = 0.001;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(12, fake.units[0].n_pairs);
	assert_int_equal(17, fake.units[1].n_pairs); /* 4 x 9 x 2^-11 is more than 0.005 */
	assert_int_equal(17, fake.units[2].n_pairs);
	assert_int_equal(34, fake.units[3].n_pairs);
	assert_int_equal(CALL_UNCHANGED, fake.units[0].judged.call);
	assert_int_equal(CALL_REGRESSED, fake.units[1].judged.call);
	assert_int_equal(CALL_IMPROVED, fake.units[2].judged.call);
	assert_int_equal(CALL_INCONCLUSIVE, fake.units[3].judged.call);
	assert_int_equal(9, fake.units[0].looks.n);
	fake_release();
}

static unsigned of_eight(int call)
{
	return 1 + (unsigned)call % 8;
}

static unsigned of_200(int call)
{
	return 1 + (unsigned)call;
}

/* +-6 % around three quarters of the threshold: no number of pairs here decides it. */
static double just_below(int call)
{
	return log1p(0.0075) + wide(call);
}

/* 400 pairs of two runs of 6.25 ms take 5 s. */
static size_t pairs_of_runs_of(double run_ns, size_t comparisons, bool asked)
{
	size_t n;

	points_init(1);
	fake.schedule.runs_max = 400;
	fake.schedule.runs_asked = asked;
	fake.schedule.comparisons = (unsigned)comparisons;
	fake.plan[0].log_ratio = just_below;
	fake.plan[0].run_ns = run_ns;
	assert_int_equal(0, fake_schedule());
	n = fake.units[0].n_pairs;
	assert_int_equal(n, fake.units[0].looks.pairs[fake.units[0].looks.n - 1]);
	fake_release();
	return n;
}

static void long_runs_end_sooner_unless_more_was_asked_for(void **state)
{
	(void)state;
	assert_int_equal(400, pairs_of_runs_of(6.2e6, 0, false));
	assert_int_equal(200, pairs_of_runs_of(6.3e6, 0, false));
	assert_int_equal(400, pairs_of_runs_of(6.3e6, 0, true));
	/* A minute for all: 3 s for each of twenty. */
	assert_int_equal(400, pairs_of_runs_of(3.7e6, 20, false));
	assert_int_equal(200, pairs_of_runs_of(3.8e6, 20, false));
}

static void prepared_runs_end_sooner(void **state)
{
	(void)state;
	points_init(1);
	fake.schedule.runs_max = 400;
	fake.config[0].prepare = (char[]){ "true" };
	fake.plan[0].log_ratio = just_below;
	fake.plan[0].run_ns = 1e6;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(200, fake.units[0].n_pairs);
	fake_release();
}

/* Of eight layouts no p is small enough, however many pairs there are: 9 x 2^-7. */
static void pairs_of_layouts_that_were_used_before_decide_nothing_more(void **state)
{
	(void)state;
	points_init(2);
	fake.schedule.layouts = 32;
	fake.plan[0].log_ratio = slower;
	fake.plan[0].layout = of_eight;
	fake.plan[1].log_ratio = slower;
	fake.plan[1].layout = of_200;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(200, fake.units[0].n_pairs);
	assert_int_equal(136, fake.units[0].judged.n); /* at its last decision point but one */
	assert_int_equal(CALL_INCONCLUSIVE, fake.units[0].judged.call);
	assert_int_equal(17, fake.units[1].n_pairs);
	assert_int_equal(CALL_REGRESSED, fake.units[1].judged.call);
	fake_release();
}

/* Of 0.3 % within, 0.4 % of a layout: four times the pairs are not four times as much. */
static void pairs_are_worth_what_their_layouts_are(void **state)
{
	const struct schedule s = { .layouts = 32 };
	struct unit u = { .n_pairs = 24,
			  .judged = { .n = 24 },
			  .layouts = { .n = 12, .between = 16e-6, .within = 9e-6 } };

	(void)state;
	/* 24 x (16 + 9 / 2) / 12 over (16 + 9 x 32 / 96) / 32 */
	assert_int_equal(69, schedule_worth(&u, &s, 96));
	u.layouts.between = 0; /* layouts do not matter */
	assert_int_equal(96, schedule_worth(&u, &s, 96));
	u.layouts.between = u.layouts.within = (double)NAN; /* not known: likewise */
	assert_int_equal(96, schedule_worth(&u, &s, 96));
	u.layouts.n = 0;
	assert_int_equal(96, schedule_worth(&u, &s, 96));
}

/* Undecided at 12, clear from then on: nothing ends before 17. */
static double clear_from_13(int call)
{
	return call > 12 ? 0 : call % 2 ? 0.015 : -0.015;
}

static void nothing_ends_between_two_points(void **state)
{
	(void)state;
	points_init(1);
	fake.plan[0].log_ratio = clear_from_13;
	assert_int_equal(0, fake_schedule());
	assert_in_range(fake.units[0].n_pairs, 17, 24);
	assert_true(fake.units[0].n_pairs != 18);
	fake_release();
}

/* p of 12 clear pairs, 2^-11, times nine points: significant as the only one of all, not of two. */
static void a_change_ends_it_only_when_the_family_cannot_take_it_back(void **state)
{
	static const struct {
		bool identical, only_head, not_built;
		size_t pairs;
	} others[] = { { true, false, false, 12 }, /* these are no part of the family */
		       { false, true, false, 12 },
		       { false, false, true, 17 }, /* this one is, and so is what runs */
		       { false, false, false, 17 } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		points_init(2);
		fake.plan[0].log_ratio = slower;
		fake.units[1].identical = others[i].identical;
		fake.units[1].only_head = others[i].only_head;
		if (others[i].not_built)
			assert_int_equal(0, str_set(&fake.units[1].failure, "not built", NULL));
		assert_int_equal(0, fake_schedule());
		assert_int_equal(others[i].pairs, fake.units[0].n_pairs);
		fake_release();
	}
}

/* A pair whose CPU time is not known leaves the metric without a ratio for good. */
static double no_ratio_once(int call)
{
	return call == 3 ? (double)NAN : quiet(call);
}

static void what_has_no_ratio_ends_at_the_first_point(void **state)
{
	char metric[] = "cpu";

	(void)state;
	points_init(1);
	fake.config[0].metric = metric;
	fake.plan[0].log_ratio = no_ratio_once;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(12, fake.units[0].n_pairs);
	assert_int_equal(0, fake.units[0].judged.n);
	fake_release();
}

/*
 * The metric that decides also ends measuring, whichever it is: of five units with the same times,
 * the one gated by wall time ends when that is unchanged, the ones gated by a counter (more or less
 * of it being better) when that has moved, one without this counter when there is nothing to judge.
 */
static void the_metric_that_decides_ends_it(void **state)
{
	char wall[] = "wall", items[] = "items", nothing[] = "nothing";
	size_t i;

	(void)state;
	points_init(5);
	for (i = 0; i < 5; i++) {
		fake.config[i].threshold = 0.02; /* +-6 % stay open for long */
		fake.plan[i].log_ratio = wide;
		fake.plan[i].log_ratio_wall = i == 1 ? quiet : wide;
	}
	fake.config[1].metric = wall;
	fake.config[2].metric = fake.config[3].metric = items;
	fake.plan[2].items = fake.plan[3].items = slower;
	fake.plan[3].more_is_better = true;
	fake.config[4].metric = nothing;
	assert_int_equal(0, fake_schedule());
	assert_true(fake.units[0].n_pairs > 17);
	assert_int_equal(12, fake.units[1].n_pairs);
	assert_int_equal(CALL_UNCHANGED, fake.units[1].judged.call);
	assert_int_equal(17, fake.units[2].n_pairs);
	assert_int_equal(CALL_REGRESSED, fake.units[2].judged.call);
	assert_int_equal(17, fake.units[3].n_pairs);
	assert_int_equal(CALL_IMPROVED, fake.units[3].judged.call);
	assert_int_equal(12, fake.units[4].n_pairs);
	fake_release();
}

/*
 * Slices that say "unchanged" beside totals that say "10 % more": the cost is in few slices.  The
 * report judges by the totals, and so does what ends measuring.
 */
static void totals_that_stand_apart_from_the_slices_end_it(void **state)
{
	struct summary s;
	struct bench *b;
	struct judgement reported;
	struct pair_changes how;

	(void)state;
	points_init(1);
	fake.plan[0].log_ratio = quiet;
	fake.plan[0].total = 0.1;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(12, fake.units[0].n_pairs);
	assert_int_equal(CALL_REGRESSED, fake.units[0].judged.call);
	summary_init(&s);
	b = summary_add_bench(&s, "a", NULL);
	assert_non_null(b);
	assert_int_equal(0, fill_runs(&fake.units[0], b, NULL));
	b->paired = true;
	b->looks = fake.units[0].looks;
	b->threshold = 0.01;
	assert_int_equal(0, pairs_judge(b, bench_find_metric(b, "cpu"), 1, &reported, &how, NULL));
	assert_true(how.by_totals);
	assert_int_equal(reported.call, CALL_REGRESSED);
	assert_true(reported.theta == fake.units[0].judged.theta);
	summary_release(&s);
	fake_release();
}

static bool every_sixth(int call)
{
	return call > 0 && call % 6 == 0;
}

static void too_many_void_pairs_decide_nothing_early(void **state)
{
	(void)state;
	points_init(1);
	fake.plan[0].log_ratio = quiet;
	fake.plan[0].suspended = every_sixth;
	assert_int_equal(0, fake_schedule());
	assert_true(fake.units[0].n_pairs > 12 || fake.units[0].failure);
	fake_release();
}

/* +-2.4 % around the threshold itself: 200 pairs might decide it all the time. */
static double at_the_threshold(int call)
{
	return 0.01 + 0.4 * wide(call);
}

static void it_goes_on_to_200_pairs_while_they_might_decide(void **state)
{
	(void)state;
	points_init(1);
	fake.plan[0].log_ratio = at_the_threshold;
	assert_int_equal(0, fake_schedule());
	assert_in_range(fake.units[0].n_pairs, 48, 200);
	assert_true(fake.units[0].done);
	fake_release();
}

static void a_fixed_number_is_run_whatever_it_shows(void **state)
{
	(void)state;
	points_init(3);
	fake.schedule.runs_min = fake.schedule.runs_max = 40;
	fake.plan[0].log_ratio = quiet;
	fake.plan[1].log_ratio = slower;
	fake.plan[2].log_ratio = wide;
	assert_int_equal(0, fake_schedule());
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(40, fake.units[i].n_pairs);
		assert_int_equal(1, fake.units[i].looks.n); /* nothing to pay for */
	}
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_point_ends_what_is_decided_and_what_never_will_be),
		cmocka_unit_test(long_runs_end_sooner_unless_more_was_asked_for),
		cmocka_unit_test(prepared_runs_end_sooner),
		cmocka_unit_test(pairs_of_layouts_that_were_used_before_decide_nothing_more),
		cmocka_unit_test(pairs_are_worth_what_their_layouts_are),
		cmocka_unit_test(nothing_ends_between_two_points),
		cmocka_unit_test(a_change_ends_it_only_when_the_family_cannot_take_it_back),
		cmocka_unit_test(what_has_no_ratio_ends_at_the_first_point),
		cmocka_unit_test(the_metric_that_decides_ends_it),
		cmocka_unit_test(totals_that_stand_apart_from_the_slices_end_it),
		cmocka_unit_test(too_many_void_pairs_decide_nothing_early),
		cmocka_unit_test(it_goes_on_to_200_pairs_while_they_might_decide),
		cmocka_unit_test(a_fixed_number_is_run_whatever_it_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
