/* Commits stand by their parents and by what their date can be, not by what a clock said. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

#define HOUR_US ((int64_t)3600 * 1000000)
#define DAY_US ((int64_t)86400 * 1000000)
#define YEAR_2068_US ((int64_t)3100000000 * 1000000)

static const char *const shas[] = { "0000000000000000000000000000000000000000",
				    "1111111111111111111111111111111111111111",
				    "2222222222222222222222222222222222222222",
				    "3333333333333333333333333333333333333333" };

/* Posts result n of commit c, with that date and first parent (-1: none is told). */
static void post_at(struct place *p, unsigned n, int c, int parent, int64_t date_us)
{
	struct parcel one;

	fill_summary(&one.s, n, shas[c]);
	one.s.commit.commit_time_us = date_us;
	if (parent >= 0)
		assert_int_equal(strv_add(&one.s.commit.parents, shas[parent], NULL), 0);
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
}

/* Result n has the value 1000 + n. */
static void history_is(struct place *p, const char *values)
{
	struct history_query q = ask();
	struct buf out = BUF_INIT, wanted = BUF_INIT;

	buf_addf(&wanted, "\"value\":[%s]", values);
	history(p, &q, &out);
	if (!has(&out, buf_str(&wanted)))
		fail_msg("wanted %s: %s", values, buf_str(&out));
	buf_release(&out);
	buf_release(&wanted);
}

static void latest_is(struct place *p, int c, const char *date)
{
	struct buf out = BUF_INIT, wanted = BUF_INIT;

	buf_addf(&wanted, "\"latest\":{\"commit\":\"%s\",\"time\":\"%s\"", shas[c], date);
	assert_int_equal(ledger_project(p->reader, "zlib", &out, NULL), 0);
	if (!has(&out, buf_str(&wanted)))
		fail_msg("wanted %s: %s", buf_str(&wanted), buf_str(&out));
	buf_release(&out);
	buf_release(&wanted);
}

static void commit_of_the_future_stands_at_its_receipt_and_shows_its_date(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_at(p, 3, 0, -1, MONDAY_US);
	post_at(p, 1, 1, -1, YEAR_2068_US);
	latest_is(p, 0, "2025-11-20T10:00:00Z");
	/* Its child, which says when it really was. */
	post_at(p, 2, 2, 1, RECEIVED_US - 1000000);
	latest_is(p, 2, "2025-11-21T09:59:59Z");
	history_is(p, "1003,1001,1002");
	history(p, &q, &out);
	assert_true(has(&out, "\"2068-03-26T15:06:40Z\",\"2025-11-21T09:59:59Z\"]"));
	buf_release(&out);
}

/* A machine that started with a clock of long ago, or of yesterday, and commits whose parents were
 * not measured. */
static void clock_of_the_server_that_was_set_back_puts_nothing_first(void **state)
{
	struct place *p = *state;

	post_at(p, 1, 0, -1, MONDAY_US);
	post_at(p, 2, 1, -1, MONDAY_US + 2 * HOUR_US);
	received_us = 1000000;
	post_at(p, 4, 2, -1, MONDAY_US + 6 * HOUR_US);
	/* Of before, and measured now. */
	post_at(p, 3, 3, -1, MONDAY_US + HOUR_US);
	received_us = RECEIVED_US;
	history_is(p, "1001,1003,1002,1004");
	latest_is(p, 2, "2025-11-20T16:00:00Z");
}

static void child_stands_behind_its_parent_whatever_their_dates(void **state)
{
	struct place *p = *state;

	post_at(p, 1, 1, 0, MONDAY_US + 5000000);
	post_at(p, 2, 2, 1, MONDAY_US);
	post_at(p, 3, 3, 2, MONDAY_US - DAY_US);
	history_is(p, "1001,1002,1003");
	latest_is(p, 3, "2025-11-19T10:00:00Z");
}

static void parent_that_comes_later_stands_before_its_child(void **state)
{
	struct place *p = *state;

	post_at(p, 3, 2, 1, MONDAY_US);
	post_at(p, 1, 1, 0, MONDAY_US + 5000000);
	history_is(p, "1001,1003");
	/* Another result of a known commit stands where that is, whatever date it tells. */
	post_at(p, 2, 1, 0, MONDAY_US + 9000000);
	history_is(p, "1001,1002,1003");
}

/* Result n of a merge of the two, posted with that date. */
static void post_merge(struct place *p, unsigned n, int c, int first, int second, int64_t date_us)
{
	struct parcel one;

	fill_summary(&one.s, n, shas[c]);
	one.s.commit.commit_time_us = date_us;
	assert_int_equal(strv_add(&one.s.commit.parents, shas[first], NULL), 0);
	assert_int_equal(strv_add(&one.s.commit.parents, shas[second], NULL), 0);
	/* Nobody keeps a client from saying so twice. */
	assert_int_equal(strv_add(&one.s.commit.parents, shas[second], NULL), 0);
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
}

static void merge_stands_behind_all_of_its_parents(void **state)
{
	struct place *p = *state;

	post_at(p, 1, 0, -1, MONDAY_US);
	/* On the branch that is merged a clock was ahead. */
	post_at(p, 2, 1, 0, MONDAY_US + 2 * HOUR_US);
	post_merge(p, 3, 2, 0, 1, MONDAY_US + HOUR_US);
	history_is(p, "1001,1002,1003");
	latest_is(p, 2, "2025-11-20T11:00:00Z");
}

static void side_of_a_merge_that_comes_later_stands_before_it(void **state)
{
	struct place *p = *state;

	post_at(p, 1, 0, -1, MONDAY_US);
	post_merge(p, 3, 2, 0, 1, MONDAY_US + HOUR_US);
	post_at(p, 2, 1, 0, MONDAY_US + 2 * HOUR_US);
	history_is(p, "1001,1002,1003");
}

/* As the eleventh schema had it: the merges' other sides are not known, all else is. */
static void merges_are_known_from_the_twelfth_schema_on(void **state)
{
	struct place *p = *state;

	post_merge(p, 3, 2, 0, 1, MONDAY_US + HOUR_US);
	ledger_close(p->reader);
	ledger_close(p->writer);
	meddle(p->path,
	       "DROP TABLE other_parent; DROP INDEX alert_waiting; PRAGMA user_version=11;");
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	post_at(p, 1, 1, -1, MONDAY_US + 2 * HOUR_US);
	post_merge(p, 4, 3, 2, 1, MONDAY_US + HOUR_US);
	history_is(p, "1003,1001,1004");
}

static void commit_between_two_that_contradict_stands_behind_its_parent(void **state)
{
	struct place *p = *state;

	post_at(p, 1, 0, -1, MONDAY_US + 5000000);
	post_at(p, 2, 2, 1, MONDAY_US);
	post_at(p, 3, 1, 0, MONDAY_US + 1);
	history_is(p, "1002,1001,1003");
}

static void ledger_of_before_is_put_in_order(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_at(p, 1, 1, -1, MONDAY_US);
	post_at(p, 2, 2, -1, MONDAY_US + 1000000);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	meddle(p->path, UNDO_SIXTH UNDO_FIFTH UNDO_FOURTH
	       "UPDATE vcs_commit SET committed_us=3100000000000000"
	       " WHERE committed_us=1763632800000000;"
	       "UPDATE run SET t=3100000000000000 WHERE t=1763632800000000;"
	       "UPDATE point SET t=3100000000000000 WHERE t=1763632800000000;"
	       "UPDATE run SET received_us=1763632800500000");
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	history_is(p, "1001,1002");
	/* Both stand at their receipt now; the row tells the rest. */
	assert_int_equal(ledger_compare(p->reader, "zlib", "1111", "2222", false, &out, NULL), 0);
	assert_true(has(&out, "\"median\":1001") && has(&out, "\"median\":1002"));
	buf_release(&out);
}

/* Result n of the commit, its cpu in another unit than that of the others. */
static void post_in_cycles(struct place *p, unsigned n, int c, int parent, int64_t date_us)
{
	struct parcel one;

	fill_summary(&one.s, n, shas[c]);
	one.s.commit.commit_time_us = date_us;
	assert_int_equal(strv_add(&one.s.commit.parents, shas[parent], NULL), 0);
	assert_int_equal(str_set(&one.s.benchmarks[0].metrics[0].unit, "cycles", NULL), 0);
	assert_int_equal(post(p->writer, &one, false), POST_CREATED);
	summary_release(&one.s);
}

/*
 * Its date was that of the run there: the commit of 2068 was the latest.  Its children were made
 * before it was posted.
 */
static void children_of_the_future_follow_it_in_a_ledger_of_before(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_at(p, 1, 1, -1, YEAR_2068_US);
	post_in_cycles(p, 2, 2, 1, MONDAY_US);
	post_in_cycles(p, 3, 3, 2, MONDAY_US + 1000000);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	meddle(p->path, UNDO_SIXTH UNDO_FIFTH UNDO_FOURTH
	       "CREATE TEMP TABLE x AS SELECT r.project_id, r.run_id, c.committed_us FROM run AS r"
	       " JOIN vcs_commit AS c ON c.project_id=r.project_id AND c.commit_id=r.commit_id;"
	       "UPDATE point SET t=(SELECT committed_us FROM x WHERE x.run_id=point.run_id);"
	       "UPDATE run SET t=(SELECT committed_us FROM x WHERE x.run_id=run.run_id);" UNDO_THIRD
		       UNDO_SECOND);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	latest_is(p, 3, "2025-11-20T10:00:01Z");
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001]"));
	assert_true(has(&out, "\"time\":\"2025-11-20T10:00:01Z\",\"newer\":true}]"));
	q.unit = "cycles";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002,1003]"));
	assert_true(has(&out, "\"time\":\"2068-03-26T15:06:40Z\",\"newer\":false}]"));
	buf_release(&out);
}

/* Commit B, judged against A; measured at that second, its cpu a median of 1000 + n. */
static void post_measured(struct ledger *l, unsigned n, enum verdict verdict, int64_t second)
{
	struct parcel p;

	fill_summary(&p.s, n, COMMIT_B);
	p.s.finished_us = MONDAY_US + second * 1000000;
	assert_int_equal(str_set(&p.s.baseline.commit, COMMIT_A, NULL), 0);
	assert_int_equal(str_set(&p.s.baseline.how, "rerun", NULL), 0);
	judge(&p.s.benchmarks[0].metrics[0], 1.034, verdict);
	assert_int_equal(post(l, &p, false), POST_CREATED);
	summary_release(&p.s);
}

/* A result that waited in a queue takes the place of none that is newer. */
static void of_one_commit_what_was_measured_last_counts(void **state)
{
	static const char newest[] = "\"id\":\"01JD0000000000000000000002\"";
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_measured(p->writer, 2, VERDICT_REGRESSED, 300);
	post_measured(p->writer, 3, VERDICT_IMPROVED, 200);
	post_measured(p->writer, 4, VERDICT_UNCHANGED, 100);
	q.newest = true;
	q.limit = 1;
	history(p, &q, &out);
	assert_true(has(&out, "\"id\":[\"01JD0000000000000000000002\"]"));
	q.newest = false;
	q.limit = 100;
	history(p, &q, &out);
	assert_true(has(&out, "00000004\",\"01JD0000000000000000000003\","
			      "\"01JD0000000000000000000002\"]"));
	buf_reset(&out);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, NULL), 0);
	assert_int_equal(times(&out, newest), 2);
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_int_equal(times(&out, "\"id\""), 1);
	assert_true(has(&out, newest));
	/* Measured at once: what came last counts. */
	post_measured(p->writer, 5, VERDICT_IMPROVED, 300);
	buf_reset(&out);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, NULL), 0);
	assert_int_equal(times(&out, "\"id\""), 1);
	assert_true(has(&out, "\"id\":\"01JD0000000000000000000005\""));
	buf_release(&out);
}

static void a_clock_that_is_ahead_is_not_newest_for_ever(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_measured(p->writer, 1, VERDICT_UNCHANGED, (int64_t)40 * 365 * 86400);
	post_measured(p->writer, 2, VERDICT_UNCHANGED, (int64_t)50 * 365 * 86400);
	post_measured(p->writer, 3, VERDICT_UNCHANGED, (int64_t)41 * 365 * 86400);
	q.newest = true;
	q.limit = 1;
	history(p, &q, &out);
	assert_true(has(&out, "\"id\":[\"01JD0000000000000000000003\"]"));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(commit_of_the_future_stands_at_its_receipt_and_shows_its_date),
		ONE(clock_of_the_server_that_was_set_back_puts_nothing_first),
		ONE(child_stands_behind_its_parent_whatever_their_dates),
		ONE(parent_that_comes_later_stands_before_its_child),
		ONE(merge_stands_behind_all_of_its_parents),
		ONE(side_of_a_merge_that_comes_later_stands_before_it),
		ONE(merges_are_known_from_the_twelfth_schema_on),
		ONE(commit_between_two_that_contradict_stands_behind_its_parent),
		ONE(ledger_of_before_is_put_in_order),
		ONE(children_of_the_future_follow_it_in_a_ledger_of_before),
		ONE(of_one_commit_what_was_measured_last_counts),
		ONE(a_clock_that_is_ahead_is_not_newest_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
