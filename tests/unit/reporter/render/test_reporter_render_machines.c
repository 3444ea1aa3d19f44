/* The formats that programs read: what each says of each verdict, and of hostile bytes. */
#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in:\n%s", part, text);
}

static char *of_each(const char *format)
{
	struct summary s;

	fixture_of_each(&s);
	return rendered(&s, format, NULL);
}

static char *of_hostile(const char *format)
{
	struct summary s;

	fixture_init(&s);
	fixture_hostile(&s);
	return rendered(&s, format, NULL);
}

static void junit_fails_only_what_regressed(void **state)
{
	char *text = of_each("junit");

	(void)state;
	has(text, "tests=\"12\" failures=\"1\" errors=\"1\" skipped=\"5\"");
	has(text, "<failure message=\"cpu is 3.4 % slower [2.1, 4.7] than 0f1e2d3\"");
	has(text, "<error message=\"ended with status 1\"");
	has(text, "<skipped message=\"undecided after 3 pairs of runs\"/>");
	assert_int_equal(1, count(text, "<failure "));
	assert_int_equal(1, count(text, "<error "));
	assert_int_equal(5, count(text, "<skipped "));
	/* the head's median: 1.034 ms */
	has(text, "name=\"worse\" time=\"0.001034000000\"");
	free(text);
}

static void an_accepted_regression_does_not_fail_junit(void **state)
{
	struct summary s;
	struct bench *b;
	char *text;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "known", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	assert_int_equal(0, str_set(&b->accepted.commit, HEAD_COMMIT, NULL));
	assert_int_equal(0, str_set(&b->accepted.because, "stronger checks", NULL));
	text = rendered(&s, "junit", NULL);
	has(text, "failures=\"0\"");
	has(text, "<system-out>accepted: cpu is 3.4 % slower");
	has(text, "stronger checks");
	free(text);
}

static void xml_holds_no_byte_that_xml_forbids(void **state)
{
	static const char *const formats[] = { "junit", "html", "badge" };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		char *text = of_hostile(formats[i]), *p;

		for (p = text; *p; p++)
			if ((unsigned char)*p < 0x20)
				assert_true(*p == '\n');
		has_not(text, "\xff");
		has_not(text, "<img");
		has_not(text, "</pre><b>");
		free(text);
	}
}

static void codequality_names_what_is_wrong_and_nothing_else(void **state)
{
	char *text = of_each("codequality");

	(void)state;
	assert_int_equal(3, count(text, "\"fingerprint\""));
	has(text, "\"description\": \"worse: cpu is 3.4 % slower [2.1, 4.7] than 0f1e2d3\"");
	has(text, "\"severity\": \"major\"");
	has(text, "\"description\": \"broken: ended with status 1\"");
	has(text, "\"severity\": \"critical\"");
	has(text, "\"check_name\": \"pawl-suspect\"");
	has(text, "\"severity\": \"minor\"");
	free(text);
}

/* What the target branch has too is not shown: another figure must not make another issue. */
/* Else who already fails on the target branch would hide who fails here for the same reason. */
static void a_fingerprint_is_of_all_that_fail_alike(void **state)
{
	struct summary s;
	char *one, *both;

	(void)state;
	fixture_init(&s);
	fixture_failed(&s, "a", "it is gone");
	one = rendered(&s, "codequality", NULL);
	fixture_init(&s);
	fixture_failed(&s, "a", "it is gone");
	fixture_failed(&s, "b", "it is gone");
	both = rendered(&s, "codequality", NULL);
	assert_int_equal(1, count(both, "\"fingerprint\""));
	assert_string_not_equal(strstr(one, "\"fingerprint\""), strstr(both, "\"fingerprint\""));
	free(one);
	free(both);
}

static void a_fingerprint_does_not_hang_on_figures(void **state)
{
	struct summary s;
	char *one, *other;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	one = rendered(&s, "codequality", NULL);
	fixture_init(&s);
	fixture_judged(&s, "x", 1.055, 1.041, 1.067, VERDICT_REGRESSED);
	other = rendered(&s, "codequality", NULL);
	assert_string_equal(strstr(one, "\"fingerprint\""), strstr(other, "\"fingerprint\""));
	assert_string_not_equal(one, other);
	free(one);
	free(other);
}

static void nothing_wrong_is_an_empty_list(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.001, 0.995, 1.006, VERDICT_UNCHANGED);
	render_is(&s, "codequality", NULL, "[]\n");
}

static void metrics_show_jitter_as_one(void **state)
{
	char *text = of_each("metrics");

	(void)state;
	has(text, "pawl_change_ratio{benchmark=\"worse\"} 1.03\n");
	has(text, "pawl_change_ratio{benchmark=\"better\"} 0.931\n");
	has(text, "pawl_change_ratio{benchmark=\"same/9\"} 1\n");
	has(text, "pawl_change_ratio{benchmark=\"stored\"} 1\n");
	has(text, "pawl_benchmarks{verdict=\"regressed\"} 1\n");
	assert_string_equal("# EOF\n", text + strlen(text) - 6);
	free(text);
}

static void openmetrics_are_in_base_units(void **state)
{
	char *text = of_each("openmetrics");

	(void)state;
	has(text, "pawl_time_seconds{benchmark=\"worse\",metric=\"cpu\",side=\"base\"} 0.001\n");
	has(text, "pawl_verdict{benchmark=\"broken\",verdict=\"failed\"} 1\n");
	has_not(text, "pawl_size_bytes"); /* a family without a value is left out */
	has_not(text, "NaN");
	free(text);
}

static void a_label_stays_in_its_quotes(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a\"b\\c\nd", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	text = rendered(&s, "metrics", NULL);
	has(text, "{benchmark=\"a\\\"b\\\\c\\\\nd\"} 1.03\n");
	free(text);
}

static void csv_has_a_row_for_each_metric(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	fixture_failed(&s, "=cmd()\"", "no, \"such\" file");
	text = rendered(&s, "csv", NULL);
	assert_int_equal(3, count(text, "\r\n"));
	has(text, "\"x\",ok,regressed,\"cpu\",\"ns\",lower,yes,3,3,1034000,1000000,1.034,1.021,"
		  "1.047,0.95,,,");
	has(text, "\"'=cmd()\"\"\",failed,failed,\"\",\"\",lower,yes,0,0,,,,,,,,,");
	has(text, "\"no, \"\"such\"\" file\",,,\r\n");
	free(text);
}

static void a_badge_says_the_worst(void **state)
{
	struct summary s;
	char *text = of_each("badge");

	(void)state;
	has(text, "<title>performance: 1 failed</title>");
	free(text);
	fixture_init(&s);
	text = rendered(&s, "badge", NULL);
	has(text, "<title>performance: no benchmarks</title>");
	free(text);
}

static void a_comment_keeps_its_limit_and_its_mark(void **state)
{
	struct summary s;
	char *text, name[32];
	int i;

	(void)state;
	fixture_init(&s);
	for (i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "case/%d", i);
		fixture_judged(&s, name, 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	}
	text = rendered(&s, "comment", NULL);
	assert_true(strlen(text) <= RENDER_LIMIT_COMMENT);
	assert_true(strlen(text) > RENDER_LIMIT_COMMENT / 2);
	assert_memory_equal(text, RENDER_MARK, strlen(RENDER_MARK));
	has(text, "more rows are left out here");
	free(text);
}

static void a_page_fetches_nothing_and_runs_nothing(void **state)
{
	char *text = of_each("html");

	(void)state;
	has(text, "default-src 'none'");
	has_not(text, "<script");
	has_not(text, "src=");
	has_not(text, "url(");
	has_not(text, "@import");
	assert_int_equal(12, count(text, "<tr><td class=\"name\">"));
	has(text, "prefers-color-scheme:dark");
	free(text);
}

static void a_page_tells_of_pairs_where_there_were_pairs(void **state)
{
	static const char words[] = "a delta comes from the pairs of runs";
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "worse", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	text = rendered(&s, "html", NULL);
	has(text, words);
	free(text);
	fixture_init(&s);
	fixture_judged(&s, "stored", 1.12, 1.02, 1.22, VERDICT_INCONCLUSIVE)->paired = false;
	text = rendered(&s, "html", NULL);
	has(text, "Base and head are medians.</p>");
	has_not(text, words);
	free(text);
}

static void a_page_of_nothing_is_a_page(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	text = rendered(&s, "html", NULL);
	has(text, "</html>\n");
	has_not(text, "<table class=\"verdicts\">");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(junit_fails_only_what_regressed),
		cmocka_unit_test(an_accepted_regression_does_not_fail_junit),
		cmocka_unit_test(xml_holds_no_byte_that_xml_forbids),
		cmocka_unit_test(codequality_names_what_is_wrong_and_nothing_else),
		cmocka_unit_test(a_fingerprint_is_of_all_that_fail_alike),
		cmocka_unit_test(a_fingerprint_does_not_hang_on_figures),
		cmocka_unit_test(nothing_wrong_is_an_empty_list),
		cmocka_unit_test(metrics_show_jitter_as_one),
		cmocka_unit_test(openmetrics_are_in_base_units),
		cmocka_unit_test(a_label_stays_in_its_quotes),
		cmocka_unit_test(csv_has_a_row_for_each_metric),
		cmocka_unit_test(a_badge_says_the_worst),
		cmocka_unit_test(a_comment_keeps_its_limit_and_its_mark),
		cmocka_unit_test(a_page_fetches_nothing_and_runs_nothing),
		cmocka_unit_test(a_page_tells_of_pairs_where_there_were_pairs),
		cmocka_unit_test(a_page_of_nothing_is_a_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
