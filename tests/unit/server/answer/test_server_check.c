/* Figures that contradict their samples are refused with their place; those of pawl are not. */
#include "tests/unit/store_fixture.h"

#include <math.h>

#include "lib/base/buf.h"
#include "lib/stats/describe.h"
#include "server/answer/check.h"

static void refuses(const struct summary *s, const char *text)
{
	struct err err = ERR_INIT;

	assert_int_equal(check_figures(s, &err), -1);
	assert_int_equal(err.code, ERR_RANGE);
	assert_string_equal(err.text, text);
}

static void what_pawl_describes_is_accepted(void **state)
{
	static const double skewed[] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 4.25e9 };
	struct description d;
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	assert_int_equal(check_figures(&s, NULL), 0);
	m = &s.benchmarks[0].metrics[0];
	m->n = 0;
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(samples_add(&m->samples, &m->n, skewed[i], NULL), 0);
	assert_int_equal(describe(skewed, 10, 0.95, &d, NULL), 0);
	m->mean = d.mean;
	m->median = d.median;
	m->min = d.min;
	m->max = d.max;
	m->p99 = d.p99;
	m->stddev = d.sd;
	m->ci_low = d.ci_low;
	m->ci_high = d.ci_high;
	assert_int_equal(check_figures(&s, NULL), 0);
	/* What was not told is not checked. */
	m->p99 = m->ci_low = m->ci_high = (double)NAN;
	assert_int_equal(check_figures(&s, NULL), 0);
	m->n = 0;
	m->mean = m->min = m->max = (double)NAN;
	assert_int_equal(check_figures(&s, NULL), 0);
	summary_release(&s);
}

static void figure_that_is_not_of_its_samples_is_refused(void **state)
{
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	m = &s.benchmarks[0].metrics[1];
	m->median = 5;
	refuses(&s, "benchmarks[0].metrics[1].median: is 5, but of the samples 2001");
	m->median = 2001;
	m->mean = 2001.5;
	refuses(&s, "benchmarks[0].metrics[1].mean: is 2001.5, but of the samples 2001");
	m->mean = 2001;
	m->max = 1e300;
	refuses(&s, "benchmarks[0].metrics[1].max: is 1e+300, but of the samples 2002");
	m->max = 2002;
	m->stddev = 500;
	refuses(&s, "benchmarks[0].metrics[1].stddev: is 500, but of the samples 1");
	m->stddev = (double)NAN;
	m->min = 2000 * (1 + 1e-8);
	assert_int_equal(check_figures(&s, NULL), 0);
	summary_release(&s);
}

/* n values 1, 2, 3 ..., described as pawl does. */
static void count_up(struct metric *m, size_t n)
{
	struct description d;

	m->n = 0;
	for (size_t i = 1; i <= n; i++)
		assert_int_equal(samples_add(&m->samples, &m->n, (double)i, NULL), 0);
	assert_int_equal(describe(m->samples, n, 0.95, &d, NULL), 0);
	m->mean = d.mean;
	m->median = d.median;
	m->min = d.min;
	m->max = d.max;
	m->p99 = d.p99;
	m->stddev = d.sd;
	m->ci_low = d.ci_low;
	m->ci_high = d.ci_high;
	m->throughput_per_s = 1e9 / d.mean;
}

/*
 * Of 1 to n, definitions 1 to 9 of Hyndman and Fan (1996), worked out from their formulas with
 * fractions; for each n up to 10,000 they lie within what is accepted.
 */
static void every_definition_of_p99_is_accepted(void **state)
{
	static const struct {
		size_t n;
		double p99[9];
	} rows[] = {
		{ 1, { 1, 1, 1, 1, 1, 1, 1, 1, 1 } },
		{ 2, { 2, 2, 2, 1.98, 2, 2, 1.99, 2, 2 } },
		{ 3, { 3, 3, 3, 2.97, 3, 3, 2.98, 3, 3 } },
		{ 10, { 10, 10, 10, 9.9, 10, 10, 9.91, 10, 10 } },
		{ 50, { 50, 50, 50, 49.5, 50, 50, 49.51, 50, 50 } },
		{ 99, { 99, 99, 98, 98.01, 98.51, 99, 98.02, 98.6733333, 98.6325 } },
		{ 100, { 99, 99.5, 99, 99, 99.5, 99.99, 99.01, 99.6633333, 99.6225 } },
		{ 101, { 100, 100, 100, 99.99, 100.49, 100.98, 100, 100.653333, 100.6125 } },
		{ 150, { 149, 149, 148, 148.5, 149, 149.49, 148.51, 149.163333, 149.1225 } },
		{ 199, { 198, 198, 197, 197.01, 197.51, 198, 197.02, 197.673333, 197.6325 } },
		{ 200, { 198, 198.5, 198, 198, 198.5, 198.99, 198.01, 198.663333, 198.6225 } },
		{ 1000, { 990, 990.5, 990, 990, 990.5, 990.99, 990.01, 990.663333, 990.6225 } },
	};
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	m = &s.benchmarks[0].metrics[0];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		count_up(m, rows[i].n);
		assert_int_equal(check_figures(&s, NULL), 0);
		for (size_t k = 0; k < 9; k++) {
			m->p99 = rows[i].p99[k];
			assert_int_equal(check_figures(&s, NULL), 0);
		}
	}
	summary_release(&s);
}

static void p99_that_no_definition_gives_is_refused(void **state)
{
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	m = &s.benchmarks[0].metrics[0];
	m->p99 = 1000.5;
	refuses(&s, "benchmarks[0].metrics[0].p99: 1000.5 is less than 2 of 3 samples");
	count_up(m, 200);
	m->p99 = 197.9;
	refuses(&s, "benchmarks[0].metrics[0].p99: 197.9 is less than 3 of 200 samples");
	m->p99 = 199.1;
	refuses(&s, "benchmarks[0].metrics[0].p99: 199.1 is more than 199 of 200 samples");
	m->p99 = 199;
	assert_int_equal(check_figures(&s, NULL), 0);
	summary_release(&s);
}

static void spread_of_one_sample_is_none(void **state)
{
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	m = &s.benchmarks[0].metrics[0];
	count_up(m, 1);
	assert_int_equal(check_figures(&s, NULL), 0);
	m->stddev = 0;
	assert_int_equal(check_figures(&s, NULL), 0);
	m->stddev = 0.5;
	refuses(&s, "benchmarks[0].metrics[0].stddev: is 0.5, but of the samples 0");
	summary_release(&s);
}

static void throughput_that_no_run_had_is_refused(void **state)
{
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	m = &s.benchmarks[0].metrics[0];
	count_up(m, 4); /* 1 to 4 ns: 1e9 to 2.5e8 a second */
	assert_int_equal(check_figures(&s, NULL), 0);
	m->throughput_per_s =
		1e9 * (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 4; /* the mean of the runs' */
	assert_int_equal(check_figures(&s, NULL), 0);
	m->throughput_per_s = 2.4e8;
	refuses(&s, "benchmarks[0].metrics[0].throughput_per_s: is 240000000, but of the samples "
		    "250000000 to 1e+09");
	m->throughput_per_s = 1.1e9;
	refuses(&s, "benchmarks[0].metrics[0].throughput_per_s: is 1.1e+09, but of the samples "
		    "250000000 to 1e+09");
	m->throughput_per_s = (double)NAN;
	assert_int_equal(check_figures(&s, NULL), 0);
	m->throughput_per_s = 7; /* of what has another unit it is not known what it is of */
	assert_int_equal(str_set(&m->unit, "bytes", NULL), 0);
	assert_int_equal(check_figures(&s, NULL), 0);
	summary_release(&s);
}

/* Of a document with that text in the place of the first `old`. */
static int check_edited(const char *old, const char *text, struct err *err)
{
	struct buf json = BUF_INIT, other = BUF_INIT;
	struct summary s;
	const char *at;
	int result;

	fill_summary(&s, 1, COMMIT_A);
	assert_int_equal(summary_encode(&s, 0, &json, NULL), 0);
	summary_release(&s);
	at = strstr(buf_str(&json), old);
	assert_non_null(at);
	buf_add(&other, json.data, (size_t)(at - json.data));
	buf_adds(&other, text);
	buf_adds(&other, at + strlen(old));
	assert_int_equal(summary_decode_brief(buf_str(&other), other.len, &s, NULL), 0);
	result = check_figures(&s, err);
	summary_release(&s);
	buf_release(&json);
	buf_release(&other);
	return result;
}

static void another_number_of_samples_is_refused(void **state)
{
	static const char n[] = "\"n\":3,";
	static const char *const wrong[] = { "\"n\":4,",   "\"n\":2,",	   "\"n\":0,",
					     "\"n\":3.5,", "\"n\":\"3\",", "\"n\":[3]," };
	static const char *const right[] = { n, "\"n\":3.0,", "\"n\":null,", "" };
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(right) / sizeof(right[0]); i++)
		assert_int_equal(check_edited(n, right[i], NULL), 0);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(check_edited(n, wrong[i], &err), -1);
		assert_int_equal(err.code, ERR_RANGE);
		assert_string_equal(err.text, "benchmarks[0].metrics[0].n: is not the number of "
					      "samples, 3");
	}
}

/* Figures of another program may come alone, and say of how many they are. */
static void number_without_samples_is_accepted(void **state)
{
	static const char samples[] = "\"samples\":[1000,1001,1002],\"n\":3,";

	(void)state;
	assert_int_equal(check_edited(samples, "\"samples\":[],\"n\":40,", NULL), 0);
	assert_int_equal(check_edited(samples, "\"samples\":null,\"n\":40,", NULL), 0);
	assert_int_equal(check_edited(samples, "\"n\":40,", NULL), 0);
	assert_int_equal(check_edited(samples, "\"samples\":[1000,1001,1002],\"n\":40,", NULL), -1);
	assert_int_equal(check_edited(samples, "\"n\":40,\"samples\":[1000,1001,1002],", NULL), -1);
}

static void figures_out_of_order_are_refused(void **state)
{
	struct summary s;
	struct metric *m;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	m = &s.benchmarks[0].metrics[0];
	m->ci_low = 1001.5;
	refuses(&s,
		"benchmarks[0].metrics[0].mean: 1001 lies outside its interval, 1001.5 to 1002");
	m->ci_low = 1000;
	m->n = 0;
	m->median = 1003;
	refuses(&s, "benchmarks[0].metrics[0].median: 1003 lies outside min and max, 1000 to 1002");
	m->median = 1001;
	m->min = 1010;
	refuses(&s, "benchmarks[0].metrics[0].min: 1010 is more than the max, 1002");
	summary_release(&s);
}

static void branch_that_a_store_cannot_find_again_is_refused(void **state)
{
	char name[CHECK_MOST_BRANCH + 2];
	struct summary s;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	memset(name, 'b', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(str_set(&s.commit.branch, name, NULL), 0);
	refuses(&s, "commit.branch: longer than 2000 bytes");
	assert_int_equal(str_set(&s.commit.branch, name + 1, NULL), 0);
	assert_int_equal(check_figures(&s, NULL), 0);
	assert_int_equal(str_set(&s.commit.branch, NULL, NULL), 0);
	assert_int_equal(check_figures(&s, NULL), 0);
	summary_release(&s);
}

static void what_is_of_no_commit_is_refused(void **state)
{
	struct summary s;

	(void)state;
	fill_summary(&s, 1, COMMIT_A);
	assert_int_equal(str_set(&s.sides.base, "make CC=gcc", NULL), 0);
	assert_int_equal(str_set(&s.sides.head, "make CC=clang", NULL), 0);
	refuses(&s, "sides: two builds or commands are no result of a commit");
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_pawl_describes_is_accepted),
		cmocka_unit_test(figure_that_is_not_of_its_samples_is_refused),
		cmocka_unit_test(every_definition_of_p99_is_accepted),
		cmocka_unit_test(p99_that_no_definition_gives_is_refused),
		cmocka_unit_test(spread_of_one_sample_is_none),
		cmocka_unit_test(throughput_that_no_run_had_is_refused),
		cmocka_unit_test(another_number_of_samples_is_refused),
		cmocka_unit_test(number_without_samples_is_accepted),
		cmocka_unit_test(figures_out_of_order_are_refused),
		cmocka_unit_test(branch_that_a_store_cannot_find_again_is_refused),
		cmocka_unit_test(what_is_of_no_commit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
