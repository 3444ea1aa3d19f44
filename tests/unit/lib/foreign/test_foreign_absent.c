/* What a harness could not count or did not tell is no 0: nanobench, perf, callgrind; nor is what
 * is no finite number. */
#include "tests/unit/lib/foreign/foreign_fixture.h"

#include "lib/base/banned.h"

static void parse(const char *format, const char *text)
{
	summary_release(&s);
	if (read_text("in", format, text, strlen(text)))
		fail_msg("%s", err.text);
}

static void assert_absent(const char *of, const char *name)
{
	const struct metric *m = metric(of, name);

	assert_int_equal(METRIC_ABSENT, m->state);
	assert_int_equal(0, m->n);
	assert_non_null(m->reason);
}

static void assert_all(const char *of, const char *name, size_t n, double wanted)
{
	size_t i;

	assert_int_equal(METRIC_OK, metric(of, name)->state);
	assert_int_equal(n, metric(of, name)->n);
	for (i = 0; i < n; i++)
		assert_sample(of, name, i, wanted);
}

/* ---- nanobench --------------------------------------------------------------------------- */

#define EPOCH(hardware, branches, misses, faults) \
	"{\"iterations\":10,\"elapsed\":2e-8,\"pagefaults\":" faults ",\"cpucycles\":" hardware \
	",\"contextswitches\":0,\"instructions\":" hardware ",\"branchinstructions\":" branches \
	",\"branchmisses\":" misses "}"
#define ENTRY(epochs) "{\"results\":[{\"name\":\"x\",\"batch\":1,\"measurements\":[" epochs "]}]}"

/* Its json() template writes 0 for a counter that could not be opened. */
static void nanobench_without_counters_has_none(void **state)
{
	static const char *const names[] = { "cpucycles",    "instructions", "branchinstructions",
					     "branchmisses", "pagefaults",   "contextswitches" };
	size_t i;

	(void)state;
	parse(NULL, ENTRY(EPOCH("0", "0", "0", "0") "," EPOCH("0", "0", "0", "0")));
	assert_int_equal(2, metric("x", "wall")->n);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_absent("x", names[i]);
}

static void nanobench_counts_of_0_beside_others_are_counts(void **state)
{
	(void)state;
	parse(NULL, ENTRY(EPOCH("7", "2", "0", "0") "," EPOCH("7", "2", "0", "0")));
	assert_all("x", "instructions", 2, 7);
	assert_all("x", "branchinstructions", 2, 2);
	assert_all("x", "branchmisses", 2, 0);
	assert_all("x", "pagefaults", 2, 0);
	assert_all("x", "contextswitches", 2, 0);
}

/* A processor may count instructions and no branches; one fault shows that the system counts. */
static void nanobench_counters_are_had_or_not_each_by_itself(void **state)
{
	(void)state;
	parse(NULL, ENTRY(EPOCH("7", "0", "0", "0") "," EPOCH("0", "0", "0", "0")));
	assert_sample("x", "instructions", 1, 0);
	assert_absent("x", "branchinstructions");
	assert_absent("x", "branchmisses");
	parse(NULL, ENTRY(EPOCH("0", "0", "0", "1") "," EPOCH("0", "0", "0", "0")));
	assert_absent("x", "instructions");
	assert_sample("x", "pagefaults", 1, 0);
	assert_all("x", "contextswitches", 2, 0);
}

/* ---- perf -------------------------------------------------------------------------------- */

#define LINE(event, value) \
	"{\"counter-value\":\"" value "\",\"unit\":\"\",\"event\":\"" event "\"}\n"

/* Gated by cycles the import failed, for a processor that does not count them. */
static void perf_is_judged_by_the_first_event_that_was_counted(void **state)
{
	(void)state;
	parse(NULL, LINE("cycles", "<not supported>") LINE("instructions", "<not counted>")
			    LINE("page-faults", "5") LINE("faults", "6"));
	assert_string_equal("page-faults", bench("in")->gate);
	assert_absent("in", "cycles");
	/* An interval in which it was not scheduled, and one in which it was. */
	parse(NULL, LINE("cycles", "<not counted>") LINE("page-faults", "5") LINE("cycles", "7")
			    LINE("page-faults", "5"));
	assert_string_equal("cycles", bench("in")->gate);
	parse(NULL, LINE("cycles", "<not supported>") LINE("faults", "<not supported>"));
	assert_string_equal("cycles", bench("in")->gate);
}

/* ---- callgrind --------------------------------------------------------------------------- */

#define PART(summary, totals) "events: Ir Dr\n" summary "fn=a\n1 7 5\n\n" totals
#define CALLGRIND "# callgrind format\ncmd: c\n"

/* A file that was not written to its end by itself has a summary alone: Dr was 0. */
static void callgrind_totals_are_those_of_each_part(void **state)
{
	(void)state;
	parse(NULL, CALLGRIND PART("summary: 7 5\n", ""));
	assert_all("c", "instructions", 1, 7);
	assert_all("c", "Dr", 1, 5);
	parse(NULL, CALLGRIND PART("summary: 9 6\n", "totals: 7 5\n"));
	assert_all("c", "Dr", 1, 5);
	parse(NULL, CALLGRIND
	      "part: 1\n" PART("summary: 7 5\n", "") "part: 2\n" PART("", "totals: 7 5\n"));
	assert_all("c", "instructions", 1, 14);
	assert_all("c", "Dr", 1, 10);
	parse(NULL, CALLGRIND PART("", "totals: 7\n")); /* zeros at the end may be left out */
	assert_all("c", "Dr", 1, 0);
}

static void callgrind_without_totals_tells_instructions_alone(void **state)
{
	(void)state;
	parse(NULL, CALLGRIND PART("", ""));
	assert_all("c", "instructions", 1, 7);
	assert_absent("c", "Dr");
	assert_string_equal("instructions", bench("c")->gate);
	parse(NULL, CALLGRIND "events: Dr Ir\nfn=a\n1 5 7\n");
	assert_string_equal("instructions", bench("c")->gate);
	parse(NULL, CALLGRIND "part: 1\n" PART("", "totals: 7 5\n") "part: 2\n" PART("", ""));
	assert_absent("c", "Dr");
}

/* Of the second nothing may be told: the metric would have a figure and be absent. */
static void callgrind_refuses_an_event_that_is_named_twice(void **state)
{
	static const char text[] = CALLGRIND "events: Ir Dr Dr\nfn=a\n1 7 5\n";

	(void)state;
	summary_release(&s);
	assert_int_equal(-1, read_text("in", NULL, text, strlen(text)));
	assert_string_equal("'in': line 3: the event 'Dr' is named twice", err.text);
}

/* ---- what is no finite number ------------------------------------------------------------ */

#define GOOGLE(more) \
	"{\"context\":{},\"benchmarks\":[{\"name\":\"x\",\"iterations\":9," \
	"\"real_time\":2,\"cpu_time\":1,\"odd\":3},{\"name\":\"x\",\"iterations\":9," \
	"\"real_time\":2,\"cpu_time\":1," more "},{\"name\":\"x\",\"iterations\":9," \
	"\"real_time\":2,\"cpu_time\":1,\"odd\":3}]}"

/* google-benchmark, Go and C print a rate over no time so; the benchmark was measured all the same.
 */
static void a_counter_that_is_no_finite_number_fails_alone(void **state)
{
	static const char *const values[] = { "NaN", "Infinity", "-Infinity" };
	static const char *const words[] = { "NaN", "+Inf", "-Inf", "nan", "inf" };
	char text[1000];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		snprintf(text, sizeof(text), GOOGLE("\"odd\":%s"), values[i]);
		parse(NULL, text);
		assert_absent("x", "odd");
		assert_all("x", "cpu", 3, 1);
		snprintf(text, sizeof(text),
			 "{\"x\":{\"latency\":{\"value\":7},\"odd\":{\"value\":%s}}}", values[i]);
		parse(NULL, text);
		assert_absent("x", "odd");
		assert_all("x", "wall", 1, 7);
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		snprintf(text, sizeof(text),
			 "BenchmarkX 10 7 ns/op 3 odd\nBenchmarkX 10 7 ns/op %s odd\n", words[i]);
		parse(NULL, text);
		assert_absent("BenchmarkX", "odd");
		assert_all("BenchmarkX", "wall", 2, 7);
		snprintf(text, sizeof(text), "x.exec 7e-9\nx.odd %s\nx.odd 3\n", words[i]);
		parse(NULL, text);
		assert_absent("x", "odd");
		assert_all("x", "wall", 1, 7);
	}
}

static void a_counter_of_any_size_is_counted(void **state)
{
	(void)state;
	parse(NULL, GOOGLE("\"odd\":18446744073709551616"));
	assert_sample("x", "odd", 1, 18446744073709551616.0);
	parse(NULL, GOOGLE("\"odd\":-123456789012345678901234567890"));
	assert_sample("x", "odd", 1, -123456789012345678901234567890.0);
}

static void a_time_that_is_no_finite_number_is_refused(void **state)
{
	(void)state;
	assert_refused(NULL, "{\"x\":{\"latency\":{\"value\":NaN}}}", ERR_RANGE,
		       "x.latency.value: not a finite number");
	assert_refused(NULL, "BenchmarkX 10 +Inf ns/op\n", ERR_RANGE,
		       "line 1: not a finite number");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(nanobench_without_counters_has_none),
		TEST(nanobench_counts_of_0_beside_others_are_counts),
		TEST(nanobench_counters_are_had_or_not_each_by_itself),
		TEST(perf_is_judged_by_the_first_event_that_was_counted),
		TEST(callgrind_totals_are_those_of_each_part),
		TEST(callgrind_without_totals_tells_instructions_alone),
		TEST(callgrind_refuses_an_event_that_is_named_twice),
		TEST(a_counter_that_is_no_finite_number_fails_alone),
		TEST(a_counter_of_any_size_is_counted),
		TEST(a_time_that_is_no_finite_number_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
