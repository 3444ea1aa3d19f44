/* Results of means and medians alone, as of google-benchmark's aggregates: no samples. */
#include "tests/unit/reporter/export/export_fixture.h"

#include <math.h>

#include "lib/base/banned.h"

/* A benchmark of figures, its median and ends told or not. */
static void one(struct summary *s, bool all)
{
	struct bench *b;
	struct metric *m;

	fixture_init(s);
	assert_int_equal(0, str_set(&s->machine.id, "m", NULL));
	b = summary_add_bench(s, "summed", NULL);
	assert_non_null(b);
	m = bench_add_metric(b, "wall", "ns", BETTER_LOWER, NULL);
	assert_int_equal(0, str_set(&b->gate, "wall", NULL));
	m->described = true;
	m->mean = 125;
	m->median = all ? 120 : (double)NAN;
	m->stddev = all ? 5 : (double)NAN;
	m->min = all ? 110 : (double)NAN;
	m->max = all ? 140 : (double)NAN;
	m->ci_low = all ? 121 : (double)NAN;
	m->ci_high = all ? 129 : (double)NAN;
	m->p99 = m->throughput_per_s = (double)NAN;
}

static void expect(bool all, const char *form, const char *wanted)
{
	struct summary s;
	char *text;

	one(&s, all);
	text = encoded(&s, form);
	has(text, wanted);
	if (strstr(text, "null") || strstr(text, "nan"))
		fail_msg("%s", text);
	free(text);
}

/* They came out as {} and [], with exit 0 and without a word. */
static void forms_of_figures_have_them(void **state)
{
	(void)state;
	expect(true, "bencher", "\"value\": 125,\n");
	expect(true, "bencher", "\"lower_value\": 121,\n");
	expect(true, "codespeed", "\"result_value\": 120,\n");
	expect(true, "codespeed", "\"std_dev\": 5,\n");
	expect(true, "codespeed", "\"max\": 140,\n");
	expect(true, "github-action-benchmark", "\"value\": 120,\n");
	expect(true, "pushgateway", "metric=\"wall\",side=\"head\"} 1.2000000000000002e-07\n");
	expect(true, "influx",
	       " median=120,mean=125,mean_low=121,mean_high=129,stddev=5,min=110,max=140,runs=0i,");
}

static void a_mean_stands_for_a_median_that_was_not_told(void **state)
{
	(void)state;
	expect(false, "bencher", "\"value\": 125\n");
	expect(false, "codespeed", "\"result_value\": 125,\n");
	expect(false, "github-action-benchmark", "\"value\": 125\n");
	expect(false, "pushgateway", "metric=\"wall\",side=\"head\"} 1.2500000000000002e-07\n");
	expect(false, "influx", " median=125,mean=125,runs=0i,");
}

static void forms_of_samples_say_how_many_they_leave_out(void **state)
{
	static const struct {
		const char *form;
		size_t left_out;
	} forms[] = { { "lnt", 1 },	   { "google", 1 }, { "benchstat", 1 },
		      { "json", 0 },	   { "csv", 0 },    { "bencher", 0 },
		      { "codespeed", 0 },  { "influx", 0 }, { "github-action-benchmark", 0 },
		      { "pushgateway", 0 } };
	struct summary s;
	struct metric *m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		one(&s, true);
		fixture_judged(&s, "sampled", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
		fixture_failed(&s, "broken", "no");
		assert_int_equal(forms[i].left_out,
				 export_left_out(export_format_find(forms[i].form, NULL), &s));
		m = bench_add_metric(&s.benchmarks[0], "cpu", "ns", BETTER_LOWER, NULL);
		assert_int_equal(0, samples_add(&m->samples, &m->n, 5, NULL));
		assert_int_equal(0, export_left_out(export_format_find(forms[i].form, NULL), &s));
		summary_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forms_of_figures_have_them),
		cmocka_unit_test(a_mean_stands_for_a_median_that_was_not_told),
		cmocka_unit_test(forms_of_samples_say_how_many_they_leave_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
