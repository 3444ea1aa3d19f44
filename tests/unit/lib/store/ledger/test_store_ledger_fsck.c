/* Damage of points: no question shows it, fsck finds it, and makes them again. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

#include "lib/store/fsck/fsck.h"

static struct ledger_health health;
static struct buf report;

static void fsck(struct place *p, bool repair)
{
	struct err err = ERR_INIT;

	buf_release(&report);
	if (ledger_fsck(p->writer, repair, &health, &report, &err))
		fail_msg("%s", err.text);
}

/* Commits A and B, the second judged; 2 benchmarks' metrics each. */
static void fill(struct place *p)
{
	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	post_plain(p->writer, 3, COMMIT_A, true);
}

static int64_t ask_number(struct place *p, const char *sql)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;
	int64_t n;

	assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return n;
}

/* Of the summary with this number, the trusted one. */
#define SHEET_OF \
	" FROM sheet WHERE run_id=(SELECT run_id FROM run WHERE apart=0 AND id LIKE '%%%d')"

static int sheet_size(struct place *p, int number)
{
	char sql[256];

	snprintf(sql, sizeof(sql), "SELECT length(points)" SHEET_OF, number);
	return (int)ask_number(p, sql);
}

static void flip_sheet(struct place *p, int number, int at)
{
	char sql[256];

	snprintf(sql, sizeof(sql), "SELECT rowid" SHEET_OF, number);
	flip(p->path, "sheet", "points", ask_number(p, sql), at);
}

static int ask_history(struct place *p, struct buf *out, struct err *err)
{
	struct history_query q = ask();

	buf_reset(out);
	return ledger_history(p->reader, &q, out, err);
}

static void what_is_well_is_well(void **state)
{
	struct place *p = *state;

	fill(p);
	fsck(p, false);
	assert_int_equal(health.n_summaries, 3);
	assert_int_equal(health.n_points, 6);
	assert_int_equal(health.n_bad_points + health.n_bad_documents + health.n_faults, 0);
	assert_string_equal(buf_str(&report), "");
	fsck(p, true);
	assert_int_equal(health.n_repaired, 0);
	buf_release(&report);
}

static void reopen_reader(struct place *p)
{
	ledger_close(p->reader);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
}

/* Every bit of a sheet: what is shown is what was stored, or nothing. */
static void each_bit_of_a_sheet_is_checked(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT;
	struct place *p = *state;
	int i, n_refused = 0, n;

	fill(p);
	n = sheet_size(p, 2);
	assert_int_equal(ask_history(p, &before, NULL), 0);
	for (i = 0; i < n; i++) {
		struct err err = ERR_INIT;

		flip_sheet(p, 2, i);
		reopen_reader(p); /* what was read before may be kept */
		if (!ask_history(p, &after, &err))
			assert_string_equal(buf_str(&after), buf_str(&before));
		else
			n_refused++;
		fsck(p, false);
		if (!health.n_bad_points)
			fail_msg("byte %d is not missed", i);
		fsck(p, true);
		assert_int_equal(health.n_repaired, health.n_bad_points);
		assert_int_equal(ask_history(p, &after, NULL), 0);
		assert_string_equal(buf_str(&after), buf_str(&before));
	}
	/* Only the figures of the other series may be damaged. */
	if (n_refused < n / 2)
		fail_msg("%d of %d bytes were missed", n - n_refused, n);
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

static void damage_of_one_series_is_told_for_it_alone(void **state)
{
	struct history_query q = ask();
	struct place *p = *state;
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	fill(p);
	flip_sheet(p, 2, sheet_size(p, 2) - 1); /* of the last one, which is wall */
	assert_int_equal(ask_history(p, &out, NULL), 0);
	q.metric = "wall";
	assert_int_equal(ledger_history(p->reader, &q, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	fsck(p, false);
	assert_int_equal(health.n_bad_points, 1);
	assert_true(has(&report, "project 'zlib': summary 01JD0000000000000000000002: 1 of 2 "
				 "points are damaged or missing"));
	buf_release(&out);
	buf_release(&report);
}

static void comparisons_and_regressions_are_checked(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	fill(p);
	flip_sheet(p, 2, 3);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", false, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	err_clear(&err);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, &out, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.hint, "pawld fsck"));
	buf_release(&out);
}

static void points_that_are_gone_or_elsewhere_come_back(void **state)
{
	struct buf before = BUF_INIT, after = BUF_INIT;
	struct place *p = *state;

	fill(p);
	assert_int_equal(ask_history(p, &before, NULL), 0);
	meddle(p->path,
	       "DELETE FROM sheet WHERE run_id=(SELECT run_id FROM run WHERE id LIKE '%1')");
	meddle(p->path, "UPDATE sheet SET t=t+1 WHERE run_id=(SELECT run_id FROM run"
			" WHERE id LIKE '%2')");
	fsck(p, false);
	assert_int_equal(health.n_bad_points, 3); /* of the first, how many is not known any more */
	fsck(p, true);
	assert_int_equal(health.n_repaired, 3);
	assert_int_equal(ask_history(p, &after, NULL), 0);
	assert_string_equal(buf_str(&after), buf_str(&before));
	fsck(p, false);
	assert_int_equal(health.n_bad_points, 0);
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

/* All that is answered, of both sides. */
static void ask_all(struct place *p, struct buf *out)
{
	struct history_query q = ask();

	reopen_reader(p);
	buf_reset(out);
	q.untrusted = true;
	assert_int_equal(ledger_history(p->reader, &q, out, NULL), 0);
	q.metric = "wall";
	assert_int_equal(ledger_history(p->reader, &q, out, NULL), 0);
	assert_int_equal(ledger_projects(p->reader, NULL, out, NULL), 0);
	assert_int_equal(ledger_project(p->reader, "zlib", out, NULL), 0);
	assert_int_equal(ledger_benchmarks(p->reader, "zlib", out, NULL), 0);
	assert_int_equal(ledger_compare(p->reader, "zlib", "aaaa", "bbbb", true, out, NULL), 0);
	assert_int_equal(ledger_regressions(p->reader, "zlib", 10, out, NULL), 0);
}

static void rows_that_are_lost_are_made_again(void **state)
{
	static const struct {
		const char *sql, *told;
	} losses[] = {
		{ "DELETE FROM run WHERE id LIKE '%2'",
		  "1 summaries have lost their row: only their documents or points are left" },
		{ "DELETE FROM run WHERE id NOT LIKE '%1'", "2 summaries have lost their row" },
		{ "DELETE FROM vcs_commit WHERE sha LIKE 'b%'",
		  "1 summaries are of commits that are lost" },
		{ "DELETE FROM vcs_commit", "3 summaries are of commits that are lost" },
		{ "UPDATE vcs_commit SET place=NULL", "3 summaries are of commits that are lost" },
		{ "DELETE FROM run WHERE id LIKE '%1'; DELETE FROM vcs_commit; DELETE FROM env",
		  "1 summaries have lost their row" },
		{ "DELETE FROM run WHERE apart=1; DELETE FROM env WHERE apart=1",
		  "1 summaries have lost their row" },
		{ "DELETE FROM env WHERE apart=0", "2 summaries are of machines that are lost" },
		{ "DELETE FROM series WHERE metric='wall' AND apart=0",
		  "1 of 2 points are damaged or missing" },
	};
	struct buf before = BUF_INIT, after = BUF_INIT;
	size_t i;

	for (i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
		struct place *p = *state;

		fill(p);
		ask_all(p, &before);
		meddle(p->path, losses[i].sql);
		fsck(p, false);
		if (!has(&report, losses[i].told))
			fail_msg("%s: %s", losses[i].sql, buf_str(&report));
		assert_true(health.n_lost + health.n_bad_points > 0);
		assert_int_equal(health.n_found_again, 0);
		fsck(p, true);
		if (health.n_found_again != health.n_lost ||
		    health.n_repaired != health.n_bad_points)
			fail_msg("%s: %s", losses[i].sql, buf_str(&report));
		fsck(p, true);
		assert_string_equal(buf_str(&report), "");
		ask_all(p, &after);
		if (strcmp(buf_str(&after), buf_str(&before)) != 0)
			fail_msg("%s: %s", losses[i].sql, buf_str(&after));
		post_plain(p->writer, 9, COMMIT_A, false);
		tear_down(state);
		set_up(state);
	}
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

/* Nobody knows any more whether it was trusted; its place may be taken; or nothing is left of it.
 */
static void what_nobody_can_know_is_not_made_up(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	fill(p);
	meddle(p->path, "DELETE FROM run WHERE id LIKE '%2'; DELETE FROM sheet WHERE run_id NOT IN"
			" (SELECT run_id FROM run)");
	fsck(p, true);
	assert_int_equal(health.n_found_again, 1);
	history(p, &q, &out);
	assert_false(has(&out, "0002\""));
	q.untrusted = true;
	history(p, &q, &out);
	assert_true(has(&out, "0002\""));
	meddle(p->path, "DELETE FROM run WHERE id LIKE '%1'");
	post_plain(p->writer, 1, COMMIT_A, false);
	fsck(p, true);
	assert_int_equal(health.n_found_again, 1);
	fsck(p, true);
	assert_string_equal(buf_str(&report), "");
	meddle(p->path,
	       "DELETE FROM run WHERE id LIKE '%1'; DELETE FROM document WHERE run_id NOT IN"
	       " (SELECT run_id FROM run)");
	fsck(p, true);
	assert_int_equal(health.n_lost, 1);
	assert_int_equal(health.n_found_again, 0);
	assert_true(has(&report, "not made again: its document is lost, too"));
	buf_release(&out);
	buf_release(&report);
}

/* What a run says of its points is damaged, not they: none is there twice behind it. */
static void a_run_that_is_wrong_about_its_points_is_repaired(void **state)
{
	static const char *const damages[] = { "t=t+1048576", "t=t-7" };
	struct buf before = BUF_INIT, after = BUF_INIT;
	struct place *p = *state;
	size_t i;

	fill(p);
	assert_int_equal(ask_history(p, &before, NULL), 0);
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		char sql[128];

		snprintf(sql, sizeof(sql), "UPDATE run SET %s WHERE id LIKE '%%2'", damages[i]);
		meddle(p->path, sql);
		fsck(p, false);
		assert_true(health.n_bad_points > 0);
		fsck(p, true);
		assert_int_equal(health.n_repaired, health.n_bad_points);
		fsck(p, false);
		assert_int_equal(health.n_bad_points, 0);
		assert_int_equal(health.n_points, 6);
		assert_int_equal(ask_history(p, &after, NULL), 0);
		assert_string_equal(buf_str(&after), buf_str(&before));
	}
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

static void without_its_document_nothing_is_made_up(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	fill(p);
	meddle(p->path, "UPDATE document SET json=json||x'20'");
	flip_sheet(p, 1, 3);
	fsck(p, true);
	assert_int_equal(health.n_bad_documents, 3);
	assert_int_equal(health.n_bad_points, 2);
	assert_int_equal(health.n_repaired, 0);
	assert_int_equal(ask_history(p, &out, NULL), -1);
	buf_release(&out);
	buf_release(&report);
}

static void points_of_schemas_before_are_shown_unchecked(void **state)
{
	struct place *p = *state;
	struct buf out = BUF_INIT;

	fill(p);
	ledger_close(p->reader);
	ledger_close(p->writer);
	undo_seventh(p->path);
	meddle(p->path, UNDO_SIXTH);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	assert_int_equal(ask_history(p, &out, NULL), 0);
	fsck(p, false);
	assert_int_equal(health.n_bad_points, 0);
	assert_int_equal(post_plain(p->writer, 4, COMMIT_A, false), POST_CREATED);
	assert_int_equal(ask_history(p, &out, NULL), 0);
	assert_true(has(&out, "\"value\":[1001,1004,1002]"));
	buf_release(&out);
	buf_release(&report);
}

/* A document may say when its commit was made, and not which. */
static void row_of_no_commit_has_its_time_again(void **state)
{
	struct place *p = *state;
	struct parcel parcel;
	int64_t before;

	fill_summary(&parcel.s, 4, COMMIT_A);
	free(parcel.s.commit.id);
	parcel.s.commit.id = NULL;
	assert_int_equal(post(p->writer, &parcel, false), POST_CREATED);
	summary_release(&parcel.s);
	before = ask_number(p, "SELECT t FROM run WHERE commit_id IS NULL");
	assert_true(before > 0);
	meddle(p->path, "DELETE FROM run");
	fsck(p, true);
	assert_int_equal(health.n_found_again, 1);
	assert_int_equal(ask_number(p, "SELECT t FROM run WHERE commit_id IS NULL"), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_is_well_is_well),
		ONE(each_bit_of_a_sheet_is_checked),
		ONE(damage_of_one_series_is_told_for_it_alone),
		ONE(comparisons_and_regressions_are_checked),
		ONE(points_that_are_gone_or_elsewhere_come_back),
		ONE(rows_that_are_lost_are_made_again),
		ONE(what_nobody_can_know_is_not_made_up),
		ONE(a_run_that_is_wrong_about_its_points_is_repaired),
		ONE(without_its_document_nothing_is_made_up),
		ONE(points_of_schemas_before_are_shown_unchecked),
		ONE(row_of_no_commit_has_its_time_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
