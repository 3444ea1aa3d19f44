#include "tests/unit/test_stats_near.h"

#include "lib/stats/screen.h"
#include "lib/stats/signedrank.h"

#include "lib/base/banned.h"

/*
 * SciPy 1.10.1's Student quantile (stdtrit) is off in the tenth digit; R's and ours agree to the
 * last.  Ends that were published from SciPy are asserted twice: as R 4.2.2 has them, and as
 * published when SciPy's quantile takes the place of ours.
 */
static const double SCIPY_T_975_DF11 = 2.200985160082949; /* R: 2.20098516009164 */

static void shift_test_gives_the_published_answer(void **state)
{
	struct t_test got;

	(void)state;
	/* 2 sd^2 between sessions and se^2 of both: 2 x .01^2 + .0023^2 + .0021^2 */
	assert_int_equal(screen_shift(.025, .0002097, 11, 0.95, &got, NULL), 0);
	assert_near(got.se, "0.0144810220634");
	assert_near(got.t, "1.72639748014");
	assert_near(got.p, "0.112214785244");
	assert_near(got.low, "-0.0068725146644515");
	assert_near(got.high, "0.0568725146644515");
	assert_near(got.shift - SCIPY_T_975_DF11 * got.se, "-0.00687251466433");
	assert_near(got.shift + SCIPY_T_975_DF11 * got.se, "0.0568725146643");
}

static void freedom_is_two_thirds_of_the_distances(void **state)
{
	(void)state;
	assert_same(screen_df(0), 3);
	assert_same(screen_df(5), 3);
	assert_same(screen_df(8), 5);
	assert_same(screen_df(17), 11);
	assert_same(screen_df(30), 20);
}

/* n sessions that go up and down by `step`. */
static void set_history(struct session *history, size_t n, double step)
{
	for (size_t i = 0; i < n; i++)
		history[i] = (struct session){ i % 2 ? step : 0, 0.001, false };
}

static void seven_distances_are_too_short_a_history(void **state)
{
	struct session history[9], now = { 5, 0.001, false };
	struct screening got;

	(void)state;
	set_history(history, 9, 0.01);
	for (size_t n = 0; n <= 8; n++) {
		assert_int_equal(screen(history, n, &now, 0.05, &got, NULL), 0);
		assert_int_equal(got.call, SCREEN_TOO_SHORT);
		assert_int_equal(got.m, n ? n - 1 : 0);
		assert_true(isnan(got.test.p) && isnan(got.test.low));
	}
	assert_int_equal(screen(history, 9, &now, 0.05, &got, NULL), 0);
	assert_int_equal(got.call, SCREEN_SUSPECT);
	assert_int_equal(got.m, 8);
	/* a change point takes its distance out of the yardstick: 7 are left */
	history[4].moved = true;
	assert_int_equal(screen(history, 9, &now, 0.05, &got, NULL), 0);
	assert_int_equal(got.call, SCREEN_TOO_SHORT);
}

/* By hand: distances all .01, m = 10, df = 6, R: qt(.975, 6) = 2.44691185114497 */
static void shift_beyond_the_usual_distance_is_suspect(void **state)
{
	struct session history[11], now = { 0, 0.001, false };
	struct screening got;

	(void)state;
	set_history(history, 11, 0.01);
	now.location = 0.0244;
	assert_int_equal(screen(history, 11, &now, 0.05, &got, NULL), 0);
	assert_int_equal(got.call, SCREEN_QUIET);
	assert_near(got.test.high - got.test.shift, "0.0244691185114497");
	assert_same(got.test.df, 6);
	now.location = 0.0245;
	assert_int_equal(screen(history, 11, &now, 0.05, &got, NULL), 0);
	assert_int_equal(got.call, SCREEN_SUSPECT);
	now.location = -0.0245;
	assert_int_equal(screen(history, 11, &now, 0.05, &got, NULL), 0);
	assert_int_equal(got.call, SCREEN_SUSPECT);
	assert_int_equal(screen(history, 11, &now, 0.01, &got, NULL), 0);
	assert_int_equal(got.call, SCREEN_QUIET);
}

static void noise_within_the_sessions_is_the_least_yardstick(void **state)
{
	struct session history[11], now = { 0.02, 0.03, false };
	struct screening got;

	(void)state;
	set_history(history, 11, 0);
	history[10].se = 0.04;
	assert_int_equal(screen(history, 11, &now, 0.05, &got, NULL), 0);
	assert_near(got.test.se, "0.0500000000000000");
	assert_int_equal(got.call, SCREEN_QUIET);
}

static void accepted_step_does_not_widen_the_yardstick(void **state)
{
	struct session history[12], now = { 0.5, 0.001, false };
	struct screening with, without;

	(void)state;
	set_history(history, 12, 0.01);
	for (int i = 6; i < 12; i++)
		history[i].location += 0.5;
	assert_int_equal(screen(history, 12, &now, 0.05, &with, NULL), 0);
	history[6].moved = true;
	assert_int_equal(screen(history, 12, &now, 0.05, &without, NULL), 0);
	assert_int_equal(with.m, 11);
	assert_int_equal(without.m, 10);
	assert_near(without.test.se, "0.0100000000000000");
	assert_true(with.test.se > 0.1);
}

static void session_is_the_centre_and_the_width_of_its_runs(void **state)
{
	struct session got = { 0, 0, true };
	struct signed_rank rank;
	double y[12];

	(void)state;
	for (int i = 0; i < 12; i++)
		y[i] = log(KNOWN_A[i]);
	assert_int_equal(session_of(y, 12, &got, NULL), 0);
	assert_int_equal(signed_rank(y, 12, 0.95, &rank, NULL), 0);
	assert_same(got.location, rank.theta);
	assert_near(got.se / ((rank.high - rank.low) / 3.919928), "1.0000000");
	assert_false(got.moved);
}

static void bad_input_is_refused(void **state)
{
	struct session history[10], now = { 0, 0.001, false }, session = { 7, 7, true };
	struct screening out = { .m = 77 };
	struct t_test test = { .df = 77 };
	struct err err = ERR_INIT;
	const double nan = (double)NAN;

	(void)state;
	set_history(history, 10, 0.01);
	assert_int_equal(screen(history, 10, &now, 0, &out, &err), -1);
	assert_int_equal(screen(history, 10, &now, nan, &out, &err), -1);
	history[3].location = nan;
	err_clear(&err);
	assert_int_equal(screen(history, 10, &now, 0.05, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	history[3] = (struct session){ 0, -0.1, false };
	assert_int_equal(screen(history, 10, &now, 0.05, &out, &err), -1);
	now.se = HUGE_VAL;
	assert_int_equal(screen(history, 3, &now, 0.05, &out, &err), -1);
	assert_int_equal(screen_shift(nan, 1, 3, 0.95, &test, &err), -1);
	assert_int_equal(screen_shift(1, -1, 3, 0.95, &test, &err), -1);
	assert_int_equal(screen_shift(1, 1, 0, 0.95, &test, &err), -1);
	assert_int_equal(screen_shift(1, 1, 3, 1, &test, &err), -1);
	assert_int_equal(session_of(KNOWN_X, 5, &session, &err), -1);
	assert_int_equal(session_of(KNOWN_X, 0, &session, &err), -1);
	assert_int_equal(out.m, 77);
	assert_same(test.df, 77);
	assert_same(session.location, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shift_test_gives_the_published_answer),
		cmocka_unit_test(freedom_is_two_thirds_of_the_distances),
		cmocka_unit_test(seven_distances_are_too_short_a_history),
		cmocka_unit_test(shift_beyond_the_usual_distance_is_suspect),
		cmocka_unit_test(noise_within_the_sessions_is_the_least_yardstick),
		cmocka_unit_test(accepted_step_does_not_widen_the_yardstick),
		cmocka_unit_test(session_is_the_centre_and_the_width_of_its_runs),
		cmocka_unit_test(bad_input_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
