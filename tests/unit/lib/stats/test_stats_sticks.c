/* What stays with one side for many pairs. */
#include "tests/unit/test_stats_near.h"

#include "lib/stats/sample.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

static const double D = 0.01;

static struct judgement judge(const double *d, size_t n, double delta)
{
	const struct judge_terms terms = { delta, 1, 1 };
	struct judgement out = { .n = 0 };

	assert_int_equal(judge_pairs(d, n, &terms, &out, NULL), 0);
	return out;
}

/*
 * A state of 3 %, of one side or of the other for many pairs; then a change of 10 % beside a state
 * of 0.1 %, which is there in both.
 */
static void what_sticks_is_called_only_where_each_state_shows_it(void **state)
{
	double d[200];
	int i;

	(void)state;
	for (i = 0; i < 40; i++)
		d[i] = (i < 20 ? 0.035 : i < 35 ? 0.03 : -0.03) + 0.00001 * (i * 7 % 40);
	assert_true(judge(d, 40, D).low > D && judge(d, 40, D).sticks);
	assert_int_equal(judge(d, 40, D).call, CALL_INCONCLUSIVE);
	for (i = 0; i < 40; i++)
		d[i] = -d[i];
	assert_int_equal(judge(d, 40, D).call, CALL_INCONCLUSIVE);
	for (i = 0; i < 40; i++)
		d[i] = (i < 20 ? 0.101 : 0.099) + 0.00001 * (i * 7 % 40);
	assert_true(judge(d, 40, D).sticks);
	assert_int_equal(judge(d, 40, D).call, CALL_REGRESSED);
	for (i = 0; i < 40; i++) /* less than counts in both */
		d[i] = (i < 20 ? 0.001 : -0.001) + 0.00001 * (i * 7 % 40);
	assert_true(judge(d, 40, D).sticks);
	assert_int_equal(judge(d, 40, D).call, CALL_UNCHANGED);
	for (i = 0; i < 200; i++) /* the one as often as the other: their middle is known well */
		d[i] = (i < 100 ? 0.03 : -0.03) + 0.0001 * (i * 7 % 40);
	assert_true(judge(d, 200, D).low > -D && judge(d, 200, D).high < D);
	assert_int_equal(judge(d, 200, D).call, CALL_INCONCLUSIVE);
}

static double streaks_of(const double *d, size_t n)
{
	double *sorted = sample_sorted(d, n, NULL), p;

	assert_non_null(sorted);
	p = pairs_streaks(d, sorted, n, 1);
	free(sorted);
	return p;
}

/* By counting: of the 6 orders of two above and two below, 2 have two runs, 2 three, 2 four. */
static void streaks_are_counted_exactly(void **state)
{
	static const double two[] = { 1, 2, -1, -2 }, three[] = { 1, -1, -2, 2 },
			    four[] = { 1, -1, 2, -2 }, equal[] = { 1, 1, 1, 1 };
	double d[34], p;

	(void)state;
	assert_near(streaks_of(two, 4), "0.33333333333333");
	assert_near(streaks_of(three, 4), "0.66666666666667");
	assert_same(streaks_of(four, 4), 1);
	assert_same(streaks_of(equal, 4), 1);
	for (int i = 0; i < 34; i++)
		d[i] = (i < 17 ? 0.03 : 0) + 0.001 * (i * 7 % 17);
	p = streaks_of(d, 34);
	assert_near(p * 2333606220 / 2, "1.00000000000"); /* 2 of 34 over 17 */
	assert_true(judge(d, 34, D).sticks);
	for (int i = 0; i < 34; i++)
		d[i] = (i % 2 ? 0.03 : 0) + 0.001 * (i * 7 % 17);
	assert_false(judge(d, 34, D).sticks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_sticks_is_called_only_where_each_state_shows_it),
		cmocka_unit_test(streaks_are_counted_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
