/* Lists and ranges of arguments become benchmarks; what makes no sense is refused. */
#include "tests/unit/harness/test_harness_fake.h"

#include <stdio.h>

#include "harness/session/expand.h"
#include "harness/session/options.h"
#include "harness/session/shuffle.h"

#include "lib/base/banned.h"

#define LEN(x) (sizeof(x) / sizeof((x)[0]))

static struct expansion e;
static char fault[OPTIONS_FAULT];

static int release(void **state)
{
	(void)state;
	pawl_expand_release(&e);
	return 0;
}

static bool expand(struct pawl_args args)
{
	struct pawl_bench bench = fake_bench;
	bench.args = args;
	pawl_expand_release(&e);
	fault[0] = '\0';
	return pawl_expand(&bench, 1, &e, fault);
}

static void gives(struct pawl_args args, const char *names)
{
	char got[512] = "";
	size_t used = 0;
	if (!expand(args))
		fail_msg("refused: %s", fault);
	for (size_t i = 0; i < e.count; i++) {
		int n = snprintf(got + used, sizeof(got) - used, " %s", e.list[i].name);
		assert_true(n > 0 && (size_t)n < sizeof(got) - used);
		used += (size_t)n;
	}
	assert_string_equal(got, names);
}

static void is_refused(struct pawl_args args, const char *why)
{
	assert_false(expand(args));
	assert_null(e.list);
	if (!strstr(fault, why) || !strstr(fault, "'fake"))
		fail_msg("'%s' in '%s'?", why, fault);
}

static void without_arguments_a_benchmark_stays_as_it_is(void **state)
{
	(void)state;
	gives((struct pawl_args){ 0 }, " fake");
	assert_ptr_equal(e.list[0].name, fake_bench.name);
	assert_int_equal(e.list[0].args.n, 0);
	pawl_expand_release(&e);
	assert_true(pawl_expand(NULL, 0, &e, fault));
	assert_int_equal(e.count, 0);
}

static void ranges_have_both_ends(void **state)
{
	(void)state;
	gives((struct pawl_args){ .from = 1, .to = 64, .factor = 8 }, " fake/1 fake/8 fake/64");
	gives((struct pawl_args){ .from = 1, .to = 63, .factor = 8 }, " fake/1 fake/8");
	gives((struct pawl_args){ .from = -2, .to = 2, .step = 2 }, " fake/-2 fake/0 fake/2");
	gives((struct pawl_args){ .from = 0, .to = 0, .step = 1 }, " fake/0");
	gives((struct pawl_args){ .from = 7, .to = 7, .factor = 2 }, " fake/7");
}

static void a_list_keeps_its_order_and_every_argument_its_value(void **state)
{
	const int64_t list[] = { 9, -1, INT64_MIN };
	(void)state;
	gives((struct pawl_args){ .list = list, .n = LEN(list) },
	      " fake/9 fake/-1 fake/-9223372036854775808");
	for (size_t i = 0; i < LEN(list); i++) {
		assert_int_equal(e.list[i].args.n, 1);
		assert_int_equal(*e.list[i].args.list, list[i]);
	}
}

static void ranges_end_at_the_edge_of_the_numbers(void **state)
{
	(void)state;
	gives((struct pawl_args){ .from = INT64_MAX - 1, .to = INT64_MAX, .step = 1 },
	      " fake/9223372036854775806 fake/9223372036854775807");
	gives((struct pawl_args){ .from = INT64_MIN, .to = INT64_MAX, .step = INT64_MAX },
	      " fake/-9223372036854775808 fake/-1 fake/9223372036854775806");
	gives((struct pawl_args){ .from = INT64_MAX / 2, .to = INT64_MAX, .factor = 2 },
	      " fake/4611686018427387903 fake/9223372036854775806");
	gives((struct pawl_args){ .from = 3, .to = INT64_MAX, .factor = INT64_MAX }, " fake/3");
}

static void ranges_that_make_no_sense_say_what_to_do(void **state)
{
	const int64_t one[] = { 1 };
	(void)state;
	is_refused((struct pawl_args){ .from = 2, .to = 1, .step = 1 }, "swap");
	is_refused((struct pawl_args){ .from = 1, .to = 2 }, "set step");
	is_refused((struct pawl_args){ .from = 1, .to = 2, .step = -1 }, "set step");
	is_refused((struct pawl_args){ .from = 1, .to = 2, .factor = 1 }, "2 or more");
	is_refused((struct pawl_args){ .from = 1, .to = 2, .factor = -3 }, "2 or more");
	is_refused((struct pawl_args){ .from = 0, .to = 2, .factor = 2 }, "start from 1");
	is_refused((struct pawl_args){ .from = -4, .to = 2, .factor = 2 }, "start from 1");
	is_refused((struct pawl_args){ .from = 1, .to = 2, .factor = 2, .step = 1 }, "leave one 0");
	is_refused((struct pawl_args){ .list = one }, "set args.n");
	is_refused((struct pawl_args){ .n = 1 }, "set args.list");
	is_refused((struct pawl_args){ .list = one, .n = 1, .to = 5 }, "use one");
}

static void ten_thousand_arguments_are_the_most(void **state)
{
	int64_t *list = calloc(10001, sizeof(*list));
	(void)state;
	assert_non_null(list);
	for (int i = 0; i <= 10000; i++)
		list[i] = i;
	assert_true(expand((struct pawl_args){ .from = 1, .to = 10000, .step = 1 }));
	assert_int_equal(e.count, 10000);
	assert_string_equal(e.list[9999].name, "fake/10000");
	is_refused((struct pawl_args){ .from = 1, .to = 10001, .step = 1 }, "more than 10000");
	is_refused((struct pawl_args){ .from = INT64_MIN, .to = INT64_MAX, .step = 1 },
		   "more than 10000");
	assert_true(expand((struct pawl_args){ .list = list, .n = 10000 }));
	is_refused((struct pawl_args){ .list = list, .n = 10001 }, "more than 10000");
	free(list);
}

static void names_stay_different(void **state)
{
	const int64_t twice[] = { 4, 5, 4 };
	struct pawl_bench two[] = { fake_bench, fake_bench };
	(void)state;
	is_refused((struct pawl_args){ .list = twice, .n = 3 }, "two benchmarks");
	two[0].name = "a";
	two[0].args = (struct pawl_args){ .from = 1, .to = 3, .step = 1 };
	two[1].name = "a/2";
	assert_false(pawl_expand(two, 2, &e, fault));
	assert_non_null(strstr(fault, "two benchmarks are named 'a/2'"));
}

static void a_name_with_its_argument_has_at_most_255_bytes(void **state)
{
	char name[256];
	struct pawl_bench bench = fake_bench;
	(void)state;
	memset(name, 'x', sizeof(name));
	bench.name = name;
	bench.args = (struct pawl_args){ .from = 9, .to = 9, .step = 1 };
	name[253] = '\0';
	assert_true(pawl_expand(&bench, 1, &e, fault));
	assert_int_equal(strlen(e.list[0].name), 255);
	bench.args = (struct pawl_args){ .from = 9, .to = 10, .step = 1 };
	pawl_expand_release(&e);
	assert_false(pawl_expand(&bench, 1, &e, fault));
	assert_non_null(strstr(fault, "/10: shorten it"));
}

static void there_are_at_most_1024_threads(void **state)
{
	struct pawl_bench bench = fake_bench;
	(void)state;
	bench.threads = 1024;
	assert_true(pawl_expand(&bench, 1, &e, fault));
	pawl_expand_release(&e);
	bench.threads = 1025;
	assert_false(pawl_expand(&bench, 1, &e, fault));
	assert_string_equal(fault,
			    "benchmark 'fake' wants 1025 threads: at most 1024 are possible");
}

/* The first numbers of SplitMix64 from 1234567 are widely published as its test vector. */
static void a_seed_gives_the_same_order_everywhere(void **state)
{
	(void)state;
	assert_true(expand((struct pawl_args){ .from = 0, .to = 5, .step = 1 }));
	/* 6457827717110365317 mod 6 = 3: 3 goes last; 3203168211198807973 mod 5 = 3: 5 before
	 * it; 9817491932198370423 mod 4 = 3, 4593380528125082431 mod 3 = 1 and
	 * 16408922859458223821 mod 2 = 1 */
	pawl_shuffle(1234567, e.list, e.count);
	const int64_t order[] = { 0, 2, 1, 4, 5, 3 };
	for (size_t i = 0; i < LEN(order); i++)
		assert_int_equal(*e.list[i].args.list, order[i]);
}

static void every_order_comes_up(void **state)
{
	unsigned seen[6] = { 0 };
	(void)state;
	for (uint64_t seed = 0; seed < 600; seed++) {
		assert_true(expand((struct pawl_args){ .from = 0, .to = 2, .step = 1 }));
		pawl_shuffle(seed, e.list, e.count);
		int64_t a = *e.list[0].args.list, b = *e.list[1].args.list;
		seen[a * 2 + (b > 3 - a - b)]++;
	}
	/* 100 each are expected, with a deviation of 9: 60 is beyond 4 of them. */
	for (size_t i = 0; i < LEN(seen); i++)
		assert_in_range(seen[i], 60, 140);
	pawl_shuffle(1, e.list, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, release)
	const struct CMUnitTest tests[] = {
		TEST(without_arguments_a_benchmark_stays_as_it_is),
		TEST(ranges_have_both_ends),
		TEST(a_list_keeps_its_order_and_every_argument_its_value),
		TEST(ranges_end_at_the_edge_of_the_numbers),
		TEST(ranges_that_make_no_sense_say_what_to_do),
		TEST(ten_thousand_arguments_are_the_most),
		TEST(names_stay_different),
		TEST(a_name_with_its_argument_has_at_most_255_bytes),
		TEST(there_are_at_most_1024_threads),
		TEST(a_seed_gives_the_same_order_everywhere),
		TEST(every_order_comes_up),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
