/* What `pawld migrate` says where the copy is none. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include "lib/store/move/move.h"
#include "lib/store/move/same.h"
#include "lib/store/move/tables.h"

static struct ledger *open_beside(struct place *p, const char *name)
{
	char where[512];
	struct ledger *l = NULL;

	snprintf(where, sizeof(where), "sqlite:%s/%s", p->dir, name);
	assert_int_equal(ledger_open(where, LEDGER_WRITE, &l, NULL), 0);
	return l;
}

static void two_stores_with_the_same_results_are_the_same(void **state)
{
	struct place *p = *state;
	struct ledger *copy = open_beside(p, "copy.db");
	struct move_counts n = { .n_rows = 0 };
	struct err err = ERR_INIT;

	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_CREATED);
	assert_int_equal(post_plain(copy, 1, COMMIT_A, false), POST_CREATED);
	assert_int_equal(same_check(p->reader, copy, &n, &err), 0);
	assert_int_equal(n.n_documents, 1);
	assert_true(n.n_histories > 0);
	ledger_close(copy);
}

static void history_that_differs_is_named(void **state)
{
	struct place *p = *state;
	struct ledger *copy = open_beside(p, "copy.db");
	struct move_counts n = { .n_rows = 0 };
	struct err err = ERR_INIT;

	assert_int_equal(post_plain(p->writer, 1, COMMIT_A, false), POST_CREATED);
	assert_int_equal(post_plain(p->writer, 2, COMMIT_B, false), POST_CREATED);
	assert_int_equal(post_plain(copy, 1, COMMIT_A, false), POST_CREATED);
	assert_int_equal(same_check(p->reader, copy, &n, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.text, "the history of 'deflate/6'"));
	ledger_close(copy);
}

static void store_with_another_column_is_not_copied(void **state)
{
	struct place *p = *state;
	struct move_counts n;
	struct err err = ERR_INIT;
	char to[512];

	meddle(p->path, "ALTER TABLE run ADD COLUMN colour TEXT");
	snprintf(to, sizeof(to), "sqlite:%s/to.db", p->dir);
	assert_int_equal(ledger_move(p->where, to, &n, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(two_stores_with_the_same_results_are_the_same),
		ONE(history_that_differs_is_named),
		ONE(store_with_another_column_is_not_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
