/* What fsck has made again is seen by those who had the ledger open meanwhile. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/fsck/fsck.h"

static int64_t stamp(struct place *p)
{
	int64_t n = 0;

	assert_int_equal(ledger_stamp(p->reader, "zlib", &n, NULL), 0);
	return n;
}

/* By a handle of its own, as the command has it. */
static void mend(struct place *p)
{
	struct ledger_health h;
	struct buf report = BUF_INIT;
	struct ledger *l = NULL;

	assert_int_equal(ledger_open(p->where, LEDGER_CHANGE, &l, NULL), 0);
	assert_int_equal(ledger_fsck(l, true, &h, &report, NULL), 0);
	assert_true(has(&report, "repaired\n"));
	ledger_close(l);
	buf_release(&report);
}

static void points_that_are_back_are_shown_and_tagged(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;
	int64_t before;

	post_plain(p->writer, 1, COMMIT_A, false);
	post_plain(p->writer, 2, COMMIT_B, false);
	meddle(p->path, "DELETE FROM sheet WHERE run_id=1");
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1002]"));
	before = stamp(p);
	mend(p);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1002]"));
	assert_true(stamp(p) > before);
	buf_release(&out);
}

static void pieces_that_are_made_again_are_tagged(void **state)
{
	struct place *p = *state;
	bool more = true;
	int64_t before;
	unsigned i;

	for (i = 0; i < 300; i++)
		post_plain(p->writer, i, COMMIT_A, false);
	while (more)
		assert_int_equal(ledger_fold(p->writer, &more, NULL), 0);
	meddle(p->path, "DELETE FROM chunk");
	before = stamp(p);
	mend(p);
	assert_true(stamp(p) > before);
}

static void result_goes_to_the_series_that_was_made_again(void **state)
{
	struct place *p = *state;
	struct history_query q = ask();
	struct buf out = BUF_INIT;

	post_plain(p->writer, 1, COMMIT_A, false);
	meddle(p->path, "DELETE FROM series");
	mend(p);
	post_plain(p->writer, 2, COMMIT_B, false);
	history(p, &q, &out);
	assert_true(has(&out, "\"value\":[1001,1002]"));
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(points_that_are_back_are_shown_and_tagged),
		ONE(pieces_that_are_made_again_are_tagged),
		ONE(result_goes_to_the_series_that_was_made_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
