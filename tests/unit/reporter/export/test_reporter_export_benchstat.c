/* Go's benchmark format, which has fewer names than there are benchmarks. */
#include "tests/unit/reporter/export/export_fixture.h"

#include "lib/base/banned.h"

static void add(struct summary *s, const char *name, const char *metric, double value)
{
	struct bench *b = summary_find(s, name);
	struct metric *m;

	if (!b)
		b = summary_add_bench(s, name, NULL);
	assert_non_null(b);
	m = bench_add_metric(b, metric, "1", BETTER_LOWER, NULL);
	assert_int_equal(0, samples_add(&m->samples, &m->n, value, NULL));
}

/* benchstat took "a b" and "a_b", "sort" and "Sort", for runs of one benchmark. */
static void benchmarks_that_would_be_one_get_a_mark(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	add(&s, "a b", "x", 1);
	add(&s, "a_b", "x", 2);
	add(&s, "c d", "x", 3);
	add(&s, "sort", "x", 4);
	add(&s, "Sort", "x", 5);
	add(&s, "BenchmarkSort", "x", 6);
	text = encoded(&s, "benchstat");
	/* printf 'a b' | sha256sum, and so on */
	has(text, "BenchmarkA_b~c8687a08\t1\t1 x/op\n");
	has(text, "BenchmarkA_b~648fa9b3\t1\t2 x/op\n");
	has(text, "BenchmarkC_d\t1\t3 x/op\n");
	has(text, "BenchmarkSort~64696494\t1\t4 x/op\n");
	has(text, "BenchmarkSort~bec69036\t1\t5 x/op\n");
	has(text, "BenchmarkSort\t1\t6 x/op\n");
	free(text);
}

static void metrics_that_would_be_one_get_a_mark(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	add(&s, "a", "x y", 1);
	add(&s, "a", "x_y", 2);
	bench_find_metric(&s.benchmarks[0], "x y")->better = BETTER_HIGHER;
	text = encoded(&s, "benchstat");
	has(text, "Unit x_y/op~887fcea6 better=higher\n");
	has(text, "BenchmarkA\t1\t1 x_y/op~887fcea6\t2 x_y/op~f9068e81\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(benchmarks_that_would_be_one_get_a_mark),
		cmocka_unit_test(metrics_that_would_be_one_get_a_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
