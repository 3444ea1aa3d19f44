/* Damage of points: no question shows it, fsck finds it, and makes them again. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"
#include "tests/unit/lib/store/ledger/ledger_undo.h"

#include "lib/store/ledger/fsck.h"

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

static void each_figure_that_is_shown_is_checked(void **state)
{
	static const char *const damages[] = {
		"v=v+1",
		"low=low-1",
		"high=NULL",
		"n=n+1",
		"verdict=2",
		"ratio=1.5",
		"ratio_low=ratio_low+1e-9",
		"ratio_high=NULL",
		"base_id=base_id+1",
		"flags=flags|4",
		"v=-v",
		"run_id=(SELECT min(run_id) FROM run)",
	};
	struct buf before = BUF_INIT, after = BUF_INIT;
	struct place *p = *state;
	char sql[256];
	size_t i;

	fill(p);
	assert_int_equal(ask_history(p, &before, NULL), 0);
	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		struct err err = ERR_INIT;

		snprintf(sql, sizeof(sql),
			 "UPDATE point SET %s WHERE verdict=1 AND v=1002 AND sum IS NOT NULL",
			 damages[i]);
		meddle(p->path, sql);
		if (!ask_history(p, &after, &err) || err.code != ERR_CORRUPT)
			fail_msg("%s was shown", damages[i]);
		fsck(p, false);
		assert_int_equal(health.n_bad_points, 1);
		assert_true(has(&report,
				"project 'zlib': summary 01JD0000000000000000000002: 1 of 2 "
				"points are damaged or missing"));
		fsck(p, true);
		assert_int_equal(health.n_repaired, 1);
		assert_int_equal(ask_history(p, &after, NULL), 0);
		assert_string_equal(buf_str(&after), buf_str(&before));
		fsck(p, false);
		assert_int_equal(health.n_bad_points, 0);
	}
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

static void comparisons_and_regressions_are_checked(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	fill(p);
	meddle(p->path, "UPDATE point SET ratio=ratio+1e-9 WHERE moved IS NOT NULL");
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
	meddle(p->path, "DELETE FROM point WHERE v=1001");
	meddle(p->path, "UPDATE point SET run_id=run_id+90 WHERE v=1002");
	fsck(p, false);
	assert_int_equal(health.n_bad_points, 2);
	fsck(p, true);
	assert_int_equal(health.n_repaired, 2);
	assert_true(has(&report, "1 damaged points that belong to nothing: removed"));
	assert_int_equal(ask_history(p, &after, NULL), 0);
	assert_string_equal(buf_str(&after), buf_str(&before));
	buf_release(&before);
	buf_release(&after);
	buf_release(&report);
}

/* What a run says of its points is damaged, not they: none is there twice behind it. */
static void a_run_that_is_wrong_about_its_points_is_repaired(void **state)
{
	static const char *const damages[] = { "t=t+1048576", "series_ids=x'8187'",
					       "t=t-7, series_ids=x'7f'" };
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
	meddle(p->path, "UPDATE document SET json=json||x'20';"
			"UPDATE point SET v=v+1 WHERE v=1001");
	fsck(p, true);
	assert_int_equal(health.n_bad_documents, 3);
	assert_int_equal(health.n_bad_points, 1);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_is_well_is_well),
		ONE(each_figure_that_is_shown_is_checked),
		ONE(comparisons_and_regressions_are_checked),
		ONE(points_that_are_gone_or_elsewhere_come_back),
		ONE(a_run_that_is_wrong_about_its_points_is_repaired),
		ONE(without_its_document_nothing_is_made_up),
		ONE(points_of_schemas_before_are_shown_unchecked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
