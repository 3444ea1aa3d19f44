/* How programs of other harnesses are asked: the words, and what they answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/foreign/ask.h"
#include "lib/foreign/foreign.h"

#include "lib/base/banned.h"

static struct strv words, names, selectors;
static struct err err;

static int end(void **state)
{
	(void)state;
	strv_release(&words);
	strv_release(&names);
	strv_release(&selectors);
	return 0;
}

static void run(const char *format, const char *selector, uint64_t n, uint64_t time_ns)
{
	const struct foreign_wish wish = { selector, n, time_ns };

	strv_release(&words);
	assert_int_equal(0, foreign_asker_of(format)->run(&wish, &words, &err));
}

static void google_is_asked_for_one_name_exactly(void **state)
{
	(void)state;
	run("google", "BM_a<b>/8/real_time+", 100, 0);
	assert_string_equal("--benchmark_filter=^BM_a<b>/8/real_time\\+$", words.v[0]);
	assert_true(strv_has(&words, "--benchmark_min_time=100x"));
	run("google", "a", 0, 250000000);
	assert_true(strv_has(&words, "--benchmark_min_time=0.250000000"));
}

static void go_is_asked_level_by_level(void **state)
{
	(void)state;
	run("go", "BenchmarkA/n=1(a)/x", 7, 0);
	assert_true(strv_has(&words, "-test.bench=^BenchmarkA$/^n=1\\(a\\)$/^x$"));
	assert_true(strv_has(&words, "-test.benchtime=7x"));
	run("go", "BenchmarkA", 0, 5000000);
	assert_true(strv_has(&words, "-test.benchtime=5000000ns"));
}

static void catch2_is_asked_for_the_test_case(void **state)
{
	(void)state;
	run("catch2", "a, [b]", 30, 0);
	assert_string_equal("a\\, \\[b\\]", words.v[0]);
	assert_true(strv_has(&words, "30"));
}

static int read_names(const char *format, const char *text)
{
	strv_release(&names);
	strv_release(&selectors);
	return foreign_asker_of(format)->names(text, strlen(text), &names, &selectors, &err);
}

static void answers_give_names_and_selectors(void **state)
{
	(void)state;
	assert_int_equal(0, read_names("google", "BM_a/8\r\nBM_b\n\n"));
	assert_int_equal(2, names.n);
	assert_string_equal("BM_a/8", names.v[0]);
	assert_int_equal(0, read_names("google", ""));
	assert_int_equal(0, names.n);
	assert_int_equal(0, read_names("go", "BenchmarkA/x-2 1 5 ns/op\n"));
	assert_string_equal("BenchmarkA/x-2", selectors.v[0]);
	assert_int_equal(0,
			 read_names("catch2",
				    "<Catch><TestCase name=\"t\"><BenchmarkResults name=\"b\">"
				    "<mean value=\"1\"/></BenchmarkResults></TestCase></Catch>"));
	assert_string_equal("t/b", names.v[0]);
	assert_string_equal("t", selectors.v[0]);
	assert_int_equal(-1, read_names("catch2", "usage: x"));
}

/* Asked for its names it runs on one processor; what then ends in a number is a name. */
static void a_number_at_the_end_of_a_name_of_go_is_part_of_it(void **state)
{
	const struct foreign_text one = { "in", "BenchmarkE/n-64 9 5 ns/op\n", 26, NULL };
	const struct foreign_text two = { "in", "BenchmarkE/n-64-2 9 5 ns/op\n", 28, NULL };
	struct summary s;

	(void)state;
	assert_int_equal(0, foreign_asker_of("go")->list(&words, &err));
	assert_true(strv_has(&words, "-test.cpu=1"));
	summary_init(&s);
	assert_int_equal(0, foreign_read(&one, foreign_find("go"), &s, &err));
	assert_non_null(foreign_bench_of(&s, "BenchmarkE/n-64"));
	assert_null(foreign_bench_of(&s, "BenchmarkE/n-6"));
	summary_release(&s);
	summary_init(&s);
	assert_int_equal(0, foreign_read(&two, foreign_find("go"), &s, &err));
	assert_non_null(foreign_bench_of(&s, "BenchmarkE/n-64"));
	summary_release(&s);
}

static void an_executable_is_told_by_all_of_its_marks(void **state)
{
	static const char google[] = "\0_ZN9benchmark22RunSpecifiedBenchmarksEv\0";
	static const char go[] = "\xff Go buildinf:\0..test.benchtime..";
	static const char half[] = "\xff Go buildinf:\0..best.benchtime..";

	(void)state;
	assert_string_equal("google", foreign_guess(google, sizeof(google)));
	assert_string_equal("go", foreign_guess(go, sizeof(go)));
	assert_null(foreign_guess(half, sizeof(half)));
	/* Without its first letter it is no mark: pawl itself holds that much. */
	assert_null(foreign_guess(google + 2, sizeof(google) - 2));
	assert_null(foreign_guess("", 0));
	assert_null(foreign_asker_of("hyperfine"));
}

static void a_harness_that_repeats_by_its_clock_is_told_by_all_of_its_marks(void **state)
{
	static const char nano[] = "\0NANOBENCH_ENDLESS\0";
	static const char criterion[] = "CRITERION_HOME..warm-up-time";
	static const char half[] = "CRITERION_HOME..warm_up_time";

	(void)state;
	assert_string_equal("nanobench", foreign_repeater(nano, sizeof(nano)));
	assert_string_equal("criterion", foreign_repeater(criterion, sizeof(criterion)));
	assert_null(foreign_repeater(half, sizeof(half)));
	assert_null(foreign_repeater(nano + 2, sizeof(nano) - 2));
	assert_null(foreign_repeater("", 0));
}

static void an_alarm_is_the_whole_of_a_name(void **state)
{
	static const char imports[] = "\0puts\0alarm\0signal";
	static const char others[] = "\0set_alarm\0alarms\0ualarm";

	(void)state;
	assert_string_equal("alarm", foreign_alarm(imports, sizeof(imports)));
	assert_null(foreign_alarm(others, sizeof(others)));
	assert_null(foreign_alarm("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_alarm_is_the_whole_of_a_name),
		cmocka_unit_test_teardown(google_is_asked_for_one_name_exactly, end),
		cmocka_unit_test_teardown(go_is_asked_level_by_level, end),
		cmocka_unit_test_teardown(catch2_is_asked_for_the_test_case, end),
		cmocka_unit_test_teardown(answers_give_names_and_selectors, end),
		cmocka_unit_test_teardown(a_number_at_the_end_of_a_name_of_go_is_part_of_it, end),
		cmocka_unit_test_teardown(an_executable_is_told_by_all_of_its_marks, end),
		cmocka_unit_test(a_harness_that_repeats_by_its_clock_is_told_by_all_of_its_marks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
