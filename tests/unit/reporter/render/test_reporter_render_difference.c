/* Unit tests of reporter/render and reporter/export: a change without a ratio, in every format. */
#include "tests/unit/reporter/render_fixture.h"

#include "reporter/export/export.h"

#include "lib/base/banned.h"

/* A count that was 0 in every run and is 5 now, judged by its difference; pairs differ in 4 to 6.
 */
static void fixture_from_0(struct summary *s, enum verdict verdict)
{
	struct bench *b;
	struct metric *m;
	int i;

	fixture_init(s);
	b = fixture_bench(s, "grow");
	m = bench_add_metric(b, "allocations", "1", BETTER_LOWER, NULL);
	assert_non_null(m);
	assert_int_equal(0, str_set(&b->gate, "allocations", NULL));
	b->threshold = 0.01;
	for (i = 0; i < 3; i++) {
		assert_int_equal(0, samples_add(&m->samples, &m->n, 4 + i, NULL));
		assert_int_equal(0, samples_add(&m->baseline_samples, &m->n_baseline, 0, NULL));
	}
	m->has_delta = true;
	m->delta = (struct delta){ .ratio = (double)NAN,
				   .low = (double)NAN,
				   .high = (double)NAN,
				   .by_difference = true,
				   .difference = 5,
				   .difference_low = 4,
				   .difference_high = 6,
				   .confidence = 0.98,
				   .p = 0.001,
				   .p_adjusted = 0.002,
				   .noise_floor = (double)NAN,
				   .verdict = verdict };
}

static void shows(const char *format, const char *part)
{
	struct summary s;
	char *text;

	fixture_from_0(&s, VERDICT_REGRESSED);
	text = rendered(&s, format, NULL);
	if (!strstr(text, part))
		fail_msg("%s without '%s': %s", format, part, text);
	if (strstr(text, "nan") || strstr(text, "NaN"))
		fail_msg("%s with NaN: %s", format, text);
	free(text);
}

static void people_read_it_with_its_interval(void **state)
{
	(void)state;
	shows("text", "+5  [+4, +6]");
	shows("text", "grow regressed: it has 5 more allocations [4, 6] against 0f1e2d3");
	shows("markdown", "5 more allocations [4, 6]");
	shows("comment", "+5 | [+4, +6]");
	shows("html", "[+4, +6]");
	shows("annotations", "allocations is 5 more [4, 6]");
	shows("codequality", "allocations is 5 more [4, 6]");
}

static void a_table_has_columns_for_it(void **state)
{
	(void)state;
	shows("csv", ",detail,difference,difference_low,difference_high\r\n");
	shows("csv", ",5,0,,,,0.98,0.001,0.002,0.01,,\"\",5,4,6\r\n");
	shows("porcelain", "allocations\t1\t0\t5\t-\t-\t-\t0.98\t0.002\t-\t3\t3\t0.01\t5\t4\t6\n");
}

static void a_ratio_leaves_them_empty(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.034, 1.021, 1.047, VERDICT_REGRESSED)->threshold = 0.01;
	text = rendered(&s, "csv", NULL);
	assert_non_null(strstr(text, ",0.01,0.008,\"\",,,\r\n"));
	free(text);
	fixture_init(&s);
	fixture_judged(&s, "x", 1.034, 1.021, 1.047, VERDICT_REGRESSED)->threshold = 0.01;
	text = rendered(&s, "porcelain", NULL);
	assert_non_null(strstr(text, "\t3\t3\t0.01\t-\t-\t-\n"));
	free(text);
}

static void xml_has_properties_for_it(void **state)
{
	(void)state;
	shows("junit", "<property name=\"unit\" value=\"1\"/>");
	shows("junit", "<property name=\"difference\" value=\"5\"/>\n"
		       "      <property name=\"difference-low\" value=\"4\"/>\n"
		       "      <property name=\"difference-high\" value=\"6\"/>\n");
}

static void metrics_have_families_for_it(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	shows("openmetrics", "pawl_change_difference{benchmark=\"grow\",metric=\"allocations\","
			     "unit=\"1\"} 5\n");
	shows("openmetrics", "pawl_change_low_difference{benchmark=\"grow\","
			     "metric=\"allocations\",unit=\"1\"} 4\n");
	shows("openmetrics", "pawl_change_high_difference{benchmark=\"grow\","
			     "metric=\"allocations\",unit=\"1\"} 6\n");
	shows("metrics", "pawl_change_difference{benchmark=\"grow\",unit=\"1\"} 5\n");
	fixture_from_0(&s, VERDICT_INCONCLUSIVE);
	text = rendered(&s, "metrics", NULL);
	assert_non_null(strstr(text, "pawl_change_difference{benchmark=\"grow\",unit=\"1\"} 0\n"));
	assert_null(strstr(text, "pawl_change_ratio"));
	free(text);
}

static void influx_has_fields_for_it(void **state)
{
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;
	struct summary s;

	(void)state;
	fixture_from_0(&s, VERDICT_REGRESSED);
	if (export_format_find("influx", NULL)->encode(&s, true, &out, &err))
		fail_msg("%s", err.text);
	assert_non_null(strstr(buf_str(&out), ",unit=1 "));
	assert_non_null(strstr(buf_str(&out), ",runs=3i,difference=5,difference_low=4,"
					      "difference_high=6,verdict=\"regressed\","));
	buf_release(&out);
	summary_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(people_read_it_with_its_interval),
		cmocka_unit_test(a_table_has_columns_for_it),
		cmocka_unit_test(a_ratio_leaves_them_empty),
		cmocka_unit_test(xml_has_properties_for_it),
		cmocka_unit_test(metrics_have_families_for_it),
		cmocka_unit_test(influx_has_fields_for_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
