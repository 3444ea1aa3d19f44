/* What closes an alert does so in whatever order results came, and however often they were made. */
#include "tests/unit/lib/store/alerts/alerts_fixture.h"

/* +10 %, of which -4.5 % leaves 5 %. */
static void regress(struct place *p, unsigned n)
{
	say(p, (struct says){ .n = n, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
}

static void improve(struct place *p, unsigned n, char commit, char base, double ratio)
{
	say(p, (struct says){ .n = n,
			      .commit = commit,
			      .base = base,
			      .verdict = VERDICT_IMPROVED,
			      .ratio = ratio });
}

static void improvement_counts_once_however_often_it_was_measured(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	improve(p, 2, 'c', 'b', 0.955);
	improve(p, 3, 'c', 'b', 0.955);
	assert_string_equal(states(p), "open ");
	/* A later commit against the same base has it, too. */
	improve(p, 4, 'd', 'b', 0.955);
	assert_string_equal(states(p), "open ");
	improve(p, 5, 'e', 'd', 0.955);
	assert_string_equal(states(p), "resolved ");
}

static void improvement_that_was_retracted_counts_no_more(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	improve(p, 2, 'c', 'b', 0.955);
	hide(p, 2, NULL, false);
	improve(p, 3, 'd', 'c', 0.955);
	assert_string_equal(states(p), "open ");
	hide(p, 2, NULL, true);
	improve(p, 4, 'd', 'c', 0.955);
	assert_string_equal(states(p), "resolved ");
	/* It took both. */
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "open ");
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "resolved ");
	/* There are two of the last one. */
	hide(p, 4, NULL, false);
	assert_string_equal(states(p), "resolved ");
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "open ");
}

/* One that has no ratio leaves the others what they are. */
static void improvement_by_difference_leaves_the_others(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	improve(p, 2, 'c', 'b', (double)NAN);
	assert_string_equal(states(p), "open ");
	improve(p, 3, 'd', 'c', 0.9);
	assert_string_equal(states(p), "resolved ");
}

/* Of which there is no ratio: from 0 there is none. */
static void differ(struct place *p, unsigned n, char commit, char base, double from, double to)
{
	say(p, (struct says){ .n = n,
			      .commit = commit,
			      .base = base,
			      .verdict = to > from ? VERDICT_REGRESSED : VERDICT_IMPROVED,
			      .ratio = (double)NAN,
			      .value = to,
			      .from = from });
}

static void change_from_nothing_is_closed_by_nothing(void **state)
{
	struct place *p = *state;

	differ(p, 1, 'b', 'a', 0, 5);
	differ(p, 2, 'c', 'b', 5, 1);
	assert_string_equal(states(p), "open ");
	differ(p, 3, 'd', 'c', 1, 0);
	assert_string_equal(states(p), "resolved ");
	differ(p, 4, 'd', 'c', 1, 0);
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "resolved ");
	hide(p, 4, NULL, false);
	assert_string_equal(states(p), "open ");
	/* It came before the change. */
	differ(p, 6, 'f', 'e', 5, 0);
	assert_string_equal(states(p), "resolved ");
	differ(p, 5, 'e', 'd', 0, 5);
	assert_string_equal(states(p), "resolved resolved ");
}

/* While its result was hidden; nobody hears that it is open. */
static void change_from_nothing_that_was_taken_back_meanwhile_is_closed(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	differ(p, 1, 'b', 'a', 0, 5);
	hide(p, 1, NULL, false);
	differ(p, 2, 'c', 'b', 5, 0);
	hide(p, 1, NULL, true);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved open ");
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "open ");
}

static void change_from_nothing_that_is_far_larger_is_said(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	differ(p, 1, 'b', 'a', 0, 50);
	differ(p, 2, 'c', 'a', 0, 50);
	differ(p, 3, 'c', 'a', 0, 40);
	assert_string_equal(states(p), "open ");
	differ(p, 4, 'd', 'a', 0, 500);
	assert_string_equal(states(p), "open open ");
	differ(p, 5, 'b', 'a', 0, 60);
	assert_string_equal(states(p), "open open ");
	assert_string_equal(events(p), "open open open ");
}

/* A commit that is better than some other base was not better than it was before. */
static void commit_improves_nothing_of_itself(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	improve(p, 2, 'b', 'f', 0.5);
	assert_string_equal(states(p), "open ");
}

static void later_improvement_that_came_first_closes_it(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	improve(p, 2, 'c', 'b', 0.9);
	regress(p, 1);
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "");
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open ");
}

static void later_commit_that_came_first_closes_it(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 2,
			      .commit = 'c',
			      .base = 'a',
			      .verdict = VERDICT_UNCHANGED,
			      .branch = "topic" });
	say(p, (struct says){ .n = 3, .commit = 'd', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open ");
	say(p, (struct says){ .n = 6, .commit = 'f', .base = 'e', .verdict = VERDICT_UNCHANGED });
	say(p, (struct says){ .n = 5, .commit = 'e', .base = 'c', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open open ");
	say(p, (struct says){ .n = 7, .commit = 'f', .base = 'b', .verdict = VERDICT_UNCHANGED });
	say(p, (struct says){ .n = 4, .commit = 'c', .base = 'b', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "resolved open open ");
}

/* Two results say so, of which one is retracted. */
static void another_result_keeps_it_closed(void **state)
{
	const struct says closers[][2] = {
		{ { .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED },
		  { .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED } },
		{ { .n = 2, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED },
		  { .n = 3, .commit = 'd', .base = 'a', .verdict = VERDICT_IMPROVED } },
		/* 1.1 x 0.92 = 1.012: less than the threshold of the result */
		{ { .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_IMPROVED, .ratio = 0.9 },
		  { .n = 3,
		    .commit = 'c',
		    .base = 'b',
		    .verdict = VERDICT_IMPROVED,
		    .ratio = 0.92 } },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(closers) / sizeof(closers[0]); i++) {
		struct place *p;
		void *own;

		assert_int_equal(set_up(&own), 0);
		p = own;
		add_target(p, NULL);
		regress(p, 1);
		say(p, closers[i][0]);
		say(p, closers[i][1]);
		assert_string_equal(states(p), "resolved ");
		hide(p, 2, NULL, false);
		assert_string_equal(states(p), "resolved ");
		assert_string_equal(events(p), "resolved open ");
		hide(p, 3, NULL, false);
		assert_string_equal(states(p), "open ");
		/* Either one closes it again. */
		hide(p, 2, NULL, true);
		assert_string_equal(states(p), "resolved ");
		hide(p, 3, NULL, true);
		hide(p, 2, NULL, false);
		assert_string_equal(states(p), "resolved ");
		/* Also while its own result is hidden. */
		hide(p, 1, NULL, false);
		hide(p, 3, NULL, false);
		hide(p, 2, NULL, true);
		hide(p, 1, NULL, true);
		assert_string_equal(states(p), "resolved ");
		hide(p, 2, NULL, false);
		assert_string_equal(states(p), "open ");
		tear_down(&own);
	}
}

/* Which nobody saw while a later one said otherwise. */
static void regression_that_was_hidden_by_another_result_is_said(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	regress(p, 2);
	assert_string_equal(states(p), "");
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open ");
	hide(p, 3, NULL, true);
	assert_string_equal(states(p), "resolved ");
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "open ");
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved ");
	hide(p, 2, NULL, true);
	assert_string_equal(states(p), "open ");
	/* Accepted in its own document, on another branch, or far worse than what is open. */
	say(p, (struct says){ .n = 6, .commit = 'd', .base = 'c', .verdict = VERDICT_UNCHANGED });
	say(p, (struct says){ .n = 5,
			      .commit = 'd',
			      .base = 'c',
			      .verdict = VERDICT_REGRESSED,
			      .accepted = true,
			      .branch = "topic" });
	hide(p, 6, "deflate/6", false);
	assert_string_equal(states(p), "accepted open ");
	say(p, (struct says){ .n = 9, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 8,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.5 });
	assert_string_equal(ratios(p), "+10 +10 ");
	hide(p, 9, NULL, false);
	assert_string_equal(states(p), "accepted open ");
	assert_string_equal(ratios(p), "+10 +50 ");
}

/* Neither by a person, nor by a result that decides nothing. */
/* Two commits are compared with one release: what the first one says is not what the second does.
 */
static void change_whose_commit_says_otherwise_leaves_the_others(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	say(p, (struct says){ .n = 2, .commit = 'c', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open ");
	say(p, (struct says){ .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(states(p), "open resolved ");
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "resolved open ");
	hide(p, 3, NULL, true);
	assert_string_equal(states(p), "open resolved resolved ");
}

static void what_a_person_closed_is_not_said_again(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	person_says(p, ALERT_RESOLVED);
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	hide(p, 2, NULL, false);
	assert_string_equal(states(p), "resolved ");
	say(p,
	    (struct says){ .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_INCONCLUSIVE });
	hide(p, 3, NULL, false);
	assert_string_equal(states(p), "resolved ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(improvement_counts_once_however_often_it_was_measured),
		ONE(improvement_that_was_retracted_counts_no_more),
		ONE(improvement_by_difference_leaves_the_others),
		ONE(change_from_nothing_is_closed_by_nothing),
		ONE(change_from_nothing_that_was_taken_back_meanwhile_is_closed),
		ONE(change_from_nothing_that_is_far_larger_is_said),
		ONE(commit_improves_nothing_of_itself),
		ONE(later_improvement_that_came_first_closes_it),
		ONE(later_commit_that_came_first_closes_it),
		cmocka_unit_test(another_result_keeps_it_closed),
		ONE(regression_that_was_hidden_by_another_result_is_said),
		ONE(change_whose_commit_says_otherwise_leaves_the_others),
		ONE(what_a_person_closed_is_not_said_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
