#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/session/options.h"

#include "lib/base/banned.h"

static char fault[OPTIONS_FAULT];

static void nothing(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)n, (void)r;
}

static void durations_need_a_number_and_a_unit(void **state)
{
	static const struct {
		const char *text;
		double ns;
	} good[] = { { "250ms", 250e6 }, { "1.5s", 1.5e9 },   { "800us", 800e3 },
		     { "10ns", 10 },	 { "0.25ms", 250e3 }, { "3600s", 3600e9 } };
	static const char *const bad[] = { "",	   "250",   "ms",
					   "-1ms", "0ms",   "1.ms",
					   ".5s",  "1 ms",  "1m",
					   "1e3s", "3601s", "nans",
					   "1,5s", "1mss",  "99999999999999999999999999s" };
	double ns = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(pawl_duration_read(good[i].text, &ns));
		assert_true(ns == good[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(pawl_duration_read(bad[i], &ns));
}

static void counts_are_digits_within_64_bits(void **state)
{
	static const char *const bad[] = { "",
					   "-1",
					   "+1",
					   " 1",
					   "1 ",
					   "0x10",
					   "1e3",
					   "18446744073709551616",
					   "99999999999999999999999" };
	uint64_t n = 0;
	(void)state;
	assert_true(pawl_count_read("0", &n) && n == 0);
	assert_true(pawl_count_read("007", &n) && n == 7);
	assert_true(pawl_count_read("18446744073709551615", &n) && n == UINT64_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(pawl_count_read(bad[i], &n));
}

static void filters_are_parts_or_globs(void **state)
{
	(void)state;
	assert_true(pawl_filter_takes(NULL, "sort/random"));
	assert_true(pawl_filter_takes("rand", "sort/random"));
	assert_false(pawl_filter_takes("Rand", "sort/random"));
	assert_true(pawl_filter_takes("sort/*", "sort/random"));
	assert_false(pawl_filter_takes("ort/*", "sort/random"));
	assert_true(pawl_filter_takes("*/rando[mn]", "sort/random"));
	assert_false(pawl_filter_takes("sort/?", "sort/random"));
}

static bool read_options(struct options *o, char *a, char *b, char *c)
{
	char name[] = "bench";
	char *argv[] = { name, a, b, c, NULL };
	int argc = 1;
	while (argv[argc])
		argc++;
	return pawl_options_read(argc, argv, o, fault);
}

static void options_are_read_in_both_spellings(void **state)
{
	struct options o;
	char min_time[] = "--min-time", ms[] = "5ms", filter[] = "--filter=a=b", json[] = "--json";
	char perf[] = "--counters=perf", self[] = "--counters=self", none[] = "--counters=none";
	char no[] = "--no-counters", list[] = "--list", clock[] = "--clock=monotonic";
	(void)state;
	assert_true(read_options(&o, NULL, NULL, NULL));
	assert_true(o.counters && !o.json && o.min_ns == 250e6 && !o.filter && !o.clock);
	assert_int_equal(o.action, ACTION_MEASURE);
	assert_true(read_options(&o, min_time, ms, filter));
	assert_true(o.min_ns == 5e6);
	assert_string_equal(o.filter, "a=b");
	assert_true(read_options(&o, json, no, list));
	assert_true(o.json && !o.counters);
	assert_int_equal(o.action, ACTION_LIST);
	assert_true(read_options(&o, perf, NULL, NULL) && o.counters == COUNTING_PERF);
	assert_true(read_options(&o, self, NULL, NULL) && o.counters == COUNTING_SELF);
	assert_true(read_options(&o, self, none, NULL) && o.counters == COUNTING_NONE);
	assert_true(read_options(&o, clock, NULL, NULL));
	assert_string_equal(o.clock->name, "monotonic");
}

static void the_last_strategy_holds(void **state)
{
	struct options o;
	char batches[] = "--strategy=batches", n[] = "--iterations=1000";
	char gmpbench[] = "--strategy=gmpbench", most[] = "--iterations=281474976710656";
	(void)state;
	assert_true(read_options(&o, NULL, NULL, NULL));
	assert_int_equal(o.strategy, STRATEGY_GMPBENCH);
	assert_true(read_options(&o, batches, NULL, NULL));
	assert_int_equal(o.strategy, STRATEGY_BATCHES);
	assert_true(read_options(&o, batches, n, NULL));
	assert_int_equal(o.strategy, STRATEGY_ITERATIONS);
	assert_int_equal(o.iterations, 1000);
	assert_true(read_options(&o, n, gmpbench, NULL));
	assert_int_equal(o.strategy, STRATEGY_GMPBENCH);
	assert_true(read_options(&o, most, NULL, NULL));
}

static void counters_name_what_counts(void **state)
{
	struct options o;
	char plain[] = "--counters", perf[] = "--counters=perf", none[] = "--counters=none";
	char valgrind[] = "--counters=valgrind", details[] = "-v";
	(void)state;
	assert_true(read_options(&o, NULL, NULL, NULL));
	assert_int_equal(o.counters, COUNTING_PERF);
	assert_false(o.details);
	assert_true(read_options(&o, none, details, NULL));
	assert_int_equal(o.counters, COUNTING_NONE);
	assert_true(o.details);
	assert_true(read_options(&o, valgrind, NULL, NULL));
	assert_int_equal(o.counters, COUNTING_VALGRIND);
	assert_true(read_options(&o, valgrind, perf, NULL));
	assert_int_equal(o.counters, COUNTING_PERF);
	assert_true(read_options(&o, none, plain, NULL));
	assert_int_equal(o.counters, COUNTING_PERF);
}

static void wrong_options_are_refused_by_name(void **state)
{
	static const char *const bad[] = { "--lists",
					   "extra",
					   "--min-time=soon",
					   "--filter",
					   "--filter=",
					   "--clock=sundial",
					   "--clock=thread_cpu",
					   "--min-time",
					   "--iterations=0",
					   "--iterations=-5",
					   "--iterations=1e6",
					   "--iterations=281474976710657",
					   "--iterations=99999999999999999999",
					   "--iterations",
					   "--strategy",
					   "--strategy=guess",
					   "--counters=",
					   "--counters=abacus",
					   "-j",
					   "" };
	struct options o;
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char word[40];
		(void)memcpy(word, bad[i], strlen(bad[i]) + 1);
		fault[0] = '\0';
		assert_false(read_options(&o, word, NULL, NULL));
		assert_true(strlen(fault) > 0);
	}
}

static void lists_with_faults_are_refused(void **state)
{
	char long_name[300];
	const struct pawl_bench good[] = { PAWL_BENCH("a", nothing), PAWL_BENCH("b", nothing) };
	struct pawl_bench bad = good[0];
	(void)state;
	memset(long_name, 'x', sizeof(long_name));
	long_name[256] = '\0';
	assert_true(pawl_list_check(good, 2, fault));
	assert_true(pawl_list_check(NULL, 0, fault));
	assert_false(pawl_list_check(NULL, 1, fault));
	const char *const names[] = { NULL, "", "a\nb", "\xff", long_name };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		bad.name = names[i];
		assert_false(pawl_list_check(&bad, 1, fault));
		assert_non_null(strstr(fault, "benchmark 1"));
	}
	long_name[255] = '\0';
	bad.name = long_name;
	assert_true(pawl_list_check(&bad, 1, fault));
	bad = good[0];
	bad.run = NULL;
	assert_false(pawl_list_check(&bad, 1, fault));
	const struct pawl_bench twice[] = { good[0], good[1], good[0] };
	assert_false(pawl_list_check(twice, 3, fault));
	assert_string_equal(fault, "two benchmarks are named 'a'");
}

static int empty_environment(void **state)
{
	static const char *const names[] = { "PAWL_FD",		"PAWL_ASK",
					     "PAWL_BENCHMARK",	"PAWL_MIN_TIME_NS",
					     "PAWL_ITERATIONS", "PAWL_SLICES",
					     "PAWL_TURNS",	"PAWL_COUNTERS",
					     "PAWL_STEADY" };
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_int_equal(unsetenv(names[i]), 0);
	return 0;
}

static void put(const char *name, const char *value)
{
	assert_int_equal(setenv(name, value, 1), 0);
}

static void without_pawl_fd_there_are_no_orders(void **state)
{
	struct orders o;
	(void)state;
	put("PAWL_ASK", "nonsense");
	assert_true(pawl_orders_read(&o, fault));
	assert_int_equal(o.fd, -1);
}

static void orders_are_read_from_the_environment(void **state)
{
	struct orders o;
	(void)state;
	put("PAWL_FD", "5");
	assert_true(pawl_orders_read(&o, fault));
	assert_true(o.fd == 5 && o.ask == ASK_ALL && o.slices == 1 && o.counters && !o.turns);
	put("PAWL_ASK", "run");
	put("PAWL_BENCHMARK", "a b");
	put("PAWL_ITERATIONS", "281474976710656");
	put("PAWL_SLICES", "20");
	put("PAWL_TURNS", "1");
	put("PAWL_COUNTERS", "0");
	put("PAWL_STEADY", "1");
	assert_true(pawl_orders_read(&o, fault));
	assert_true(o.ask == ASK_RUN && o.iterations == ENGINE_MOST && o.slices == 20);
	assert_true(o.turns && !o.counters && o.steady);
	assert_string_equal(o.benchmark, "a b");
}

static void wrong_orders_are_refused_with_the_variables_name(void **state)
{
	static const struct {
		const char *name, *value;
	} bad[] = { { "PAWL_FD", "" },
		    { "PAWL_FD", "-1" },
		    { "PAWL_FD", "99999999999" },
		    { "PAWL_ASK", "walk" },
		    { "PAWL_ASK", "" },
		    { "PAWL_ITERATIONS", "0" },
		    { "PAWL_ITERATIONS", "many" },
		    { "PAWL_ITERATIONS", "281474976710657" },
		    { "PAWL_ITERATIONS", "18446744073709551615" },
		    { "PAWL_ITERATIONS", "18446744073709551616" },
		    { "PAWL_SLICES", "0" },
		    { "PAWL_SLICES", "-2" },
		    { "PAWL_MIN_TIME_NS", "0" },
		    { "PAWL_MIN_TIME_NS", "250ms" },
		    { "PAWL_TURNS", "yes" },
		    { "PAWL_COUNTERS", "no" },
		    { "PAWL_STEADY", "" } };
	struct orders o;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		empty_environment(state);
		put("PAWL_FD", "5");
		put("PAWL_ASK", "run");
		put("PAWL_BENCHMARK", "a");
		put("PAWL_ITERATIONS", "10");
		assert_true(pawl_orders_read(&o, fault));
		put(bad[i].name, bad[i].value);
		assert_false(pawl_orders_read(&o, fault));
		assert_non_null(strstr(fault, bad[i].name));
	}
}

static void a_fault_beside_a_good_descriptor_can_be_reported_there(void **state)
{
	struct orders o;
	(void)state;
	put("PAWL_FD", "7");
	put("PAWL_ASK", "calibrate");
	assert_false(pawl_orders_read(&o, fault));
	assert_string_equal(fault, "PAWL_BENCHMARK is not set");
	assert_int_equal(o.fd, 7);
}

int main(void)
{
#define ENVIRONMENT(name) cmocka_unit_test_setup(name, empty_environment)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_need_a_number_and_a_unit),
		cmocka_unit_test(counts_are_digits_within_64_bits),
		cmocka_unit_test(filters_are_parts_or_globs),
		cmocka_unit_test(options_are_read_in_both_spellings),
		cmocka_unit_test(the_last_strategy_holds),
		cmocka_unit_test(counters_name_what_counts),
		cmocka_unit_test(wrong_options_are_refused_by_name),
		cmocka_unit_test(lists_with_faults_are_refused),
		ENVIRONMENT(without_pawl_fd_there_are_no_orders),
		ENVIRONMENT(orders_are_read_from_the_environment),
		ENVIRONMENT(wrong_orders_are_refused_with_the_variables_name),
		ENVIRONMENT(a_fault_beside_a_good_descriptor_can_be_reported_there),
	};
	return cmocka_run_group_tests_name("harness/options", tests, NULL, NULL);
}
