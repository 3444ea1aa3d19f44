/* What is left of a change: its level now against its base, of the results that are shown. */
#include "tests/unit/lib/store/alerts/alerts_fixture.h"

static void see(struct place *p, unsigned n, char commit, char base, double ratio)
{
	say(p, (struct says){ .n = n,
			      .commit = commit,
			      .base = base,
			      .verdict = ratio > 1.02	? VERDICT_REGRESSED
					 : ratio < 0.98 ? VERDICT_IMPROVED
							: VERDICT_UNCHANGED,
			      .ratio = ratio });
}

/* Against a release that is older the commit is as much better as it was before. */
static void improvement_against_an_older_base_closes_nothing(void **state)
{
	struct place *p = *state;

	see(p, 1, 'b', 'a', 0.5);
	see(p, 2, 'c', 'b', 1.1);
	see(p, 3, 'c', 'a', 0.55);
	see(p, 4, 'd', 'c', 1.0);
	see(p, 5, 'd', 'a', 0.55);
	assert_string_equal(states(p), "open ");
	see(p, 6, 'e', 'd', 0.91);
	assert_string_equal(states(p), "resolved ");
}

static void regression_that_is_taken_back_leaves_the_others(void **state)
{
	struct place *p = *state;

	see(p, 1, 'b', 'a', 1.1);
	see(p, 2, 'c', 'b', 1.2);
	see(p, 3, 'd', 'c', 1 / 1.2);
	assert_string_equal(states(p), "resolved open ");
	see(p, 4, 'e', 'd', 1 / 1.1);
	assert_string_equal(states(p), "resolved resolved ");
	/* Whatever was seen last. */
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "open open ");
	hide(p, 3, NULL, true);
	assert_string_equal(states(p), "resolved resolved ");
}

/* Of what is taken back noise leaves something: a tenth of it at most, and not shown to be there.
 */
static void what_noise_leaves_of_a_change_keeps_nothing_open(void **state)
{
	const struct {
		double worse, better;
		const char *then;
	} rows[] = {
		{ 1.7, 0.605, "resolved " }, /* 1.029, 1.006 at least */
		{ 1.7, 0.62, "open " },	     /* 1.054, 1.03 at least */
		{ 1.1, 0.94, "open " },	     /* 1.034, 1.014 at least; a tenth is 1.01 */
	};
	size_t i;

	(void)state;
	for (i = 0; i < 4 * sizeof(rows) / sizeof(rows[0]); i++) {
		bool higher = i & 1, is_late = i & 2;
		double worse = rows[i / 4].worse, better = rows[i / 4].better;
		const struct says both[] = {
			{ .n = 1,
			  .commit = 'b',
			  .base = 'a',
			  .verdict = VERDICT_REGRESSED,
			  .ratio = higher ? 1 / worse : worse,
			  .higher = higher },
			{ .n = 2,
			  .commit = 'c',
			  .base = 'b',
			  .verdict = VERDICT_IMPROVED,
			  .ratio = higher ? 1 / better : better,
			  .higher = higher },
		};
		struct place *p;
		unsigned n;
		void *own;

		assert_int_equal(set_up(&own), 0);
		p = own;
		say(p, both[is_late]);
		say(p, both[!is_late]);
		if (strcmp(states(p), rows[i / 4].then) != 0)
			fail_msg("row %zu: %s", i, states(p));
		/* Either of them is hidden, and shown again. */
		for (n = 1; n <= 2; n++) {
			hide(p, n, NULL, false);
			assert_string_equal(states(p), n == 1 ? "resolved " : "open ");
			hide(p, n, NULL, true);
			assert_string_equal(states(p), rows[i / 4].then);
		}
		tear_down(&own);
	}
}

static void improvement_that_was_lost_again_counts_no_more(void **state)
{
	struct place *p = *state;

	see(p, 1, 'b', 'a', 1.1);
	see(p, 2, 'c', 'b', 0.955);
	see(p, 3, 'd', 'b', 1.0);
	see(p, 4, 'e', 'd', 0.965);
	assert_string_equal(states(p), "open ");
	see(p, 5, 'f', 'e', 0.95);
	assert_string_equal(states(p), "resolved ");
}

/* Which joins two that were here. */
static void link_that_comes_last_closes_it(void **state)
{
	struct place *p = *state;

	see(p, 1, 'b', 'a', 1.1);
	see(p, 4, 'd', 'c', 0.75);
	assert_string_equal(states(p), "open ");
	see(p, 3, 'c', 'b', 1.2);
	assert_string_equal(states(p), "resolved resolved ");
	/* And one that says otherwise opens it again. */
	see(p, 5, 'd', 'c', 1.0);
	assert_string_equal(states(p), "open open ");
}

/* What was measured without a comparison. */
static void result_that_compared_nothing_takes_nothing_back(void **state)
{
	const enum verdict others[] = { VERDICT_NO_BASELINE, VERDICT_ADDED, VERDICT_FAILED };
	struct place *p = *state;
	unsigned i;

	see(p, 1, 'b', 'a', 1.1);
	for (i = 0; i < 3; i++) {
		say(p,
		    (struct says){ .n = 2 + i, .commit = 'b', .base = 'a', .verdict = others[i] });
		assert_string_equal(states(p), "open ");
	}
	hide(p, 1, NULL, false);
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open ");
}

/* Which was not here when the regression came, or while that was hidden. */
static void result_that_is_shown_again_closes_what_came_meanwhile(void **state)
{
	const struct says closers[] = {
		{ .n = 2, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED },
		{ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED },
		{ .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_IMPROVED, .ratio = 0.9 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(closers) / sizeof(closers[0]); i++) {
		struct place *p;
		void *own;

		assert_int_equal(set_up(&own), 0);
		p = own;
		say(p, closers[i]);
		hide(p, 2, NULL, false);
		see(p, 1, 'b', 'a', 1.1);
		assert_string_equal(states(p), "open ");
		hide(p, 2, NULL, true);
		assert_string_equal(states(p), "resolved ");
		/* But not what a person opened. */
		person_says(p, ALERT_OPEN);
		hide(p, 2, NULL, false);
		hide(p, 2, NULL, true);
		assert_string_equal(states(p), "open ");
		say(p, (struct says){
			       .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
		assert_string_equal(states(p), "resolved ");
		tear_down(&own);
	}
}

/* The same commit may be on several: each has its own results. */
static void branches_are_closed_by_their_own_results(void **state)
{
	const struct says here[] = {
		{ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED },
		{ .n = 3,
		  .commit = 'b',
		  .base = 'a',
		  .verdict = VERDICT_REGRESSED,
		  .branch = "topic" },
		{ .n = 4, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED },
		{ .n = 5,
		  .commit = 'c',
		  .base = 'a',
		  .verdict = VERDICT_UNCHANGED,
		  .branch = "release" },
	};
	const size_t orders[][4] = { { 0, 1, 2, 3 }, { 1, 0, 2, 3 }, { 2, 3, 1, 0 } };
	const char *const says[] = { "open resolved ", "resolved open ", "resolved open " };
	size_t i, k;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct place *p;
		void *own;

		assert_int_equal(set_up(&own), 0);
		p = own;
		for (k = 0; k < 4; k++)
			say(p, here[orders[i][k]]);
		assert_string_equal(states(p), says[i]);
		tear_down(&own);
	}
}

/* An alert has all results that say the same change: it goes, they do not. */
static void retraction_leaves_what_others_say(void **state)
{
	struct place *p = *state;

	see(p, 1, 'b', 'a', 1.1);
	see(p, 2, 'c', 'a', 1.1);
	see(p, 3, 'b', 'f', 1.1);
	assert_string_equal(states(p), "open ");
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "open open resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "resolved resolved open ");
	hide(p, 2, NULL, false);
	hide(p, 3, NULL, false);
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "resolved resolved resolved ");
}

/* Of the same commit, but far worse against another base. */
static void two_changes_of_a_commit_are_two_again(void **state)
{
	struct place *p = *state;

	see(p, 1, 'c', 'b', 1.1);
	see(p, 2, 'c', 'a', 1.5);
	assert_string_equal(states(p), "open open ");
	hide(p, 1, NULL, false);
	assert_string_equal(states(p), "open resolved ");
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "open open ");
}

/* CI took out bare commits of topic branches; main is named. */
static void results_that_name_no_branch_are_nobodys(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'a', .base = 'f', .verdict = VERDICT_UNCHANGED });
	say(p, (struct says){ .n = 2,
			      .commit = 'b',
			      .base = 'a',
			      .parent = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .branch = "" });
	say(p, (struct says){ .n = 3,
			      .commit = 'c',
			      .base = 'a',
			      .parent = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .branch = "" });
	assert_string_equal(states(p), "open open ");
	say(p, (struct says){ .n = 4,
			      .commit = 'd',
			      .base = 'a',
			      .parent = 'a',
			      .verdict = VERDICT_UNCHANGED,
			      .branch = "" });
	assert_string_equal(states(p), "open open ");
	/* Behind one of them. */
	say(p, (struct says){ .n = 5,
			      .commit = 'e',
			      .base = 'a',
			      .parent = 'c',
			      .verdict = VERDICT_UNCHANGED,
			      .branch = "" });
	assert_string_equal(states(p), "resolved open ");
	say(p, (struct says){ .n = 6,
			      .commit = 'f',
			      .base = 'b',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 0.9,
			      .branch = "" });
	assert_string_equal(states(p), "resolved resolved ");
}

static void accepted_change_that_is_over_accepts_no_other(void **state)
{
	struct place *p = *state;

	see(p, 1, 'b', 'a', 1.1);
	person_says(p, ALERT_ACCEPTED);
	see(p, 2, 'c', 'a', 1.1);
	assert_string_equal(states(p), "accepted ");
	see(p, 3, 'd', 'a', 1.0);
	see(p, 4, 'e', 'a', 1.1);
	assert_string_equal(states(p), "open accepted ");
	see(p, 5, 'f', 'a', 1.1);
	assert_string_equal(states(p), "open accepted ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(improvement_against_an_older_base_closes_nothing),
		ONE(regression_that_is_taken_back_leaves_the_others),
		ONE(what_noise_leaves_of_a_change_keeps_nothing_open),
		ONE(improvement_that_was_lost_again_counts_no_more),
		ONE(link_that_comes_last_closes_it),
		ONE(result_that_compared_nothing_takes_nothing_back),
		cmocka_unit_test(result_that_is_shown_again_closes_what_came_meanwhile),
		cmocka_unit_test(branches_are_closed_by_their_own_results),
		ONE(retraction_leaves_what_others_say),
		ONE(two_changes_of_a_commit_are_two_again),
		ONE(accepted_change_that_is_over_accepts_no_other),
		ONE(results_that_name_no_branch_are_nobodys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
