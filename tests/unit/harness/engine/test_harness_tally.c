/* What benchmarks count themselves: sums, last values, and calls that are wrong. */
#include "tests/unit/harness/test_harness_fake.h"

#include <math.h>
#include <stdio.h>

#include "harness/session/session.h"
#include "harness/speak/record.h"

#include "lib/base/banned.h"

static struct tally t;
static struct pawl_run run = { .tally = &t };

static int empty(void **state)
{
	(void)state;
	memset(&t, 0xff, sizeof(t)); /* clear must not need memory that is 0 */
	pawl_tally_clear(&t);
	return 0;
}

static void is_fault(const char *name, const char *why)
{
	if (!t.fault || !strstr(t.fault, why))
		fail_msg("'%s' in '%s'?", why, t.fault ? t.fault : "nothing");
	assert_string_equal(t.at_fault, name);
	assert_int_equal(t.faults, 1);
	pawl_tally_clear(&t);
}

static void sums_are_per_iteration_and_set_values_are_not(void **state)
{
	(void)state;
	pawl_add(&run, "hits", 3);
	pawl_set(&run, "depth", 5);
	pawl_add(&run, "hits", -1);
	pawl_set(&run, "depth", 7);
	assert_int_equal(t.n, 2);
	assert_string_equal(t.entry[0].name, "hits");
	assert_true(pawl_tally_value(&t.entry[0], 4) == 0.5);
	assert_true(pawl_tally_value(&t.entry[1], 4) == 7);
	assert_int_equal(t.faults, 0);
}

static void chunks_follow_and_threads_join(void **state)
{
	struct tally first, second;
	struct pawl_run a = { .tally = &first }, b = { .tally = &second };
	(void)state;
	pawl_tally_clear(&first);
	pawl_tally_clear(&second);
	pawl_add(&a, "sum", 1);
	pawl_set(&a, "last", 10);
	pawl_set(&b, "last", 20);
	pawl_add(&b, "sum", 2);
	pawl_add(&b, "own", 3);
	pawl_tally_follow(&t, &first);
	pawl_tally_follow(&t, &second);
	assert_true(t.entry[0].value == 3);
	assert_true(t.entry[1].value == 20);
	assert_true(t.entry[2].value == 3);
	pawl_tally_clear(&t);
	pawl_tally_join(&t, &first);
	pawl_tally_join(&t, &second);
	assert_true(t.entry[1].value == 30);
}

static void without_a_tally_nothing_is_kept(void **state)
{
	struct pawl_run counting = { .tally = NULL };
	(void)state;
	pawl_add(&counting, "x", 1);
	pawl_set(&counting, NULL, 1);
	assert_null(counting.tally);
}

static void wrong_names_are_faults(void **state)
{
	char name[65];
	(void)state;
	memset(name, 'x', sizeof(name));
	name[63] = '\0';
	pawl_add(&run, name, 1);
	assert_int_equal(t.n, 1);
	pawl_tally_clear(&t);
	name[63] = 'x';
	name[64] = '\0';
	pawl_add(&run, name, 1);
	is_fault("", "longer than 63 bytes");
	pawl_add(&run, NULL, 1);
	is_fault("", "missing");
	pawl_set(&run, "", 1);
	is_fault("", "missing");
	pawl_set(&run, "a\nb", 1);
	is_fault("", "UTF-8");
	pawl_set(&run, "\xc3", 1);
	is_fault("", "UTF-8");
	pawl_add(&run, "instructions", 1);
	is_fault("instructions", "built-in");
	pawl_add(&run, "llc-misses", 1);
	is_fault("llc-misses", "built-in");
	pawl_add(&run, "wall", 1);
	is_fault("wall", "built-in");
	assert_int_equal(t.n, 0);
}

static void values_that_are_not_finite_are_faults(void **state)
{
	(void)state;
	pawl_add(&run, "x", (double)NAN);
	is_fault("x", "not finite");
	pawl_set(&run, "x", -(double)INFINITY);
	is_fault("x", "not finite");
}

static void a_name_is_added_to_or_set(void **state)
{
	struct tally other;
	struct pawl_run b = { .tally = &other };
	(void)state;
	pawl_add(&run, "x", 1);
	pawl_set(&run, "x", 9);
	assert_true(t.entry[0].value == 1);
	is_fault("x", "both");
	pawl_tally_clear(&other);
	pawl_add(&run, "x", 1);
	pawl_set(&b, "x", 1);
	pawl_tally_join(&t, &other);
	is_fault("x", "both");
}

static void sixteen_names_are_the_most(void **state)
{
	struct tally other;
	struct pawl_run b = { .tally = &other };
	char name[] = "a";
	(void)state;
	pawl_tally_clear(&other);
	for (int i = 0; i < 16; i++, name[0]++)
		pawl_add(&run, name, 1);
	assert_int_equal(t.n, 16);
	assert_int_equal(t.faults, 0);
	for (int i = 0; i < 5; i++)
		pawl_add(&run, "q", 1);
	assert_int_equal(t.n, 16);
	assert_int_equal(t.faults, 5);
	assert_string_equal(t.at_fault, "q");
	pawl_add(&b, "r", 1);
	pawl_add(&b, NULL, 1);
	pawl_tally_follow(&t, &other);
	assert_int_equal(t.faults, 7);
	assert_string_equal(t.at_fault, "q"); /* the first stays */
}

/* The record's part from "counters" on. */
static const char *record(const struct counter *counters, uint64_t iterations)
{
	static char memory[SESSION_MEMORY];
	struct measured m = { .iterations = iterations, .threads = 1, .tally = t };
	struct text text;
	pawl_text_init(&text, memory, sizeof(memory));
	pawl_record_result(&text, &fake_bench, &m, 0, counters);
	assert_false(text.full);
	return strstr(memory, "\"counters\"");
}

static void a_record_has_them_as_counters_and_the_faults_apart(void **state)
{
	(void)state;
	pawl_add(&run, "a \"b\"", 3);
	pawl_set(&run, "c", 2);
	pawl_add(&run, "cpu", 2);
	const char *wanted =
		"\"counters\":[{\"name\":\"a \\\"b\\\"\",\"state\":\"ok\",\"value\":1.5,"
		"\"reason\":null,\"user\":true,\"per_iteration\":true},"
		"{\"name\":\"c\",\"state\":\"ok\",\"value\":2,\"reason\":null,"
		"\"user\":true,\"per_iteration\":false}],"
		"\"user_faults\":{\"n\":1,\"name\":\"cpu\",\"reason\":\"is the name of a "
		"built-in counter or metric\"},";
	t.operations = 2;
	assert_memory_equal(record(NULL, 2), wanted, strlen(wanted));
	/* Every operation failed: there is nothing to divide by. */
	assert_non_null(strstr(record(NULL, 0), "\"counters\":[]"));
}

static void a_sum_that_runs_over_is_no_number(void **state)
{
	(void)state;
	pawl_add(&run, "x", 1e308);
	pawl_add(&run, "x", 1e308);
	assert_true(isnan(pawl_tally_value(&t.entry[0], 1)));
	assert_non_null(strstr(record(NULL, 1),
			       "\"state\":\"absent\",\"value\":null,\"reason\":\"its "
			       "sum is beyond the range of a double\""));
}

static void the_longest_record_fits(void **state)
{
	struct counter counters[COUNTER_MAX];
	char name[64];
	(void)state;
	memset(counters, 0, sizeof(counters));
	for (int i = 0; i < COUNTER_MAX; i++) {
		counters[i].name = pawl_counter_name((size_t)i);
		counters[i].state = COUNTER_FORBIDDEN;
		counters[i].value = (double)NAN;
		memset(counters[i].reason, '"', COUNTER_REASON - 1);
	}
	memset(name, '"', sizeof(name) - 1);
	name[63] = '\0';
	for (int i = 0; i < 17; i++) {
		name[0] = (char)('a' + i);
		pawl_add(&run, name, -1.2345678901234567e-300);
	}
	assert_non_null(strstr(record(counters, 3), "\"user_faults\":{\"n\":1,"));
}

static uint64_t spoil_each;

static void count_some(void *ctx, uint64_t n, struct pawl_run *r)
{
	fake_run(ctx, n, r);
	pawl_add(r, "operations", (double)n);
	pawl_set(r, "argument", (double)pawl_arg(r));
	if (spoil_each && fake.calls % spoil_each == 0)
		pawl_fail(r);
}

/* The cold call, the rounds that were too short and the batches thrown away are not in it. */
static void the_stretch_counts_what_its_time_holds(void **state)
{
	static struct engine e;
	const int64_t argument = 42;
	int64_t seen = 0;
	struct pawl_bench bench = PAWL_BENCH("x", count_some);
	struct instruments in = fake_instruments(1000);
	struct measured m;
	(void)state;
	bench.args.list = &argument;
	bench.args.n = 1;
	bench.arg = &seen;
	for (spoil_each = 0; spoil_each <= 3; spoil_each += 3) {
		assert_int_equal(pawl_engine_open(&e, &in, &bench), 0);
		assert_int_equal(seen, 42);
		pawl_engine_first(&e);
		assert_int_equal(pawl_engine_double(&e, 20e6), 0);
		pawl_engine_result(&e, &m);
		assert_int_equal(m.tally.n, 2);
		assert_true(m.tally.entry[0].value == (double)m.iterations);
		assert_true(m.tally.entry[1].value == 42);
		assert_true(spoil_each ? m.errors > 0 : m.errors == 0);
		pawl_engine_close(&e);
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, empty)
	const struct CMUnitTest tests[] = {
		TEST(sums_are_per_iteration_and_set_values_are_not),
		TEST(chunks_follow_and_threads_join),
		TEST(without_a_tally_nothing_is_kept),
		TEST(wrong_names_are_faults),
		TEST(values_that_are_not_finite_are_faults),
		TEST(a_name_is_added_to_or_set),
		TEST(sixteen_names_are_the_most),
		TEST(a_record_has_them_as_counters_and_the_faults_apart),
		TEST(a_sum_that_runs_over_is_no_number),
		TEST(the_longest_record_fits),
		TEST(the_stretch_counts_what_its_time_holds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
