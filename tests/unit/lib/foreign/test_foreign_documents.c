/* hyperfine, nanobench, BMF, Catch2, JUnit; and what holds for every format. */
#include "tests/unit/lib/foreign/foreign_fixture.h"

#include "lib/config/config.h"

#include "lib/base/banned.h"

static void hyperfine_keeps_times_exit_codes_and_parameters(void **state)
{
	const struct bench *b;

	(void)state;
	read_file("hyperfine.json", "hyperfine");
	b = bench("seq 1");
	assert_sample("seq 1", "wall", 0, 0.001414396e9);
	assert_int_equal(4, metric("seq 1", "wall")->n);
	assert_near(0.00086625e9, metric("seq 1", "cpu")->mean);
	assert_string_equal("exit_code", b->tracks[0].name);
	assert_int_equal(4, b->tracks[0].n_head);
	assert_fact(&b->facts, "n", "1");
	assert_string_equal("seq 1", b->command);
}

#define FINE(fields) "{\"results\":[{\"command\":\"x\"," fields "}]}"

static void hyperfine_without_times_has_figures(void **state)
{
	static const char text[] = FINE("\"mean\":0.5,\"min\":0.25,\"stddev\":null");

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_near(0.5e9, metric("x", "wall")->mean);
	assert_near(0.25e9, metric("x", "wall")->min);
	assert_true(isnan(metric("x", "wall")->stddev));
}

static void hyperfine_runs_that_failed_are_no_times(void **state)
{
	static const char text[] = FINE("\"times\":[1,1],\"exit_codes\":[0,1]");

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_int_equal(BENCH_FAILED, bench("x")->status);
	assert_non_null(strstr(bench("x")->detail, "1 of 2 runs"));
}

static void hyperfine_faults_name_the_field(void **state)
{
	(void)state;
	assert_refused(NULL, FINE("\"times\":[1,-1]"), ERR_RANGE, "results[0].times[1]");
	assert_refused(NULL, FINE("\"times\":[null]"), ERR_RANGE, "results[0].times[0]");
	assert_refused(NULL, FINE("\"user\":1"), ERR_RANGE, "results[0]");
	assert_refused(NULL,
		       "{\"results\":[{\"command\":\"x\",\"mean\":1},"
		       "{\"command\":\"x\",\"mean\":1}]}",
		       ERR_CONFLICT, "results[1]: benchmark 'x' is there twice");
}

static void nanobench_epochs_are_samples(void **state)
{
	(void)state;
	read_file("nanobench.json", "nanobench");
	assert_sample("shared_ptr", "wall", 2, 27.5);
	assert_sample("shared_ptr", "instructions", 0, 41.5);
	assert_near(1001, bench("shared_ptr")->tracks[0].head[2]);
	assert_near(1.0 / 8, metric("random/xorshift", "wall")->median); /* of one of its batch */
	assert_fact(&bench("random/xorshift")->facts, "batch", "8");
}

#define EPOCH "\"measurements\":[{\"iterations\":1,\"elapsed\":1e-6,\"instructions\":4000}]"

/* As in its own table: nanobench.h divides by it, and its JSON does not. */
static void nanobench_figures_are_of_one_of_a_batch(void **state)
{
	static const char text[] = "{\"results\":[{\"name\":\"x\",\"batch\":100," EPOCH "},"
				   "{\"name\":\"y\"," EPOCH "}]}";

	(void)state;
	assert_int_equal(0, read_text("n.json", "nanobench", text, strlen(text)));
	assert_sample("x", "wall", 0, 10);
	assert_sample("x", "instructions", 0, 40);
	assert_near(1, bench("x")->tracks[0].head[0]);
	assert_sample("y", "wall", 0, 1000);
	assert_refused("nanobench", "{\"results\":[{\"name\":\"x\",\"batch\":0," EPOCH "}]}",
		       ERR_RANGE, "results[0].batch");
}

static void bmf_measures_have_their_units(void **state)
{
	(void)state;
	read_file("bmf.json", "bmf");
	assert_sample("parse", "wall", 0, 88.5);
	assert_fact(&bench("parse")->facts, "latency.lower_value", "87.4");
	assert_int_equal(BETTER_HIGHER, metric("parse", "throughput")->better);
	assert_sample("link", "build-time", 0, 2.5e9);
	assert_sample("link", "widgets", 0, 7);
	assert_refused("bmf", "{\"a\":{\"latency\":{\"value\":\"1\"}}}", ERR_RANGE,
		       "a.latency.value");
	assert_refused("bmf", "{\"a\":1}", ERR_RANGE, "a: must be an object");
}

static void catch2_names_benchmarks_by_case_and_section(void **state)
{
	(void)state;
	read_file("catch2.xml", "catch2");
	assert_int_equal(3, s.n_benchmarks);
	assert_sample("fibonacci, small/larger/fib 15", "wall", 0, 807.283);
	assert_fact(&bench("fibonacci, small/larger/fib 15")->facts, "test_case",
		    "fibonacci, small");
	assert_fact(&bench("text/concat")->facts, "standardDeviation.value", "4.46534");
	assert_fact(&bench("text/concat")->facts, "outliers.highSevere", "4");
	assert_int_equal(748, bench("text/concat")->iterations);
}

static void catch2_failures_have_a_reason(void **state)
{
	static const char text[] = "<Catch><BenchmarkResults name=\"a\"><failed message=\"why\"/>"
				   "</BenchmarkResults><BenchmarkResults name=\"b\"><failed/>"
				   "</BenchmarkResults></Catch>";

	(void)state;
	assert_int_equal(0, read_text("x.xml", "catch2", text, strlen(text)));
	assert_int_equal(BENCH_FAILED, bench("a")->status);
	assert_string_equal("why", bench("a")->detail);
	assert_int_equal(BENCH_FAILED, bench("b")->status);
	assert_string_equal("the program gave no reason", bench("b")->detail);
}

static void catch2_faults_name_the_line(void **state)
{
	(void)state;
	assert_refused(NULL,
		       "<Catch>\n<BenchmarkResults name=\"a\">\n<mean value=\"x\"/>"
		       "</BenchmarkResults></Catch>",
		       ERR_RANGE, "line 3: <mean> value=\"x\"");
	assert_refused(NULL, "<Catch><BenchmarkResults name=\"a\"/></Catch>", ERR_RANGE,
		       "line 1: <BenchmarkResults> without a <mean>");
	assert_refused(NULL, "<Catch>\n<TestCase", ERR_SYNTAX, "not XML: line 2");
	assert_refused(NULL, "<Catch></Catch>", ERR_RANGE, "holds no benchmark");
}

static void junit_times_failures_and_properties_are_kept(void **state)
{
	(void)state;
	read_file("junit.xml", "junit");
	assert_sample("codec/deflate <6>", "wall", 0, 1.5e9);
	assert_sample("codec/inflate", "wall", 0, 1234.25e9);
	assert_int_equal(BENCH_FAILED, bench("codec/broken")->status);
	assert_string_equal("checksum", bench("codec/broken")->detail);
	assert_int_equal(BENCH_SKIPPED, bench("codec/later")->status);
	assert_fact(&s.imported.v[0].facts, "compiler", "gcc 12");
	assert_int_equal(INT64_C(1795168800000000), s.started_us); /* date -d 2026-11-20T10Z +%s */
	assert_refused(NULL, "<testsuite>\n<testcase name=\"a\" time=\"soon\"/></testsuite>",
		       ERR_RANGE, "line 2: time=\"soon\"");
	assert_refused(NULL, "<testsuite><testcase name=\"a\" time=\"-1\"/></testsuite>", ERR_RANGE,
		       "line 1");
	assert_refused(NULL, "<testsuite><testcase time=\"1\"/></testsuite>", ERR_RANGE,
		       "without a name");
}

/* "0,25" was read as 25 s. */
static void a_comma_groups_digits_or_is_refused(void **state)
{
	static const struct {
		const char *text;
		double seconds; /* 0: refused */
	} times[] = {
		{ "0,25", 0 },
		{ "0,3", 0 },
		{ "1,5", 0 },
		{ "1,234", 0 },
		{ "0,125", 0 },
		{ "12,34.5", 0 },
		{ "1234,567.8", 0 },
		{ "1.234,5", 0 },
		{ "1,234,56", 0 },
		{ ",123.4", 0 },
		{ "1,,234.5", 0 },
		{ "0,123.4", 0 },
		{ "1,234e3", 0 },
		{ "1,234.5e3", 0 },
		{ "1,", 0 },
		{ "1,234.5", 1234.5 },
		{ "1,234.", 1234 },
		{ "1,234,567", 1234567 },
		{ "12,345,678.25", 12345678.25 },
		{ "1e-3", 1e-3 },
	};
	char text[200];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		snprintf(text, sizeof(text),
			 "<testsuite><testcase name=\"a\" time=\"%s\"/></testsuite>",
			 times[i].text);
		if (times[i].seconds > 0) {
			if (read_text("in", NULL, text, strlen(text)))
				fail_msg("%s", err.text);
			assert_sample("a", "wall", 0, times[i].seconds * 1e9);
			summary_release(&s);
			continue;
		}
		assert_refused(NULL, text, ERR_RANGE, "is not a number of seconds");
		assert_non_null(strstr(err.hint, "with a dot"));
	}
}

/* As CTest and GoogleTest write them: there was a benchmark of 0 ns. */
static void a_test_that_did_not_run_is_skipped(void **state)
{
	static const char text[] =
		"<testsuite><testcase name=\"a\" time=\"0\" status=\"disabled\"/>"
		"<testcase name=\"b\" time=\"0.\" status=\"notrun\" result=\"suppressed\"/>"
		"<testcase name=\"c\" time=\"2\" status=\"run\"/>"
		"<testcase name=\"d\" time=\"0\" status=\"notrun\"><failure/></testcase>"
		"</testsuite>";

	(void)state;
	if (read_text("in", NULL, text, strlen(text)))
		fail_msg("%s", err.text);
	assert_int_equal(BENCH_SKIPPED, bench("a")->status);
	assert_string_equal("disabled", bench("a")->detail);
	assert_null(bench_find_metric(bench("a"), "wall"));
	assert_int_equal(BENCH_SKIPPED, bench("b")->status);
	assert_string_equal("notrun", bench("b")->detail);
	assert_sample("c", "wall", 0, 2e9);
	assert_int_equal(BENCH_FAILED, bench("d")->status);
}

/* ---- every format ------------------------------------------------------------------------ */

static void what_nobody_knows_names_what_was_tried(void **state)
{
	(void)state;
	assert_refused(NULL, "hello\n", ERR_SYNTAX, "tried google, go, hyperfine");
	assert_refused(NULL, "{\"a\":1}", ERR_SYNTAX, "in no known format");
	assert_refused(NULL, "<html/>", ERR_SYNTAX, "in no known format");
	assert_refused(NULL, "", ERR_SYNTAX, "is empty");
	assert_refused(NULL, " \n\n", ERR_SYNTAX, "in no known format");
}

static void entities_that_explode_are_refused(void **state)
{
	struct buf text = BUF_INIT;
	int i;

	(void)state;
	buf_adds(&text, "<!DOCTYPE a [<!ENTITY e0 \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\">");
	for (i = 1; i < 12; i++)
		buf_addf(&text, "<!ENTITY e%d \"&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;\">", i,
			 i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	buf_adds(&text, "]><testsuite><testcase name=\"&e11;\" time=\"1\"/></testsuite>");
	assert_refused(NULL, buf_str(&text), ERR_SYNTAX, "not XML");
	buf_release(&text);
}

static void deep_nesting_is_refused(void **state)
{
	struct buf text = BUF_INIT;
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		buf_adds(&text, "<a>");
	assert_refused("junit", buf_str(&text), ERR_LIMIT, "line 1");
	buf_reset(&text);
	for (i = 0; i < 100000; i++)
		buf_addc(&text, '[');
	assert_refused("google", buf_str(&text), ERR_LIMIT, "deeper");
	buf_release(&text);
}

static void a_name_in_two_inputs_is_refused(void **state)
{
	static const char text[] = "a.exec 1\n";

	(void)state;
	assert_int_equal(0, read_text("one", NULL, text, strlen(text)));
	assert_int_equal(-1, read_text("two", NULL, text, strlen(text)));
	assert_int_equal(ERR_CONFLICT, err.code);
	assert_non_null(strstr(err.text, "'two': line 1: benchmark 'a' is there twice"));
}

static void long_and_odd_names_stay_unique_and_legal(void **state)
{
	struct buf text = BUF_INIT;
	size_t i;

	(void)state;
	buf_adds(&text, "{\"results\":[{\"mean\":1,\"command\":\"");
	buf_addn(&text, 'x', 400);
	buf_adds(&text, "1\"},{\"mean\":1,\"command\":\"");
	buf_addn(&text, 'x', 400);
	buf_adds(&text, "2\"},{\"mean\":1,\"command\":\"a\\nb\\u0007c\"}]}");
	assert_int_equal(0, read_text("in", NULL, buf_str(&text), text.len));
	assert_int_equal(3, s.n_benchmarks);
	for (i = 0; i < 2; i++) {
		assert_int_equal(SUMMARY_MAX_NAME, strlen(s.benchmarks[i].name));
		assert_int_equal(401, strlen(facts_find(&s.benchmarks[i].facts, "name")));
	}
	assert_non_null(summary_find(&s, "a b c"));
	buf_release(&text);
}

static void long_facts_go_on_in_further_ones(void **state)
{
	struct buf text = BUF_INIT;
	size_t n;

	(void)state;
	buf_adds(&text, "{\"results\":[{\"mean\":1,\"command\":\"a\",\"note\":\"");
	buf_addn(&text, 'x', 3000);
	buf_adds(&text, "\"}]}");
	assert_int_equal(0, read_text("in", NULL, buf_str(&text), text.len));
	n = strlen(facts_find(&bench("a")->facts, "note")) +
	    strlen(facts_find(&bench("a")->facts, "note+2")) +
	    strlen(facts_find(&bench("a")->facts, "note+3"));
	assert_int_equal(3000, n);
	buf_release(&text);
}

/* What was read is a document that pawl itself accepts, with nothing lost. */
static void what_was_read_can_be_written_and_read_again(void **state)
{
	static const char hex[] =
		"4f2c1f0e9d8b7a6c5d4e3f2a1b0c9d8e7f6a5b4c5d4e3f2a1b0c9d8e7f6a5b4c";
	struct buf text = BUF_INIT;
	struct summary again;

	(void)state;
	read_file("google-repetitions.json", "google");
	assert_int_equal(0, str_set(&s.imported.v[0].sha256, hex, &err));
	assert_int_equal(0, str_set(&s.id, "01KAG3R7M0C4V8Q2T6Y0ZB3D5F", &err) |
				    str_set(&s.project, "p", &err) |
				    str_set(&s.machine.id, "m", &err));
	s.settings.runs_min = s.settings.runs_max = 1;
	s.settings.confidence = 0.95;
	assert_int_equal(0, summary_encode(&s, 0, &text, &err));
	if (summary_decode(buf_str(&text), text.len, &again, &err))
		fail_msg("%s", err.text);
	assert_int_equal(1, again.imported.n);
	assert_string_equal(hex, again.imported.v[0].sha256);
	assert_string_equal("google", again.imported.v[0].format);
	assert_int_equal(s.imported.v[0].facts.n, again.imported.v[0].facts.n);
	assert_fact(&summary_find(&again, "BM_wait/real_time")->facts, "label", "a label");
	summary_release(&again);
	buf_release(&text);
}

static void the_configuration_knows_every_format(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < foreign_n_formats; i++)
		assert_true(bench_format_is_foreign(bench_format_parse(foreign_formats[i].name)));
	for (i = FORMAT_COMMAND + 1; i < FORMAT_N; i++)
		assert_non_null(foreign_find(bench_format_name((enum bench_format)i)));
	assert_int_equal(FORMAT_N, bench_format_parse("gooogle"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(hyperfine_keeps_times_exit_codes_and_parameters),
		TEST(hyperfine_without_times_has_figures),
		TEST(hyperfine_runs_that_failed_are_no_times),
		TEST(hyperfine_faults_name_the_field),
		TEST(nanobench_epochs_are_samples),
		TEST(nanobench_figures_are_of_one_of_a_batch),
		TEST(bmf_measures_have_their_units),
		TEST(catch2_names_benchmarks_by_case_and_section),
		TEST(catch2_failures_have_a_reason),
		TEST(catch2_faults_name_the_line),
		TEST(junit_times_failures_and_properties_are_kept),
		TEST(a_comma_groups_digits_or_is_refused),
		TEST(a_test_that_did_not_run_is_skipped),
		TEST(what_nobody_knows_names_what_was_tried),
		TEST(entities_that_explode_are_refused),
		TEST(deep_nesting_is_refused),
		TEST(a_name_in_two_inputs_is_refused),
		TEST(long_and_odd_names_stay_unique_and_legal),
		TEST(long_facts_go_on_in_further_ones),
		TEST(what_was_read_can_be_written_and_read_again),
		TEST(the_configuration_knows_every_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
