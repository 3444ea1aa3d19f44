/* google-benchmark's JSON, captured from libbenchmark 1.7.1; the numbers are those of the files. */
#include "tests/unit/lib/foreign/foreign_fixture.h"

#include "lib/base/banned.h"

static void repetitions_are_samples_in_ns(void **state)
{
	const struct metric *m;

	(void)state;
	read_file("google-repetitions.json", "google");
	assert_int_equal(4, s.n_benchmarks);
	m = metric("BM_sum/1024", "wall");
	assert_int_equal(3, m->n);
	assert_near(3.5578918013917934e+02, m->samples[0]);
	assert_near(3.1274104612106044e+02, m->samples[2]);
	assert_string_equal("ns", m->unit);
	assert_false(m->described);
	assert_sample("BM_sum/1024", "cpu", 1, 3.2170346031669055e+02);
	assert_int_equal(41239, bench("BM_sum/1024")->iterations);
	assert_string_equal("cpu", bench("BM_sum/1024")->gate);
}

static void rates_are_better_when_higher_and_counters_stay(void **state)
{
	(void)state;
	read_file("google-repetitions.json", "google");
	assert_int_equal(BETTER_HIGHER, metric("BM_sum/1024", "items_per_second")->better);
	assert_string_equal("bytes/s", metric("BM_sum/1024", "bytes_per_second")->unit);
	assert_int_equal(BETTER_LOWER, metric("BM_sum/1024", "blocks")->better);
	assert_sample("BM_sum/1024", "blocks", 2, 16);
}

static void real_time_benchmarks_are_gated_by_wall(void **state)
{
	(void)state;
	read_file("google-repetitions.json", "google");
	assert_string_equal("wall", bench("BM_wait/real_time")->gate);
	assert_fact(&bench("BM_wait/real_time")->facts, "label", "a label");
}

static void an_error_is_a_failed_benchmark_with_its_message(void **state)
{
	(void)state;
	read_file("google-repetitions.json", "google");
	assert_int_equal(BENCH_FAILED, bench("BM_broken")->status);
	assert_string_equal("no input file", bench("BM_broken")->detail);
	assert_int_equal(0, bench("BM_broken")->n_metrics);
}

static void aggregates_alone_give_figures(void **state)
{
	const struct metric *m;

	(void)state;
	read_file("google-aggregates.json", "google");
	m = metric("BM_sum/1024", "wall");
	assert_int_equal(0, m->n);
	assert_true(m->described);
	assert_true(m->mean > 0 && m->median > 0 && m->stddev >= 0);
	assert_true(isnan(m->min));
	assert_non_null(facts_find(&bench("BM_sum/1024")->facts, "aggregate cv"));
}

static void the_context_is_kept_and_dates_the_result(void **state)
{
	const struct facts *facts;

	(void)state;
	read_file("google-single.json", "google");
	facts = &s.imported.v[0].facts;
	assert_fact(facts, "host_name", "bench-host");
	assert_fact(facts, "num_cpus", "2");
	assert_non_null(strstr(facts_find(facts, "caches"), "\"size\":32768"));
	assert_true(s.started_us > INT64_C(1700000000000000));
}

#define HEAD "{\"context\":{},\"benchmarks\":["
#define RUN(fields) HEAD "{\"name\":\"b\"," fields "}]}"

static void other_units_of_time_are_brought_to_ns(void **state)
{
	static const char text[] =
		RUN("\"real_time\":2.5,\"cpu_time\":2,\"time_unit\":\"ms\",\"iterations\":3");

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_sample("b", "wall", 0, 2.5e6);
	assert_sample("b", "cpu", 0, 2e6);
}

/* The name of a counter is the user's own, and so are all of pawl's metrics to him. */
static void a_counter_called_as_a_metric_is_kept_beside_it(void **state)
{
	static const char text[] = RUN("\"real_time\":2,\"cpu_time\":1,\"cpu\":7,\"wall\":8,"
				       "\"peak-rss\":9,\"cpus\":3,\"counter.cpu\":4");

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_sample("b", "cpu", 0, 1);
	assert_sample("b", "wall", 0, 2);
	assert_sample("b", "counter.cpu", 0, 7);
	assert_sample("b", "counter.wall", 0, 8);
	assert_sample("b", "counter.peak-rss", 0, 9);
	assert_sample("b", "cpus", 0, 3);
	assert_sample("b", "counter.counter.cpu", 0, 4);
}

static void aggregates_of_old_versions_are_told_by_their_names(void **state)
{
	static const char text[] =
		HEAD "{\"name\":\"b\",\"real_time\":2,\"cpu_time\":2,\"time_unit\":\"ns\"},"
		     "{\"name\":\"b_mean\",\"real_time\":2,\"cpu_time\":2,\"time_unit\":\"ns\"},"
		     "{\"name\":\"b_BigO\",\"cpu_coefficient\":1.5,\"big_o\":\"N\"}]}";

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_int_equal(1, s.n_benchmarks);
	assert_int_equal(1, metric("b", "wall")->n);
	assert_non_null(facts_find(&bench("b")->facts, "aggregate BigO"));
}

#define AGGREGATE(family, name, counters) \
	"{\"name\":\"b_" name "\",\"run_name\":\"b\",\"run_type\":\"aggregate\"," \
	"\"family_index\":" family ",\"per_family_instance_index\":0," \
	"\"aggregate_name\":\"" name "\",\"threads\":1,\"real_time\":2,\"cpu_time\":2" counters \
	"}"
#define FAMILY(i) \
	"{\"name\":\"c" i "_BigO\",\"run_name\":\"c" i "\",\"run_type\":\"aggregate\"," \
	"\"aggregate_name\":\"BigO\",\"big_o\":\"N\"}"

/* BM_c_BigO is of BM_c/8, BM_c/16 ...: there is no benchmark BM_c. */
static void the_complexity_of_a_family_makes_no_benchmark(void **state)
{
	static const char text[] =
		HEAD "{\"name\":\"c/8\",\"real_time\":2,\"cpu_time\":2}," FAMILY("") "]}";
	const char *got;

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_int_equal(1, s.n_benchmarks);
	assert_string_equal("c/8", s.benchmarks[0].name);
	got = facts_find(&s.imported.v[0].facts, "aggregate BigO of c");
	assert_non_null(got);
	assert_non_null(strstr(got, "\"big_o\":\"N\""));
}

static void of_many_families_not_all_complexities_are_kept(void **state)
{
	struct buf text = BUF_INIT;
	int i;

	(void)state;
	buf_adds(&text, HEAD "{\"name\":\"c/8\",\"real_time\":2,\"cpu_time\":2}");
	for (i = 0; i < 2 * SUMMARY_MAX_FACTS; i++)
		buf_addf(&text, "," FAMILY("%d"), i, i);
	buf_adds(&text, "]}");
	if (read_text("in", NULL, buf_str(&text), text.len))
		fail_msg("%s", err.text);
	buf_release(&text);
	assert_int_equal(1, s.n_benchmarks);
	assert_fact(&s.imported.v[0].facts, "further aggregates", "left out");
}

#define REGISTERED(family, instance, repetition, time) \
	"{\"name\":\"b\",\"run_name\":\"b\",\"run_type\":\"iteration\"," \
	"\"family_index\":" family ",\"per_family_instance_index\":" instance "," \
	"\"repetition_index\":" repetition ",\"real_time\":" time ",\"cpu_time\":" time "}"

/* They became repetitions of one: 100 -> 200 and 1000 -> 1000 was 550 -> 600. */
static void two_benchmarks_of_one_name_are_refused(void **state)
{
	static const char text[] =
		HEAD REGISTERED("3", "1", "0", "2") "," REGISTERED("3", "1", "1", "4") "]}";

	(void)state;
	assert_refused(NULL,
		       HEAD REGISTERED("0", "0", "0", "2") "," REGISTERED("1", "0", "0", "4") "]}",
		       ERR_CONFLICT, "benchmarks[1]: benchmark 'b' is there twice");
	assert_refused(NULL,
		       HEAD REGISTERED("0", "0", "0", "2") "," REGISTERED("0", "1", "0", "4") "]}",
		       ERR_CONFLICT, "benchmarks[1]: benchmark 'b' is there twice");
	assert_refused(NULL, HEAD AGGREGATE("0", "mean", "") "," AGGREGATE("1", "mean", "") "]}",
		       ERR_CONFLICT, "benchmarks[1]: benchmark 'b' is there twice");
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_int_equal(2, metric("b", "wall")->n);
}

static void aggregates_alone_give_figures_of_counters_too(void **state)
{
	static const char text[] = HEAD
		AGGREGATE("0", "mean", ",\"hits\":3,\"bytes_per_second\":7,\"wall\":5") "," AGGREGATE(
			"0", "median",
			",\"hits\":2.5,\"bytes_per_second\":6,\"wall\":5") "," AGGREGATE("0",
											 "stddev",
											 ",\"hits\""
											 ":0.5,"
											 "\"bytes_"
											 "per_"
											 "second\":"
											 "1,"
											 "\"wall\":"
											 "0") "]}";
	const struct metric *m;

	(void)state;
	if (read_text("in", NULL, text, strlen(text)))
		fail_msg("%s", err.text);
	m = metric("b", "hits");
	assert_int_equal(0, m->n);
	assert_true(m->described);
	assert_near(3, m->mean);
	assert_near(2.5, m->median);
	assert_near(0.5, m->stddev);
	assert_true(isnan(m->max));
	assert_near(7, metric("b", "bytes_per_second")->mean);
	assert_string_equal("bytes/s", metric("b", "bytes_per_second")->unit);
	assert_int_equal(BETTER_HIGHER, metric("b", "bytes_per_second")->better);
	assert_near(5, metric("b", "counter.wall")->mean);
	assert_near(2, metric("b", "wall")->mean);
	assert_string_equal("cpu", bench("b")->gate);
	assert_int_equal(5, bench("b")->n_metrics); /* the number of threads is none */
}

/* Of a number it is known that more is better, not what it counts, nor that of a second. */
static void a_counter_has_the_unit_that_its_name_tells(void **state)
{
	static const char text[] = RUN("\"real_time\":2,\"cpu_time\":1,\"score\":7,"
				       "\"read_iops\":8,\"items_per_second\":9");

	(void)state;
	assert_int_equal(0, read_text("in", NULL, text, strlen(text)));
	assert_string_equal("1", metric("b", "score")->unit);
	assert_string_equal("1", metric("b", "read_iops")->unit);
	assert_int_equal(BETTER_HIGHER, metric("b", "read_iops")->better);
	assert_string_equal("1/s", metric("b", "items_per_second")->unit);
}

static void what_is_wrong_is_named(void **state)
{
	(void)state;
	assert_refused(NULL, RUN("\"real_time\":-1,\"cpu_time\":1"), ERR_RANGE,
		       "benchmarks[0].real_time");
	assert_refused(NULL, RUN("\"real_time\":1,\"cpu_time\":\"1\""), ERR_RANGE,
		       "benchmarks[0].cpu_time: must be a number");
	assert_refused(NULL, RUN("\"real_time\":1"), ERR_RANGE, "cpu_time: is missing");
	assert_refused(NULL, RUN("\"real_time\":1,\"cpu_time\":1,\"time_unit\":\"h\""), ERR_RANGE,
		       "benchmarks[0].time_unit");
	assert_refused(NULL, RUN("\"real_time\":NaN,\"cpu_time\":1"), ERR_RANGE,
		       "benchmarks[0].real_time: not a finite number");
	assert_refused(NULL, RUN("\"real_time\":1e999,\"cpu_time\":1"), ERR_SYNTAX, "line 1");
	assert_refused(NULL, HEAD "{\"real_time\":1}]}", ERR_RANGE, "benchmarks[0].name");
	assert_refused(NULL, HEAD "7]}", ERR_RANGE, "benchmarks[0]: must be an object");
	assert_refused(NULL, HEAD "]}", ERR_RANGE, "holds no benchmark");
	assert_refused(NULL, HEAD "{\"name\":\"b\",", ERR_SYNTAX, "not JSON: line 1");
	assert_refused("google", "{}", ERR_RANGE, "benchmarks: is missing");
	assert_refused("google", "Benchmark 1", ERR_SYNTAX, "not a JSON document");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(repetitions_are_samples_in_ns),
		TEST(rates_are_better_when_higher_and_counters_stay),
		TEST(real_time_benchmarks_are_gated_by_wall),
		TEST(an_error_is_a_failed_benchmark_with_its_message),
		TEST(aggregates_alone_give_figures),
		TEST(the_context_is_kept_and_dates_the_result),
		TEST(other_units_of_time_are_brought_to_ns),
		TEST(a_counter_called_as_a_metric_is_kept_beside_it),
		TEST(aggregates_of_old_versions_are_told_by_their_names),
		TEST(the_complexity_of_a_family_makes_no_benchmark),
		TEST(of_many_families_not_all_complexities_are_kept),
		TEST(two_benchmarks_of_one_name_are_refused),
		TEST(aggregates_alone_give_figures_of_counters_too),
		TEST(a_counter_has_the_unit_that_its_name_tells),
		TEST(what_is_wrong_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
