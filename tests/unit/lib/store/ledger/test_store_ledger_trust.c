/* What an untrusted sender or a dirty tree gave is kept, and never passes for the rest. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

static void dirty_results_are_kept_and_never_shown_as_the_commit(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel dirty;
	char id[27];

	fill_summary(&dirty.s, 1, COMMIT_A);
	dirty.s.commit.dirty = true;
	assert_int_equal(post(p->writer, &dirty, false), POST_CREATED);
	summary_release(&dirty.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[]"));
	buf_reset(&out);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, NULL), 0);
	buf_release(&out);
}

static void untrusted_results_touch_nothing_trusted(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel forged;
	struct err err = ERR_INIT;
	char id[27];

	fill_summary(&forged.s, 1, COMMIT_A);
	assert_int_equal(str_set(&forged.s.commit.subject, "forged", NULL), 0);
	assert_int_equal(str_set(&forged.s.machine.cpu, "forged cpu", NULL), 0);
	judge(&forged.s.benchmarks[0].metrics[0], 2, VERDICT_REGRESSED);
	forged.s.benchmarks[0].metrics[0].median = 424242;
	assert_int_equal(post(p->writer, &forged, true), POST_CREATED);
	summary_release(&forged.s);
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_summary(p->reader, "zlib", id_of(1, id), false, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_summary(p->reader, "zlib", id, true, &out, &err), 0);
	/* The same id, trusted: the forged one does not stand in its way. */
	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_CREATED);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	assert_true(has(&out, "\"change_points\":[]"));
	buf_reset(&out);
	assert_int_equal(ledger_project(p->reader, "zlib", &out, NULL), 0);
	assert_false(has(&out, "forged"));
	assert_true(has(&out, "\"summaries\":1"));
	assert_true(has(&out, "\"untrusted\":1"));
	q.untrusted = true;
	history(p, &q, &out);
	assert_int_equal(times(&out, "424242"), 1);
	assert_true(has(&out, "\"untrusted\":[true,false]") ||
		    has(&out, "\"untrusted\":[false,true]"));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"regressions\":[]"));
	buf_release(&out);
}

static void untrusted_head_is_compared_only_when_asked_and_is_never_a_base(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct parcel fork;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&fork.s, 2, COMMIT_B);
	assert_int_equal(str_set(&fork.s.baseline.commit, COMMIT_A, NULL), 0);
	judge(&fork.s.benchmarks[0].metrics[0], 1.5, VERDICT_REGRESSED);
	assert_int_equal(post(p->writer, &fork, true), POST_CREATED);
	summary_release(&fork.s);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), -1);
	assert_int_equal(ledger_compare(p->reader, "zlib", "bbbb", "aaaa", true, &out, NULL), -1);
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", true, &out, NULL), 0);
	assert_true(has(&out, "\"untrusted\":true"));
	assert_true(has(&out, "\"ratio\":1.5"));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(dirty_results_are_kept_and_never_shown_as_the_commit),
		ONE(untrusted_results_touch_nothing_trusted),
		ONE(untrusted_head_is_compared_only_when_asked_and_is_never_a_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
