/* What results open and close, and what is said of it. */
#include "tests/unit/lib/store/alerts/alerts_fixture.h"

static void regression_is_said_once(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open ");
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 3, .commit = 'c', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open ");
	assert_string_equal(events(p), "open ");
}

static void another_change_is_said_too(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open open ");
	say(p, (struct says){ .n = 3,
			      .commit = 'd',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.5 });
	assert_string_equal(states(p), "open open open ");
	say(p, (struct says){ .n = 4,
			      .commit = 'e',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .branch = "topic" });
	assert_string_equal(states(p), "open open open open ");
	assert_string_equal(events(p), "open open open open ");
}

static void later_run_of_the_commit_takes_it_back(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p,
	    (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_INCONCLUSIVE });
	assert_string_equal(states(p), "open "); /* which says nothing else */
	assert_string_equal(events(p), "open ");
	say(p, (struct says){ .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(states(p), "resolved ");
	assert_string_equal(events(p), "resolved open ");
	say(p, (struct says){ .n = 4, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open resolved ");
}

/* A result that waited in somebody's queue. */
static void what_was_measured_last_decides(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "");
	say(p, (struct says){ .n = 4, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(states(p), "open ");
	say(p,
	    (struct says){ .n = 6, .commit = 'd', .base = 'a', .verdict = VERDICT_INCONCLUSIVE });
	say(p, (struct says){ .n = 5, .commit = 'd', .base = 'c', .verdict = VERDICT_REGRESSED });
	say(p,
	    (struct says){ .n = 8, .commit = 'd', .base = 'c', .verdict = VERDICT_INCONCLUSIVE });
	assert_string_equal(states(p), "open open ");
	say(p,
	    (struct says){ .n = 10, .commit = 'e', .base = 'd', .verdict = VERDICT_INCONCLUSIVE });
	say(p, (struct says){ .n = 9, .commit = 'e', .base = 'd', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open open open ");
}

static void commit_as_good_as_the_base_resolves_it(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(states(p), "open ");
	say(p,
	    (struct says){ .n = 3, .commit = 'c', .base = 'a', .verdict = VERDICT_INCONCLUSIVE });
	assert_string_equal(states(p), "open ");
	say(p, (struct says){ .n = 4,
			      .commit = 'c',
			      .base = 'a',
			      .verdict = VERDICT_UNCHANGED,
			      .branch = "topic" });
	assert_string_equal(states(p), "open ");
	say(p, (struct says){ .n = 5, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(states(p), "resolved ");
}

static void improvements_resolve_it_together(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.25 });
	say(p, (struct says){ .n = 2,
			      .commit = 'c',
			      .base = 'b',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 0.9 });
	assert_string_equal(states(p), "open ");
	say(p, (struct says){ .n = 3,
			      .commit = 'd',
			      .base = 'c',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 0.9 });
	assert_string_equal(states(p), "resolved "); /* 1.25 x 0.9 x 0.9 = 1.0125: below 2 % */
}

static void more_may_be_better(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 0.8,
			      .higher = true });
	say(p, (struct says){ .n = 2,
			      .commit = 'c',
			      .base = 'b',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 1.1,
			      .higher = true });
	assert_string_equal(states(p), "open ");
	say(p, (struct says){ .n = 3,
			      .commit = 'd',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 0.7,
			      .higher = true });
	assert_string_equal(states(p), "open open ");
	say(p, (struct says){ .n = 4,
			      .commit = 'e',
			      .base = 'd',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 1.15,
			      .higher = true });
	/* 'e' is 1.15 x 0.7 of 'a': what 'c' won was lost again. */
	assert_string_equal(states(p), "open open ");
	say(p, (struct says){ .n = 5,
			      .commit = 'f',
			      .base = 'c',
			      .verdict = VERDICT_IMPROVED,
			      .ratio = 1.15,
			      .higher = true });
	assert_string_equal(states(p), "open resolved "); /* 1.25 / 1.1 / 1.15 < 1 */
}

static void neither_dirty_nor_untrusted_nor_suspect_results_count(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .dirty = true });
	say(p, (struct says){ .n = 2,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .untrusted = true });
	post_judged(p->writer, 3, VERDICT_REGRESSED, true);
	assert_string_equal(states(p), "");
	say(p, (struct says){ .n = 4, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 5,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_UNCHANGED,
			      .dirty = true });
	say(p, (struct says){ .n = 6,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_UNCHANGED,
			      .untrusted = true });
	assert_string_equal(states(p), "open ");
}

static void accepted_change_is_closed(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .accepted = true });
	assert_string_equal(states(p), "accepted ");
	assert_string_equal(events(p), "");
	say(p, (struct says){ .n = 2, .commit = 'd', .base = 'c', .verdict = VERDICT_REGRESSED });
	say(p, (struct says){ .n = 3,
			      .commit = 'd',
			      .base = 'c',
			      .verdict = VERDICT_REGRESSED,
			      .accepted = true });
	say(p, (struct says){ .n = 4, .commit = 'd', .base = 'c', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "accepted accepted ");
	assert_string_equal(events(p), "accepted open ");
}

static void what_is_far_worse_at_the_commit_is_said(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.05 });
	say(p, (struct says){ .n = 2,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.06 });
	assert_string_equal(ratios(p), "+5 "); /* their intervals overlap */
	say(p, (struct says){ .n = 3,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.3 });
	assert_string_equal(states(p), "open ");
	assert_string_equal(ratios(p), "+30 ");
	assert_string_equal(events(p), "open open ");
	person_says(p, ALERT_ACCEPTED);
	say(p, (struct says){ .n = 4,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.3 });
	assert_string_equal(states(p), "accepted ");
	say(p, (struct says){ .n = 5,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.8 });
	assert_string_equal(states(p), "open accepted ");
	assert_string_equal(ratios(p), "+80 +30 ");
	assert_string_equal(events(p), "open accepted open open ");
	say(p, (struct says){ .n = 6,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 1.8 });
	assert_string_equal(states(p), "open accepted ");
}

static void target_hears_of_its_branch_alone(void **state)
{
	struct place *p = *state;

	add_target(p, "main");
	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .branch = "topic" });
	assert_string_equal(events(p), "");
	say(p, (struct says){ .n = 2, .commit = 'c', .base = 'b', .verdict = VERDICT_REGRESSED });
	assert_string_equal(events(p), "open ");
}

/* One message a target, however many benchmarks. */
/* A merge queue measures what is on main a minute later. */
static void commit_that_comes_to_another_branch_is_said_there(void **state)
{
	struct place *p = *state;

	add_target(p, "main");
	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .branch = "queue/1" });
	assert_string_equal(events(p), "");
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(events(p), "open ");
	say(p, (struct says){ .n = 3, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(states(p), "open open ");
	say(p, (struct says){ .n = 4, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(states(p), "resolved open ");
	assert_string_equal(events(p), "resolved open ");
}

static void who_hears_of_all_branches_hears_of_a_commit_once(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .branch = "queue/1" });
	say(p, (struct says){ .n = 2, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
	assert_string_equal(events(p), "open ");
	say(p, (struct says){ .n = 3, .commit = 'c', .base = 'a', .verdict = VERDICT_UNCHANGED });
	assert_string_equal(events(p), "resolved open ");
}

static void result_is_one_message(void **state)
{
	struct place *p = *state;
	struct message m = { .project = 0 };
	struct buf out = BUF_INIT;
	struct parcel parcel;
	int64_t next, n = 0;
	unsigned i;
	char sha[41], name[16];

	add_target(p, NULL);
	add_target(p, NULL);
	fill_summary(&parcel.s, 1, sha_of('b', sha));
	assert_int_equal(str_set(&parcel.s.baseline.commit, sha_of('a', sha), NULL), 0);
	for (i = 0; i < 3; i++) {
		struct bench *b;

		snprintf(name, sizeof(name), "b%u", i);
		b = summary_add_bench(&parcel.s, name, NULL);
		assert_int_equal(str_set(&b->gate, "cpu", NULL), 0);
		judge(add_metric(b, "cpu", 100), 1.1, VERDICT_REGRESSED);
	}
	assert_int_equal(post(p->writer, &parcel, false), POST_CREATED);
	summary_release(&parcel.s);
	assert_string_equal(events(p), "open open ");
	assert_int_equal(outbox_next(ledger_db(p->reader), INT64_MAX, &m, &next, NULL), 0);
	assert_string_equal(m.commit, sha_of('b', sha));
	assert_int_equal(outbox_alerts(ledger_db(p->reader), &m, 2, &out, &n, NULL), 0);
	assert_int_equal(n, 3);
	assert_int_equal(times(&out, "\"benchmark\""), 2);
	message_release(&m);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(regression_is_said_once),
		ONE(another_change_is_said_too),
		ONE(later_run_of_the_commit_takes_it_back),
		ONE(what_was_measured_last_decides),
		ONE(commit_as_good_as_the_base_resolves_it),
		ONE(improvements_resolve_it_together),
		ONE(more_may_be_better),
		ONE(neither_dirty_nor_untrusted_nor_suspect_results_count),
		ONE(accepted_change_is_closed),
		ONE(what_is_far_worse_at_the_commit_is_said),
		ONE(target_hears_of_its_branch_alone),
		ONE(commit_that_comes_to_another_branch_is_said_there),
		ONE(who_hears_of_all_branches_hears_of_a_commit_once),
		ONE(result_is_one_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
