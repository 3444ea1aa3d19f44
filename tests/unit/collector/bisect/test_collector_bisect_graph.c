/* Which commit is named in a real repository, with sides and merges. */
#include "tests/unit/collector/bisect/graph_fixture.h"

#include "lib/base/banned.h"

static void step_is_found_on_a_merged_side_and_in_a_merge(void **state)
{
	int i;

	(void)state;
	make_repo("graph");
	run("graph", "git", "checkout", "-q", "-b", "side");
	for (i = 0; i < 5; i++) {
		if (i == 3) {
			put(at("graph/slow"), "");
			run("graph", "git", "add", "slow");
			run("graph", "git", "commit", "-q", "-m", "slower");
			run("graph", "git", "tag", "the-one");
		}
		run("graph", "git", "commit", "-q", "--allow-empty", "-m", "aside");
	}
	run("graph", "git", "checkout", "-q", "main");
	for (i = 0; i < 6; i++)
		run("graph", "git", "commit", "-q", "--allow-empty", "-m", "on main");
	run("graph", "git", "merge", "-q", "--no-ff", "-m", "join", "side");
	run("graph", "git", "commit", "-q", "--allow-empty", "-m", "after");
	assert_int_equal(repo_open(at("graph"), &repo, NULL), 0);
	names_in_graph("main~8", "main", "the-one");

	/* two sides of which neither is slow, and a merge that brings it */
	run("graph", "git", "checkout", "-q", "-B", "clean", "main~2");
	run("graph", "git", "checkout", "-q", "-b", "side2", "HEAD~3");
	run("graph", "git", "commit", "-q", "--allow-empty", "-m", "side 2");
	run("graph", "git", "checkout", "-q", "clean");
	run("graph", "git", "merge", "-q", "--no-commit", "--no-ff", "side2");
	put(at("graph/slow"), "");
	run("graph", "git", "add", "slow");
	run("graph", "git", "commit", "-q", "-m", "evil merge");
	names_in_graph("clean~4", "clean", "clean");
	repo_close(repo);
}

static void slower_side_from_before_good_is_not_blamed(void **state)
{
	(void)state;
	fork_before_good("20", "0");
	commit_file("new", "10", "culprit");
	run("graph", "git", "checkout", "-q", "side");
	commit_file("old", "32", "innocent");
	commit_empty(4);
	merge_in_graph("main", "side");
	commit_empty(2);
	names_in_graph("good", "main", "culprit");
	repo_close(repo);
}

static void quiet_side_from_before_good_hides_no_commit(void **state)
{
	(void)state;
	fork_before_good("20", "1");
	run("graph", "git", "checkout", "-q", "side");
	commit_empty(5);
	run("graph", "git", "checkout", "-q", "main");
	commit_file("new", "9", "culprit");
	commit_empty(2);
	merge_in_graph("main", "side");
	commit_empty(2);
	names_in_graph("good", "main", "culprit");
	repo_close(repo);
}

static void step_is_found_on_a_side_from_before_good(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	commit_empty(3);
	run("graph", "git", "checkout", "-q", "side");
	commit_empty(3);
	commit_file("slow2", "", "beside");
	commit_file("old", "10", "culprit");
	commit_empty(2);
	merge_in_graph("main", "side");
	commit_empty(3);
	names_in_graph("good", "main", "culprit");
	repo_close(repo);
}

/* There the first parent is the side. */
static void step_is_found_where_main_was_merged_into_an_older_side(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	commit_file("new", "8", "culprit");
	commit_empty(1);
	run("graph", "git", "checkout", "-q", "side");
	commit_empty(4);
	merge_in_graph("side", "main");
	commit_empty(1);
	names_in_graph("good", "side", "culprit");

	run("graph", "git", "checkout", "-q", "-B", "side", "begin");
	commit_empty(2);
	commit_file("old", "10", "aside");
	run("graph", "git", "checkout", "-q", "-B", "main", "good");
	commit_empty(2);
	merge_in_graph("side", "main");
	names_in_graph("good", "side", "aside");
	repo_close(repo);
}

static void merge_that_brings_it_by_itself_is_named(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	commit_empty(1);
	run("graph", "git", "checkout", "-q", "side");
	commit_empty(3);
	run("graph", "git", "checkout", "-q", "main");
	run("graph", "git", "merge", "-q", "--no-commit", "--no-ff", "side");
	commit_file("new", "7", "evil");
	commit_empty(1);
	names_in_graph("good", "main", "evil");
	repo_close(repo);
}

/* Nothing says which of both bases the side began at. */
static void merge_with_two_bases_gives_its_side_as_a_range(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	run("graph", "git", "checkout", "-q", "side");
	commit_file("beside", "", "left");
	run("graph", "git", "checkout", "-q", "-B", "right", "begin");
	commit_file("aside", "", "right");
	run("graph", "git", "tag", "right-tip");
	merge_in_graph("side", "right-tip"); /* has both */
	commit_file("old", "10", "there");
	run("graph", "git", "checkout", "-q", "main");
	run("graph", "git", "merge", "-q", "--no-edit", "left", "right-tip");
	run("graph", "git", "tag", "-f", "good");
	merge_in_graph("main", "side");
	suspects_in_graph("good", "main", "there");
	suspects_in_graph("good", "main", "merge");
	repo_close(repo);
}

/* As git's own --ancestry-path would lose it, once the merge is known to be good. */
static void branch_from_between_good_commits_is_searched(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	commit_empty(2);
	run("graph", "git", "checkout", "-q", "-b", "later");
	commit_file("beside", "", "beside");
	commit_file("old", "10", "culprit");
	run("graph", "git", "checkout", "-q", "main");
	commit_empty(4);
	merge_in_graph("main", "later");
	names_in_graph("good", "main", "culprit");
	repo_close(repo);
}

static void suspects_hold_the_sides_of_a_merge(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	commit_empty(1);
	commit_file("broken", "", "broken");
	run("graph", "git", "checkout", "-q", "side");
	commit_empty(2);
	commit_file("old", "10", "culprit");
	merge_in_graph("main", "side");
	run("graph", "git", "rm", "-q", "broken");
	commit_empty(2);
	suspects_in_graph("good", "main", "culprit");
	repo_close(repo);
}

static void range_on_a_side_holds_the_commit(void **state)
{
	(void)state;
	fork_before_good("0", NULL);
	run("graph", "git", "checkout", "-q", "side");
	commit_empty(2);
	commit_file("broken", "", "broken");
	commit_file("old", "10", "culprit");
	run("graph", "git", "rm", "-q", "broken");
	commit_empty(2);
	merge_in_graph("main", "side");
	commit_empty(2);
	suspects_in_graph("good", "main", "culprit");
	repo_close(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_is_found_on_a_merged_side_and_in_a_merge),
		cmocka_unit_test(slower_side_from_before_good_is_not_blamed),
		cmocka_unit_test(quiet_side_from_before_good_hides_no_commit),
		cmocka_unit_test(step_is_found_on_a_side_from_before_good),
		cmocka_unit_test(step_is_found_where_main_was_merged_into_an_older_side),
		cmocka_unit_test(merge_that_brings_it_by_itself_is_named),
		cmocka_unit_test(merge_with_two_bases_gives_its_side_as_a_range),
		cmocka_unit_test(branch_from_between_good_commits_is_searched),
		cmocka_unit_test(suspects_hold_the_sides_of_a_merge),
		cmocka_unit_test(range_on_a_side_holds_the_commit),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
