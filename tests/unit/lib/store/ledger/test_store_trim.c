/* The WAL of a busy ledger, which a reader keeps from being emptied. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include <sys/stat.h>

#include "lib/store/ledger/local.h"

static bool has_wal(const struct place *p)
{
	char name[256];
	struct stat st;

	snprintf(name, sizeof(name), "%s-wal", p->path);
	return !stat(name, &st) && st.st_size > 0;
}

static void reader_that_stays_is_not_waited_for_at_each_batch(void **state)
{
	struct place *p = *state;
	struct db *db = &p->writer->db;
	int64_t n;

	assert_int_equal(db_begin_read(&p->reader->db, NULL), 0);
	assert_int_equal(db_get(&p->reader->db, &n, NULL, "SELECT count(*) FROM run", ""), 0);
	post_plain(p->writer, 1, COMMIT_A, false);
	db_trim_wal(db, 0);
	assert_true(has_wal(p));
	assert_true(db->trim_ns > 0);
	db_rollback(&p->reader->db);
	/* Until the pause is over nothing is tried, although it would work now. */
	db->trim_ns = UINT64_MAX;
	db_trim_wal(db, 0);
	assert_true(has_wal(p));
	db->trim_ns = 1;
	db_trim_wal(db, 0);
	assert_false(has_wal(p));
	assert_int_equal(db->trim_ns, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(reader_that_stays_is_not_waited_for_at_each_batch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
