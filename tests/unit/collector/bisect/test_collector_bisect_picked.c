/* Which commit is named where a branch has what GOOD has, too: a commit that was picked. */
#include "tests/unit/collector/bisect/graph_fixture.h"

#include "lib/base/banned.h"

/* GOOD has `good` in `old`, and so has the side, whose culprit is `culprit` in `more`. */
static void picked_in_graph(const char *good, const char *culprit)
{
	run(".", "rm", "-rf", "graph");
	make_repo("graph");
	commit_file("old", "0", "begin");
	run("graph", "git", "branch", "side");
	commit_file("old", good, "X");
	commit_file("beside", "", "good");
	run("graph", "git", "checkout", "-q", "side");
	commit_file("aside", "", "aside");
	commit_file("old", good, "picked");
	commit_empty(1);
	commit_file("more", culprit, "culprit");
	commit_empty(1);
	merge_in_graph("main", "side");
	commit_file("after", "", "after");
	assert_int_equal(repo_open(at("graph"), &repo, NULL), 0);
}

static void picked_change_that_good_has_is_not_named(void **state)
{
	(void)state;
	picked_in_graph("20", "24");
	suspects_in_graph("good", "main", "culprit");
	suspects_in_graph("good", "main", "merge");
	repo_close(repo);
}

/* Its side as a whole moved nothing, and yet it has the commit. */
static void merge_is_not_named_where_a_picked_change_hides_its_side(void **state)
{
	(void)state;
	picked_in_graph("-20", "20");
	suspects_in_graph("good", "main", "culprit");
	suspects_in_graph("good", "main", "merge");
	repo_close(repo);
}

/* The picked one is too small to be taken for it. */
static void small_picked_change_hides_no_commit(void **state)
{
	(void)state;
	picked_in_graph("4", "20");
	names_in_graph("good", "main", "culprit");
	repo_close(repo);
	picked_in_graph("-4", "20");
	names_in_graph("good", "main", "culprit");
	repo_close(repo);
}

/* Both sides of one merge moved it alike, of which one was picked. */
static void merge_of_two_sides_is_a_range_where_both_moved_it(void **state)
{
	(void)state;
	run(".", "rm", "-rf", "graph");
	make_repo("graph");
	commit_file("old", "0", "begin");
	run("graph", "git", "branch", "side");
	run("graph", "git", "branch", "side2");
	commit_file("old", "20", "X");
	commit_file("beside", "", "good");
	run("graph", "git", "checkout", "-q", "side");
	commit_file("old", "20", "picked");
	run("graph", "git", "checkout", "-q", "side2");
	commit_file("more", "22", "culprit");
	run("graph", "git", "checkout", "-q", "main");
	run("graph", "git", "merge", "-q", "--no-edit", "side", "side2");
	assert_int_equal(repo_open(at("graph"), &repo, NULL), 0);
	suspects_in_graph("good", "main", "culprit");
	repo_close(repo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(picked_change_that_good_has_is_not_named),
		cmocka_unit_test(merge_is_not_named_where_a_picked_change_hides_its_side),
		cmocka_unit_test(small_picked_change_hides_no_commit),
		cmocka_unit_test(merge_of_two_sides_is_a_range_where_both_moved_it),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
