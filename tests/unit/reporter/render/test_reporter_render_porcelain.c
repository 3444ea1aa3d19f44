/* The lines for scripts: every field at its place, whatever a name holds. */
#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

static void a_result_is_these_lines(void **state)
{
	struct summary s;
	struct bench *b;

	(void)state;
	fixture_init(&s);
	b = fixture_judged(&s, "worse", 1.034, 1.021, 1.047, VERDICT_REGRESSED);
	b->threshold = 0.01;
	b->metrics[0].delta.p_adjusted = 0.002;
	fixture_failed(&s, "broken", "ended with status 1\nno such file");
	fixture_bench(&s, "alpha/new")->is_new = true;
	/* medians by hand: samples are 1e6 and 1.034e6 with 1 % to either side */
	render_is(&s, "porcelain", NULL,
		  "pawl-porcelain\t1\n"
		  "head\t" HEAD_COMMIT "\tclean\n"
		  "base\t" BASE_COMMIT "\trerun\n"
		  "project\tzlib\n"
		  "machine\t-\n"
		  "benchmark\tregressed\tworse\tcpu\tns\t1000000\t1034000\t1.034\t1.021\t1.047\t"
		  "0.95\t0.002\t0.008\t3\t3\t0.01\t-\t-\t-\n"
		  "benchmark\tfailed\tbroken\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t0\t0\t0\t-\t-\t-\n"
		  "benchmark\tadded\talpha/new\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\t0\t0\t0\t-\t-\t-\n"
		  "end\n");
}

static void other_metrics_are_told_when_asked_for(void **state)
{
	struct render_options opt = RENDER_OPTIONS_INIT;
	struct summary s;
	char *text;

	(void)state;
	opt.verbose = true;
	fixture_init(&s);
	fixture_detailed(&s);
	text = rendered(&s, "porcelain", &opt);
	assert_non_null(strstr(text,
			       "\nmetric\tdeep\tpeak-rss\tbytes\t1048576\t2097152\t2\t1.9\t2.1\t"
			       "0\t0\t0\t1\t1\t-\t-\t-\n"));
	assert_null(strstr(text, "\tcycles\t")); /* could not be had */
	free(text);
	fixture_init(&s);
	fixture_detailed(&s);
	text = rendered(&s, "porcelain", NULL);
	assert_null(strstr(text, "metric\t"));
	free(text);
}

static void no_name_leaves_its_field(void **state)
{
	struct summary s;
	char *text, *p;

	(void)state;
	fixture_init(&s);
	fixture_hostile(&s);
	fixture_bench(&s, "-");
	fixture_bench(&s, "a\tb\\c\nd\x7f\xc2\x9b"
			  "e");
	fixture_bench(&s, "##vso[task.complete]#1");
	text = rendered(&s, "porcelain", NULL);
	assert_non_null(strstr(text, "\t\\x2d\t"));
	assert_non_null(strstr(text, "\ta\\tb\\\\c\\nd\\x7f\\xc2\\x9be\t"));
	assert_non_null(strstr(text, "\t::error::a|b`c`\\x1b[31m<img src=x>@octocat\\n# x\t"));
	assert_non_null(strstr(text, "\t#\\x23vso[task.complete]#1\t"));
	for (p = text; *p; p++)
		assert_true(*p == '\n' || *p == '\t' || (unsigned char)*p >= 0x20);
	/* every benchmark on one line of 19 fields */
	for (p = text; (p = strstr(p, "\nbenchmark\t")); p++) {
		size_t n = 1;
		const char *q;

		for (q = p + 1; *q != '\n'; q++)
			n += *q == '\t';
		assert_int_equal(19, n);
	}
	free(text);
}

static void every_verdict_has_one_word(void **state)
{
	struct summary s;
	char *text, *p;
	size_t n = 0;

	(void)state;
	fixture_of_each(&s);
	text = rendered(&s, "porcelain", NULL);
	for (p = text; (p = strstr(p, "\nbenchmark\t")); n++) {
		p += strlen("\nbenchmark\t");
		assert_true(strcspn(p, " ") > strcspn(p, "\t"));
	}
	assert_int_equal(12, n);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_these_lines),
		cmocka_unit_test(other_metrics_are_told_when_asked_for),
		cmocka_unit_test(no_name_leaves_its_field),
		cmocka_unit_test(every_verdict_has_one_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
