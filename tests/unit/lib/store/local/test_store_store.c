/* The local store: what was stored comes back, whoever else writes and however full it is. */
#include "tests/unit/lib/store/local/results_fixture.h"

#include <sys/mount.h>
#include <sys/wait.h>

static void reopen(struct place *p)
{
	store_close(p->store);
	p->store = NULL;
	assert_int_equal(store_open(p->path, STORE_WRITE, &p->store, NULL), 0);
}

static void what_is_stored_is_found_again_by_id_commit_and_machine(void **state)
{
	struct place *p = *state;
	struct history found = HISTORY_INIT;
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
	assert_int_equal(store_baselines(p->store, "zlib", COMMIT_A, "ffff", 9, &found, NULL), 0);
	assert_int_equal(store_baselines(p->store, "other", COMMIT_A, NULL, 9, &found, NULL), 0);
	assert_int_equal(found.n, 0);
	assert_int_equal(store_baselines(p->store, "zlib", COMMIT_A, NULL, 9, &found, NULL), 0);
	assert_int_equal(found.n, 1);
	history_release(&found);
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
	assert_true(baseline_is(p->store, COMMIT_A, 0));
	assert_int_equal(store_latest(p->store, "zlib", COMMIT_A, &s, NULL), 0);
	summary_release(&s);
	assert_int_equal(store_latest(p->store, "zlib", NULL, &s, NULL), 0);
	assert_null(s.commit.id);
	summary_release(&s);
}

static void newest_result_of_a_commit_is_its_baseline(void **state)
{
	struct place *p = *state;

	/* stored last, whatever the clock said when it was made */
	add(p->store, 5, COMMIT_A);
	add(p->store, 3, COMMIT_A);
	assert_true(baseline_is(p->store, COMMIT_A, 3));
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
		print_message("# skipped: only root may mount a small tmpfs\n");
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

/* 1,000 benchmarks of 1,000 runs: 18 MB of JSON, where 16 MiB were the limit. */
static void a_result_is_kept_whatever_its_document_would_take(void **state)
{
	struct place *p = *state;
	struct queue_entry e = { 0 };
	struct summary s;
	struct metric *m;
	char id[27], name[24];
	bool queued = false;
	int i, k;

	fill_summary(&s, 1, COMMIT_A);
	for (i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		assert_non_null(summary_add_bench(&s, name, NULL));
		m = bench_add_metric(&s.benchmarks[i + 1], "cpu", "ns", BETTER_LOWER, NULL);
		assert_non_null(m);
		for (k = 1; k <= 1000; k++)
			assert_int_equal(samples_add(&m->samples, &m->n, 1e6 / (k + 7.7 * i), NULL),
					 0);
	}
	assert_int_equal(store_add(p->store, &s, true, &queued, NULL), 0);
	assert_true(queued);
	summary_release(&s);
	assert_int_equal(store_get(p->store, id_of(1, id), &s, NULL), 0);
	assert_int_equal(s.n_benchmarks, 1001);
	assert_true(s.benchmarks[1000].metrics[0].samples[999] == 1e6 / (1000 + 7.7 * 999));
	summary_release(&s);
	assert_int_equal(store_queue_next(p->store, 0, NULL, &e, NULL), 0);
	assert_true(e.n > SUMMARY_MAX_BYTES);
	queue_entry_release(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(what_is_stored_is_found_again_by_id_commit_and_machine),
		ONE(same_summary_again_is_no_error_other_content_is_a_conflict),
		ONE(dirty_failed_and_unborn_results_are_kept_but_are_no_baseline),
		ONE(newest_result_of_a_commit_is_its_baseline),
		ONE(two_processes_lose_nothing),
		ONE(full_disk_is_told_and_loses_nothing_stored),
		ONE(small_values_are_kept_and_replaced),
		ONE(a_result_is_kept_whatever_its_document_would_take),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
