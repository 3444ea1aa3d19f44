#include "tests/unit/lib/store/local/results_failing.h"

#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

struct notes {
	char wanted[256], taken[256];
	const char *only; /* a commit; NULL: all */
	int stop_at;	  /* documents; 0: never */
	int n;
};

static bool want(void *ctx, const struct store_row *row)
{
	struct notes *notes = ctx;
	size_t used = strlen(notes->wanted);

	snprintf(notes->wanted + used, sizeof(notes->wanted) - used, "%c%c%s", row->id[25],
		 row->commit[0], row->dirty ? "!" : "");
	return !notes->only || !strcmp(notes->only, row->commit);
}

static int take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct notes *notes = ctx;
	size_t used = strlen(notes->taken);
	struct summary s;

	if (stored_summary(stored, &s, err))
		return -1;
	assert_string_equal(row->id, s.id);
	summary_release(&s);
	snprintf(notes->taken + used, sizeof(notes->taken) - used, "%c", row->id[25]);
	return ++notes->n == notes->stop_at ? err_set(err, ERR_LIMIT, "enough") : 0;
}

static struct store *filled(const char *path)
{
	static const char *const commits[] = { COMMIT_A, COMMIT_B, COMMIT_A, COMMIT_B };
	struct store *store = NULL;
	struct summary s;
	unsigned i;

	assert_int_equal(0, store_open(path, STORE_WRITE, &store, NULL));
	for (i = 0; i < 4; i++) {
		fill_summary(&s, i + 1, commits[i]);
		s.commit.dirty = i == 1;
		assert_int_equal(0, store_add(store, &s, false, NULL, NULL));
		summary_release(&s);
	}
	fill_summary(&s, 9, COMMIT_A);
	assert_int_equal(0, str_set(&s.project, "other", NULL));
	assert_int_equal(0, store_add(store, &s, false, NULL, NULL));
	summary_release(&s);
	return store;
}

static int setup(void **state)
{
	*state = new_folder();
	return 0;
}

static int teardown(void **state)
{
	assert_int_equal(0, file_remove_tree(*state, NULL));
	free(*state);
	return 0;
}

static void rows_come_newest_first_and_only_the_wanted_are_read(void **state)
{
	char *path = path_in(*state, "results.db");
	struct store *store = filled(path);
	struct notes notes = { .only = COMMIT_A };
	const struct store_visitor visitor = { &notes, want, take };
	size_t damaged = 7;

	assert_int_equal(0, store_visit(store, "zlib", NULL, &visitor, &damaged, NULL));
	assert_string_equal("4b3a2b!1a", notes.wanted);
	assert_string_equal("31", notes.taken);
	assert_int_equal(0, damaged);
	notes = (struct notes){ .only = COMMIT_A };
	assert_int_equal(0, store_visit(store, "zlib", "ffff", &visitor, &damaged, NULL));
	assert_string_equal("", notes.wanted);
	store_close(store);
	free(path);
}

static void a_damaged_document_is_counted_and_passed_over(void **state)
{
	char *path = path_in(*state, "results.db");
	struct store *store = filled(path);
	struct notes notes = { .only = NULL };
	const struct store_visitor visitor = { &notes, want, take };
	size_t damaged = 0;

	store_close(store);
	flip_byte(path, "packed", 4, -1);
	assert_int_equal(0, store_open(path, STORE_READ, &store, NULL));
	assert_int_equal(0, store_visit(store, "zlib", MACHINE, &visitor, &damaged, NULL));
	assert_string_equal("321", notes.taken);
	assert_int_equal(1, damaged);
	store_close(store);
	free(path);
}

static int take_one(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct notes *notes = ctx;
	struct err fault = ERR_INIT;
	struct summary s;

	(void)row;
	if (stored_bench(stored, "none", &s, &fault) != -1 || fault.code != ERR_ABSENT)
		return err_set(err, ERR_LIMIT, "there is none");
	if (stored_bench(stored, "deflate/6", &s, err))
		return -1;
	notes->n += s.n_benchmarks == 1;
	summary_release(&s);
	return 0;
}

static void one_benchmark_is_read_of_a_result(void **state)
{
	char *path = path_in(*state, "results.db");
	struct store *store = filled(path);
	struct notes notes = { .only = NULL };
	const struct store_visitor visitor = { &notes, want, take_one };
	size_t damaged = 0;

	assert_int_equal(0, store_visit(store, "zlib", NULL, &visitor, &damaged, NULL));
	assert_int_equal(4, notes.n);
	store_close(store);
	free(path);
}

static void a_taker_that_fails_ends_the_visit_and_the_store_stays_usable(void **state)
{
	char *path = path_in(*state, "results.db");
	struct store *store = filled(path);
	struct notes notes = { .stop_at = 2 };
	const struct store_visitor visitor = { &notes, want, take };
	struct err err = ERR_INIT;
	size_t damaged = 0;

	assert_int_equal(-1, store_visit(store, "zlib", NULL, &visitor, &damaged, &err));
	assert_int_equal(ERR_LIMIT, err.code);
	assert_int_equal(2, notes.n);
	notes = (struct notes){ .stop_at = 0 };
	assert_int_equal(0, store_visit(store, "zlib", NULL, &visitor, &damaged, &err));
	assert_int_equal(4, notes.n);
	store_close(store);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_come_newest_first_and_only_the_wanted_are_read,
						setup, teardown),
		cmocka_unit_test_setup_teardown(a_damaged_document_is_counted_and_passed_over,
						setup, teardown),
		cmocka_unit_test_setup_teardown(one_benchmark_is_read_of_a_result, setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_taker_that_fails_ends_the_visit_and_the_store_stays_usable, setup,
			teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
