/* Alerts of steps whose results are retracted. */
#include "tests/unit/lib/store/watch/watch_fixture.h"

/* The first result behind the step was wrong, those after it were not. */
static void step_that_others_show_is_open_again(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	hide(p, 20, NULL, false);
	assert_string_equal(states(p), "resolved ");
	levels(p, 30, 31, 1100);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open resolved open ");
	/* It is not of the hidden one any more. */
	hide(p, 20, NULL, true);
	levels(p, 31, 32, 1100);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open resolved open ");
}

static void step_that_no_others_show_stays_resolved(void **state)
{
	struct place *p = *state;
	unsigned n;

	levels(p, 0, 20, 1000);
	levels(p, 20, 27, 1100);
	assert_string_equal(states(p), "open ");
	for (n = 20; n < 27; n++)
		hide(p, n, NULL, false);
	levels(p, 27, 35, 1000);
	assert_string_equal(states(p), "resolved ");
}

static void accepted_step_is_accepted_again(void **state)
{
	struct place *p = *state;
	const char *sql = "UPDATE alert SET state=2";

	levels(p, 0, 20, 1000);
	levels(p, 20, 30, 1100);
	assert_int_equal(db_run(ledger_db(p->writer), NULL, sql, ""), 0);
	hide(p, 20, NULL, false);
	assert_string_equal(states(p), "resolved ");
	levels(p, 30, 31, 1100);
	assert_string_equal(states(p), "accepted ");
}

/* A mistake at one commit, and then a step close behind it. */
static void what_was_a_mistake_says_nothing_of_a_step(void **state)
{
	struct place *p = *state;

	judged = 1.2;
	levels(p, 0, 30, 1000);
	measure(p, 30, 1200, VERDICT_REGRESSED);
	assert_string_equal(states(p), "open ");
	hide(p, 30, NULL, false);
	levels(p, 31, 33, 1000);
	levels(p, 33, 65, 1200);
	assert_string_equal(states(p), "open resolved ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(step_that_others_show_is_open_again),
		ONE(step_that_no_others_show_stays_resolved),
		ONE(accepted_step_is_accepted_again),
		ONE(what_was_a_mistake_says_nothing_of_a_step),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
