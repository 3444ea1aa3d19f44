/* Which part measures what: everything exactly once, whatever is known. */
#include "tests/unit/reporter_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "collector/schedule/shard.h"

#include "lib/base/banned.h"

static struct shard_split split;

static int forget(void **state)
{
	(void)state;
	shard_split_release(&split);
	return 0;
}

/* A benchmark of which the runs took that many ns in all. */
static void took(struct summary *s, const char *name, double ns, uint64_t iterations)
{
	struct bench *b = summary_add_bench(s, name, NULL);
	struct metric *m = bench_add_metric(b, "wall", "ns", BETTER_LOWER, NULL);

	assert_non_null(m);
	b->status = BENCH_OK;
	b->iterations = iterations;
	assert_int_equal(0, samples_add(&m->samples, &m->n, ns / 2, NULL));
	assert_int_equal(0, samples_add(&m->samples, &m->n, ns / 2, NULL));
}

static void learn(struct summary *s)
{
	assert_int_equal(0, shard_learn(&split, s, NULL));
	summary_release(s);
}

static int whose(const char *name)
{
	struct err err = ERR_INIT;
	int index = shard_of(&split, name, &err);

	assert_true(index >= 1 && index <= split.count);
	return index;
}

static void only_a_part_of_a_whole_is_asked_for(void **state)
{
	static const char *const bad[] = { "",	     "2",   "/",     "2/",   "/2",
					   "0/2",    "3/2", "1/0",   "-1/2", "1/-2",
					   "1/1001", "a/b", "1/2/3", "1 /2", "00000001/2" };
	struct shard shard = { 0 };
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	assert_int_equal(0, shard_parse("2/5", &shard, &err));
	assert_int_equal(2, shard.index);
	assert_int_equal(5, shard.count);
	assert_int_equal(0, shard_parse("1000/1000", &shard, &err));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err_clear(&err);
		if (!shard_parse(bad[i], &shard, &err))
			fail_msg("'%s' was taken", bad[i]);
		assert_int_equal(ERR_USAGE, err.code);
	}
}

/* By hand: 9 | 7 | 5, then 4 to the third (9), 3 to the second (10), 2 to the first (11). */
static void the_longest_goes_to_the_one_with_least_to_do(void **state)
{
	struct summary s;

	(void)state;
	summary_init(&s);
	took(&s, "two", 2, 1);
	took(&s, "nine", 3, 3); /* iterations count */
	took(&s, "five", 5, 1);
	took(&s, "four", 4, 0); /* a command has none */
	took(&s, "seven", 7, 1);
	took(&s, "three", 3, 1);
	learn(&s);
	assert_int_equal(0, shard_deal(&split, 3, NULL));
	assert_int_equal(1, whose("nine"));
	assert_int_equal(2, whose("seven"));
	assert_int_equal(3, whose("five"));
	assert_int_equal(3, whose("four"));
	assert_int_equal(2, whose("three"));
	assert_int_equal(1, whose("two"));
	assert_int_equal(16, strlen(split.id));
}

static void the_newest_time_counts_and_what_has_none_goes_by_name(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	summary_init(&s);
	took(&s, "x", 100, 1);
	took(&s, "nothing", 0, 1);
	b = summary_add_bench(&s, "failed", NULL);
	b->status = BENCH_FAILED;
	learn(&s);
	summary_init(&s);
	took(&s, "x", 1, 1);
	took(&s, "y", 50, 1);
	learn(&s);
	assert_int_equal(2, split.n);
	assert_int_equal(0, shard_deal(&split, 2, NULL));
	assert_int_equal(1, whose("x"));
	assert_int_equal(2, whose("y"));
	whose("nothing");
	whose("failed");
}

/* With names alone: the same in every job, and every part gets some of a thousand. */
static void without_times_the_name_decides(void **state)
{
	int count[7] = { 0 }, i;
	char name[32];

	(void)state;
	assert_int_equal(0, shard_deal(&split, 7, NULL));
	assert_string_equal("", split.id);
	for (i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "suite/%d", i);
		count[whose(name) - 1]++;
		assert_int_equal(whose(name), whose(name));
	}
	for (i = 0; i < 7; i++)
		assert_in_range(count[i], 100, 190); /* 143 on average, 6 standard deviations: 66 */
}

static void another_history_is_another_split(void **state)
{
	struct summary s;
	char first[17];

	(void)state;
	summary_init(&s);
	took(&s, "x", 2, 1);
	took(&s, "y", 1, 1);
	learn(&s);
	assert_int_equal(0, shard_deal(&split, 2, NULL));
	memcpy(first, split.id, sizeof(first));
	shard_split_release(&split);
	summary_init(&s);
	took(&s, "x", 1, 1);
	took(&s, "y", 2, 1);
	learn(&s);
	assert_int_equal(0, shard_deal(&split, 2, NULL));
	assert_string_not_equal(first, split.id);
}

static const struct bench_config config = { .name = (char *)(uintptr_t) "prog" };

static void fill_plan(struct plan *plan, size_t n)
{
	char name[24];
	size_t i;

	*plan = (struct plan)PLAN_INIT;
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "b%zu", i);
		assert_non_null(plan_add(plan, &config, name, NULL));
	}
}

static void every_unit_is_in_exactly_one_part(void **state)
{
	int seen[40] = { 0 }, index;
	struct plan plan;
	size_t i;

	(void)state;
	assert_int_equal(0, shard_deal(&split, 3, NULL));
	for (index = 1; index <= 3; index++) {
		fill_plan(&plan, 40);
		assert_int_equal(0, shard_keep(&split, index, &plan, NULL));
		for (i = 0; i < plan.n; i++)
			seen[strtol(plan.units[i].inner + 1, NULL, 10)]++;
		plan_release(&plan);
	}
	for (i = 0; i < 40; i++)
		assert_int_equal(1, seen[i]);
}

static void a_program_that_could_not_be_asked_fails_in_every_part(void **state)
{
	struct plan plan;
	struct unit *u;
	int index;

	(void)state;
	assert_int_equal(0, shard_deal(&split, 3, NULL));
	for (index = 1; index <= 3; index++) {
		plan = (struct plan)PLAN_INIT;
		u = plan_add(&plan, &config, NULL, NULL);
		assert_non_null(u);
		assert_int_equal(0, str_set(&u->failure, "ended with status 1", NULL));
		assert_int_equal(0, shard_keep(&split, index, &plan, NULL));
		assert_int_equal(1, plan.n);
		plan_release(&plan);
	}
}

#define ONE(test) cmocka_unit_test_teardown(test, forget)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(only_a_part_of_a_whole_is_asked_for),
		ONE(the_longest_goes_to_the_one_with_least_to_do),
		ONE(the_newest_time_counts_and_what_has_none_goes_by_name),
		ONE(without_times_the_name_decides),
		ONE(another_history_is_another_split),
		ONE(every_unit_is_in_exactly_one_part),
		ONE(a_program_that_could_not_be_asked_fails_in_every_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
