/* What the runner of a CI reads as commands: ours, and nothing that a benchmark wrote. */
#include "tests/unit/reporter/render_fixture.h"

#include "lib/base/banned.h"

static size_t count_lines(const char *text, const char *start)
{
	size_t n = 0;

	for (; text && *text; text = strchr(text, '\n') + 1)
		n += !strncmp(text, start, strlen(start));
	return n;
}

static void what_is_wrong_is_annotated_and_nothing_else(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_of_each(&s);
	text = rendered(&s, "annotations", NULL);
	assert_int_equal(2, count_lines(text, "::error title=pawl%3A "));
	assert_int_equal(1, count_lines(text, "::warning title=pawl%3A stored::"));
	assert_int_equal(3, count_lines(text, ""));
	assert_non_null(strstr(text, "::error title=pawl%3A worse::worse: cpu is 3.4 %25 slower"));
	free(text);
}

static void count_is(struct summary *s, const char *format, const char *text, size_t wanted)
{
	struct render_options opt = { .utf8 = true };
	struct buf out = BUF_INIT;
	const char *at;
	size_t n = 0;

	assert_int_equal(0, render(format, s, &opt, &out, NULL));
	for (at = buf_str(&out); (at = strstr(at, text)); at++)
		n++;
	assert_int_equal(wanted, n);
	buf_release(&out);
}

static void a_reason_that_all_failures_share_is_said_once(void **state)
{
	static const char *const names[] = { "a", "b", "c" };
	struct summary s;
	size_t i;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "fine", 1.001, 0.995, 1.006, VERDICT_UNCHANGED);
	for (i = 0; i < 3; i++)
		fixture_failed(&s, names[i], "the build exited with status 2");
	count_is(&s, "text", "the build exited", 1);
	count_is(&s, "text", "\n3 benchmarks: the build exited with status 2\n", 1);
	count_is(&s, "annotations", "the build exited", 1);
	count_is(&s, "annotations",
		 "title=pawl%3A 3 benchmarks (a%2C b%2C c)::3 benchmarks (a, b, c): the build", 1);
	count_is(&s, "codequality", "the build exited", 1);
	count_is(&s, "codequality", "3 benchmarks (a, b, c): the build", 1);
	count_is(&s, "html", "the build exited", 1);
	count_is(&s, "html", "the same reason as <a href=\"#b0\">a</a>", 2);
	count_is(&s, "junit", "message=\"the build exited", 3); /* each test has its own */
	fixture_failed(&s, "d", "it is gone");
	count_is(&s, "text", "    the build exited", 3); /* else nobody knew whose it is */
	count_is(&s, "annotations", "the build exited", 1);
	count_is(&s, "annotations", "title=pawl%3A d::d: it is gone", 1);
	summary_release(&s);
}

static void two_reasons_that_as_many_share_are_two(void **state)
{
	struct summary s;
	char name[2] = "a";

	(void)state;
	fixture_init(&s);
	for (; *name < 'i'; ++*name)
		fixture_failed(&s, name, *name < 'e' ? "no file\nof data" : "no network\nat all");
	count_is(&s, "text",
		 "\n4 benchmarks: no file\n  of data\n4 benchmarks: no network\n  at all\n", 1);
	count_is(&s, "annotations", "::4 benchmarks (a, b, c, d): no file", 1);
	count_is(&s, "annotations", "::4 benchmarks (e, f, g, h): no network", 1);
	count_is(&s, "html", "the same reason as <a href=\"#b0\">a</a>", 3);
	count_is(&s, "html", "the same reason as <a href=\"#b4\">e</a>", 3);
	summary_release(&s);
}

static void nothing_wrong_is_no_line(void **state)
{
	struct summary s;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "x", 1.001, 0.995, 1.006, VERDICT_UNCHANGED);
	render_is(&s, "annotations", NULL, "");
}

static void a_name_ends_no_command_and_adds_no_property(void **state)
{
	struct summary s;
	char *text;

	(void)state;
	fixture_init(&s);
	fixture_judged(&s, "a,file=x:y::z%0A::error::\n::add-mask::b", 1.05, 1.04, 1.06,
		       VERDICT_REGRESSED);
	text = rendered(&s, "annotations", NULL);
	assert_int_equal(1, count_lines(text, "")); /* one command, one line */
	assert_non_null(strstr(text, "::error title=pawl%3A a%2Cfile=x%3Ay%3A%3Az%250A"));
	assert_null(strstr(text, "title=pawl%3A a,file="));
	free(text);
}

static void the_tenth_says_how_many_there_are(void **state)
{
	struct summary s;
	char *text, name[16];
	int i;

	(void)state;
	fixture_init(&s);
	for (i = 0; i < 25; i++) {
		snprintf(name, sizeof(name), "b%d", i);
		fixture_judged(&s, name, 1.05, 1.04, 1.06, VERDICT_REGRESSED);
	}
	text = rendered(&s, "annotations", NULL);
	assert_int_equal(10, count_lines(text, "::error "));
	assert_non_null(strstr(text, "::error title=pawl::16 more are in the summary"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_annotated_and_nothing_else),
		cmocka_unit_test(a_reason_that_all_failures_share_is_said_once),
		cmocka_unit_test(two_reasons_that_as_many_share_are_two),
		cmocka_unit_test(nothing_wrong_is_no_line),
		cmocka_unit_test(a_name_ends_no_command_and_adds_no_property),
		cmocka_unit_test(the_tenth_says_how_many_there_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
