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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(the_nearest_that_measured_it_is_found, forget),
		cmocka_unit_test_teardown(failed_skipped_and_removed_ones_are_passed_over, forget),
		cmocka_unit_test_teardown(what_nobody_measured_is_not_found, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
