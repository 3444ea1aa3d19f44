/* Documents of another shape than their format has, and those that are too large. */
#include "tests/unit/lib/foreign/foreign_fixture.h"

#include "lib/base/banned.h"

static void documents_of_another_shape_are_refused(void **state)
{
	(void)state;
	assert_refused("bmf", "[1]", ERR_RANGE, "must be an object of benchmarks");
	assert_refused("bmf", "no JSON", ERR_SYNTAX, "in");
	assert_refused("nanobench", "{\"results\":[{\"name\":\"x\",\"measurements\":[1]}]}",
		       ERR_RANGE, "results[0].measurements[0]: must be an object");
	assert_refused("nanobench", "{\"results\":[{\"name\":\"x\",\"measurements\":{}}]}",
		       ERR_RANGE, "results[0].measurements: must be an array");
	assert_refused("hyperfine",
		       "{\"results\":[{\"command\":\"x\",\"mean\":1,\"times\":{\"a\":1}}]}",
		       ERR_RANGE, "results[0].times: must be an array");
	assert_refused("hyperfine",
		       "{\"results\":[{\"command\":\"x\",\"mean\":1,\"exit_codes\":\"0\"}]}",
		       ERR_RANGE, "results[0].exit_codes: must be an array");
	assert_refused("criterion",
		       "{\"reason\":\"benchmark-complete\",\"id\":\"x\",\"unit\":\"ns\","
		       "\"iteration_count\":{\"a\":1},\"measured_values\":[1]}",
		       ERR_RANGE, "line 1.iteration_count: must be an array");
}

static void criterion_is_refused_by_its_path(void **state)
{
	static const char text[] = "{\"iters\":[1],\"times\":[1]}";

	(void)state;
	assert_int_equal(-1, read_text("target/criterion/fib/change/sample.json", "criterion", text,
				       strlen(text)));
	assert_non_null(strstr(err.text, "holds changes, not times"));
	summary_release(&s);
	assert_int_equal(-1, read_text("/new/sample.json", "criterion", text, strlen(text)));
	assert_non_null(strstr(err.hint, "target/criterion/NAME/new/sample.json"));
}

static void criterion_times_are_numbers(void **state)
{
	static const char text[] = "{\"iters\":[1],\"times\":[\"x\"]}";

	(void)state;
	assert_int_equal(
		-1, read_text("criterion/fib/new/sample.json", "criterion", text, strlen(text)));
	assert_non_null(strstr(err.text, "times[0]: must be a number"));
}

static void larger_inputs_are_refused_before_they_are_read(void **state)
{
	(void)state;
	assert_int_equal(-1, read_text("in", "go", "", FOREIGN_MAX_BYTES + 1));
	assert_int_equal(ERR_LIMIT, err.code);
}

static void as_many_files_are_read_as_a_summary_holds(void **state)
{
	char text[64];
	int i;

	(void)state;
	for (i = 0; i < SUMMARY_MAX_IMPORTED; i++) {
		snprintf(text, sizeof(text), "BenchmarkX%d 10 100 ns/op\n", i);
		assert_int_equal(0, read_text("in", "go", text, strlen(text)));
	}
	assert_int_equal(-1, read_text("in", "go", "BenchmarkY 10 100 ns/op\n", 24));
	assert_int_equal(ERR_LIMIT, err.code);
	assert_int_equal(SUMMARY_MAX_IMPORTED, s.imported.n);
}

static void as_many_fields_are_kept_as_a_benchmark_holds(void **state)
{
	struct buf text = BUF_INIT;
	int i;

	(void)state;
	buf_adds(&text, "{\"results\":[{\"command\":\"x\",\"mean\":1,\"times\":[1]");
	for (i = 0; i <= SUMMARY_MAX_FACTS; i++)
		buf_addf(&text, ",\"field%d\":%d", i, i);
	buf_adds(&text, "}]}");
	assert_refused("hyperfine", buf_str(&text), ERR_LIMIT, "further fields");
	buf_release(&text);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(documents_of_another_shape_are_refused),
		TEST(criterion_is_refused_by_its_path),
		TEST(criterion_times_are_numbers),
		TEST(larger_inputs_are_refused_before_they_are_read),
		TEST(as_many_files_are_read_as_a_summary_holds),
		TEST(as_many_fields_are_kept_as_a_benchmark_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
