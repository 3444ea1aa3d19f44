/* Which commits do the same, wherever they do it. */
#include "tests/unit/test_git_fixture.h"

#include "lib/git/history/patch.h"

#include "lib/base/banned.h"

static struct repo *repo;

static bool same(const char *a, const char *b)
{
	struct err err = ERR_INIT;
	bool is = false;

	if (patch_is_same(repo, a, b, "notes", &is, &err))
		fail_msg("%s", err.text);
	return is;
}

static void put_all(const char *name, const char *text, const char *tag)
{
	put(at("p/%s", name), text);
	run("p", "git", "add", "-A");
	run("p", "git", "commit", "-qm", tag);
	run("p", "git", "tag", tag);
}

static void the_same_lines_of_the_same_files_are_the_same(void **state)
{
	(void)state;
	make_repo("p");
	assert_int_equal(repo_open(at("p"), &repo, NULL), 0);
	put_all("g", "a\nb\nc\n", "start");
	put_all("g", "a\nx\nc\n", "x");
	run("p", "git", "checkout", "-q", "start");
	put_all("g", "0\n0\na\nb\nd\n", "moved");
	put_all("g", "0\n0\na\nx\nd\n", "lower");
	assert_true(same("x", "x"));
	assert_true(same("x", "lower"));
	assert_false(same("x", "moved"));
	run("p", "git", "checkout", "-q", "start");
	put_all("g", "a\ny\nc\n", "y");
	assert_false(same("x", "y"));
	run("p", "git", "checkout", "-q", "start");
	put(at("p/g"), "a\nx\nc\n");
	put_all("h", "h\n", "more");
	assert_false(same("x", "more"));
	run("p", "git", "checkout", "-q", "start");
	put(at("p/g"), "a\nx\nc\n");
	put_all("notes", "not counted\n", "noted");
	assert_true(same("x", "noted"));
	assert_true(same("noted", "x"));
}

/* What git shows no lines of is told by what it is. */
static void files_of_no_text_are_compared_too(void **state)
{
	(void)state;
	put(at("p/.gitattributes"), "*.bin -diff\n");
	put_all("n.bin", "1\n", "bytes");
	put_all("n.bin", "2\n", "two");
	run("p", "git", "checkout", "-q", "bytes");
	run("p", "git", "commit", "-q", "--allow-empty", "-m", "empty");
	put_all("n.bin", "2\n", "two-again");
	run("p", "git", "checkout", "-q", "bytes");
	put_all("n.bin", "3\n", "three");
	assert_true(same("two", "two-again"));
	assert_false(same("two", "three"));
	assert_false(same("two-again~1", "two"));
}

static void the_first_and_a_merge_have_a_patch_too(void **state)
{
	(void)state;
	run("p", "git", "checkout", "-q", "start");
	run("p", "git", "merge", "-q", "--no-ff", "-m", "merge", "x");
	assert_true(same("HEAD", "x"));
	assert_false(same("HEAD", "y"));
	assert_true(same("main~2", "main~2"));
	assert_false(same("main~2", "main~1"));
}

static void what_is_not_here_is_no_answer(void **state)
{
	struct repo *cut = NULL;
	struct err err = ERR_INIT;
	char url[FIXTURE_PATH * 2];
	bool is;

	(void)state;
	assert_int_equal(patch_is_same(repo, "x", "0000000000000000000000000000000000000000",
				       "notes", &is, &err),
			 -1);
	assert_int_equal(err.code, ERR_ABSENT);
	snprintf(url, sizeof(url), "file://%s", at("p"));
	run(".", "git", "clone", "-q", "--depth=2", "--branch=x", url, "q");
	assert_int_equal(repo_open(at("q"), &cut, NULL), 0);
	assert_int_equal(patch_is_same(cut, "HEAD", "HEAD~1", "notes", &is, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	repo_close(cut);
	repo_close(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_lines_of_the_same_files_are_the_same),
		cmocka_unit_test(files_of_no_text_are_compared_too),
		cmocka_unit_test(the_first_and_a_merge_have_a_patch_too),
		cmocka_unit_test(what_is_not_here_is_no_answer),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
