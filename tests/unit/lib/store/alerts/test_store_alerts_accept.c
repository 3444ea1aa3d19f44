/* A change that a later commit accepts: what that closes, and what not. */
#include "tests/unit/lib/store/alerts/alerts_fixture.h"

/* Commit b is 10 % worse than a, at least 9 %. */
static void regress(struct place *p, unsigned n)
{
	say(p, (struct says){ .n = n, .commit = 'b', .base = 'a', .verdict = VERDICT_REGRESSED });
}

/* Commit c, as fast as b, accepts what w says. */
static void next(struct place *p, struct says w)
{
	w.commit = w.commit ? w.commit : 'c';
	w.base = w.base ? w.base : 'b';
	w.ratio = 1;
	w.verdict = VERDICT_UNCHANGED;
	say(p, w);
}

static void later_commit_accepts_it(void **state)
{
	struct place *p = *state;

	add_target(p, NULL);
	regress(p, 1);
	next(p, (struct says){ .n = 2, .accepts = 'b' });
	assert_string_equal(states(p), "accepted ");
	assert_string_equal(events(p), "accepted open ");
	next(p, (struct says){ .n = 3, .commit = 'd', .base = 'c', .accepts = 'b' });
	assert_string_equal(events(p), "accepted open ");
	regress(p, 4);
	assert_string_equal(states(p), "accepted ");
}

static void another_benchmark_or_commit_is_not_it(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	next(p, (struct says){ .n = 2, .accepts = 'b', .of = "inflate" });
	next(p, (struct says){ .n = 3, .accepts = 'c' });
	next(p, (struct says){ .n = 4, .accepts = 'a' });
	next(p, (struct says){ .n = 5, .accepts = 'b', .of = "deflate" });
	assert_string_equal(states(p), "open ");
	next(p, (struct says){ .n = 6, .accepts = 'b', .of = "def*" });
	assert_string_equal(states(p), "accepted ");
}

/* What documents tell is accepted of times alone. */
static void what_takes_more_memory_is_not_accepted_as_slower(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .counts = true });
	next(p, (struct says){ .n = 2, .accepts = 'b' });
	assert_string_equal(states(p), "open ");
}

static void more_than_is_accepted_stays_open(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	next(p, (struct says){ .n = 2, .accepts = 'b', .allows = 0.05 });
	assert_string_equal(states(p), "open ");
	/* 1.07 x 1.02 = 1.0914: the near end of what was measured is 1.09 or less */
	next(p, (struct says){ .n = 3, .accepts = 'b', .allows = 0.07 });
	assert_string_equal(states(p), "accepted ");
}

static void fewer_may_be_worse(void **state)
{
	struct place *p = *state;

	say(p, (struct says){ .n = 1,
			      .commit = 'b',
			      .base = 'a',
			      .verdict = VERDICT_REGRESSED,
			      .ratio = 0.5,
			      .higher = true });
	next(p, (struct says){ .n = 2, .accepts = 'b', .allows = 0.5, .higher = true });
	assert_string_equal(states(p), "open ");
	next(p, (struct says){ .n = 3, .accepts = 'b', .allows = 1, .higher = true });
	assert_string_equal(states(p), "accepted ");
}

static void neither_dirty_nor_untrusted_results_nor_other_branches_accept(void **state)
{
	struct place *p = *state;

	regress(p, 1);
	next(p, (struct says){ .n = 2, .accepts = 'b', .dirty = true });
	next(p, (struct says){ .n = 3, .accepts = 'b', .untrusted = true });
	next(p, (struct says){ .n = 4, .accepts = 'b', .branch = "topic" });
	assert_string_equal(states(p), "open ");
}

/* Measured against a, from where b is on the way. */
static void commit_on_the_way_to_the_base_counts(void **state)
{
	struct place *p = *state;

	next(p, (struct says){ .n = 1, .commit = 'b', .base = 'a', .parent = 'a' });
	say(p, (struct says){ .n = 2,
			      .commit = 'd',
			      .base = 'b',
			      .parent = 'c',
			      .verdict = VERDICT_REGRESSED });
	next(p, (struct says){ .n = 3, .commit = 'e', .base = 'd', .accepts = 'c' });
	assert_string_equal(states(p), "open "); /* whose parent c is, nobody knows yet */
	next(p, (struct says){ .n = 4, .commit = 'c', .base = 'b', .parent = 'b' });
	next(p, (struct says){ .n = 5, .commit = 'e', .base = 'd', .accepts = 'b' });
	next(p, (struct says){ .n = 6, .commit = 'e', .base = 'd', .accepts = 'a' });
	assert_string_equal(states(p), "open "); /* the base has them */
	next(p, (struct says){ .n = 7, .commit = 'e', .base = 'd', .accepts = 'c' });
	assert_string_equal(states(p), "accepted ");
}

/* Who posts says what the parents are; these never come to the base. */
static void ways_without_end_are_cut_off(void **state)
{
	struct place *p = *state;
	struct parcel parcel;
	sqlite3_stmt *st = NULL;
	char sha[41], name[16];
	int64_t n = 0;
	unsigned i;

	next(p, (struct says){ .n = 1, .commit = 'a', .base = 'f', .parent = 'b' });
	fill_summary(&parcel.s, 2, sha_of('b', sha));
	assert_int_equal(str_set(&parcel.s.commit.branch, "main", NULL), 0);
	assert_int_equal(strv_add(&parcel.s.commit.parents, sha_of('a', sha), NULL), 0);
	assert_int_equal(str_set(&parcel.s.baseline.commit, sha_of('f', sha), NULL), 0);
	for (i = 0; i < 20; i++) {
		struct bench *b;

		snprintf(name, sizeof(name), "b%u", i);
		b = summary_add_bench(&parcel.s, name, NULL);
		assert_int_equal(str_set(&b->gate, "cpu", NULL), 0);
		judge(add_metric(b, "cpu", 100), 1.1, VERDICT_REGRESSED);
	}
	assert_int_equal(post(p->writer, &parcel, false), POST_CREATED);
	summary_release(&parcel.s);
	while ((st = sqlite3_next_stmt(ledger_db(p->writer)->handle, st)))
		sqlite3_stmt_status(st, SQLITE_STMTSTATUS_RUN, 1);
	next(p, (struct says){ .n = 3, .base = 'b', .accepts = 'e', .of = "*" });
	while ((st = sqlite3_next_stmt(ledger_db(p->writer)->handle, st)))
		n += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_RUN, 1);
	assert_in_range(n, 256, failing_is_asked() ? INT64_MAX : 400);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(later_commit_accepts_it),
		ONE(another_benchmark_or_commit_is_not_it),
		ONE(what_takes_more_memory_is_not_accepted_as_slower),
		ONE(more_than_is_accepted_stays_open),
		ONE(fewer_may_be_worse),
		ONE(neither_dirty_nor_untrusted_results_nor_other_branches_accept),
		ONE(commit_on_the_way_to_the_base_counts),
		ONE(ways_without_end_are_cut_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
