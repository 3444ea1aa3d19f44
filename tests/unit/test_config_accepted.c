/* What is accepted, for which comparison, and how hostile words come back from the file. */
#include "tests/unit/test_git_fixture.h"

#include <math.h>

#include "lib/config/accepted.h"

#include "lib/base/banned.h"

#define ID "3f786850e387550fdab836ed7e6dc881de23001b"

static struct repo *repo;
static struct accepted a;

static int begin(void **state)
{
	if (fixture_begin(state))
		return -1;
	run(".", "git", "init", "-q", "r");
	return repo_open(at("r"), &repo, NULL);
}

static int end(void **state)
{
	repo_close(repo);
	return fixture_end(state);
}

static int forget(void **state)
{
	(void)state;
	accepted_release(&a);
	unlink(at("r/.pawlaccepted"));
	return 0;
}

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

static struct accepted_change change(const char *name, const char *because, const char *subject)
{
	static char text[3][ACCEPTED_BECAUSE_MAX + 100], id[] = ID;

	snprintf(text[0], sizeof(text[0]), "%s", name);
	snprintf(text[1], sizeof(text[1]), "%s", because);
	snprintf(text[2], sizeof(text[2]), "%s", subject);
	return (struct accepted_change){ .commit = id,
					 .benchmark = text[0],
					 .because = text[1],
					 .subject = text[2],
					 .authored_us = FIXTURE_AUTHOR_US,
					 .change = (double)INFINITY };
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

/* ---- which comparison ------------------------------------------------------------------ */

static struct repo *lines;

/* The reason found, "" for none. */
static const char *found(const char *base, const char *head, const char *benchmark)
{
	const struct accepted_change *c = NULL;
	struct err err = ERR_INIT;

	if (accepted_find(&a, lines, base, head, benchmark, &c, &err))
		fail_msg("%s", err.text);
	return c ? c->because : "";
}

/* How many times as bad is accepted, 1 for nothing. */
static double summed(const char *base, const char *head, const char *benchmark)
{
	struct allowance sum;
	struct err err = ERR_INIT;

	if (accepted_sum(&a, lines, base, head, benchmark, &sum, &err))
		fail_msg("%s", err.text);
	assert_true(!sum.last == !sum.n);
	return sum.ratio;
}

static void accept_size_of(const char *rev, const char *name, double size, const char *because)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct accepted_change new;

	assert_int_equal(repo_commit(lines, rev, &c, NULL), 0);
	new = change(name, because, c.subject);
	new.commit = c.id;
	new.change = size;
	assert_int_equal(accepted_add(at("r/.pawlaccepted"), &new, NULL), 0);
	git_commit_release(&c);
	accepted_release(&a);
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
}

static void accept_commit(const char *rev, const char *name, const char *because)
{
	accept_size_of(rev, name, (double)INFINITY, because);
}

static void is_near(double wanted, double got)
{
	if (!(fabs(wanted - got) < 1e-9))
		fail_msg("wanted %.12g, got %.12g", wanted, got);
}

static void sizes_of_several_commits_multiply(void **state)
{
	(void)state;
	make_repo("sizes");
	commit("sizes", "4\n", "four");
	assert_int_equal(repo_open(at("sizes"), &lines, NULL), 0);
	accept_size_of("HEAD~2", "x/1", 0.5, "a");
	accept_size_of("HEAD~1", "x/*", 0.2, "b");
	is_near(1.5, summed("HEAD~3", "HEAD~2", "x/1"));
	is_near(1.8, summed("HEAD~3", "HEAD", "x/1")); /* 1.5 * 1.2 */
	is_near(1.2, summed("HEAD~3", "HEAD", "x/2"));
	is_near(1.2, summed("HEAD~2", "HEAD", "x/1"));
	is_near(1, summed("HEAD~1", "HEAD", "x/1"));
	is_near(1, summed("HEAD~3", "HEAD", "y"));
	is_near(1, summed(NULL, "HEAD", "x/1"));
	/* the same commit again: only what was said last */
	accept_size_of("HEAD~2", "x/1", 0.1, "less");
	is_near(1.32, summed("HEAD~3", "HEAD", "x/1")); /* 1.1 * 1.2 */
	assert_string_equal(found("HEAD~3", "HEAD", "x/1"), "less");
	accept_size_of("HEAD~2", "x/1", (double)INFINITY, "whatever");
	assert_true(isinf(summed("HEAD~3", "HEAD", "x/1")));
	is_near(1.2, summed("HEAD~2", "HEAD", "x/1"));
	accept_size_of("HEAD~2", "x/*", 0.3, "not any more");
	is_near(1.56, summed("HEAD~3", "HEAD", "x/1")); /* 1.3 * 1.2 */
	repo_close(lines);
}

/* Accepted, amended, accepted again: one commit, one size. */
static void a_commit_under_two_ids_counts_once(void **state)
{
	(void)state;
	make_repo("amended");
	assert_int_equal(repo_open(at("amended"), &lines, NULL), 0);
	accept_size_of("HEAD", "x", 0.5, "before");
	put(at("amended/g"), "g\n");
	run("amended", "git", "add", "g");
	run("amended", "git", "commit", "-q", "--amend", "--no-edit");
	is_near(1.5, summed("HEAD~1", "HEAD", "x"));
	accept_size_of("HEAD", "x", 0.4, "after");
	is_near(1.4, summed("HEAD~1", "HEAD", "x"));
	repo_close(lines);
}

static void accepted_commit_counts_inside_the_range_only(void **state)
{
	(void)state;
	make_repo("lines");
	commit("lines", "4\n", "four");
	assert_int_equal(repo_open(at("lines"), &lines, NULL), 0);
	accept_commit("HEAD~1", "deflate/6", "first");
	assert_string_equal(found("HEAD~2", "HEAD~1", "deflate/6"), "first");
	assert_string_equal(found("HEAD~3", "HEAD", "deflate/6"), "first");
	assert_string_equal(found("HEAD~1", "HEAD", "deflate/6"), "");
	assert_string_equal(found("HEAD~3", "HEAD~2", "deflate/6"), "");
	assert_string_equal(found("HEAD", "HEAD~1", "deflate/6"), "");
	assert_string_equal(found("HEAD~2", "HEAD~1", "deflate/60"), "");
	assert_string_equal(found("HEAD~2", "HEAD~1", "deflate"), "");
	assert_string_equal(found(NULL, "HEAD~1", "deflate/6"), "");
	/* a base that is gone: the head alone */
	assert_string_equal(
		found("0000000000000000000000000000000000000000", "HEAD~1", "deflate/6"), "first");
	assert_string_equal(found("0000000000000000000000000000000000000000", "HEAD", "deflate/6"),
			    "");
	accept_commit("HEAD~1", "deflate/*", "second");
	assert_string_equal(found("HEAD~2", "HEAD~1", "deflate/6"), "second"); /* the last one */
	assert_string_equal(found("HEAD~2", "HEAD~1", "deflate/9"), "second");
	assert_string_equal(found("HEAD~2", "HEAD~1", "inflate"), "");
	repo_close(lines);
}

static void rebased_commit_is_known_by_subject_and_time(void **state)
{
	(void)state;
	make_repo("rebase");
	assert_int_equal(repo_open(at("rebase"), &lines, NULL), 0);
	run("rebase", "git", "checkout", "-q", "-b", "topic");
	put(at("rebase/g"), "g\n");
	run("rebase", "git", "add", "g");
	run("rebase", "git", "commit", "-qm", "slower \"but\" right");
	accept_commit("HEAD", "x", "because");
	/* one with the same subject and another time is another commit */
	run("rebase", "git", "checkout", "-q", "-b", "other", "main");
	run("rebase", "git", "commit", "-q", "--allow-empty", "--date=1700000001 +0000", "-m",
	    "slower \"but\" right");
	assert_string_equal(found("main", "other", "x"), "");
	run("rebase", "git", "checkout", "-q", "main");
	commit("rebase", "4\n", "four");
	run("rebase", "git", "rebase", "-q", "main", "topic");
	assert_string_equal(found("main", "topic", "x"), "because");
	/* where head has the accepted commit itself, nothing else is taken for it */
	run("rebase", "git", "checkout", "-q", "-b", "both", "topic@{1}");
	run("rebase", "git", "reset", "-q", "--hard", a.v[0].commit);
	run("rebase", "git", "commit", "-q", "--allow-empty", "-m", "slower \"but\" right");
	assert_string_equal(found("HEAD~1", "HEAD", "x"), "");
	repo_close(lines);
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
		cmocka_unit_test_teardown(sizes_of_several_commits_multiply, forget),
		cmocka_unit_test_teardown(a_commit_under_two_ids_counts_once, forget),
		cmocka_unit_test_teardown(hostile_words_come_back_as_they_went, forget),
		cmocka_unit_test_teardown(reason_of_several_lines_becomes_one, forget),
		cmocka_unit_test_teardown(what_cannot_be_accepted_leaves_the_file_alone, forget),
		cmocka_unit_test_teardown(comments_and_order_are_kept, forget),
		cmocka_unit_test_teardown(accepted_commit_counts_inside_the_range_only, forget),
		cmocka_unit_test_teardown(rebased_commit_is_known_by_subject_and_time, forget),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
