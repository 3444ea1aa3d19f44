/*
 * What questions cost: steps of SQLite's machine, which depend on no clock; counts are kept,
 * branches have an index, and a budget ends what takes long.
 */
#include "tests/unit/lib/store/ledger/ledger_cost.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

#define MANY 400

static int64_t cost_of_projects(struct place *p)
{
	struct buf out = BUF_INIT;

	steps(p->reader);
	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	buf_release(&out);
	return steps(p->reader);
}

static int64_t cost_of_history(struct place *p, const struct history_query *q)
{
	struct buf out = BUF_INIT;

	steps(p->reader);
	history(p, q, &out);
	buf_release(&out);
	return steps(p->reader);
}

/* How often the writer has looked a series up since the last call. */
static int64_t lookups(struct ledger *l)
{
	sqlite3_stmt *st = NULL;
	int64_t n = 0;

	while ((st = sqlite3_next_stmt(l->db.handle, st)))
		if (!strncmp(sqlite3_sql(st), "SELECT series_id, gate", 22))
			n += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_RUN, 1);
	return n;
}

static void writer_looks_each_series_up_once(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel other;

	post_plain(p->writer, 1, COMMIT_A, false);
	assert_int_equal(lookups(p->writer), 2);
	post_plain(p->writer, 2, COMMIT_B, false);
	assert_int_equal(lookups(p->writer), 0);
	/* Another metric decides from now on. */
	fill_summary(&other.s, 5, COMMIT_B);
	assert_int_equal(str_set(&other.s.benchmarks[0].gate, "wall", NULL), 0);
	assert_int_equal(post(p->writer, &other, false), POST_CREATED);
	assert_int_equal(lookups(p->writer), 0);
	summary_release(&other.s);
	history(p, &q, &out);
	assert_true(has(&out, "\"metric\":\"wall\",\"unit\":\"ns\",\"better\":\"lower\""));
	/* Of an untrusted one, or of another unit or direction, they are others. */
	post_plain(p->writer, 3, COMMIT_A, true);
	assert_int_equal(lookups(p->writer), 2);
	fill_summary(&other.s, 4, COMMIT_B);
	assert_int_equal(str_set(&other.s.benchmarks[0].metrics[0].unit, "ms", NULL), 0);
	other.s.benchmarks[0].metrics[1].better = BETTER_HIGHER;
	assert_int_equal(post(p->writer, &other, false), POST_CREATED);
	assert_int_equal(lookups(p->writer), 2);
	summary_release(&other.s);
	buf_release(&out);
}

static void series_that_was_taken_back_is_made_again(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	struct parcel one;

	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, true), POST_CREATED);
	/* Room for one more: the first of two new ones is made and taken back with the post. */
	meddle(p->path, "UPDATE project SET n_series_apart=19999");
	fill_summary(&one.s, 2, COMMIT_A);
	assert_int_equal(str_set(&one.s.benchmarks[0].name, "new", NULL), 0);
	assert_int_equal(post(p->writer, &one, true), POST_FAILED);
	meddle(p->path, "UPDATE project SET n_series_apart=2");
	assert_int_equal(post(p->writer, &one, true), POST_CREATED);
	summary_release(&one.s);
	q.benchmark = "new";
	q.untrusted = true;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	buf_release(&out);
}

static void history_looks_each_run_up_once(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf first = BUF_INIT, again = BUF_INIT;
	int64_t cost;

	q.limit = MANY;
	post_many(p, 0, MANY);
	cost = cost_of_history(p, &q);
	history(p, &q, &first);
	/* Another metric of the same runs finds them, too. */
	q.metric = "wall";
	if (3 * cost_of_history(p, &q) >= 2 * cost)
		fail_msg("%lld steps the first time, %lld the second", (long long)cost,
			 (long long)cost_of_history(p, &q));
	q.metric = NULL;
	history(p, &q, &again);
	assert_string_equal(buf_str(&again), buf_str(&first));
	buf_release(&first);
	buf_release(&again);
}

/* Statements that were run, all together, since the last call. */
static int64_t questions(struct ledger *l)
{
	sqlite3_stmt *st = NULL;
	int64_t n = 0;

	while ((st = sqlite3_next_stmt(l->db.handle, st)))
		n += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_RUN, 1);
	return n;
}

/* Each of them is a journey where the database is another machine's. */
static void machines_that_take_turns_cost_no_question_a_point(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	char sha[41], machine[17];
	struct parcel one;
	unsigned i;

	for (i = 0; i < 60; i++) {
		snprintf(sha, sizeof(sha), "%040x", 0xabc000 + i);
		snprintf(machine, sizeof(machine), "%016x", i % 2);
		fill_summary(&one.s, i, sha);
		assert_int_equal(str_set(&one.s.machine.id, machine, NULL), 0);
		assert_int_equal(post(p->writer, &one, false), POST_CREATED);
		summary_release(&one.s);
	}
	q.limit = 60;
	history(p, &q, &out);
	buf_reset(&out);
	questions(p->reader);
	history(p, &q, &out);
	assert_in_range(questions(p->reader), 1, 30);
	assert_int_equal(times(&out, "\"0000000000000001\""), 30);
	buf_release(&out);
}

/* A page of many histories is of one state of the store, and asks less. */
static void snapshot_that_is_held_is_asked_less(void **state)
{
	struct place *p = *state;
	struct db *db = ledger_db(p->reader);
	struct history_query q = ask();
	struct buf before = BUF_INIT, held = BUF_INIT;
	int64_t alone;

	post_many(p, 0, 2);
	history(p, &q, &before);
	questions(p->reader);
	cost_of_history(p, &q);
	alone = questions(p->reader);
	assert_int_equal(db_hold(db, NULL), 0);
	cost_of_history(p, &q);
	post_many(p, 2, 1);
	questions(p->reader);
	history(p, &q, &held);
	assert_in_range(questions(p->reader), 1, alone - 3);
	assert_string_equal(buf_str(&held), buf_str(&before));
	db_let_go(db);
	buf_reset(&held);
	history(p, &q, &held);
	assert_string_not_equal(buf_str(&held), buf_str(&before));
	buf_release(&before);
	buf_release(&held);
}

static void runs_of_one_number_in_two_projects_are_two(void **state)
{
	struct place *p = *state;
	struct history_query q = ask(), r = ask();
	struct buf out = BUF_INIT;
	struct parcel other;
	int i;

	post_plain(p->writer, 1, COMMIT_A, false);
	fill_summary(&other.s, 2, COMMIT_B);
	assert_int_equal(str_set(&other.s.project, "other", NULL), 0);
	assert_int_equal(post(p->writer, &other, false), POST_CREATED);
	summary_release(&other.s);
	r.project = "other";
	for (i = 0; i < 2; i++) {
		history(p, &q, &out);
		assert_true(has(&out, "\"commit\":[\"" COMMIT_A "\"]"));
		history(p, &r, &out);
		assert_true(has(&out, "\"commit\":[\"" COMMIT_B "\"]"));
	}
	buf_release(&out);
}

static void point_of_a_run_that_is_gone_is_damage(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	meddle(p->path, "DELETE FROM run");
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	buf_release(&out);
}

static void list_of_projects_costs_the_same_however_much_is_there(void **state)
{
	struct place *p = *state;
	int64_t few;

	post_many(p, 0, 2);
	few = cost_of_projects(p);
	post_many(p, 2, MANY);
	assert_in_range(cost_of_projects(p), 1, few + few / 2);
}

static void branch_without_results_is_answered_without_looking_at_the_others(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	int64_t few;

	q.branch = "nosuch";
	post_many(p, 0, 2);
	few = cost_of_history(p, &q);
	post_many(p, 2, MANY);
	assert_in_range(cost_of_history(p, &q), 1, few + few / 2);
}

/* Two machines on a branch beside the usual one, and a machine that has nothing there. */
static void branch_on_several_machines_is_one_history_in_pages(void **state)
{
	static const char *const machines[] = { "eeee", "ffff", MACHINE };
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT, cursor = BUF_INIT, seen = BUF_INIT;
	const char *at;
	char sha[41];
	unsigned i;

	for (i = 0; i < 9; i++) {
		struct parcel one;

		snprintf(sha, sizeof(sha), "%040x", 0xabc000 + i);
		fill_summary(&one.s, i, sha);
		assert_int_equal(str_set(&one.s.machine.id, machines[i % 3], NULL), 0);
		if (i % 3 < 2)
			assert_int_equal(str_set(&one.s.commit.branch, "topic", NULL), 0);
		assert_int_equal(post(p->writer, &one, false), POST_CREATED);
		summary_release(&one.s);
	}
	q.branch = "topic";
	q.limit = 2;
	do {
		history(p, &q, &out);
		at = strstr(buf_str(&out), "\"value\":[");
		assert_non_null(at);
		buf_add(&seen, at + 9, strcspn(at + 9, "]"));
		buf_addc(&seen, ' ');
		at = strstr(buf_str(&out), "\"next\":\"");
		if (at) {
			buf_reset(&cursor);
			buf_add(&cursor, at + 8, strcspn(at + 8, "\""));
			q.cursor = buf_str(&cursor);
		}
	} while (at);
	assert_string_equal(buf_str(&seen), "1000,1001 1003,1004 1006,1007 ");
	q.cursor = NULL;
	q.machine = "ffff";
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1004]"));
	q.machine = MACHINE;
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[]"));
	buf_release(&out);
	buf_release(&cursor);
	buf_release(&seen);
}

static void counts_are_kept_apart_and_once(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_plain(p->writer, 1, COMMIT_A, false);
	post_plain(p->writer, 2, COMMIT_A, false);
	post_plain(p->writer, 3, COMMIT_B, false);
	post_plain(p->writer, 4, COMMIT_B, true);
	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	assert_true(has(&out, "\"summaries\":3,\"commits\":2,\"benchmarks\":1,\"untrusted\":1,"));
	buf_release(&out);
}

static void ledger_of_before_is_counted_once(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	post_many(p, 0, 5);
	post_plain(p->writer, 9, COMMIT_B, true);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	meddle(p->path, UNDO_SIXTH UNDO_FIFTH UNDO_FOURTH UNDO_THIRD);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	post_many(p, 5, 1);
	assert_int_equal(ledger_projects(p->reader, NULL, &out, NULL), 0);
	assert_true(has(&out, "\"summaries\":6,\"commits\":6,\"benchmarks\":1,\"untrusted\":1,"));
	buf_release(&out);
}

static void budget_ends_a_question_and_the_next_one_is_answered(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	post_many(p, 0, MANY);
	q.limit = MANY;
	ledger_budget(p->reader, 1);
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_TIMEOUT);
	ledger_budget(p->reader, 3600000000000u);
	history(p, &q, &out);
	ledger_stop(p->reader);
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_TIMEOUT);
	ledger_budget(p->reader, 0);
	ledger_stop(p->reader);
	history(p, &q, &out);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(writer_looks_each_series_up_once),
		ONE(series_that_was_taken_back_is_made_again),
		ONE(history_looks_each_run_up_once),
		ONE(machines_that_take_turns_cost_no_question_a_point),
		ONE(snapshot_that_is_held_is_asked_less),
		ONE(runs_of_one_number_in_two_projects_are_two),
		ONE(point_of_a_run_that_is_gone_is_damage),
		ONE(list_of_projects_costs_the_same_however_much_is_there),
		ONE(branch_without_results_is_answered_without_looking_at_the_others),
		ONE(branch_on_several_machines_is_one_history_in_pages),
		ONE(counts_are_kept_apart_and_once),
		ONE(ledger_of_before_is_counted_once),
		ONE(budget_ends_a_question_and_the_next_one_is_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
