/* The ancestors of a commit: the nearest that measured a benchmark is what it is compared with. */
#include "tests/unit/reporter_fixture.h"

#include "lib/record/history.h"

#include "lib/base/banned.h"

static struct history history = HISTORY_INIT;

/* Adds the next ancestor with one benchmark "x" of that status. */
static void add(const char *id, enum bench_status status)
{
	struct summary s;
	struct bench *b;

	fixture_init(&s);
	assert_int_equal(0, str_set(&s.commit.id, id, NULL));
	b = fixture_bench(&s, "x");
	b->status = status;
	assert_int_equal(0, history_add(&history, &s, NULL));
	assert_int_equal(0, s.n_benchmarks); /* taken over */
	assert_null(s.commit.id);
	summary_release(&s);
}

static int forget(void **state)
{
	(void)state;
	history_release(&history);
	return history.n || history.v ? -1 : 0;
}

static void the_nearest_that_measured_it_is_found(void **state)
{
	const struct summary *from = NULL;
	const struct bench *b;

	(void)state;
	add("aa", BENCH_OK);
	add("bb", BENCH_OK);
	b = history_find(&history, "x", &from);
	assert_non_null(b);
	assert_string_equal("aa", from->commit.id);
	assert_ptr_equal(b, &history.v[0].benchmarks[0]);
}

static void failed_skipped_and_removed_ones_are_passed_over(void **state)
{
	const struct summary *from = NULL;

	(void)state;
	add("aa", BENCH_FAILED);
	add("bb", BENCH_TIMEOUT);
	add("cc", BENCH_SKIPPED);
	add("dd", BENCH_REMOVED);
	assert_null(history_find(&history, "x", &from));
	assert_null(from);
	add("ee", BENCH_OK);
	assert_non_null(history_find(&history, "x", &from));
	assert_string_equal("ee", from->commit.id);
}

static void what_nobody_measured_is_not_found(void **state)
{
	const struct summary *from = NULL;

	(void)state;
	assert_null(history_find(&history, "x", &from));
	add("aa", BENCH_OK);
	assert_null(history_find(&history, "y", &from));
	assert_null(history_find(&history, "", &from));
	assert_null(from);
}

/* Adds a part of a run of commit "aa". */
static void add_part(int index, int count, const char *group, const char *split)
{
	struct shard *part;

	add("aa", BENCH_OK);
	part = &history.v[history.n - 1].settings.shard;
	part->index = index;
	part->count = count;
	assert_int_equal(0, str_set(&part->group, group, NULL));
	assert_int_equal(0, str_set(&part->split, split, NULL));
}

static void only_all_parts_of_one_run_are_whole(void **state)
{
	(void)state;
	assert_false(history_is_whole(&history));
	add_part(3, 3, "7", "ab");
	add_part(1, 3, "7", "ab");
	add_part(2, 3, "8", "ab"); /* of another run */
	add_part(2, 3, "7", "cd"); /* dealt out otherwise */
	add_part(2, 4, "7", "ab");
	assert_false(history_is_whole(&history));
	add_part(2, 3, "7", "ab");
	assert_true(history_is_whole(&history));
}

static void a_result_of_one_command_is_not_whole(void **state)
{
	(void)state;
	add("bb", BENCH_OK);
	history.v[0].settings.partial = true;
	assert_false(history_is_whole(&history));
	add("cc", BENCH_OK);
	assert_true(history_is_whole(&history));
}

static void a_result_that_is_no_part_is_whole(void **state)
{
	(void)state;
	add_part(2, 3, NULL, NULL);
	assert_false(history_is_whole(&history));
	add("bb", BENCH_OK);
	assert_true(history_is_whole(&history));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_nearest_that_measured_it_is_found, forget),
		cmocka_unit_test_teardown(failed_skipped_and_removed_ones_are_passed_over, forget),
		cmocka_unit_test_teardown(what_nobody_measured_is_not_found, forget),
		cmocka_unit_test_teardown(only_all_parts_of_one_run_are_whole, forget),
		cmocka_unit_test_teardown(a_result_of_one_command_is_not_whole, forget),
		cmocka_unit_test_teardown(a_result_that_is_no_part_is_whole, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
