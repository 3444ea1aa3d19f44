/* For which comparison a change is accepted, and how much of it. */
#include "tests/unit/lib/config/accepted_fixture.h"

#include "lib/base/banned.h"

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

	if (accepted_sum(&a, lines, base, head, benchmark, NULL, &sum, &err))
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

/* What was slower is not there any more: it lets nothing else be slower. */
static void what_was_taken_back_is_not_accepted(void **state)
{
	(void)state;
	make_repo("back");
	commit("back", "4\n", "four");
	assert_int_equal(repo_open(at("back"), &lines, NULL), 0);
	accept_size_of("HEAD", "x", 0.5, "four times");
	is_near(1.5, summed("HEAD~2", "HEAD", "x"));
	commit("back", "3\n", "Revert \"four\"");
	is_near(1, summed("HEAD~2", "HEAD", "x"));
	assert_string_equal(found("HEAD~2", "HEAD", "x"), "");
	is_near(1.5, summed("HEAD~2", "HEAD~1", "x"));
	commit("back", "5\n", "five");
	is_near(1, summed("HEAD~3", "HEAD", "x"));
	commit("back", "4\n", "Reapply \"four\"");
	is_near(1.5, summed("HEAD~4", "HEAD", "x"));
	commit("back", "3\n", "Revert \"Reapply \"four\"\"");
	is_near(1, summed("HEAD~5", "HEAD", "x"));
	commit("back", "4\n", "Revert \"Revert \"Reapply \"four\"\"\"");
	is_near(1.5, summed("HEAD~6", "HEAD", "x"));
	repo_close(lines);
	lines = NULL;
}

static void taken_back_is_what_the_message_names(void **state)
{
	char *tune, *other, text[400];

	(void)state;
	make_repo("named");
	commit("named", "4\n", "tune");
	tune = git_says("named", "rev-parse", "HEAD", NULL);
	assert_int_equal(repo_open(at("named"), &lines, NULL), 0);
	accept_size_of("HEAD", "x", 0.5, "worth it");
	commit("named", "5\n", "tune"); /* another one of that name */
	other = git_says("named", "rev-parse", "HEAD", NULL);
	snprintf(text, sizeof(text), "take it back\n\nThis reverts commit %s.", other);
	commit("named", "4\n", text);
	is_near(1.5, summed("HEAD~3", "HEAD", "x"));
	snprintf(text, sizeof(text), "Revert \"tune\"\n\nThis reverts commit %s.", tune);
	commit("named", "3\n", text);
	is_near(1, summed("HEAD~4", "HEAD", "x"));
	commit("named", "6\n", "quick path (#11)");
	accept_size_of("HEAD", "y", 0.5, "worth it");
	commit("named", "3\n", "Revert \"quick path\" (#12)");
	is_near(1, summed("HEAD~2", "HEAD", "y"));
	commit("named", "7\n", "Revert \"Revert \"quick path\" (#12)\" (#13)");
	is_near(1.5, summed("HEAD~3", "HEAD", "y"));
	free(tune);
	free(other);
	repo_close(lines);
	lines = NULL;
}

static void a_merge_that_is_taken_back_takes_all_that_it_brought(void **state)
{
	(void)state;
	make_repo("merged");
	run("merged", "git", "checkout", "-q", "-b", "side");
	put(at("merged/side"), "x");
	run("merged", "git", "add", "side");
	run("merged", "git", "commit", "-qm", "slower");
	assert_int_equal(repo_open(at("merged"), &lines, NULL), 0);
	accept_size_of("HEAD", "x", 0.5, "worth it");
	run("merged", "git", "checkout", "-q", "-");
	commit("merged", "5\n", "meanwhile");
	run("merged", "git", "merge", "-q", "--no-ff", "-m", "join", "side");
	is_near(1.5, summed("HEAD~2", "HEAD", "x"));
	run("merged", "git", "revert", "--no-edit", "-m", "1", "HEAD");
	is_near(1, summed("HEAD~3", "HEAD", "x"));
	repo_close(lines);
	lines = NULL;
}

/* Base has the cost already, under another id: it lets nothing new be slower. */
static void what_base_has_picked_is_not_accepted_again(void **state)
{
	(void)state;
	make_repo("picked");
	run("picked", "git", "checkout", "-q", "-b", "rel");
	run("picked", "git", "checkout", "-q", "main");
	put(at("picked/side"), "x");
	run("picked", "git", "add", "side");
	run("picked", "git", "commit", "-qm", "slower");
	assert_int_equal(repo_open(at("picked"), &lines, NULL), 0);
	accept_size_of("HEAD", "x", 0.5, "worth it");
	commit("picked", "5\n", "meanwhile");
	run("picked", "git", "checkout", "-q", "rel");
	run("picked", "git", "commit", "-q", "--allow-empty", "-m", "work");
	run("picked", "git", "cherry-pick", "main~1");
	run("picked", "git", "tag", "has");
	run("picked", "git", "merge", "-q", "-m", "join", "main");
	is_near(1, summed("has", "rel", "x"));
	assert_string_equal(found("has", "rel", "x"), "");
	is_near(1.5, summed("has~2", "rel", "x"));
	is_near(1, summed("has", "main", "x"));
	is_near(1, summed("main", "has", "x"));
	is_near(1.5, summed("has~2", "has", "x"));
	/* of what base took back, the merge brings the cost anew */
	run("picked", "git", "reset", "-q", "--hard", "has");
	run("picked", "git", "revert", "--no-edit", "HEAD");
	run("picked", "git", "tag", "lacks");
	run("picked", "git", "merge", "-q", "-m", "join", "main");
	is_near(1.5, summed("lacks", "rel", "x"));
	is_near(1, summed("has", "rel", "x"));
	repo_close(lines);
	lines = NULL;
}

/* The same subject and time, and not the same cost: that is of what is accepted. */
static void what_an_amended_commit_was_in_base_is_not_what_is_accepted(void **state)
{
	(void)state;
	make_repo("pushed");
	commit("pushed", "5\n", "tune");
	run("pushed", "git", "tag", "old");
	assert_int_equal(repo_open(at("pushed"), &lines, NULL), 0);
	put(at("pushed/side"), "x\n");
	run("pushed", "git", "add", "side");
	run("pushed", "git", "commit", "-q", "--amend", "--no-edit");
	accept_size_of("HEAD", "x", 0.5, "worth it");
	is_near(1.5, summed("HEAD~1", "HEAD", "x"));
	is_near(1.5, summed("old", "HEAD", "x"));
	run("pushed", "git", "checkout", "-q", "-b", "moved", "HEAD~1");
	run("pushed", "git", "commit", "-q", "--allow-empty", "-m", "work");
	run("pushed", "git", "cherry-pick", "main");
	is_near(1.5, summed("old", "HEAD", "x"));
	is_near(1, summed("main", "HEAD", "x"));
	/* what was amended once more was slow before, too */
	put(at("pushed/note"), "why\n");
	run("pushed", "git", "add", "note");
	run("pushed", "git", "commit", "-q", "--amend", "--no-edit");
	is_near(1.5, summed("old", "HEAD", "x"));
	is_near(1, summed("main", "HEAD", "x"));
	/* as was what got the file of what is accepted */
	run("pushed", "git", "checkout", "-q", "-b", "told", "main");
	put(at("pushed/.pawlaccepted"), "# told\n");
	run("pushed", "git", "add", "-f", ".pawlaccepted");
	run("pushed", "git", "commit", "-q", "--amend", "--no-edit");
	accept_size_of("HEAD", "x", 0.5, "worth it");
	is_near(1, summed("main", "HEAD", "x"));
	is_near(1.5, summed("old", "HEAD", "x"));
	repo_close(lines);
	lines = NULL;
}

static void what_is_there_again_is_accepted_again(void **state)
{
	(void)state;
	make_repo("again");
	run("again", "git", "tag", "before");
	commit("again", "5\n", "slower");
	run("again", "git", "tag", "slow");
	assert_int_equal(repo_open(at("again"), &lines, NULL), 0);
	accept_size_of("HEAD", "x", 0.5, "worth it");
	run("again", "git", "revert", "--no-edit", "HEAD");
	is_near(1, summed("before", "HEAD", "x"));
	run("again", "git", "cherry-pick", "slow");
	is_near(1.5, summed("before", "HEAD", "x"));
	assert_string_equal(found("before", "HEAD", "x"), "worth it");
	is_near(1, summed("slow", "HEAD", "x"));
	/* what is there again with more in it is another one */
	put(at("again/side"), "x\n");
	run("again", "git", "add", "side");
	run("again", "git", "commit", "-q", "--amend", "--no-edit");
	is_near(1, summed("before", "HEAD", "x"));
	repo_close(lines);
	lines = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(sizes_of_several_commits_multiply, forget),
		cmocka_unit_test_teardown(what_was_taken_back_is_not_accepted, forget),
		cmocka_unit_test_teardown(taken_back_is_what_the_message_names, forget),
		cmocka_unit_test_teardown(a_merge_that_is_taken_back_takes_all_that_it_brought,
					  forget),
		cmocka_unit_test_teardown(what_base_has_picked_is_not_accepted_again, forget),
		cmocka_unit_test_teardown(
			what_an_amended_commit_was_in_base_is_not_what_is_accepted, forget),
		cmocka_unit_test_teardown(what_is_there_again_is_accepted_again, forget),
		cmocka_unit_test_teardown(a_commit_under_two_ids_counts_once, forget),
		cmocka_unit_test_teardown(accepted_commit_counts_inside_the_range_only, forget),
		cmocka_unit_test_teardown(rebased_commit_is_known_by_subject_and_time, forget),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
