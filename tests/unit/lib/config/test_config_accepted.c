/* How accepted changes are read and written, and how hostile words come back from the file. */
#include "tests/unit/lib/config/accepted_fixture.h"

#include "lib/base/banned.h"

static void accepts(const char *text)
{
	struct err err = ERR_INIT;

	accepted_release(&a);
	put(at("r/.pawlaccepted"), text);
	if (accepted_load(repo, &a, &err))
		fail_msg("%s (%s)", err.text, err.hint);
}

static void refuses(const char *text, const char *where, const char *what)
{
	struct err err = ERR_INIT;

	put(at("r/.pawlaccepted"), text);
	assert_int_equal(accepted_load(repo, &a, &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	if (!strstr(err.text, where) || !strstr(err.text, what) || !err.hint[0])
		fail_msg("%s (%s)", err.text, err.hint);
}

static void no_file_accepts_nothing(void **state)
{
	(void)state;
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
	assert_int_equal(a.n, 0);
}

static void each_benchmark_has_its_own_reason(void **state)
{
	(void)state;
	accepts("# why\n[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = one\n"
		"\tauthored = 2023-11-14T22:13:20Z\n\tbenchmark = b/1\n\tbecause = two\n"
		"\tsubject = faster # slower\n");
	assert_int_equal(a.n, 2);
	assert_string_equal(a.v[0].commit, ID);
	assert_string_equal(a.v[0].benchmark, "a");
	assert_string_equal(a.v[0].because, "one");
	assert_null(a.v[0].subject);
	assert_true(a.v[0].authored_us == FIXTURE_AUTHOR_US);
	assert_string_equal(a.v[1].because, "two");
	assert_string_equal(a.v[1].subject, "faster");
	assert_true(a.v[1].authored_us == INT64_MIN);
	assert_int_equal(a.v[1].line, 6);
}

static void faults_are_told_with_line_and_cure(void **state)
{
	(void)state;
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n", "line 2", "no reason");
	refuses("[accept \"" ID "\"]\n\tbecause = x\n", "line 2", "for which benchmark");
	refuses("[accept \"3f78\"]\n\tbenchmark = a\n", "line 2", "whole commit id");
	refuses("[accept]\n\tbenchmark = a\n", "line 2", "section");
	refuses("\n[pawl]\n\truns = 3\n", "line 3", "section");
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecuase = x\n", "line 3", "unknown key");
	refuses("[accept \"" ID "\"]\n\tbenchmark\n\tbecause = x\n", "line 2", "name");
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause =\n", "line 3", "reason");
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = x\n\tauthored = soon\n",
		"line 4", "time");
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = x\n\tchange = some\n", "line 4",
		"how much worse");
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tchange\n\tbecause = x\n", "line 3",
		"how much worse");
	refuses("[accept \"" ID "\"]\n\tbenchmark = \"a\n", "line 2", "quote");
	refuses("[include]\n\tpath = /etc/passwd\n", "line 1", "include");
	/* a reason must not slip to the commit above */
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = x\n"
		"[accept \"0000000000000000000000000000000000000000\"]\n\tbecause = y\n",
		"line 5", "for which benchmark");
}

static void a_size_is_read_as_a_share(void **state)
{
	static const struct {
		const char *text;
		double change;
	} good[] = { { "+6.1%", 0.061 }, { "6.1%", 0.061 }, { "6 %", 0.06 }, { "0.061", 0.061 },
		     { "0%", 0 },	 { "1", 1 },	    { "200%", 2 },   { "+2500%", 25 } };
	static const char *const bad[] = {
		"",	"%",	  "6",	   "+6",
		"-6%",	"6%%",	  "six",   "nan%",
		"inf",	"1e300%", "ANY",   "any%",
		"6% %", " 6%",	  "0x10%", "11111111111111111111111111111111111111111111%"
	};
	char text[ACCEPTED_CHANGE_TEXT];
	double change = -1;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		if (!accepted_change_parse(good[i].text, &change) ||
		    fabs(change - good[i].change) > 1e-12)
			fail_msg("'%s': %.15g", good[i].text, change);
	}
	assert_true(accepted_change_parse("any", &change));
	assert_true(isinf(change));
	assert_string_equal(accepted_change_print(change, text), "any");
	change = -1;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (accepted_change_parse(bad[i], &change) || change != -1)
			fail_msg("'%s': %.15g", bad[i], change);
	assert_string_equal(accepted_change_print(0.061, text), "+6.1%");
	assert_string_equal(accepted_change_print(0.02345, text), "+2.345%");
	assert_string_equal(accepted_change_print(2.5, text), "+250%");
	assert_string_equal(accepted_change_print(0, text), "+0%");
}

static void an_entry_without_a_size_is_of_any(void **state)
{
	(void)state;
	accepts("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = one\n"
		"\tbenchmark = b\n\tchange = +6.1%\n\tbecause = two\n"
		"\tbenchmark = c\n\tbecause = three\n\tchange = any\n");
	assert_true(isinf(a.v[0].change));
	assert_true(fabs(a.v[1].change - 0.061) < 1e-12);
	assert_true(isinf(a.v[2].change));
}

static void hostile_words_come_back_as_they_went(void **state)
{
	static const char *const words[] = { "plain",
					     "a # b ; c",
					     "\"quoted\" \\ back\\nslash\\",
					     "  blanks around  ",
					     "]\"[accept \"x\"]",
					     "= a = b",
					     "\xc3\xa9\xe2\x82\xac",
					     "'; rm -rf $(HOME) `x`",
					     "%s%n" };
	size_t n = sizeof(words) / sizeof(words[0]), i;
	struct err err = ERR_INIT;

	(void)state;
	for (i = 0; i < n; i++) {
		struct accepted_change c = change(words[i], words[i], words[i]);

		if (accepted_add(at("r/.pawlaccepted"), &c, &err))
			fail_msg("%s: %s", words[i], err.text);
	}
	assert_int_equal(accepted_load(repo, &a, &err), 0);
	assert_int_equal(a.n, n);
	for (i = 0; i < n; i++) {
		assert_string_equal(a.v[i].benchmark, words[i]);
		assert_string_equal(a.v[i].because, words[i]);
		assert_string_equal(a.v[i].subject, words[i]);
		assert_true(a.v[i].authored_us == FIXTURE_AUTHOR_US);
	}
}

static void reason_of_several_lines_becomes_one(void **state)
{
	struct accepted_change c = change("a", "one\ntwo\tthree\x1b[31m\x7f", "s");

	(void)state;
	assert_int_equal(accepted_add(at("r/.pawlaccepted"), &c, NULL), 0);
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
	assert_string_equal(a.v[0].because, "one two three?[31m?");
}

static void what_cannot_be_accepted_leaves_the_file_alone(void **state)
{
	static char huge[ACCEPTED_BECAUSE_MAX + 2];
	static const char text[] =
		"# mine\n[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = b\\\n";
	struct accepted_change bad[4];
	struct buf now = BUF_INIT;
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	memset(huge, 'x', sizeof(huge) - 1);
	for (i = 0; i < 4; i++) {
		struct accepted_change c = change(i == 0   ? ""
						  : i == 1 ? "a\nb"
							   : "a",
						  i == 2   ? " \n"
						  : i == 3 ? huge
							   : "why",
						  "s");

		bad[i] = c;
		assert_int_equal(accepted_add(at("r/.pawlaccepted"), &bad[i], &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
		assert_false(file_exists(at("r/.pawlaccepted")));
	}
	/* the last line goes on: what is added would become a part of it */
	put(at("r/.pawlaccepted"), text);
	bad[0] = change("a", "why", "s");
	assert_int_equal(accepted_add(at("r/.pawlaccepted"), &bad[0], &err), -1);
	assert_int_equal(err.code, ERR_CONFIG);
	assert_int_equal(file_read_whole(at("r/.pawlaccepted"), 1 << 20, &now, NULL), 0);
	assert_string_equal(buf_str(&now), text);
	assert_false(file_exists(at("r/.pawlaccepted.new")));
	buf_release(&now);
}

static void a_size_comes_back_as_it_went(void **state)
{
	static const double sizes[] = { 0, 0.001, 0.061, 0.02345, 2, 19.5, 1e6, (double)INFINITY };
	static const double none[] = { -0.01, 1e7, (double)NAN, -(double)INFINITY };
	struct accepted_change c = change("a", "why", "s");
	struct err err = ERR_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		c.change = sizes[i];
		if (accepted_add(at("r/.pawlaccepted"), &c, &err))
			fail_msg("%g: %s", sizes[i], err.text);
	}
	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		c.change = none[i];
		assert_int_equal(accepted_add(at("r/.pawlaccepted"), &c, &err), -1);
		assert_int_equal(err.code, ERR_USAGE);
	}
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
	assert_int_equal(a.n, sizeof(sizes) / sizeof(sizes[0]));
	for (i = 0; i < a.n; i++)
		if (a.v[i].change != sizes[i] && !(fabs(a.v[i].change / sizes[i] - 1) < 1e-9))
			fail_msg("%g became %g", sizes[i], a.v[i].change);
}

static void comments_and_order_are_kept(void **state)
{
	static const char text[] = "; top\n[accept \"" ID "\"]\n  benchmark=x ; odd\n  because = y";
	struct accepted_change c = change("a", "why", "s");
	struct buf now = BUF_INIT;

	(void)state;
	put(at("r/.pawlaccepted"), text);
	assert_int_equal(accepted_add(at("r/.pawlaccepted"), &c, NULL), 0);
	assert_int_equal(file_read_whole(at("r/.pawlaccepted"), 1 << 20, &now, NULL), 0);
	assert_memory_equal(buf_str(&now), text, strlen(text));
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
	assert_int_equal(a.n, 2);
	assert_string_equal(a.v[0].because, "y");
	buf_release(&now);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(no_file_accepts_nothing, forget),
		cmocka_unit_test_teardown(each_benchmark_has_its_own_reason, forget),
		cmocka_unit_test_teardown(faults_are_told_with_line_and_cure, forget),
		cmocka_unit_test(a_size_is_read_as_a_share),
		cmocka_unit_test_teardown(an_entry_without_a_size_is_of_any, forget),
		cmocka_unit_test_teardown(a_size_comes_back_as_it_went, forget),
		cmocka_unit_test_teardown(hostile_words_come_back_as_they_went, forget),
		cmocka_unit_test_teardown(reason_of_several_lines_becomes_one, forget),
		cmocka_unit_test_teardown(what_cannot_be_accepted_leaves_the_file_alone, forget),
		cmocka_unit_test_teardown(comments_and_order_are_kept, forget),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
