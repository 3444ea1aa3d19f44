/* The formats of lines: go test, LNT, callgrind, and JSON a line: perf, Criterion's messages. */
#include "lib/foreign/better.h"
#include "tests/unit/lib/foreign/foreign_fixture.h"

#include "lib/base/banned.h"

static void parse(const char *text)
{
	summary_release(&s);
	if (read_text("in", NULL, text, strlen(text)))
		fail_msg("%s", err.text);
}

/* ---- go ---------------------------------------------------------------------------------- */

static void go_counts_are_samples_without_the_suffix(void **state)
{
	(void)state;
	read_file("go-count.txt", "go");
	assert_int_equal(3, s.n_benchmarks);
	assert_int_equal(3, metric("BenchmarkCount", "wall")->n);
	assert_sample("BenchmarkCount", "wall", 0, 99.94);
	assert_sample("BenchmarkCount", "wall", 2, 126.6);
	assert_int_equal(1000, bench("BenchmarkCount")->iterations);
	assert_fact(&bench("BenchmarkCount")->facts, "gomaxprocs", "2");
	assert_fact(&bench("BenchmarkCount")->facts, "pkg", "example.org/x");
	assert_fact(&s.imported.v[0].facts, "goos", "linux");
}

static void go_units_are_metrics(void **state)
{
	(void)state;
	read_file("go-count.txt", "go");
	assert_sample("BenchmarkCount", "MB/s", 0, 30018.61);
	assert_int_equal(BETTER_HIGHER, metric("BenchmarkCount", "MB/s")->better);
	assert_sample("BenchmarkRepeat/n=1", "pairs/op", 1, 10);
	assert_sample("BenchmarkRepeat/n=1", "allocs/op", 1, 1);
	assert_string_equal("B/op", metric("BenchmarkRepeat/n=1", "B/op")->unit);
}

static void go_events_are_read_over_split_lines(void **state)
{
	(void)state;
	read_file("go-events.json", "go");
	assert_int_equal(1, s.n_benchmarks);
	assert_sample("BenchmarkCount", "wall", 1, 132.7);
}

/* As slog and zap log; such a file was of no known format. */
static void go_lines_of_json_that_are_no_events_are_other_output(void **state)
{
	static const char text[] = "{\"time\":\"2026-11-27\",\"level\":\"INFO\",\"msg\":\"x\"}\n"
				   "BenchmarkX-8 10 100 ns/op\n{\"level\":\"info\"}\n"
				   "BenchmarkX-8 10 101 ns/op\nPASS\n";

	(void)state;
	parse(text);
	assert_int_equal(2, metric("BenchmarkX", "wall")->n);
	summary_release(&s);
	assert_int_equal(0, read_text("in", "go", text, strlen(text)));
	assert_sample("BenchmarkX", "wall", 1, 101);
	/* Go 1.24 tells of the build first; what a log calls Output is none of an event. */
	parse("{\"ImportPath\":\"x\",\"Action\":\"build-output\",\"Output\":\"# x\\n\"}\n"
	      "{\"msg\":\"y\",\"Output\":\"BenchmarkZ 10 1 ns/op\\n\"}\n"
	      "{\"Action\":\"output\",\"Package\":\"x\",\"Output\":\"BenchmarkY 10 3 "
	      "ns/op\\n\"}\n");
	assert_int_equal(1, s.n_benchmarks);
	assert_sample("BenchmarkY", "wall", 0, 3);
	assert_refused(NULL, "{\"level\":\"info\"}\n{\"level\":\"info\"}\nPASS\n", ERR_SYNTAX,
		       "in no known format");
}

static void go_suffixes_that_differ_belong_to_the_names(void **state)
{
	(void)state;
	parse("BenchmarkA 10 1 ns/op\nBenchmarkA-2 10 2 ns/op\n");
	assert_sample("BenchmarkA", "wall", 0, 1);
	assert_sample("BenchmarkA-2", "wall", 0, 2);
	parse("BenchmarkA/n-8 1 1 ns/op\nBenchmarkA/n-16 1 2 ns/op\n");
	assert_non_null(bench("BenchmarkA/n-16"));
}

static void go_packages_stand_in_front_where_there_are_several(void **state)
{
	(void)state;
	parse("pkg: a/b\nBenchmarkX-4 10 1 ns/op\nPASS\npkg: a/c\nBenchmarkX-4 10 2 ns/op\n");
	assert_sample("a/b/BenchmarkX", "wall", 0, 1);
	assert_sample("a/c/BenchmarkX", "wall", 0, 2);
}

static void go_failures_and_other_output_are_told_apart(void **state)
{
	(void)state;
	parse("log: Benchmark of things\nBenchmarking is fun 10 times\nBenchmarkX 10 1 ns/op\r\n"
	      "--- FAIL: BenchmarkY\n    x_test.go:3: broken\nFAIL\n");
	assert_int_equal(2, s.n_benchmarks);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkY")->status);
}

/* testing.(*B).run1 prints the name alone, what ran before has the processors behind it. */
static void go_failures_without_processors_keep_their_names(void **state)
{
	(void)state;
	parse("BenchmarkSor-8 10 1 ns/op\n--- FAIL: BenchmarkSort\n"
	      "--- FAIL: BenchmarkSort10\n--- FAIL: BenchmarkLate-8\n");
	assert_int_equal(4, s.n_benchmarks);
	assert_int_equal(BENCH_OK, bench("BenchmarkSor")->status);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkSort")->status);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkSort10")->status);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkLate")->status);
}

/* A first good run has the name on the line already. */
static void go_failures_on_the_line_of_their_name_are_seen(void **state)
{
	(void)state;
	parse("pkg: a\nBenchmarkOk-8 100 55 ns/op\nBenchmarkBroken-8   \t--- FAIL: "
	      "BenchmarkBroken-8\n"
	      "    x.go:3: bad\nBenchmarkLost-8  \tpanic: runtime error\nexit status 1\n"
	      "FAIL\ta\t0.1s\n");
	assert_int_equal(3, s.n_benchmarks);
	assert_int_equal(BENCH_OK, bench("BenchmarkOk")->status);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkBroken")->status);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkLost")->status);
}

/* What it would have measured after that is not known by name. */
static void go_packages_that_failed_are_seen(void **state)
{
	(void)state;
	parse("pkg: a\nBenchmarkOk-8 100 55 ns/op\npanic: runtime error\n\ngoroutine 1 [running]:\n"
	      "exit status 2\nFAIL\ta\t0.1s\nFAIL\tb/c [build failed]\nok  \td\t0.2s\n"
	      "--- FAIL: BenchmarkX\nFAIL\nFAIL\te\t0.1s\nFAIL\n");
	assert_int_equal(4, s.n_benchmarks);
	assert_int_equal(BENCH_FAILED, bench("a")->status);
	assert_string_equal("go test says that the package failed", bench("a")->detail);
	assert_int_equal(BENCH_FAILED, bench("b/c")->status);
	assert_int_equal(BENCH_FAILED, bench("BenchmarkX")->status);
}

static void go_units_say_which_way_is_better(void **state)
{
	(void)state;
	parse("Unit widgets/op better=higher\nUnit MB/s assume=exact better=lower\n"
	      "Unit widgets/op better=lower\nBenchmarkX 10 1 ns/op 7 widgets/op 8 MB/s 9 B/op\n");
	assert_int_equal(BETTER_HIGHER, metric("BenchmarkX", "widgets/op")->better);
	assert_int_equal(BETTER_LOWER, metric("BenchmarkX", "MB/s")->better);
	assert_int_equal(BETTER_LOWER, metric("BenchmarkX", "B/op")->better);
}

static void go_without_a_time_is_judged_by_what_it_tells_first(void **state)
{
	(void)state;
	parse("BenchmarkX 10 7 widgets/op 3 B/op\nBenchmarkX 10 8 widgets/op 3 B/op\n"
	      "BenchmarkY 10 7 widgets/op 3 ns/op\n");
	assert_string_equal("widgets/op", bench("BenchmarkX")->gate);
	assert_string_equal("wall", bench("BenchmarkY")->gate);
}

static void go_faults_name_the_line(void **state)
{
	(void)state;
	assert_refused("go", "\nBenchmarkX 10 -1 ns/op\n", ERR_RANGE, "line 2");
	assert_refused("go", "BenchmarkX 10 NaN ns/op\n", ERR_RANGE, "line 1: not a finite number");
	assert_refused("go", "BenchmarkX 10 nil ns/op\n", ERR_SYNTAX, "line 1: 'nil'");
	assert_refused("go", "BenchmarkX 10 1 ns/op 12\n", ERR_SYNTAX, "line 1");
	assert_refused("go", "BenchmarkX 0 1 ns/op\n", ERR_RANGE, "line 1");
	assert_refused("go", "PASS\n", ERR_RANGE, "holds no benchmark");
	assert_refused(NULL, "{\"Action\":\"output\",\"Package\":\"x\"}\n{\"Action\":\n",
		       ERR_SYNTAX, "line 2");
}

/* ---- LNT, callgrind, perf, Criterion ----------------------------------------------------- */

static void lnt_seconds_become_ns_and_repeats_samples(void **state)
{
	(void)state;
	read_file("lnt.txt", "lnt");
	assert_sample("SingleSource/fib.c", "wall", 1, 1.75e9);
	assert_sample("SingleSource/fib.c", "compile_time", 0, 0.25e9);
	assert_int_equal(BETTER_HIGHER, metric("score_of_x", "score")->better);
	assert_refused("lnt", "a.exec 1\nb 2\n", ERR_SYNTAX, "line 2");
	assert_refused("lnt", "a.exec -1\n", ERR_RANGE, "line 1");
}

static void callgrind_totals_are_metrics(void **state)
{
	(void)state;
	read_file("callgrind.out", "callgrind");
	assert_sample("./cg", "instructions", 0, 1005);
	assert_sample("./cg", "Dr", 0, 401);
	assert_sample("./cg", "DLmw", 0, 1);
	assert_fact(&bench("./cg")->facts, "creator", "callgrind-3.19.0");
}

static void a_callgrind_file_cut_short_is_refused(void **state)
{
	(void)state;
	assert_refused(NULL, "# callgrind format\nevents: Ir\nfn=a\n1 5\n\ntotals: 9\n", ERR_SYNTAX,
		       "");
}

static void perf_events_are_metrics_of_one_benchmark(void **state)
{
	(void)state;
	read_file("perf-stat.json", "perf");
	assert_int_equal(1, s.n_benchmarks);
	assert_sample("perf-stat", "cpu", 0, 692808);
	assert_sample("perf-stat", "page-faults", 0, 48);
	assert_int_equal(METRIC_ABSENT, metric("perf-stat", "cycles")->state);
	assert_string_equal("<not supported>", metric("perf-stat", "cycles")->reason);
	assert_string_equal("cpu", bench("perf-stat")->gate);
}

static void perf_intervals_are_samples_where_something_was_counted(void **state)
{
	(void)state;
	read_file("perf-intervals.json", "perf");
	assert_int_equal(2, metric("perf-intervals", "cpu")->n);
	assert_sample("perf-intervals", "cpu", 1, 62993);
	assert_int_equal(METRIC_OK, metric("perf-intervals", "cpu")->state);
}

/* ex_ret_ops of AMD are what the processor did, and not how much of it in a second. */
static void perf_events_are_better_when_lower(void **state)
{
	(void)state;
	parse("{\"counter-value\":\"5\",\"unit\":\"\",\"event\":\"ex_ret_ops\"}\n"
	      "{\"counter-value\":\"5\",\"unit\":\"\",\"event\":\"fp_ops\"}\n");
	assert_int_equal(BETTER_LOWER, metric("in", "ex_ret_ops")->better);
	assert_int_equal(BETTER_LOWER, metric("in", "fp_ops")->better);
}

static void perf_faults_name_the_line(void **state)
{
	(void)state;
	assert_refused("perf", "{\"counter-value\":\"x\",\"event\":\"e\"}\n{}\n", ERR_RANGE,
		       "line 1: counter-value 'x'");
	assert_refused("perf",
		       "{\"counter-value\":\"-1\",\"unit\":\"msec\",\"event\":\"task-clock\"}\n",
		       ERR_RANGE, "line 1");
}

static void criterion_messages_give_times_an_iteration(void **state)
{
	(void)state;
	read_file("criterion/messages.json", "criterion");
	assert_int_equal(2, s.n_benchmarks);
	assert_sample("norm", "wall", 1, 4140);
	assert_sample("cycles", "cycles", 0, 250);
	assert_string_equal("cycles", bench("cycles")->gate);
	assert_non_null(strstr(facts_find(&bench("norm")->facts, "throughput"), "elements"));
	assert_refused("criterion",
		       "{\"reason\":\"benchmark-complete\",\"id\":\"a\",\"unit\":\"ns\","
		       "\"iteration_count\":[1],\"measured_values\":[1,2]}\n",
		       ERR_RANGE, "line 1: 1 iteration counts and 2 values");
}

/* As criterion 0.3.6 printed it; a name too long for its column is on the line before. */
static void what_criterion_prints_gives_its_estimates(void **state)
{
	(void)state;
	parse("Gnuplot not found, using plotters backend\n"
	      "Benchmarking sum: Warming up for 1.0000 s\n"
	      "sum                     time:   [3.7922 \xc2\xb5s 5.2105 \xc2\xb5s 7.3571 "
	      "\xc2\xb5s]\n"
	      "                        change: [-9.6032% +38.528% +109.95%] (p = 0.18 > 0.05)\n"
	      "Found 19 outliers among 100 measurements (19.00%)\n"
	      "Benchmarking of a/name of more characters: Analyzing\n"
	      "of a/name of more characters\n"
	      "                        time:   [1.9 ms 2.5 ms 3.1 ms]\n"
	      "                        thrpt:  [1.1 MiB/s 1.2 MiB/s 1.3 MiB/s]\n"
	      "add                     time:   [249.10 ps 250.50 ps 252.00 ps]\n"
	      "                 change:\n"
	      "                        time:   [-1.2% +0.3% +2.0%] (p = 0.5 > 0.05)\n");
	assert_int_equal(3, s.n_benchmarks);
	assert_sample("add", "wall", 0, 0.2505);
	assert_sample("sum", "wall", 0, 5210.5);
	assert_sample("of a/name of more characters", "wall", 0, 2.5e6);
	assert_string_equal("wall", bench("sum")->gate);
	assert_refused("criterion", "    time:   [1.9 ms 2.5 ms 3.1 ms]\n", ERR_RANGE, "line 1");
}

#define IN(unit) "time:   [1.9 " unit " 2.5 " unit " 3.1 " unit "]\n"

/* It was left out without a word, beside others that were read. */
static void criterion_times_in_an_unknown_unit_are_refused(void **state)
{
	(void)state;
	assert_refused("criterion", "sum  " IN("ls"), ERR_RANGE, "line 1");
	assert_refused(NULL, "sum  " IN("ns") "other  " IN("cycles"), ERR_RANGE,
		       "line 2: the unit 'cycles'");
	assert_refused(NULL, "sum  " IN("ns") "other\n    " IN("cycles"), ERR_RANGE, "line 3");
	parse("a  " IN("\xc2\xb5s") "b  " IN(
		"\xce\xbcs") "took  time: [3 of 5]\nwork   time: [1 of 2 in 3 s] left\n");
	assert_sample("a", "wall", 0, 2500);
	assert_sample("b", "wall", 0, 2500);
	assert_int_equal(2, s.n_benchmarks);
}

static void criterion_files_are_named_by_their_path(void **state)
{
	(void)state;
	read_file("criterion/fib/20/new/sample.json", "criterion");
	assert_sample("fib/20", "wall", 1, 110);
	summary_release(&s);
	read_file("criterion/fib/20/new/estimates.json", "criterion");
	assert_near(100, metric("fib/20", "wall")->mean);
	assert_near(102.5, metric("fib/20", "wall")->ci_high);
	assert_near(4, metric("fib/20", "wall")->stddev);
	assert_refused("criterion", "{\"iters\":[1],\"times\":[1]}", ERR_RANGE, "path");
	assert_refused("criterion", "{\"iters\":[0],\"times\":[1]}", ERR_RANGE, "path");
}

/* Wherever the project is checked out: a folder of the checkout became part of the name. */
static void criterion_names_do_not_depend_on_the_checkout(void **state)
{
	static const char text[] = "{\"iters\":[1],\"times\":[1]}";
	static const char *const paths[][2] = {
		{ "criterion/target/criterion/fib/20/new/sample.json", "fib/20" },
		{ "/w/criterion/target/criterion/fib/new/sample.json", "fib" },
		{ "target/criterion/criterion/new/sample.json", "criterion" },
		{ "my-criterion/build/criterion/fib/new/sample.json", "fib" },
		{ "criterion/build/criterion/fib/new/sample.json", "fib" },
		{ "build/criterion/criterion/new/sample.json", "criterion" },
		{ "my-criterion/fib/20/new/sample.json", "fib/20" },
		{ "target/criterion/b/criterion/x/new/sample.json", "b/criterion/x" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		summary_release(&s);
		if (read_text(paths[i][0], NULL, text, strlen(text)))
			fail_msg("%s", err.text);
		assert_string_equal(paths[i][1], s.benchmarks[0].name);
	}
}

static void rates_and_scores_are_better_when_higher(void **state)
{
	static const char *const higher[] = { "items_per_second", "MB/s",	"GFLOPS", "fps",
					      "read_ops",	  "throughput", "MBps",	  "score",
					      "Disk-IOPS",	  "bandwidth" };
	static const char *const lower[] = { "drops",	 "B/op", "allocs/op", "underscore",
					     "ops_lost", "s",	 "" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(higher) / sizeof(higher[0]); i++)
		assert_int_equal(BETTER_HIGHER, foreign_better(higher[i]));
	for (i = 0; i < sizeof(lower) / sizeof(lower[0]); i++)
		assert_int_equal(BETTER_LOWER, foreign_better(lower[i]));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(go_counts_are_samples_without_the_suffix),
		TEST(go_units_are_metrics),
		TEST(go_events_are_read_over_split_lines),
		TEST(go_lines_of_json_that_are_no_events_are_other_output),
		TEST(go_suffixes_that_differ_belong_to_the_names),
		TEST(go_packages_stand_in_front_where_there_are_several),
		TEST(go_failures_and_other_output_are_told_apart),
		TEST(go_failures_without_processors_keep_their_names),
		TEST(go_failures_on_the_line_of_their_name_are_seen),
		TEST(go_packages_that_failed_are_seen),
		TEST(go_units_say_which_way_is_better),
		TEST(go_without_a_time_is_judged_by_what_it_tells_first),
		TEST(go_faults_name_the_line),
		TEST(lnt_seconds_become_ns_and_repeats_samples),
		TEST(callgrind_totals_are_metrics),
		TEST(a_callgrind_file_cut_short_is_refused),
		TEST(perf_events_are_metrics_of_one_benchmark),
		TEST(perf_intervals_are_samples_where_something_was_counted),
		TEST(perf_events_are_better_when_lower),
		TEST(perf_faults_name_the_line),
		TEST(criterion_messages_give_times_an_iteration),
		TEST(what_criterion_prints_gives_its_estimates),
		TEST(criterion_times_in_an_unknown_unit_are_refused),
		TEST(criterion_files_are_named_by_their_path),
		TEST(criterion_names_do_not_depend_on_the_checkout),
		TEST(rates_and_scores_are_better_when_higher),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
