/* Lines that were cut short, and names that are no UTF-8. */
#include "tests/unit/lib/foreign/foreign_fixture.h"

#include "lib/base/banned.h"

static void parse(const char *text)
{
	summary_release(&s);
	if (read_text("in", NULL, text, strlen(text)))
		fail_msg("%s", err.text);
}

/* "1.5e3 ns/op" was a metric "n" of 1500, and a sample was lost. */
static void go_lines_cut_in_their_last_unit_are_refused(void **state)
{
	(void)state;
	assert_refused(NULL, "BenchmarkX-8 10 100 ns/op\nBenchmarkX-8 10 1.5e3 n", ERR_SYNTAX,
		       "line 2: cut short in 'n'");
	assert_refused(NULL, "BenchmarkX 10 100 ns/op 3 alloc", ERR_SYNTAX, "in 'alloc'");
	assert_refused(NULL, "BenchmarkX 10 9 widgets/op\nBenchmarkY 10 9 wid", ERR_SYNTAX,
		       "in 'wid'");
}

static void go_last_lines_without_an_end_may_be_whole(void **state)
{
	(void)state;
	parse("BenchmarkX 10 100 ns/op");
	assert_sample("BenchmarkX", "wall", 0, 100);
	parse("BenchmarkX 10 100 ns/op 7 widgets/op");
	assert_sample("BenchmarkX", "widgets/op", 0, 7);
	parse("BenchmarkX 10 100 ns/op 5 n\nBenchmarkX 10 100 ns/op 6 n");
	assert_sample("BenchmarkX", "n", 1, 6);
	parse("BenchmarkX 10 100 ns/op\nBenchmarkX 10 15 n\n"); /* so it was written */
	assert_sample("BenchmarkX", "n", 0, 15);
}

/* All bad bytes were one character, and two benchmarks one with two samples. */
static void names_with_other_bad_bytes_are_other_benchmarks(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	parse("Benchmark\xff 10 100 ns/op\nBenchmark\xfe 10 900 ns/op\n"
	      "Benchmark\xe9t\xe9 10 1 ns/op\nBenchmark\xc3\xa9 10 2 ns/op 3 \xb5widgets/op\n");
	assert_int_equal(4, s.n_benchmarks);
	assert_sample("Benchmark\\xff", "wall", 0, 100);
	assert_sample("Benchmark\\xfe", "wall", 0, 900);
	assert_sample("Benchmark\\xe9t\\xe9", "wall", 0, 1);
	assert_sample("Benchmark\xc3\xa9", "wall", 0, 2);
	assert_sample("Benchmark\xc3\xa9", "\\xb5widgets/op", 0, 3);
	/* Written out they are too long, which the bytes are not. */
	buf_adds(&text, "Benchmark");
	buf_addn(&text, '\xff', 200);
	buf_adds(&text, "1 10 1 ns/op\nBenchmark");
	buf_addn(&text, '\xff', 200);
	buf_adds(&text, "2 10 2 ns/op\n");
	parse(buf_str(&text));
	buf_release(&text);
	assert_int_equal(2, s.n_benchmarks);
	assert_true(strlen(s.benchmarks[0].name) <= SUMMARY_MAX_NAME);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(go_lines_cut_in_their_last_unit_are_refused),
		TEST(go_last_lines_without_an_end_may_be_whole),
		TEST(names_with_other_bad_bytes_are_other_benchmarks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
