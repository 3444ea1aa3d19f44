/* The table from which regressions are told: what it lost, or has too much, fsck finds and mends.
 */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/fsck/fsck.h"

static struct ledger_health check(struct place *p, bool repair)
{
	struct ledger_health health;
	struct buf report = BUF_INIT;
	struct err err = ERR_INIT;

	if (ledger_fsck(p->writer, repair, &health, &report, &err))
		fail_msg("%s", err.text);
	buf_release(&report);
	return health;
}

static void regressions(struct place *p, struct buf *out)
{
	struct err err = ERR_INIT;

	buf_reset(out);
	if (ledger_regressions(p->reader, "zlib", 10, out, &err))
		fail_msg("%s", err.text);
}

/* meddled: one row of that table is wrong, which is one point of the two that the summary has. */
static void is_found_and_mended(struct place *p, const char *meddled)
{
	struct buf before = BUF_INIT, after = BUF_INIT;
	struct ledger_health health;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, false);
	regressions(p, &before);
	assert_non_null(strstr(buf_str(&before), "\"regressed\""));
	health = check(p, false);
	assert_int_equal(health.n_bad_points, 0);
	meddle(p->path, meddled);
	health = check(p, false);
	assert_int_equal(health.n_bad_points, 1);
	health = check(p, true);
	assert_int_equal(health.n_repaired, 1);
	health = check(p, false);
	assert_int_equal(health.n_bad_points, 0);
	regressions(p, &after);
	assert_string_equal(buf_str(&after), buf_str(&before));
	buf_release(&before);
	buf_release(&after);
}

static void a_lost_row_is_found_and_mended(void **state)
{
	is_found_and_mended(*state, "DELETE FROM moved");
}

static void a_row_too_many_is_found_and_mended(void **state)
{
	is_found_and_mended(*state,
			    "INSERT INTO moved SELECT project_id, run_id, series_id+1 FROM moved");
}

/* Of those no regression is told. */
static void untrusted_ones_are_not_missed(void **state)
{
	struct place *p = *state;
	struct ledger_health health;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_judged(p->writer, 2, VERDICT_REGRESSED, true);
	health = check(p, false);
	assert_int_equal(health.n_summaries, 2);
	assert_int_equal(health.n_bad_points, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(a_lost_row_is_found_and_mended),
		ONE(a_row_too_many_is_found_and_mended),
		ONE(untrusted_ones_are_not_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
