/* Benchmarks that share processes: what one leaves behind is no change of another. */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/base/banned.h"

static bool every_second(int call)
{
	return call % 2;
}

static bool all_but_every_fourth(int call)
{
	return call % 4 != 0;
}

static bool always(int call)
{
	(void)call;
	return true;
}

static double moved(int call)
{
	(void)call;
	return 0.1;
}

static size_t n_behind(const struct unit *u)
{
	size_t i, n = 0;

	for (i = 0; i < u->n_pairs; i++)
		n += u->pairs[i].is_behind;
	return n;
}

/* Two units whose first shares its processes: 24 pairs are a decision point, 30 the last. */
static void begin(bool (*behind)(int call), double left_behind)
{
	fake_init(2);
	fake_anchors();
	fake.plan[0].behind = behind;
	fake.plan[0].left_behind = left_behind;
}

static void what_others_leave_behind_is_no_change(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(every_second, 0.5);
	assert_int_equal(0, fake_schedule());
	assert_true(u->alone);
	assert_int_equal(0, n_behind(u));
	assert_int_equal(24, u->n_pairs);
	assert_int_equal(CALL_UNCHANGED, u->judged.call);
	assert_int_equal(1 + 24 + 12, fake.plan[0].n_calls); /* half of the first ones stay */
	assert_false(fake.units[1].alone);
	fake_release();
}

static void not_one_pair_of_its_own_is_no_change_either(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(always, 0.5);
	assert_int_equal(0, fake_schedule());
	assert_int_equal(1, n_behind(u));
	assert_int_equal(24, u->n_pairs);
	assert_true(u->judged.call != CALL_REGRESSED);
	fake_release();
}

static void a_change_of_its_own_is_called_by_pairs_of_its_own(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(every_second, 0.5);
	fake.plan[0].log_ratio = moved;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, n_behind(u));
	assert_int_equal(CALL_REGRESSED, u->judged.call);
	assert_float_equal(0.1, u->judged.theta, 1e-9);
	fake_release();
}

static void no_change_is_told_of_shared_processes_too(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(every_second, 0);
	assert_int_equal(0, fake_schedule());
	assert_false(u->alone);
	assert_int_equal(24, u->n_pairs);
	assert_int_equal(12, n_behind(u));
	assert_int_equal(CALL_UNCHANGED, u->judged.call);
	fake_release();
}

/* What was left there hides a change: pairs of its own show it. */
static void what_others_leave_behind_hides_no_change(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(all_but_every_fourth, -0.1);
	fake.plan[0].log_ratio = moved;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, n_behind(u));
	assert_int_equal(CALL_REGRESSED, u->judged.call);
	fake_release();
}

static void at_the_last_point_it_is_asked_too(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(every_second, 0.5);
	fake.schedule.runs_min = 30;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(0, n_behind(u));
	assert_int_equal(30, u->n_pairs);
	fake_release();
}

static void what_was_stopped_is_judged_by_pairs_of_its_own(void **state)
{
	const struct unit *u = &fake.units[0];

	(void)state;
	begin(every_second, 0.5);
	fake.schedule.runs_min = 30;
	fake.stop_at = 50; /* some 24 pairs */
	assert_int_equal(-1, fake_schedule());
	assert_int_equal(ERR_STOPPED, fake.err.code);
	assert_int_equal(0, n_behind(u));
	assert_true(u->n_pairs > 6 && u->n_pairs < 20);
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_others_leave_behind_is_no_change),
		cmocka_unit_test(not_one_pair_of_its_own_is_no_change_either),
		cmocka_unit_test(a_change_of_its_own_is_called_by_pairs_of_its_own),
		cmocka_unit_test(no_change_is_told_of_shared_processes_too),
		cmocka_unit_test(what_others_leave_behind_hides_no_change),
		cmocka_unit_test(at_the_last_point_it_is_asked_too),
		cmocka_unit_test(what_was_stopped_is_judged_by_pairs_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
