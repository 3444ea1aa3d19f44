/* A store of the first schema: packed by the next writer, read as it is by readers, nothing lost.
 */
#include "tests/unit/lib/store/local/results_fixture.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/digest/digest.h"
#include "lib/store/db.h"

/* The file as the pawl of the first schema made it: its own SQL, written out. */
static const char schema_1[] =
	"PRAGMA journal_mode=WAL;"
	"CREATE TABLE summary (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
	" project TEXT NOT NULL, commit_id TEXT NOT NULL, machine TEXT NOT NULL,"
	" finished_us INTEGER NOT NULL, dirty INTEGER NOT NULL, usable INTEGER NOT NULL,"
	" posted INTEGER NOT NULL DEFAULT 0, binaries TEXT NOT NULL, sha256 TEXT NOT NULL,"
	" json BLOB NOT NULL);"
	"CREATE INDEX summary_by_commit ON summary (project, commit_id, finished_us);"
	"CREATE INDEX summary_by_time ON summary (project, finished_us);"
	"CREATE TABLE queue (seq INTEGER PRIMARY KEY AUTOINCREMENT,"
	" id TEXT NOT NULL UNIQUE REFERENCES summary (id), size INTEGER NOT NULL,"
	" attempts INTEGER NOT NULL DEFAULT 0, next_try_us INTEGER NOT NULL DEFAULT 0,"
	" rejected INTEGER NOT NULL DEFAULT 0, last_error TEXT);"
	"CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);"
	"INSERT INTO meta VALUES ('anchor', 'one');"
	"PRAGMA application_id=1885435756; PRAGMA user_version=1";

/* As store_add() of that pawl: SHA-256 over all that the row says. */
static void add_document(sqlite3 *db, const struct summary *s, const char *json, size_t n)
{
	struct digest d = DIGEST_INIT;
	char sha256[DIGEST_HEX], numbers[64];
	sqlite3_stmt *st = NULL;

	assert_int_equal(digest_begin(&d, NULL), 0);
	snprintf(numbers, sizeof(numbers), "%lld 0 1", (long long)s->finished_us);
	digest_adds(&d, s->id);
	digest_adds(&d, s->project);
	digest_adds(&d, s->commit.id);
	digest_adds(&d, s->machine.id);
	digest_adds(&d, numbers);
	digest_adds(&d, "");
	digest_add(&d, json, n);
	assert_int_equal(digest_end(&d, sha256, NULL), 0);
	assert_int_equal(sqlite3_prepare_v2(db,
					    "INSERT INTO summary (id, project, commit_id, machine,"
					    " finished_us, dirty, usable, binaries, json, sha256)"
					    " VALUES (?,?,?,?,?,0,1,'',?,?)",
					    -1, &st, NULL),
			 SQLITE_OK);
	sqlite3_bind_text(st, 1, s->id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, s->project, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, s->commit.id, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 4, s->machine.id, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 5, s->finished_us);
	sqlite3_bind_blob(st, 6, json, (int)n, SQLITE_STATIC);
	sqlite3_bind_text(st, 7, sha256, -1, SQLITE_STATIC);
	assert_int_equal(sqlite3_step(st), SQLITE_DONE);
	assert_int_equal(sqlite3_finalize(st), SQLITE_OK);
}

/*
 * Four results: 1 as pawl wrote them; 2 with a blank that it would not write again; 3 damaged;
 * 4 as 1, queued.
 */
static int set_up_old(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	struct buf json = BUF_INIT;
	sqlite3 *db = NULL;
	struct summary s;
	unsigned i;

	assert_non_null(p);
	p->dir = new_folder();
	p->path = path_in(p->dir, "results.db");
	assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, schema_1, NULL, NULL, NULL), SQLITE_OK);
	for (i = 1; i <= 4; i++) {
		buf_reset(&json);
		fill_summary(&s, i, i < 3 ? COMMIT_A : COMMIT_B);
		assert_int_equal(summary_encode(&s, 0, &json, NULL), 0);
		if (i == 2)
			json.data[json.len - 1] = ' ', buf_addc(&json, '}');
		add_document(db, &s, json.data, json.len);
		summary_release(&s);
	}
	buf_release(&json);
	assert_int_equal(sqlite3_exec(db,
				      "UPDATE summary SET json=replace(json, '1003', '1004')"
				      " WHERE seq=3;"
				      "INSERT INTO queue (id, size, attempts)"
				      " SELECT id, length(json), 7 FROM summary WHERE seq=4",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	*state = p;
	return 0;
}

#define OLD(name) cmocka_unit_test_setup_teardown(name, set_up_old, tear_down)

/* An integer that SQL gives behind pawl's back. */
static int64_t ask(const char *path, const char *sql)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;
	int64_t n;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(db);
	return n;
}

static void hold_contents(struct store *store)
{
	struct queue_entry e = { 0 };
	struct err err = ERR_INIT;
	struct summary s;
	struct buf json = BUF_INIT;
	char id[27], *value = NULL;

	assert_true(baseline_is(store, COMMIT_A, 2));
	assert_int_equal(store_get(store, id_of(1, id), &s, NULL), 0);
	assert_true(s.benchmarks[0].metrics[0].samples[1] == 1001);
	summary_release(&s);
	assert_int_equal(store_get(store, id_of(3, id), &s, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_int_equal(store_get_meta(store, "anchor", &value, NULL), 0);
	assert_string_equal(value, "one");
	free(value);
	assert_int_equal(store_queue_next(store, 0, NULL, &e, NULL), 0);
	assert_string_equal(e.id, id_of(4, id));
	assert_int_equal(e.attempts, 7);
	fill_summary(&s, 4, COMMIT_B);
	assert_int_equal(summary_encode(&s, 0, &json, NULL), 0);
	assert_string_equal(e.json, buf_str(&json));
	summary_release(&s);
	buf_release(&json);
	queue_entry_release(&e);
}

static void a_reader_reads_it_and_leaves_it(void **state)
{
	struct place *p = *state;
	struct store_check c;

	assert_int_equal(store_open(p->path, STORE_READ, &p->store, NULL), 0);
	hold_contents(p->store);
	assert_int_equal(store_check(p->store, &c, NULL), 0);
	assert_int_equal(c.n_rows, 4);
	assert_int_equal(c.n_bad, 1);
	store_check_release(&c);
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(ask(p->path, "PRAGMA user_version"), 1);
	assert_int_equal(ask(p->path, "SELECT count(*) FROM summary"), 4);
}

static void a_reader_of_a_read_only_medium_reads_it(void **state)
{
	struct place *p = *state;

	assert_int_equal(ask(p->path, "PRAGMA wal_checkpoint(TRUNCATE)"), 0);
	assert_int_equal(chmod(p->path, 0444), 0);
	assert_int_equal(chmod(p->dir, 0555), 0);
	assert_int_equal(store_open(p->path, STORE_READ, &p->store, NULL), 0);
	hold_contents(p->store);
	assert_int_equal(chmod(p->dir, 0755), 0);
}

static void a_writer_packs_what_can_be_packed_exactly(void **state)
{
	struct place *p = *state;
	int64_t length = ask(p->path, "SELECT length(json) FROM summary WHERE seq=3");

	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	hold_contents(p->store);
	assert_int_equal(ask(p->path, "PRAGMA user_version"), 2);
	assert_int_equal(ask(p->path, "SELECT sum(seq) FROM result WHERE packed IS NOT NULL"),
			 1 + 4);
	assert_int_equal(ask(p->path, "SELECT sum(seq) FROM result WHERE length(json)"), 2 + 3);
	/* What is damaged keeps its bytes: somebody may want to look. */
	assert_int_equal(ask(p->path, "SELECT length(json) FROM result WHERE seq=3"), length);
	assert_int_equal(ask(p->path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
}

static void a_migration_that_cannot_end_leaves_the_old_store(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;

	/* The last thing that it does to a row is refused. */
	meddle(p->path, "CREATE UNIQUE INDEX no ON summary (sha256)");
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), -1);
	assert_int_equal(ask(p->path, "PRAGMA user_version"), 1);
	assert_int_equal(ask(p->path, "SELECT count(*) FROM summary WHERE length(json)"), 4);
	meddle(p->path, "DROP INDEX no");
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	hold_contents(p->store);
}

/* Holds the store in a transaction for longer than writers usually wait for each other. */
static pid_t hold_locked(const char *path)
{
	int ready[2];
	char byte = 0;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		sqlite3 *db = NULL;

		if (sqlite3_open(path, &db) ||
		    sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
		    write(ready[1], "1", 1) != 1)
			_exit(1);
		sleep(DB_BUSY_MS / 1000 + 1);
		_exit(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) ? 1 : 0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void a_migration_waits_for_the_one_of_another(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	int status;
	pid_t pid;

	if (!getenv("PAWL_TEST_SLOW")) {
		print_message("# skipped: it waits for 6 s: make check-slow\n");
		skip();
	}
	pid = hold_locked(p->path);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	hold_contents(p->store);
}

static void repair_of_an_old_store_saves_and_packs_it(void **state)
{
	struct place *p = *state;
	struct store_repair r;
	char id[27];
	struct summary s;

	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_int_equal(r.n_saved, 3);
	assert_int_equal(r.n_lost, 1);
	store_repair_release(&r);
	assert_int_equal(store_open(p->path, STORE_READ, &p->store, NULL), 0);
	assert_int_equal(store_get(p->store, id_of(1, id), &s, NULL), 0);
	summary_release(&s);
	assert_int_equal(ask(p->path, "SELECT count(*) FROM result WHERE packed IS NOT NULL"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		OLD(a_reader_reads_it_and_leaves_it),
		OLD(a_reader_of_a_read_only_medium_reads_it),
		OLD(a_writer_packs_what_can_be_packed_exactly),
		OLD(a_migration_that_cannot_end_leaves_the_old_store),
		OLD(a_migration_waits_for_the_one_of_another),
		OLD(repair_of_an_old_store_saves_and_packs_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
