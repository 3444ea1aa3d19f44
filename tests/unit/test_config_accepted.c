/* What is accepted, for which comparison, and how hostile words come back from the file. */
#include "tests/unit/test_git_fixture.h"

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
	refuses("[accept \"" ID "\"]\n\tbenchmark = \"a\n", "line 2", "quote");
	refuses("[include]\n\tpath = /etc/passwd\n", "line 1", "include");
	/* a reason must not slip to the commit above */
	refuses("[accept \"" ID "\"]\n\tbenchmark = a\n\tbecause = x\n"
		"[accept \"0000000000000000000000000000000000000000\"]\n\tbecause = y\n",
		"line 5", "for which benchmark");
}

static struct accepted_change change(const char *name, const char *because, const char *subject)
{
	static char text[3][ACCEPTED_BECAUSE_MAX + 100], id[] = ID;

	snprintf(text[0], sizeof(text[0]), "%s", name);
	snprintf(text[1], sizeof(text[1]), "%s", because);
	snprintf(text[2], sizeof(text[2]), "%s", subject);
	return (struct accepted_change){ id, text[0], text[1], text[2], FIXTURE_AUTHOR_US, 0 };
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

static void accept_commit(const char *rev, const char *name, const char *because)
{
	struct git_commit c = GIT_COMMIT_INIT;
	struct accepted_change new;

	assert_int_equal(repo_commit(lines, rev, &c, NULL), 0);
	new = change(name, because, c.subject);
	new.commit = c.id;
	assert_int_equal(accepted_add(at("r/.pawlaccepted"), &new, NULL), 0);
	git_commit_release(&c);
	accepted_release(&a);
	assert_int_equal(accepted_load(repo, &a, NULL), 0);
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
		cmocka_unit_test_teardown(hostile_words_come_back_as_they_went, forget),
		cmocka_unit_test_teardown(reason_of_several_lines_becomes_one, forget),
		cmocka_unit_test_teardown(what_cannot_be_accepted_leaves_the_file_alone, forget),
		cmocka_unit_test_teardown(comments_and_order_are_kept, forget),
		cmocka_unit_test_teardown(accepted_commit_counts_inside_the_range_only, forget),
		cmocka_unit_test_teardown(rebased_commit_is_known_by_subject_and_time, forget),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
