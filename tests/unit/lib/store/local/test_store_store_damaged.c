/* A local store that is damaged: told, passed over, repaired, and never a baseline. */
#include "tests/unit/lib/store/local/results_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

static void damaged_row_is_passed_over_and_never_a_baseline(void **state)
{
	struct place *p = *state;
	struct store_row *rows;
	struct summary s;
	struct err err = ERR_INIT;
	char id[27];
	size_t n;

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_A);
	flip_byte(p->path, "packed", 2, -1);
	assert_true(baseline_is(p->store, COMMIT_A, 1));
	assert_int_equal(store_passed_over(p->store)->n, 1);
	assert_non_null(strstr(store_passed_over(p->store)->v[0], id_of(2, id)));
	assert_non_null(strstr(store_passed_over(p->store)->v[0], "pawl fsck"));
	assert_int_equal(store_list(p->store, "zlib", 10, &rows, &n, NULL), 0);
	assert_int_equal(n, 2); /* the heads are sound */
	free(rows);
	assert_int_equal(store_get(p->store, id_of(2, id), &s, NULL), -1);
	/* A column that searching believes counts like the document. */
	meddle(p->path, "UPDATE result SET commit_id='" COMMIT_B "' WHERE id LIKE '%1'");
	assert_true(baseline_is(p->store, COMMIT_B, 0));
	assert_int_equal(store_latest(p->store, "zlib", COMMIT_B, &s, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	meddle(p->path, "UPDATE result SET dirty=1, commit_id='" COMMIT_A "' WHERE id LIKE '%1'");
	assert_true(baseline_is(p->store, COMMIT_A, 0));
	assert_int_equal(store_latest(p->store, "zlib", COMMIT_A, &s, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
}

/* As calibrations are: another digit in one is another warning beside a verdict. */
static void damaged_small_value_is_told(void **state)
{
	struct place *p = *state;
	struct store_repair repaired;
	struct store_check found;
	struct err err = ERR_INIT;
	char *value = NULL;

	assert_int_equal(store_set_meta(p->store, "one", "{\"n\":12}", NULL), 0);
	assert_int_equal(store_set_meta(p->store, "two", "{\"n\":34}", NULL), 0);
	meddle(p->path, "UPDATE meta SET value=replace(value, 'n\":12', 'n\":13')");
	assert_int_equal(store_get_meta(p->store, "one", &value, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.text, "'one' is damaged"));
	assert_int_equal(store_get_meta(p->store, "two", &value, &err), 0);
	assert_string_equal(value, "{\"n\":34}");
	free(value);
	assert_int_equal(store_check(p->store, &found, NULL), 0);
	assert_int_equal(found.faults.n, 1);
	store_check_release(&found);
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(store_repair(p->path, &repaired, &err), 0);
	store_repair_release(&repaired);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), 0);
	value = NULL;
	assert_int_equal(store_get_meta(p->store, "one", &value, &err), 0);
	assert_null(value);
	assert_int_equal(store_get_meta(p->store, "two", &value, &err), 0);
	assert_string_equal(value, "{\"n\":34}");
	free(value);
	/* That of another key, too. */
	assert_int_equal(store_set_meta(p->store, "one", "{\"n\":12}", NULL), 0);
	meddle(p->path, "UPDATE meta SET value=(SELECT value FROM meta WHERE key='two')");
	assert_int_equal(store_get_meta(p->store, "one", &value, &err), -1);
}

/* In SQL a row that is dirty, or another machine's, by damage alone would be missing in silence. */
static void damage_that_makes_it_no_baseline_is_noted(void **state)
{
	static const char *const changes[] = { "dirty=1", "usable=0", "machine='another'" };
	struct place *p = *state;
	size_t i;

	for (i = 0; i < 3; i++) {
		char sql[128];

		add(p->store, 2 * (int)i + 1, COMMIT_A);
		add(p->store, 2 * (int)i + 2, COMMIT_A);
		snprintf(sql, sizeof(sql), "UPDATE result SET %s WHERE seq=%d", changes[i],
			 2 * (int)i + 2);
		meddle(p->path, sql);
		assert_true(baseline_is(p->store, COMMIT_A, 2 * (int)i + 1));
		assert_int_equal(store_passed_over(p->store)->n, i + 1);
	}
}

static void check_counts_rows_and_names_the_bad_one(void **state)
{
	struct place *p = *state;
	struct store_check c;

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_B);
	assert_int_equal(store_check(p->store, &c, NULL), 0);
	assert_int_equal(c.n_rows, 2);
	assert_int_equal(c.n_bad, 0);
	assert_int_equal(c.faults.n, 0);
	store_check_release(&c);
	flip_byte(p->path, "packed", 2, -1);
	assert_int_equal(store_check(p->store, &c, NULL), 0);
	assert_int_equal(c.n_rows, 2);
	assert_int_equal(c.n_bad, 1);
	assert_int_equal(c.faults.n, 1);
	assert_non_null(strstr(c.faults.v[0], "checksum"));
	store_check_release(&c);
}

/* One bit of a row's number, and nobody counts up to it. */
static void a_row_of_a_huge_number_is_looked_at_and_saved(void **state)
{
	struct place *p = *state;
	struct store_repair r;
	struct store_check c;
	sqlite3 *db;

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_B);
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(SQLITE_OK, sqlite3_open(p->path, &db));
	assert_int_equal(SQLITE_OK,
			 sqlite3_exec(db, "UPDATE result SET seq=seq+(1<<60) WHERE seq=2", NULL,
				      NULL, NULL));
	sqlite3_close(db);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	assert_int_equal(store_check(p->store, &c, NULL), 0);
	assert_int_equal(c.n_rows, 2);
	assert_int_equal(c.n_bad, 0);
	store_check_release(&c);
	store_close(p->store);
	p->store = NULL;
	flip_byte(p->path, "packed", 1, -1);
	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_int_equal(1, r.n_saved);
	store_repair_release(&r);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
}

static void repair_of_a_sound_store_does_nothing(void **state)
{
	struct place *p = *state;
	struct store_repair r;

	add(p->store, 1, COMMIT_A);
	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_null(r.kept);
	store_repair_release(&r);
}

static void repair_saves_intact_rows_and_their_place_in_the_queue(void **state)
{
	struct place *p = *state;
	struct store_repair r;
	struct summary s;
	size_t waiting, rejected;

	fill_summary(&s, 1, COMMIT_A);
	assert_int_equal(store_add(p->store, &s, true, NULL, NULL), 0);
	summary_release(&s);
	add(p->store, 2, COMMIT_A);
	add(p->store, 3, COMMIT_B);
	flip_byte(p->path, "packed", 2, -1);
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_int_equal(r.n_saved, 2);
	assert_int_equal(r.n_lost, 1);
	assert_non_null(r.kept);
	assert_true(file_exists(r.kept));
	store_repair_release(&r);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	assert_true(baseline_is(p->store, COMMIT_A, 1));
	assert_true(baseline_is(p->store, COMMIT_B, 3));
	assert_int_equal(store_queue_count(p->store, &waiting, &rejected, NULL), 0);
	assert_int_equal(waiting, 1);
}

/* Overwrites n bytes of the file at an offset. */
static void overwrite(const char *path, off_t at, size_t n)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	char junk[512];

	memset(junk, 0xa5, sizeof(junk));
	assert_true(fd >= 0 && n <= sizeof(junk));
	assert_int_equal(pwrite(fd, junk, n, at), n);
	close(fd);
}

static void damaged_file_is_refused_with_a_cure_and_left_alone(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct store_repair r;
	struct stat before, after;

	add(p->store, 1, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	overwrite(p->path, 0, 100);
	assert_int_equal(stat(p->path, &before), 0);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_non_null(strstr(err.hint, "pawl fsck --repair"));
	assert_int_equal(store_open(p->path, STORE_READ, &p->store, &err), -1);
	assert_int_equal(err.code, ERR_CORRUPT);
	assert_int_equal(stat(p->path, &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_int_equal(store_repair(p->path, &r, &err), 0);
	assert_true(file_exists(r.kept));
	store_repair_release(&r);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), 0);
	add(p->store, 1, COMMIT_A);
}

/* Where a page begins that rows are on: in the middle of the file, by what packed results begin
 * with. */
static off_t page_of_rows(const char *path)
{
	struct buf file = BUF_INIT;
	const char *found;
	off_t at;

	assert_int_equal(file_read_whole(path, 16 << 20, &file, NULL), 0);
	found = memmem(file.data + file.len / 2, file.len / 2, "pwlp", 4);
	assert_non_null(found);
	at = (found - file.data) / 4096 * 4096;
	buf_release(&file);
	return at;
}

static void damaged_page_costs_only_the_rows_on_it(void **state)
{
	struct place *p = *state;
	struct store_repair r;
	unsigned i;

	for (i = 0; i < 300; i++)
		add(p->store, i, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	overwrite(p->path, page_of_rows(p->path), 512);
	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_non_null(r.kept);
	assert_true(r.n_saved >= 280 && r.n_saved < 300);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	store_repair_release(&r);
}

/* The newest result of COMMIT_A while SQLite may take so many bytes more; its number, 0: none. */
static int latest_within(const char *path, int64_t bytes, struct err *err)
{
	struct store *store = NULL;
	struct summary s;
	int n = 0;

	err_clear(err);
	sqlite3_hard_heap_limit64(sqlite3_memory_used() + bytes);
	if (!store_open(path, STORE_READ, &store, err) &&
	    !store_latest(store, "zlib", COMMIT_A, &s, err)) {
		n = (int)strtol(s.id + 20, NULL, 10);
		summary_release(&s);
	}
	sqlite3_hard_heap_limit64(0);
	if (store)
		assert_int_equal(store_passed_over(store)->n, 0);
	store_close(store);
	return n;
}

static void memory_that_runs_out_is_told_and_not_taken_for_damage(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	int64_t bytes;
	int n = 0, n_failed = 0;

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	for (bytes = 1; n != 2; bytes += 256) {
		n = latest_within(p->path, bytes, &err);
		assert_true(n == 2 || n == 0);
		if (!n)
			assert_int_equal(err.code, ERR_NOMEM);
		n_failed += !n;
		assert_true(bytes < 16 << 20);
	}
	assert_true(n_failed > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(damaged_row_is_passed_over_and_never_a_baseline),
		ONE(damaged_small_value_is_told),
		ONE(damage_that_makes_it_no_baseline_is_noted),
		ONE(check_counts_rows_and_names_the_bad_one),
		ONE(a_row_of_a_huge_number_is_looked_at_and_saved),
		ONE(repair_of_a_sound_store_does_nothing),
		ONE(repair_saves_intact_rows_and_their_place_in_the_queue),
		ONE(damaged_file_is_refused_with_a_cure_and_left_alone),
		ONE(damaged_page_costs_only_the_rows_on_it),
		ONE(memory_that_runs_out_is_told_and_not_taken_for_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
