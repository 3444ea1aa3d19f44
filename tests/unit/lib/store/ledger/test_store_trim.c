/* The WAL of a busy ledger: emptied beside who commits, unless a reader keeps it from that. */
#include "tests/unit/lib/store/ledger/ledger_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* How often it was begun afresh. */
static unsigned wal_number(const struct place *p)
{
	unsigned char head[16];
	char name[256];
	int fd;

	snprintf(name, sizeof(name), "%s-wal", p->path);
	fd = open(name, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(pread(fd, head, sizeof(head), 0), sizeof(head));
	close(fd);
	return (unsigned)head[12] << 24 | (unsigned)head[13] << 16 | (unsigned)head[14] << 8 |
	       head[15];
}

static int64_t count_rows(struct ledger *l)
{
	int64_t n = -1;

	assert_int_equal(db_get(&l->db, &n, NULL, "SELECT count(*) FROM probe", ""), 0);
	return n;
}

/* A row of 64 pages. */
static void add_row(struct place *p)
{
	static const char bytes[64 * 4096];

	assert_int_equal(db_run(&p->writer->db, NULL, "INSERT INTO probe (x) VALUES (?1)", "b",
				(const void *)bytes, sizeof(bytes)),
			 0);
}

#define MOST_ROWS 4000

/* Adds rows until the WAL begins afresh, which the thread beside decides about, too: how many. */
static int64_t fill_wal(struct place *p)
{
	unsigned before = wal_number(p);
	int64_t n = 0;

	while (n < MOST_ROWS && wal_number(p) == before) {
		add_row(p);
		n++;
	}
	return n;
}

static void long_wal_begins_afresh_without_being_asked(void **state)
{
	struct place *p = *state;
	int64_t n = fill_wal(p);

	assert_true(n > 50 && n < MOST_ROWS);
	n += fill_wal(p);
	assert_int_equal(count_rows(p->reader), n);
	ledger_close(p->reader);
	ledger_close(p->writer);
	assert_int_equal(ledger_open(p->where, LEDGER_WRITE, &p->writer, NULL), 0);
	assert_int_equal(ledger_open(p->where, LEDGER_READ, &p->reader, NULL), 0);
	assert_int_equal(count_rows(p->reader), n);
}

static void wal_that_somebody_reads_goes_on(void **state)
{
	struct place *p = *state;
	unsigned before = wal_number(p);
	int64_t i, n = 100;

	add_row(p);
	assert_int_equal(db_begin_read(&p->reader->db, NULL), 0);
	assert_int_equal(count_rows(p->reader), 1);
	for (i = 0; i < n; i++)
		add_row(p);
	assert_int_equal(wal_number(p), before);
	assert_int_equal(count_rows(p->reader), 1);
	db_rollback(&p->reader->db);
	assert_int_equal(count_rows(p->reader), 1 + n);
	n += fill_wal(p);
	assert_true(n < MOST_ROWS);
	assert_int_equal(count_rows(p->reader), 1 + n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(reader_that_stays_is_not_waited_for_at_each_batch),
		ONE(long_wal_begins_afresh_without_being_asked),
		ONE(wal_that_somebody_reads_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
