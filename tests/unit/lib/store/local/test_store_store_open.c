/* Which file is opened as a local store, for whom, and which is refused. */
#include "tests/unit/lib/store/local/results_fixture.h"

#include <sys/stat.h>
#include <sys/wait.h>

static void newer_schema_is_refused_for_writing_and_read_all_the_same(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;

	add(p->store, 1, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	meddle(p->path, "PRAGMA user_version=99");
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), -1);
	assert_int_equal(err.code, ERR_NEWER);
	assert_non_null(strstr(err.text, "has schema 99, of a newer pawl; pawl " PAWL_VERSION));
	assert_int_equal(store_open(p->path, STORE_READ, &p->store, &err), 0);
	assert_true(baseline_is(p->store, COMMIT_A, 1));
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

static void a_foreign_trigger_eats_nothing_and_a_view_shows_nothing(void **state)
{
	struct place *p = *state;
	struct err err = ERR_INIT;

	add(p->store, 1, COMMIT_A);
	store_close(p->store);
	p->store = NULL;
	meddle(p->path, "CREATE TRIGGER eats AFTER INSERT ON result"
			" BEGIN DELETE FROM result WHERE seq=new.seq; END");
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, &err), 0);
	add(p->store, 2, COMMIT_B);
	assert_true(baseline_is(p->store, COMMIT_B, 2));
	store_close(p->store);
	p->store = NULL;
	meddle(p->path, "ALTER TABLE result RENAME TO hidden;"
			"CREATE VIEW result AS SELECT * FROM hidden WHERE seq=1");
	assert_int_equal(store_open(p->path, STORE_READ, &p->store, &err), 0);
	assert_false(baseline_is(p->store, COMMIT_A, 1));
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

		if (!geteuid() && (setgid(65534) || setuid(65534)))
			_exit(2);
		if (store_open(path, STORE_READ, &store, NULL))
			_exit(3);
		status = baseline_is(store, COMMIT_A, 1) ? 0 : 4;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(newer_schema_is_refused_for_writing_and_read_all_the_same),
		ONE(foreign_database_and_links_are_refused),
		ONE(a_foreign_trigger_eats_nothing_and_a_view_shows_nothing),
		ONE(files_are_for_their_owner_alone),
		ONE(absent_store_is_absent_and_not_made_by_reading),
		ONE(store_in_a_read_only_folder_can_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
