/* What becomes of alerts when their results are taken back, and when people settle them. */
#include "tests/unit/lib/store/alerts/alerts_fixture.h"

static void retraction_closes_what_it_opened(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open ");
	hide(p, 1, "deflate/6", false);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved open resolved open ");
}

static void another_result_keeps_it_open(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "open ");
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved ");
}

/* Not one that says something else, or against another base; and then it says what that one says.
 */
static void alert_goes_to_a_result_that_regressed_too(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'c',
			      .base = 'a',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 0.9 });
	say(p, (struct says){ .n = 2,
			      .commit = 'c',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.04 });
	say(p, (struct says){ .n = 3,
			      .commit = 'c',
			      .base = 'b',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.5 });
	assert_string_equal(states(p), "open open ");
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "resolved open ");
	assert_string_equal(ratios(p), "+50 +4 ");
	say(p, (struct says){ .n = 4,
			      .commit = 'c',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.03 });
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved open ");
	assert_string_equal(ratios(p), "+50 +3 ");
	hide(p, 4, NULL, false);
	assert_string_equal(states(p), "resolved resolved ");
}

/* What an accepted one has is not the other one's. */
static void what_is_worse_than_accepted_goes_with_its_result(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.05 });
	person_says(p, ALERT_ACCEPTED);
	say(p, (struct says){ .n = 2,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.5 });
	assert_string_equal(states(p), "open accepted ");
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved accepted ");
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "open accepted ");
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "open resolved ");
	assert_string_equal(ratios(p), "+50 +5 ");
}

/* Which came while the first one was hidden. */
static void change_that_has_another_alert_gets_no_second_one(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 1, NULL, false);
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open resolved ");
	/* Which is both results' from now on. */
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "open resolved ");
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "resolved resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open resolved ");
	assert_string_equal(events(p), "open resolved open resolved open ");
	hide(p, 1, NULL, false);
	hide(p, 2, NULL, true);
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open resolved ");
}

/* Both hidden at the same time, and shown in the order in which they came. */
static void two_alerts_of_a_change_are_shown_as_one(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 1, NULL, false);
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "resolved open ");
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "resolved open ");
}

static void retracted_result_resolves_nothing(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "open ");
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "resolved ");
}

/* Of which a benchmark stays hidden when the rest is shown again. */
static void benchmark_that_stays_hidden_resolves_nothing(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	hide(p, 2, "deflate/6", false);
	hide(p, 2, NULL, false);
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "open ");
	hide(p, 2, "deflate/6", true);
	assert_string_equal(states(p), "resolved ");
}

/* Both results are hidden: nothing that is shown says that it regressed. */
static void alert_without_its_result_is_not_open(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	hide(p, 1, NULL, false);
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved open ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open ");
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "resolved ");
}

static void what_a_person_said_stays(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	person_says(p, ALERT_OPEN);
	hide(p, 2, NULL, false);
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "open ");
	person_says(p, ALERT_RESOLVED);
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved ");
}

/* Results that come meanwhile settle it as they would have settled it open. */
static void what_was_settled_meanwhile_is_not_opened_again(void **state)
{
	const struct says later[] = {
		/* the same commit again; a later one no worse than the base; one that improved */
		{ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED },
		{ .n = 2, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED },
		{ .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_IMPROVED, .ratio = 0.9 },
	};
	struct place *p;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		void *own;

		assert_int_equal(set_up(&own), 0);
		p = own;
		add_target(p, NULL);
		say(p, (struct says){
			       .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
		hide(p, 1, NULL, false);
		say(p, later[i]);
		hide(p, 1, NULL, true);
		assert_string_equal(states(p), "resolved ");
		assert_string_equal(events(p), "resolved open ");
		/* Unless what settled it is taken back, before or behind that. */
		hide(p, 2, NULL, false);
		assert_string_equal(states(p), "open ");
		hide(p, 1, NULL, false);
		hide(p, 2, NULL, true);
		hide(p, 1, NULL, true);
		assert_string_equal(states(p), "resolved ");
		hide(p, 1, NULL, false);
		hide(p, 2, NULL, false);
		hide(p, 1, NULL, true);
		assert_string_equal(states(p), "open ");
		tear_down(&own);
	}
}

static void what_was_accepted_meanwhile_is_accepted(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 1, NULL, false);
	say(p, (struct says){ .n = 2,
			      .commit = 'c',
			      .base = 'b',
			      .parent = 'b',
			      .verdict = VERDICT_UNCHANGED,
			      .accepts = 'b' });
	assert_string_equal(states(p), "resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "accepted ");
	assert_string_equal(events(p), "resolved open ");
}

/* Not only because its result is hidden, or because another one says so. */
static void what_a_person_resolved_stays_so(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "resolved ");
	person_says(p, ALERT_RESOLVED);
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(retraction_closes_what_it_opened),
		ONE(another_result_keeps_it_open),
		ONE(alert_goes_to_a_result_that_regressed_too),
		ONE(what_is_worse_than_accepted_goes_with_its_result),
		ONE(change_that_has_another_alert_gets_no_second_one),
		ONE(two_alerts_of_a_change_are_shown_as_one),
		ONE(retracted_result_resolves_nothing),
		ONE(benchmark_that_stays_hidden_resolves_nothing),
		ONE(alert_without_its_result_is_not_open),
		ONE(what_a_person_said_stays),
		ONE(what_a_person_resolved_stays_so),
		cmocka_unit_test(what_was_settled_meanwhile_is_not_opened_again),
		ONE(what_was_accepted_meanwhile_is_accepted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
