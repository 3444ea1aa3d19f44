/* The first-parent line with a file that keeps it, held against git's: on real repositories. */
#include "tests/unit/lib/git/history/test_git_walked.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/file.h"
#include "lib/git/history/line.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

#define ENOUGH 1000

/* What line_down() says, which is what git says. */
static void same_as_git(struct repo *repo, const char *kept, const char *to, size_t max)
{
	struct strv line = STRV_INIT, walked = STRV_INIT;
	struct err err = ERR_INIT;
	size_t i;

	if (line_down(repo, kept, to, max, &line, &err) ||
	    walk_between(repo, NULL, to, true, max, &walked, &err))
		fail_msg("%s", err.text);
	assert_int_equal(line.n, walked.n);
	for (i = 0; i < line.n; i++)
		assert_string_equal(line.v[i], walked.v[i]);
	strv_release(&line);
	strv_release(&walked);
}

/* How many commits line_down() finds where there is no git; -1: it asks for one. */
static int without_git(struct repo *repo, const char *kept, const char *to)
{
	char *path = strdup(getenv("PATH"));
	struct strv line = STRV_INIT;
	struct err err = ERR_INIT;
	int n;

	assert_non_null(path);
	assert_int_equal(setenv("PATH", at("nowhere"), 1), 0);
	n = line_down(repo, kept, to, ENOUGH, &line, &err) ? -1 : (int)line.n;
	assert_int_equal(setenv("PATH", path, 1), 0);
	strv_release(&line);
	free(path);
	return n;
}

/* A path in the scratch folder that stays. */
static char *file_at(const char *name)
{
	char *path = strdup(at("%s", name));

	assert_non_null(path);
	return path;
}

static void the_same_line_again_takes_no_git(void **state)
{
	char *kept = file_at("again.line");
	struct repo *repo;

	(void)state;
	make_repo("again");
	repo = open_repo("again");
	assert_int_equal(without_git(repo, kept, "HEAD"), -1);
	same_as_git(repo, kept, "HEAD", ENOUGH);
	assert_int_equal(without_git(repo, kept, "HEAD"), 3);
	assert_int_equal(without_git(repo, NULL, "HEAD"), -1);
	same_as_git(repo, kept, "HEAD", ENOUGH);
	repo_close(repo);
	free(kept);
}

static void new_commits_go_on_its_end(void **state)
{
	char *kept = file_at("grown.line");
	struct repo *repo;
	int i;

	(void)state;
	make_repo("grown");
	repo = open_repo("grown");
	same_as_git(repo, kept, "HEAD", ENOUGH);
	for (i = 0; i < 70; i++) /* one at first, later more than are asked for at once */
		run("grown", "git", "commit", "-q", "--allow-empty", "-m", "more");
	same_as_git(repo, kept, "HEAD~69", ENOUGH);
	same_as_git(repo, kept, "HEAD", ENOUGH);
	same_as_git(repo, kept, "HEAD~1", ENOUGH);
	same_as_git(repo, kept, "HEAD", ENOUGH);
	assert_int_equal(without_git(repo, kept, "HEAD"), 73);
	repo_close(repo);
	free(kept);
}

/* The end of the side is below main, and not on its line. */
static void another_line_is_another_one(void **state)
{
	char *kept = file_at("sides.line");
	struct repo *repo;

	(void)state;
	make_merged("sides");
	repo = open_repo("sides");
	same_as_git(repo, kept, "side", ENOUGH);
	same_as_git(repo, kept, "HEAD", ENOUGH);
	same_as_git(repo, kept, "side", ENOUGH);
	same_as_git(repo, kept, "HEAD~1", ENOUGH);
	same_as_git(repo, kept, "HEAD", ENOUGH);
	repo_close(repo);
	free(kept);
}

static void of_a_longer_line_the_newest_stay(void **state)
{
	char *kept = file_at("long.line");
	struct repo *repo;

	(void)state;
	make_repo("long");
	repo = open_repo("long");
	same_as_git(repo, kept, "HEAD~1", 2);
	same_as_git(repo, kept, "HEAD", 2);
	same_as_git(repo, kept, "HEAD", ENOUGH); /* what was cut off is not in the file */
	same_as_git(repo, kept, "HEAD", 1);
	repo_close(repo);
	free(kept);
}

static void a_file_that_is_damaged_is_replaced(void **state)
{
	static const char *const others[] = { "", "\n", "pawl line 1 1000 0000000000000000\n",
					      "x" };
	char *kept = file_at("broken.line");
	struct buf text = BUF_INIT;
	struct repo *repo;
	size_t i;

	(void)state;
	make_repo("broken");
	repo = open_repo("broken");
	same_as_git(repo, kept, "HEAD", ENOUGH);
	assert_int_equal(file_read_whole(kept, 1 << 20, &text, NULL), 0);
	for (i = 0; i < text.len; i += 7) {
		text.data[i] ^= 1;
		assert_int_equal(file_write_whole(kept, text.data, text.len, 0600, NULL), 0);
		text.data[i] ^= 1;
		assert_int_equal(without_git(repo, kept, "HEAD"), -1);
	}
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		assert_int_equal(file_write_whole(kept, others[i], strlen(others[i]), 0600, NULL),
				 0);
		same_as_git(repo, kept, "HEAD", ENOUGH);
		assert_int_equal(without_git(repo, kept, "HEAD"), 3);
	}
	buf_release(&text);
	repo_close(repo);
	free(kept);
}

static void a_file_that_cannot_be_written_is_none(void **state)
{
	struct repo *repo;

	(void)state;
	make_repo("unwritten");
	repo = open_repo("unwritten");
	same_as_git(repo, "/nonexistent/line", "HEAD", ENOUGH);
	same_as_git(repo, "/nonexistent/line", "HEAD", ENOUGH);
	repo_close(repo);
}

/* Its border moves with each fetch. */
static void a_shallow_clone_keeps_none(void **state)
{
	char *kept = file_at("shallow.line"), url[FIXTURE_PATH * 2 + 8];
	struct repo *repo;
	struct stat st;

	(void)state;
	make_repo("deep");
	snprintf(url, sizeof(url), "file://%s", at("deep"));
	run(".", "git", "clone", "-q", "--depth=2", url, "shallow");
	repo = open_repo("shallow");
	same_as_git(repo, kept, "HEAD", ENOUGH);
	assert_int_equal(stat(kept, &st), -1);
	repo_close(repo);
	free(kept);
}

static void an_unknown_commit_is_absent(void **state)
{
	struct strv line = STRV_INIT;
	struct err err = ERR_INIT;
	struct repo *repo;

	(void)state;
	make_repo("unknown");
	repo = open_repo("unknown");
	assert_int_equal(line_down(repo, at("unknown.line"), "nobody", ENOUGH, &line, &err), -1);
	assert_int_equal(err.code, ERR_ABSENT);
	assert_int_equal(line.n, 0);
	repo_close(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_line_again_takes_no_git),
		cmocka_unit_test(new_commits_go_on_its_end),
		cmocka_unit_test(another_line_is_another_one),
		cmocka_unit_test(of_a_longer_line_the_newest_stay),
		cmocka_unit_test(a_file_that_is_damaged_is_replaced),
		cmocka_unit_test(a_file_that_cannot_be_written_is_none),
		cmocka_unit_test(a_shallow_clone_keeps_none),
		cmocka_unit_test(an_unknown_commit_is_absent),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
