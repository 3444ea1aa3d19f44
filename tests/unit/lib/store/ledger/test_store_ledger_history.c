/* The line of a benchmark over the commits, and where it steps. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/json/jtree.h"
#include "lib/store/db.h"

#define COMMIT_C "cccc456789abcdef0123456789abcdef01234567"

static void history_is_in_commit_order_whatever_the_order_of_arrival(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 3, COMMIT_B, false);
	post_plain(p->writer, 1, COMMIT_A, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"commit\":[\"" COMMIT_A "\",\"" COMMIT_B "\"]"));
	assert_true(has(&out, "\"metric\":\"cpu\",\"unit\":\"ns\",\"better\":\"lower\""));
	assert_true(has(&out, "\"value\":[1001,1003],\"low\":[1000,1002],\"high\":[1002,1004]"));
	assert_true(has(&out, "\"n\":[3,3]"));
	assert_true(has(&out, "\"next\":null"));
	q.metric = "wall";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[2001,2003]"));
	buf_release(&out);
}

/* An imported result that was summed up: pawl-import(1) says that it has no point. */
static void figures_that_were_summed_up_are_no_point(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel one;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&one.s, 2, COMMIT_B);
	one.s.benchmarks[0].metrics[0].n = 0;
	assert_non_null(summary_add_imported(&one.s, "a.json", NULL));
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"commit\":[\"" COMMIT_A "\"]"));
	buf_release(&out);
}

static void history_pages_join_without_gap_or_repeat(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT, seen = BUF_INIT;
	char cursor[128];
	unsigned i, pages = 0;

	/* Two runs of each commit time, so that a page ends between equals. */
	for (i = 0; i < 10; i++) {
		struct parcel one;

		fill_summary(&one.s, i, COMMIT_A);
		one.s.commit.commit_time_us = MONDAY_US + i / 2;
		assert_int_equal(post(p->writer, &one, false), POST_CREATED);
		summary_release(&one.s);
	}
	q.limit = 3;
	do {
		const char *at, *next;

		history(p, &q, &out);
		at = strstr(out.data, "\"value\":[");
		assert_non_null(at);
		at += 9;
		buf_add(&seen, at, strcspn(at, "]"));
		buf_addc(&seen, ' ');
		next = strstr(out.data, "\"next\":\"");
		q.cursor = NULL;
		if (next) {
			snprintf(cursor, sizeof(cursor), "%.*s", (int)strcspn(next + 8, "\""),
				 next + 8);
			q.cursor = cursor;
		}
		pages++;
	} while (q.cursor && pages < 10);
	assert_string_equal(seen.data, "1000,1001,1002 1003,1004,1005 1006,1007,1008 1009 ");
	buf_release(&out);
	buf_release(&seen);
}

static void newest_points_come_in_the_order_of_all(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel one;
	unsigned i;

	/* 7 of one machine, and 1 later one of another. */
	for (i = 0; i < 8; i++) {
		fill_summary(&one.s, i, COMMIT_A);
		one.s.commit.commit_time_us = MONDAY_US + i / 2;
		if (i == 7)
			assert_int_equal(str_set(&one.s.machine.id, "ffff", NULL), 0);
		assert_int_equal(post(p->writer, &one, false), POST_CREATED);
		summary_release(&one.s);
	}
	q.newest = true;
	q.limit = 3;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1005,1006,1007]"));
	assert_true(has(&out, "\"next\":null"));
	q.branch = "main";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1005,1006,1007]"));
	q.branch = NULL;
	q.machine = "0011223344556677";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1004,1005,1006]"));
	q.limit = 100;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1000,1001,1002,1003,1004,1005,1006]"));
	buf_release(&out);
}

static void history_filters_by_machine_branch_and_time(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel other;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&other.s, 2, COMMIT_B);
	assert_int_equal(str_set(&other.s.machine.id, "ffff", NULL), 0);
	assert_int_equal(str_set(&other.s.commit.branch, "topic", NULL), 0);
	assert_int_equal(post(p->writer, &other, false), POST_CREATED);
	summary_release(&other.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1002]"));
	q.machine = "ffff";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	q.machine = NULL;
	q.branch = "main";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	q.branch = NULL;
	q.since_us = MONDAY_US + 2000000;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	q.since_us = 0;
	q.until_us = MONDAY_US + 1000000;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	q.machine = "none";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[]"));
	buf_release(&out);
}

static void wrong_questions_are_refused(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	post_plain(p->writer, 1, COMMIT_A, false);
	q.cursor = "1.2";
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	q.cursor = NULL;
	q.metric = "nosuch";
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(ledger_compare(p->reader, "zlib", "zzzz", COMMIT_A, false, &out, &err),
			 -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaa", COMMIT_A, false, &out, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_int_equal(ledger_compare(p->reader, "zlib", "dddd", COMMIT_A, false, &out, &err),
			 -1);
	assert_int_equal(err.code, ERR_ABSENT);
	buf_release(&out);
}

static void change_points_and_regressions_come_from_gated_verdicts(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"change_points\":[{\"commit\":\"" COMMIT_B "\""));
	assert_true(has(&out, "\"base\":\"" COMMIT_A "\",\"exact\":true"));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_int_equal(times(&out, "\"verdict\":\"regressed\""), 1);
	/* A later run of the same pair judges otherwise: the entry goes. */
	post_judged(p->writer, 3, VERDICT_UNCHANGED, false);
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"regressions\":[]"));
	buf_release(&out);
}

static void merely_suspect_change_is_no_change_point(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_judged(p->writer, 2, VERDICT_REGRESSED, true);
	history(p, &q, &out);
	assert_true(has(&out, "\"change_points\":[]"));
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_true(has(&out, "\"regressions\":[]"));
	buf_release(&out);
}

/* Ends the time of a ledger while a statement of that text is run for the n-th time. */
struct ending {
	struct ledger *l;
	const char *text;
	int n;
};

static int look(unsigned what, void *ctx, void *statement, void *sql)
{
	struct ending *e = ctx;

	(void)what;
	(void)statement;
	if (strstr(sql, e->text) && !--e->n)
		ledger_stop(e->l);
	return 0;
}

static void list_whose_time_ends_within_an_entry_is_whole(void **state)
{
	struct place *p = *state;
	struct ending ending = { p->reader, "p.points FROM run AS r INDEXED BY run_by_commit", 2 };
	struct buf out = BUF_INIT;
	struct jtree *root;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged_at(p->writer, 2, COMMIT_B, VERDICT_REGRESSED, false);
	post_judged_at(p->writer, 3, COMMIT_C, VERDICT_REGRESSED, false);
	sqlite3_trace_v2(ledger_db(p->reader)->handle, SQLITE_TRACE_STMT, look, &ending);
	ledger_budget(p->reader, 3600000000000u);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_int_equal(ending.n, 0);
	root = jtree_parse(out.data, out.len, 1 << 20, 8, NULL);
	assert_non_null(root);
	assert_int_equal(jtree_count(jtree_get(root, "regressions")), 1);
	assert_string_equal(
		jtree_text(jtree_get(jtree_item(jtree_get(root, "regressions"), 0), "commit")),
		COMMIT_C);
	assert_non_null(jtree_text(jtree_get(root, "next")));
	jtree_free(root);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(list_whose_time_ends_within_an_entry_is_whole),
		ONE(history_is_in_commit_order_whatever_the_order_of_arrival),
		ONE(figures_that_were_summed_up_are_no_point),
		ONE(history_pages_join_without_gap_or_repeat),
		ONE(newest_points_come_in_the_order_of_all),
		ONE(history_filters_by_machine_branch_and_time),
		ONE(wrong_questions_are_refused),
		ONE(change_points_and_regressions_come_from_gated_verdicts),
		ONE(merely_suspect_change_is_no_change_point),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
