#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

static void ten_thousand_benchmarks_are_shown(void **state)
{
	struct render_options opt = wide(100);
	struct summary s;
	char *text;

	(void)state;
	fixture_many(&s, 10000);
	text = rendered(&s, "text", &opt);
	assert_int_equal(9999, count(text, "\n? bench/"));
	free(text);
}

static void rendering_is_deterministic_whatever_the_order_of_the_document(void **state)
{
	struct render_options opt = wide(0);
	struct summary s;
	char *first, *second;
	struct bench swap;

	(void)state;
	fixture_of_each(&s);
	first = rendered(&s, "text", &opt);
	fixture_of_each(&s);
	swap = s.benchmarks[0];
	s.benchmarks[0] = s.benchmarks[s.n_benchmarks - 1];
	s.benchmarks[s.n_benchmarks - 1] = swap;
	second = rendered(&s, "text", &opt);
	assert_string_equal(first, second);
	free(first);
	free(second);
}

static void long_failures_lose_their_middle_unless_verbose(void **state)
{
	struct render_options opt = wide(0);
	struct buf detail = BUF_INIT;
	struct summary s;
	char *text;
	int i;

	(void)state;
	for (i = 1; i <= 40; i++)
		buf_addf(&detail, "line %d\n", i);
	fixture_init(&s);
	fixture_failed(&s, "broken", buf_str(&detail));
	text = rendered(&s, "text", &opt);
	assert_non_null(strstr(text, "    line 1\n    (28 lines left out)\n    line 30\n"));
	assert_non_null(strstr(text, "    line 40\n"));
	free(text);
	opt.verbose = true;
	fixture_init(&s);
	fixture_failed(&s, "broken", buf_str(&detail));
	text = rendered(&s, "text", &opt);
	assert_int_equal(40, count(text, "    line "));
	free(text);
	buf_release(&detail);
}

static void json_is_the_summary_document(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "deep", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	text = rendered(&s, "json", NULL);
	assert_memory_equal("{\n", text, 2);
	assert_string_equal("}\n", text + strlen(text) - 2);
	assert_non_null(strstr(text, "\"verdict\": \"regressed\""));
	free(text);
}

static void an_unknown_format_is_refused_with_the_list(void **state)
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	struct summary s;

	(void)state;
	fixture_init(&s);
	buf_adds(&out, "before");
	assert_int_equal(-1, render("yaml", &s, NULL, &out, &err));
	assert_int_equal(ERR_USAGE, err.code);
	assert_string_equal("unknown format 'yaml'", err.text);
	assert_string_equal("the formats are: text, json, markdown, comment, csv, html, "
			    "junit, openmetrics, metrics, codequality, annotations, "
			    "badge, porcelain",
			    err.hint);
	assert_string_equal("before", buf_str(&out));
	buf_release(&out);
	summary_release(&s);
}

static void a_plot_of_an_unknown_benchmark_is_refused_and_leaves_no_half(void **state)
{
	struct render_options opt = wide(0);
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_bench(&s, "bare");
	buf_adds(&out, "before");
	opt.plot = true;
	opt.benchmark = "other";
	assert_int_equal(-1, render("text", &s, &opt, &out, &err));
	assert_int_equal(ERR_ABSENT, err.code);
	assert_string_equal("no benchmark 'other' in this summary", err.text);
	opt.benchmark = "bare";
	assert_int_equal(-1, render("markdown", &s, &opt, &out, &err));
	assert_string_equal("no samples to plot of 'bare'", err.text);
	assert_string_equal("before", buf_str(&out));
	opt.benchmark = NULL;
	assert_int_equal(0, render("text", &s, &opt, &out, &err));
	buf_release(&out);
	summary_release(&s);
}

static void every_format_has_a_name_and_a_description(void **state)
{
	const struct render_format *format;
	size_t i;

	(void)state;
	for (i = 0; (format = render_format_at(i)); i++) {
		assert_ptr_equal(format, render_format_find(format->name));
		assert_true(strlen(format->description) > 0);
	}
	assert_true(i >= 3);
	assert_null(render_format_find("yaml"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_thousand_benchmarks_are_shown),
		cmocka_unit_test(rendering_is_deterministic_whatever_the_order_of_the_document),
		cmocka_unit_test(long_failures_lose_their_middle_unless_verbose),
		cmocka_unit_test(json_is_the_summary_document),
		cmocka_unit_test(an_unknown_format_is_refused_with_the_list),
		cmocka_unit_test(a_plot_of_an_unknown_benchmark_is_refused_and_leaves_no_half),
		cmocka_unit_test(every_format_has_a_name_and_a_description),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
