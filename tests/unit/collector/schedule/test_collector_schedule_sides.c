/* Comparisons that need both sides, and how far the progress line says that they go; made-up
 * numbers. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/base/banned.h"

static bool always(int call)
{
	(void)call;
	return true;
}

/* ---- both sides are needed ------------------------------------------------------------- */

static void a_base_that_fails_ends_a_comparison_and_is_named(void **state)
{
	(void)state;
	points_init(4);
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
	points_init(3);
	fake.units[0].only_base = true;
	fake.units[1].only_head = true;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, fake.plan[0].n_calls + fake.plan[1].n_calls);
	assert_int_equal(0, fake.plan[0].n_calibrated + fake.plan[0].n_base_calibrated);
	assert_int_equal(0, fake.plan[1].n_calibrated + fake.plan[1].n_base_calibrated);
	assert_null(fake.units[1].failure);
	assert_int_equal(12, fake.units[2].n_pairs);
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

/* It takes long enough that each pair is shown. */
static uint64_t a_second_a_look(void)
{
	static uint64_t now = 1;

	return now += 1000000000u;
}

static void the_progress_line_says_how_far_it_may_go(void **state)
{
	static const struct talk talk = { NULL, NULL, progress, NULL };

	(void)state;
	points_init(1);
	fake.schedule.runs_max = 30;
	fake.plan[0].log_ratio = undecided;
	fake.schedule.talk = &talk;
	fake.schedule.now_ns = a_second_a_look;
	n_shown = 0;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, n_shown);
	assert_int_equal(0, strncmp("pair 1 of at most 30  a  about ", shown[0], 31));
	assert_int_equal(0,
			 strncmp("pair 30 of at most 30  a  0.6 % worse  about ", shown[29], 45));
	fake_release();
	points_init(1);
	fake.schedule.runs_min = fake.schedule.runs_max = 9;
	fake.schedule.talk = &talk;
	fake.schedule.now_ns = a_second_a_look;
	n_shown = 0;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, strncmp("pair 9 of 9  a  about ", shown[8], 22));
	fake_release();
}

static int n_warned, n_calls_before;
static char warned[200];

static void warn(void *ctx, const char *text, const char *cure)
{
	(void)ctx;
	assert_non_null(cure);
	n_warned++;
	n_calls_before = fake.n_calls;
	snprintf(warned, sizeof(warned), "%s", text);
}

/* Its pairs take minutes: who stops it then has lost nothing. */
static void what_may_repeat_its_work_by_a_clock_is_told_before_its_first_pair(void **state)
{
	static const struct talk talk = { warn, NULL, NULL, NULL };

	(void)state;
	for (int rings = 0; rings < 2; rings++) {
		points_init(2);
		fake.units[0].alarms = fake.units[1].alarms = true;
		fake.plan[1].run_ns = rings ? 1e9 : 0.8e9;
		fake.schedule.talk = &talk;
		n_warned = n_calls_before = 0;
		assert_int_equal(0, fake_schedule());
		assert_int_equal(rings, n_warned);
		fake_release();
	}
	assert_int_equal(0, strncmp("'b' calls alarm(): ", warned, 19));
	assert_true(n_calls_before < 5); /* a's own, that choose its metric */
	/* Of several one line comes now, and one for the others at the end. */
	points_init(2);
	for (int i = 0; i < 2; i++) {
		fake.units[i].alarms = true;
		fake.plan[i].run_ns = 1e9;
	}
	fake.schedule.talk = &talk;
	n_warned = 0;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1, n_warned);
	assert_true(fake.units[0].rings_told && unit_rings(&fake.units[1]) &&
		    !fake.units[1].rings_told);
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_base_that_fails_ends_a_comparison_and_is_named),
		cmocka_unit_test(what_only_one_side_has_is_never_run),
		cmocka_unit_test(the_progress_line_says_how_far_it_may_go),
		cmocka_unit_test(what_may_repeat_its_work_by_a_clock_is_told_before_its_first_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
