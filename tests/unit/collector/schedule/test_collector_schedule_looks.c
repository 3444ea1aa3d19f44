/* Sequential comparisons, budgets and comparisons that need both sides, with made-up numbers. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/stats/sequential.h"

#include "lib/base/banned.h"

/* Units 0..n-1 are looked at 20, 25 and 30 pairs. */
static void looks_init(size_t n)
{
	static const struct looks looks = { { 20, 25, 30 }, 3, .02774 };
	size_t i;

	fake_init(n);
	for (i = 0; i < n; i++) {
		fake.units[i].looks = looks;
		fake.units[i].needs_base = true;
	}
}

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

static bool always(int call)
{
	(void)call;
	return true;
}

static void a_look_ends_what_is_decided_and_only_that(void **state)
{
	(void)state;
	looks_init(4);
	fake.plan[0].log_ratio = quiet;
	fake.plan[1].log_ratio = slower;
	fake.plan[2].log_ratio = faster;
	fake.plan[3].log_ratio = wide;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	assert_int_equal(20, fake.units[1].n_pairs);
	assert_int_equal(20, fake.units[2].n_pairs);
	assert_int_equal(30, fake.units[3].n_pairs);
	fake_release();
}

/* Undecided at 20, clear from then on: nothing ends before 25. */
static double clear_from_21(int call)
{
	return call > 20 ? 0 : call % 2 ? 0.015 : -0.015;
}

static void nothing_ends_between_two_looks(void **state)
{
	(void)state;
	looks_init(1);
	fake.plan[0].log_ratio = clear_from_21;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(25, fake.units[0].n_pairs);
	fake_release();
}

/*
 * 20 pairs of ranks 1..20, the sizes growing with the rank, all up but those of rank 17 and 18: the
 * negative ranks add to 35, p = 2 P(T <= 35) = 0.0073 (by counting all 2^20 sums).  Three
 * looks make 0.0219 of it: flagged as the only one, and not as the least of three.
 */
static double just_significant(int call)
{
	int rank = call; /* the warm-up is call 0 */

	return (rank == 17 || rank == 18 ? -1 : 1) * (0.03 + 0.001 * rank);
}

static void a_change_ends_it_only_when_the_family_cannot_take_it_back(void **state)
{
	(void)state;
	looks_init(1);
	fake.plan[0].log_ratio = just_significant;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	fake_release();
	looks_init(3);
	fake.plan[0].log_ratio = just_significant;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(25, fake.units[0].n_pairs);
	fake_release();
	looks_init(3); /* identical ones and those of one side only are no part of the family */
	fake.plan[0].log_ratio = just_significant;
	fake.units[1].identical = true;
	fake.units[2].only_head = true;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(20, fake.units[0].n_pairs);
	fake_release();
	looks_init(3); /* but one that could not be built is */
	fake.plan[0].log_ratio = just_significant;
	fake.units[1].identical = true;
	assert_int_equal(0, str_set(&fake.units[2].failure, "not built", NULL));
	assert_int_equal(0, fake_schedule());
	assert_int_equal(25, fake.units[0].n_pairs); /* 0.0438 is below 0.05, but not sure */
	fake_release();
}

/* The level of a look is what it is judged at: at 5 % the same pairs would be called. */
static double weakly_significant(int call)
{
	int rank = call;

	return (rank == 20 || rank == 19 || rank == 12 ? -1 : 1) * (0.03 + 0.001 * rank);
}

static void a_look_is_judged_at_its_own_level(void **state)
{
	(void)state;
	looks_init(1); /* 51: p = 0.0441 by counting, the level is 0.0277 */
	fake.plan[0].log_ratio = weakly_significant;
	assert_int_equal(0, fake_schedule());
	assert_in_range(fake.units[0].n_pairs, 25, 30);
	fake_release();
}

static double no_ratio_once(int call)
{
	return call == 3 ? (double)NAN : quiet(call);
}

static void a_pair_without_a_ratio_leaves_it_undecided(void **state)
{
	(void)state;
	looks_init(1);
	fake.plan[0].log_ratio = no_ratio_once;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	fake_release();
}

static bool every_sixth(int call)
{
	return call > 0 && call % 6 == 0;
}

static void too_many_void_pairs_decide_nothing_early(void **state)
{
	(void)state;
	looks_init(1);
	fake.plan[0].log_ratio = quiet;
	fake.plan[0].suspended = every_sixth;
	assert_int_equal(0, fake_schedule());
	assert_true(fake.units[0].n_pairs > 20 || fake.units[0].failure);
	fake_release();
}

static void it_goes_on_to_400_pairs_when_undecided(void **state)
{
	static const unsigned pairs[] = { 25, 50, 100, 200, 400 };
	struct sequential_plan plan;

	(void)state;
	assert_int_equal(0, sequential_plan_find(0.05, pairs, 5, &plan, NULL));
	looks_init(1);
	fake.units[0].looks = (struct looks){ { 25, 50, 100, 200, 400 }, 5, plan.level };
	fake.config[0].threshold = 0.0001; /* never reached: it goes to the end */
	fake.plan[0].log_ratio = wide;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(400, fake.units[0].n_pairs);
	assert_true(fake.units[0].done);
	fake_release();
}

/* ---- budget ---------------------------------------------------------------------------- */

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
	looks_init(2);
	fake.plan[0].log_ratio = fake.plan[1].log_ratio = wide;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000 + 2 + 2 * 7 + 1; /* in the middle of round 8 */
	fake.schedule.talk = &noting;
	*noted = '\0';
	assert_int_equal(0, fake_schedule());
	assert_int_equal(15, fake.units[0].n_pairs + fake.units[1].n_pairs);
	assert_null(fake.units[0].failure);
	assert_non_null(strstr(noted, "before 2 of 2 benchmarks had all pairs"));
	fake_release();
}

static void every_unit_gets_one_pair_however_late_it_is(void **state)
{
	(void)state;
	looks_init(5);
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(2 * 5, fake.n_calls); /* the warm-ups and one round */
	assert_int_equal(1, fake.units[0].n_pairs);
	assert_int_equal(1, fake.units[4].n_pairs);
	fake_release();
}

static void a_unit_without_any_pair_failed(void **state)
{
	(void)state;
	looks_init(2);
	fake.plan[1].suspended = always;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1;
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_non_null(fake.units[1].failure);
	assert_string_equal("the time budget ended before one pair was measured",
			    fake.units[1].failure);
	fake_release();
}

static void a_deadline_that_is_not_reached_changes_nothing(void **state)
{
	(void)state;
	looks_init(1);
	fake.plan[0].log_ratio = wide;
	fake.schedule.now_ns = calls_as_ns;
	fake.schedule.deadline_ns = 1000000;
	fake.schedule.talk = &noting;
	*noted = '\0';
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	assert_string_equal("", noted);
	fake_release();
}

/* ---- both sides are needed ------------------------------------------------------------- */

static void a_base_that_fails_ends_a_comparison_and_is_named(void **state)
{
	(void)state;
	looks_init(4);
	fake.plan[0].base_fails = always;
	fake.plan[1].base_calibration_fails = true;
	fake.plan[2].head_fails = always;
	fake.units[3].has_base = false;
	assert_int_equal(0, fake_schedule());
	assert_non_null(fake.units[0].failure);
	assert_string_equal("the base: base broke", fake.units[0].failure);
	assert_non_null(fake.units[1].failure);
	assert_string_equal("the base: no base", fake.units[1].failure);
	assert_non_null(fake.units[2].failure);
	assert_string_equal("the head: head broke", fake.units[2].failure);
	assert_non_null(fake.units[3].failure);
	assert_string_equal("the base: there is nothing to run", fake.units[3].failure);
	assert_true(fake.units[0].has_base);
	assert_null(fake.units[0].base_failure);
	assert_int_equal(0, fake.plan[1].n_calibrated); /* the head alone is never tried */
	fake_release();
}

static void what_only_one_side_has_is_never_run(void **state)
{
	(void)state;
	looks_init(3);
	fake.units[0].only_base = true;
	fake.units[1].only_head = true;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, fake.plan[0].n_calls + fake.plan[1].n_calls);
	assert_int_equal(0, fake.plan[0].n_calibrated + fake.plan[0].n_base_calibrated);
	assert_int_equal(0, fake.plan[1].n_calibrated + fake.plan[1].n_base_calibrated);
	assert_null(fake.units[1].failure);
	assert_int_equal(20, fake.units[2].n_pairs);
	fake_release();
}

/* ---- progress -------------------------------------------------------------------------- */

static char shown[40][256];
static size_t n_shown;

static void progress(void *ctx, double done, double total, const char *text)
{
	(void)ctx;
	assert_true(done <= total);
	if (!strncmp(text, "calibrating", 11))
		return;
	assert_true(n_shown < 40);
	snprintf(shown[n_shown++], sizeof(shown[0]), "%s", text);
}

static void the_progress_line_knows_the_looks(void **state)
{
	static const struct talk talk = { NULL, NULL, progress, NULL };

	(void)state;
	looks_init(1);
	fake.plan[0].log_ratio = wide;
	fake.schedule.talk = &talk;
	n_shown = 0;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, n_shown);
	assert_int_equal(0, strncmp("pair 1 of 20, 25 or 30  a  about ", shown[0], 33));
	assert_int_equal(0, strncmp("pair 20 of 20, 25 or 30  a  ", shown[19], 28));
	assert_int_equal(0, strncmp("pair 21 of 25 or 30  a  ", shown[20], 24));
	assert_int_equal(0, strncmp("pair 30 of 30  a  ", shown[29], 18));
	assert_non_null(strstr(shown[29], " %"));
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_look_ends_what_is_decided_and_only_that),
		cmocka_unit_test(nothing_ends_between_two_looks),
		cmocka_unit_test(a_change_ends_it_only_when_the_family_cannot_take_it_back),
		cmocka_unit_test(a_look_is_judged_at_its_own_level),
		cmocka_unit_test(a_pair_without_a_ratio_leaves_it_undecided),
		cmocka_unit_test(too_many_void_pairs_decide_nothing_early),
		cmocka_unit_test(it_goes_on_to_400_pairs_when_undecided),
		cmocka_unit_test(the_deadline_ends_between_pairs_and_keeps_them),
		cmocka_unit_test(every_unit_gets_one_pair_however_late_it_is),
		cmocka_unit_test(a_unit_without_any_pair_failed),
		cmocka_unit_test(a_deadline_that_is_not_reached_changes_nothing),
		cmocka_unit_test(a_base_that_fails_ends_a_comparison_and_is_named),
		cmocka_unit_test(what_only_one_side_has_is_never_run),
		cmocka_unit_test(the_progress_line_knows_the_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
