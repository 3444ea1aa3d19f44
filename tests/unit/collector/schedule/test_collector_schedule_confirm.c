/* One look more, of more pairs, for what is only suspected at the last one, with made-up numbers.
 */
#include "tests/unit/collector/schedule/schedule_fixture.h"

#include "lib/stats/family.h"

#include "lib/base/banned.h"

#define LEVEL .02774 /* of looks at 20, 25 and 30 pairs */

static void confirming_init(size_t n)
{
	size_t i;

	fake_init(n);
	for (i = 0; i < n; i++) {
		fake.units[i].looks = (struct looks){ { 20, 25, 30 }, 3, LEVEL };
		fake.units[i].confirm_at = 60;
		fake.units[i].needs_base = true;
	}
}

/* Significant at the last look, but the noise is beyond the threshold: at most a suspicion. */
static double suspicious(int call)
{
	return 0.022 + wide(call);
}

static double suspiciously_faster(int call)
{
	return -0.022 + wide(call);
}

static double slower(int call)
{
	return 0.5 + wide(call);
}

/* Suspicious for 30 pairs, then as far off again on the other side. */
static double chance(int call)
{
	return (call > 30 ? -0.022 : 0.022) + wide(call);
}

static void assert_suspected(double (*log_ratio)(int call))
{
	struct judgement got;
	double d[30];
	int i;

	for (i = 0; i < 30; i++)
		d[i] = log_ratio(i + 1);
	assert_int_equal(0, judge_pairs(d, 30, LEVEL, true, log1p(0.01), &got, NULL));
	assert_true(got.call == CALL_REGRESSED || got.call == CALL_IMPROVED);
	assert_true(fmin(fabs(got.low), fabs(got.high)) <
		    FAMILY_DISTANCE * (got.high - got.low) / 2);
}

static void a_suspicion_at_the_last_look_is_confirmed_with_more_pairs(void **state)
{
	size_t i;

	(void)state;
	assert_suspected(suspicious);
	assert_suspected(suspiciously_faster);
	assert_suspected(chance);
	confirming_init(3);
	fake.plan[0].log_ratio = suspicious;
	fake.plan[1].log_ratio = suspiciously_faster;
	fake.plan[2].log_ratio = chance;
	assert_int_equal(0, fake_schedule());
	for (i = 0; i < 3; i++) {
		assert_int_equal(60, fake.units[i].n_pairs);
		assert_int_equal(4, fake.units[i].looks.n); /* it is paid for */
		assert_int_equal(60, fake.units[i].looks.pairs[3]);
	}
	fake_release();
}

static void without_a_suspicion_nothing_is_added(void **state)
{
	(void)state;
	confirming_init(2);
	fake.plan[0].log_ratio = wide;
	fake.plan[1].log_ratio = slower;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	assert_int_equal(20, fake.units[1].n_pairs);
	assert_int_equal(3, fake.units[0].looks.n);
	assert_int_equal(3, fake.units[1].looks.n);
	fake_release();
}

static void a_number_that_was_asked_for_is_kept_to(void **state)
{
	(void)state;
	confirming_init(1);
	fake.plan[0].log_ratio = suspicious;
	fake.units[0].confirm_at = 0;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(30, fake.units[0].n_pairs);
	assert_int_equal(3, fake.units[0].looks.n);
	fake_release();
}

static bool the_first_three(int call)
{
	return call > 0 && call <= 3;
}

/* 3 void of 15 pairs: nothing can be judged, so nothing can be suspected either. */
static void too_many_void_pairs_are_not_confirmed(void **state)
{
	(void)state;
	confirming_init(1);
	fake.plan[0].log_ratio = suspicious;
	fake.plan[0].suspended = the_first_three;
	fake.units[0].looks = (struct looks){ { 10, 12 }, 2, LEVEL };
	assert_int_equal(0, fake_schedule());
	assert_null(fake.units[0].failure);
	assert_int_equal(12, fake.units[0].n_pairs);
	assert_int_equal(2, fake.units[0].looks.n);
	fake_release();
}

/* Without looks it ends by the spread, at runs_max at the latest; that is the one look then. */
static void a_collection_confirms_a_suspicion_too(void **state)
{
	(void)state;
	confirming_init(3);
	fake.plan[0].log_ratio = suspicious;
	fake.plan[1].log_ratio = wide;
	fake.plan[2].log_ratio = suspicious;
	fake.units[0].looks = fake.units[1].looks = fake.units[2].looks = (struct looks){ 0 };
	fake.units[2].has_base = false; /* a time, not a change */
	fake.units[2].needs_base = false;
	assert_int_equal(0, fake_schedule());
	assert_int_equal(60, fake.units[0].n_pairs);
	assert_int_equal(2, fake.units[0].looks.n);
	assert_int_equal(30, fake.units[0].looks.pairs[0]);
	assert_int_equal(60, fake.units[0].looks.pairs[1]);
	assert_true(fabs(fake.units[0].looks.level - 0.05) < 1e-12);
	assert_int_equal(30, fake.units[1].n_pairs);
	assert_int_equal(0, fake.units[1].looks.n);
	assert_in_range(fake.units[2].n_pairs, 20, 30);
	assert_int_equal(0, fake.units[2].looks.n);
	fake_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_suspicion_at_the_last_look_is_confirmed_with_more_pairs),
		cmocka_unit_test(without_a_suspicion_nothing_is_added),
		cmocka_unit_test(a_number_that_was_asked_for_is_kept_to),
		cmocka_unit_test(too_many_void_pairs_are_not_confirmed),
		cmocka_unit_test(a_collection_confirms_a_suspicion_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
