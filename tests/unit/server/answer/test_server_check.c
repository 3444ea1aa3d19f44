/* Figures that contradict their samples are refused with their place; those of pawl are not. */
#include "tests/unit/store_fixture.h"

#include <math.h>

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
		cmocka_unit_test(figures_out_of_order_are_refused),
		cmocka_unit_test(branch_that_a_store_cannot_find_again_is_refused),
		cmocka_unit_test(what_is_of_no_commit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
