/* The local store: what was stored comes back, and what was damaged does not. */
#include "tests/unit/store_fixture.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "lib/store/store.h"

struct place {
	char *dir, *path;
	struct store *store;
};

static int set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	char *folder;

	assert_non_null(p);
	p->dir = new_folder();
	folder = path_in(p->dir, "pawl");
	p->path = path_in(folder, "results.db");
	free(folder);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct place *p = *state;

	store_close(p->store);
	file_remove_tree(p->dir, NULL);
	free(p->dir);
	free(p->path);
	free(p);
	return 0;
}

static void reopen(struct place *p)
{
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
}

static void add(struct store *store, unsigned n, const char *commit)
{
	struct summary s;

	fill_summary(&s, n, commit);
	assert_int_equal(store_add(store, &s, false, NULL, NULL), 0);
	summary_release(&s);
}

/* The id of the baseline at a commit, or the error's code in *out_code. */
static bool baseline_is(struct store *store, const char *commit, unsigned n,
			enum err_code *out_code)
{
	struct err err = ERR_INIT;
	struct summary s;
	char id[27];
	bool same;

	if (store_baseline(store, "zlib", commit, MACHINE, &s, &err)) {
		*out_code = err.code;
		return false;
	}
	same = !strcmp(s.id, id_of(n, id));
	summary_release(&s);
	*out_code = ERR_NONE;
	return same;
}

static void what_is_stored_is_found_again_by_id_commit_and_machine(void **state)
{
	struct place *p = *state;
	struct summary s;
	struct err err = ERR_INIT;
	char id[27];

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_B);
	reopen(p);
	assert_int_equal(store_get(p->store, id_of(1, id), &s, &err), 0);
	assert_string_equal(s.commit.id, COMMIT_A);
	assert_true(s.benchmarks[0].metrics[0].samples[1] == 1001);
	summary_release(&s);
	assert_int_equal(store_latest(p->store, "zlib", NULL, &s, &err), 0);
	assert_string_equal(s.commit.id, COMMIT_B);
	summary_release(&s);
	assert_int_equal(store_latest(p->store, "zlib", COMMIT_A, &s, &err), 0);
	assert_string_equal(s.commit.id, COMMIT_A);
	summary_release(&s);
	assert_int_equal(store_get(p->store, id_of(9, id), &s, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(store_baseline(p->store, "zlib", COMMIT_A, "ffff", &s, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(store_baseline(p->store, "other", COMMIT_A, NULL, &s, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
}

static void same_summary_again_is_no_error_other_content_is_a_conflict(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	struct summary s;

	fill_summary(&s, 1, COMMIT_A);
	assert_int_equal(store_add(p->store, &s, false, NULL, &err), 0);
	assert_int_equal(store_add(p->store, &s, false, NULL, &err), 0);
	s.benchmarks[0].metrics[0].median = 1;
	assert_int_equal(store_add(p->store, &s, false, NULL, &err), -1);
	assert_int_equal(err.code, ERR_CONFLICT);
	summary_release(&s);
}

static void dirty_failed_and_unborn_results_are_kept_but_are_no_baseline(void **state)
{
	struct place *p = *state;
	struct summary s;
	enum err_code code;

	fill_summary(&s, 1, COMMIT_A);
	s.commit.dirty = true;
	assert_int_equal(store_add(p->store, &s, false, NULL, NULL), 0);
	summary_release(&s);
	fill_summary(&s, 2, COMMIT_A);
	s.benchmarks[0].status = BENCH_FAILED;
	assert_int_equal(store_add(p->store, &s, false, NULL, NULL), 0);
	summary_release(&s);
	fill_summary(&s, 3, NULL);
	assert_int_equal(store_add(p->store, &s, false, NULL, NULL), 0);
	summary_release(&s);
	assert_false(baseline_is(p->store, COMMIT_A, 1, &code));
	assert_int_equal(code, ERR_ABSENT);
	assert_int_equal(store_latest(p->store, "zlib", COMMIT_A, &s, NULL), 0);
	summary_release(&s);
	assert_int_equal(store_latest(p->store, "zlib", NULL, &s, NULL), 0);
	assert_null(s.commit.id);
	summary_release(&s);
}

static void newest_result_of_a_commit_is_its_baseline(void **state)
{
	struct place *p = *state;
	enum err_code code;

	/* stored last, whatever the clock said when it was made */
	add(p->store, 5, COMMIT_A);
	add(p->store, 3, COMMIT_A);
	assert_true(baseline_is(p->store, COMMIT_A, 3, &code));
}

static void damaged_row_is_passed_over_and_never_a_baseline(void **state)
{
	struct place *p = *state;
	struct store_row *rows;
	struct summary s;
	enum err_code code;
	char id[27];
	size_t n;

	add(p->store, 1, COMMIT_A);
	add(p->store, 2, COMMIT_A);
	/* Still JSON, still a summary: only the SHA-256 tells. */
	meddle(p->path, "UPDATE summary SET json=CAST(replace(CAST(json AS TEXT), '1002', '1003')"
			" AS BLOB) WHERE id LIKE '%2'");
	assert_true(baseline_is(p->store, COMMIT_A, 1, &code));
	assert_int_equal(store_list(p->store, "zlib", 10, &rows, &n, NULL), 0);
	assert_int_equal(n, 1);
	assert_string_equal(rows[0].id, id_of(1, id));
	free(rows);
	assert_int_equal(store_get(p->store, id_of(2, id), &s, NULL), -1);
	/* A column that searching believes counts like the document. */
	meddle(p->path, "UPDATE summary SET commit_id='" COMMIT_B "' WHERE id LIKE '%1'");
	assert_false(baseline_is(p->store, COMMIT_B, 1, &code));
	assert_int_equal(code, ERR_CORRUPT);
	meddle(p->path, "UPDATE summary SET dirty=1, commit_id='" COMMIT_A "' WHERE id LIKE '%1'");
	assert_false(baseline_is(p->store, COMMIT_A, 1, &code));
	assert_int_equal(code, ERR_CORRUPT);
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
	meddle(p->path, "UPDATE summary SET json=x'7b7d' WHERE id LIKE '%2'");
	assert_int_equal(store_check(p->store, &c, NULL), 0);
	assert_int_equal(c.n_rows, 2);
	assert_int_equal(c.n_bad, 1);
	assert_int_equal(c.faults.n, 1);
	assert_non_null(strstr(c.faults.v[0], "SHA-256"));
	store_check_release(&c);
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
	enum err_code code;
	size_t waiting, rejected;

	fill_summary(&s, 1, COMMIT_A);
	assert_int_equal(store_add(p->store, &s, true, NULL, NULL), 0);
	summary_release(&s);
	add(p->store, 2, COMMIT_A);
	add(p->store, 3, COMMIT_B);
	meddle(p->path, "UPDATE summary SET json=x'7b7d' WHERE id LIKE '%2'");
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_int_equal(r.n_saved, 2);
	assert_int_equal(r.n_lost, 1);
	assert_non_null(r.kept);
	assert_true(file_exists(r.kept));
	store_repair_release(&r);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	assert_true(baseline_is(p->store, COMMIT_A, 1, &code));
	assert_true(baseline_is(p->store, COMMIT_B, 3, &code));
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

static void damaged_page_costs_only_the_rows_on_it(void **state)
{
	struct place *p = *state;
	struct store_repair r;
	unsigned i;

	for (i = 0; i < 60; i++)
		add(p->store, i, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	/* A page among those of the rows: the roots of the tables are the first ones. */
	overwrite(p->path, 20 * 4096, 512);
	assert_int_equal(store_repair(p->path, &r, NULL), 0);
	assert_non_null(r.kept);
	assert_true(r.n_saved >= 40 && r.n_saved < 60);
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	store_repair_release(&r);
}

static void newer_schema_is_refused_for_writing_and_read_all_the_same(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;
	enum err_code code;

	add(p->store, 1, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	meddle(p->path, "PRAGMA user_version=99");
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
	assert_non_null(strstr(err.text, "99"));
	assert_int_equal(store_open(p->path, STORE_READ, &p->store, &err), 0);
	assert_true(baseline_is(p->store, COMMIT_A, 1, &code));
}

static void foreign_database_and_links_are_refused(void **state)
{
	struct place *p = *state;
	char *other = path_in(p->dir, "other.db"), *link = path_in(p->dir, "link.db");
	char *folder = path_in(p->dir, "linked"), *inside = path_in(folder, "results.db");
	struct err err = ERR_INIT;
	struct store *store = NULL;

	meddle(other, "CREATE TABLE theirs (x)");
	assert_int_equal(store_open(other, STORE_WRITE, &store, &err), -1);
	assert_int_equal(err.code, ERR_STORE);
	assert_int_equal(symlink(p->path, link), 0);
	assert_int_equal(store_open(link, STORE_WRITE, &store, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	assert_int_equal(store_open(link, STORE_READ, &store, &err), -1);
	assert_non_null(strstr(err.text, "symbolic link"));
	assert_int_equal(symlink("/etc", folder), 0);
	assert_int_equal(store_open(inside, STORE_WRITE, &store, &err), -1);
	assert_int_equal(err.code, ERR_IO);
	free(other);
	free(link);
	free(folder);
	free(inside);
}

static void files_are_for_their_owner_alone(void **state)
{
	struct place *p = *state;
	char *folder = path_in(p->dir, "pawl");
	struct stat st;

	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(folder, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	free(folder);
}

static void absent_store_is_absent_and_not_made_by_reading(void **state)
{
	struct place *p = *state;
	char *path = path_in(p->dir, "none/results.db");
	struct err err = ERR_INIT;
	struct store *store = NULL;

	assert_int_equal(store_open(path, STORE_READ, &store, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_false(file_exists(path));
	free(path);
}

/* As a user whom permissions bind; the child's exit status, 0 when all held. */
static int read_as_nobody(const char *path)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid) {
		struct store *store = NULL;
		enum err_code code;

		if (!geteuid() && (setgid(65534) || setuid(65534)))
			_exit(2);
		if (store_open(path, STORE_READ, &store, NULL))
			_exit(3);
		status = baseline_is(store, COMMIT_A, 1, &code) ? 0 : 4;
		store_close(store);
		_exit(status);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void store_in_a_read_only_folder_can_be_read(void **state)
{
	struct place *p = *state;
	char *folder = path_in(p->dir, "pawl");
	char *wal = path_in(folder, "results.db-wal");

	add(p->store, 1, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(chmod(p->path, 0444), 0);
	assert_int_equal(chmod(folder, 0555), 0);
	assert_int_equal(chmod(p->dir, 0755), 0);
	assert_int_equal(read_as_nobody(p->path), 0);
	/* What waits in a WAL would not be seen: refused rather than read without it. */
	assert_int_equal(chmod(folder, 0755), 0);
	assert_int_equal(file_write_whole(wal, "waiting", 7, 0400, NULL), 0);
	assert_int_equal(chmod(folder, 0555), 0);
	assert_int_equal(read_as_nobody(p->path), 3);
	assert_int_equal(chmod(folder, 0755), 0);
	free(folder);
	free(wal);
}

static void two_processes_lose_nothing(void **state)
{
	struct place *p = *state;
	pid_t pids[2];
	struct store_row *rows;
	size_t n;
	int i, status;

	store_close(p->store);
	p->store = NULL;
	/* Both also make the file: the first to open it must not shut out the second. */
	file_remove_tree(p->path, NULL);
	for (i = 0; i < 2; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			struct store *store = NULL;
			unsigned k;

			if (store_open(p->path, STORE_WRITE, &store, NULL))
				_exit(1);
			for (k = 0; k < 200; k++)
				add(store, (unsigned)i * 1000 + k, COMMIT_A);
			store_close(store);
			_exit(0);
		}
	}
	for (i = 0; i < 2; i++) {
		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
	assert_int_equal(store_list(p->store, "zlib", 1000, &rows, &n, NULL), 0);
	assert_int_equal(n, 400);
	free(rows);
}

static void full_disk_is_told_and_loses_nothing_stored(void **state)
{
	struct place *p = *state;
	char *disk = path_in(p->dir, "disk"), *path = path_in(disk, "results.db");
	struct err err = ERR_INIT;
	struct store *store = NULL;
	struct store_row *rows;
	struct store_check c;
	struct summary s;
	unsigned stored = 0;
	size_t n;

	assert_int_equal(file_make_dirs(disk, 0700, NULL), 0);
	if (geteuid() || mount("none", disk, "tmpfs", 0, "size=400k")) {
		print_message("skipped: only root may mount a small tmpfs\n");
		free(disk);
		free(path);
		skip();
	}
	assert_int_equal(store_open(path, STORE_WRITE, &store, &err), 0);
	for (;;) {
		fill_summary(&s, stored, COMMIT_A);
		n = (size_t)store_add(store, &s, true, NULL, &err);
		summary_release(&s);
		if (n)
			break;
		stored++;
		assert_true(stored < 10000);
	}
	assert_int_equal(err.code, ERR_FULL);
	assert_true(stored > 0);
	assert_int_equal(store_list(store, "zlib", 10000, &rows, &n, &err), 0);
	assert_int_equal(n, stored);
	free(rows);
	store_close(store);
	assert_int_equal(store_open(path, STORE_READ, &store, &err), 0);
	assert_int_equal(store_check(store, &c, &err), 0);
	assert_int_equal(c.n_rows, stored);
	assert_int_equal(c.n_bad, 0);
	store_check_release(&c);
	store_close(store);
	assert_int_equal(umount(disk), 0);
	free(disk);
	free(path);
}

static void binaries_of_the_newest_results_come_first_and_once(void **state)
{
	struct place *p = *state;
	struct strv ids = STRV_INIT;
	struct summary s;
	char id[65];
	int i;

	for (i = 0; i < 3; i++) {
		fill_summary(&s, (unsigned)i, COMMIT_A);
		snprintf(id, sizeof(id), "%064d", i);
		assert_int_equal(str_set(&s.benchmarks[0].binary_id, id, NULL), 0);
		snprintf(id, sizeof(id), "%064d", i ? i - 1 : 7);
		assert_int_equal(str_set(&s.benchmarks[0].base_binary_id, id, NULL), 0);
		assert_int_equal(store_add(p->store, &s, false, NULL, NULL), 0);
		summary_release(&s);
	}
	assert_int_equal(store_binaries(p->store, 3, &ids, NULL), 0);
	assert_int_equal(ids.n, 3);
	for (i = 0; i < 3; i++) {
		snprintf(id, sizeof(id), "%064d", 2 - i);
		assert_string_equal(ids.v[i], id);
	}
	strv_release(&ids);
}

static void small_values_are_kept_and_replaced(void **state)
{
	struct place *p = *state;
	char *value = NULL;

	assert_int_equal(store_get_meta(p->store, "anchor", &value, NULL), 0);
	assert_null(value);
	assert_int_equal(store_set_meta(p->store, "anchor", "one", NULL), 0);
	assert_int_equal(store_set_meta(p->store, "anchor", "two", NULL), 0);
	assert_int_equal(store_get_meta(p->store, "anchor", &value, NULL), 0);
	assert_string_equal(value, "two");
	free(value);
}

#define ONE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_is_stored_is_found_again_by_id_commit_and_machine),
		ONE(same_summary_again_is_no_error_other_content_is_a_conflict),
		ONE(dirty_failed_and_unborn_results_are_kept_but_are_no_baseline),
		ONE(newest_result_of_a_commit_is_its_baseline),
		ONE(damaged_row_is_passed_over_and_never_a_baseline),
		ONE(check_counts_rows_and_names_the_bad_one),
		ONE(repair_of_a_sound_store_does_nothing),
		ONE(repair_saves_intact_rows_and_their_place_in_the_queue),
		ONE(damaged_file_is_refused_with_a_cure_and_left_alone),
		ONE(damaged_page_costs_only_the_rows_on_it),
		ONE(newer_schema_is_refused_for_writing_and_read_all_the_same),
		ONE(foreign_database_and_links_are_refused),
		ONE(files_are_for_their_owner_alone),
		ONE(absent_store_is_absent_and_not_made_by_reading),
		ONE(store_in_a_read_only_folder_can_be_read),
		ONE(two_processes_lose_nothing),
		ONE(full_disk_is_told_and_loses_nothing_stored),
		ONE(binaries_of_the_newest_results_come_first_and_once),
		ONE(small_values_are_kept_and_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
