/* Which commit is named in a real repository, with sides and merges. */
#include "tests/unit/test_git_fixture.h"

#include <math.h>

#include "collector/bisect/bisect.h"
#include "lib/git/repo.h"
#include "lib/git/history/merge.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

/*
 * How slow a commit is: file `new` says it in hundredths, else file `old`; else 5 where file `slow`
 * is in its tree.  One with file `broken` does not build.
 */
static struct repo *repo;

static bool has_file(const char *id, const char *name)
{
	char *files = git_says("graph", "ls-tree", "--name-only", id, name, NULL);
	bool has = *files != '\0';

	free(files);
	return has;
}

static double number_in(const char *id, const char *name)
{
	char path[OID_TEXT + 8], *text;
	double number;

	snprintf(path, sizeof(path), "%s:%s", id, name);
	text = git_says("graph", "show", path, NULL);
	number = strtod(text, NULL) / 100;
	free(text);
	return number;
}

static double level_of(const char *id)
{
	return has_file(id, "new")    ? number_in(id, "new")
	       : has_file(id, "old")  ? number_in(id, "old")
	       : has_file(id, "slow") ? 0.05
				      : 0;
}

static int graph_measure(void *ctx, const char *base, const char *head, int effort,
			 struct bisect_evidence *out, struct err *err)
{
	(void)ctx;
	(void)effort;
	(void)err;
	if (has_file(base, "broken") || has_file(head, "broken")) {
		out->state = BISECT_SKIPPED;
		return 0;
	}
	out->state = BISECT_MEASURED;
	out->theta = level_of(head) - level_of(base);
	out->low = out->theta - 0.001;
	out->high = out->theta + 0.001;
	out->confidence = 0.9999;
	out->verdict = out->theta > 0.01 ? VERDICT_REGRESSED : VERDICT_UNCHANGED;
	return 0;
}

static int graph_cuts(void *ctx, const struct strv *good, const char *bad, bool on_path,
		      struct strv *out, struct err *err)
{
	(void)ctx;
	return walk_bisect(repo, good, bad, on_path, out, err);
}

static int graph_sides(void *ctx, const char *from, const char *commit, char out_parent[OID_TEXT],
		       struct strv *out_sides, struct err *err)
{
	(void)ctx;
	return merge_sides(repo, from, commit, out_parent, out_sides, err);
}

static void bisect_graph(const char *good, const char *bad, struct bisect_log *past,
			 struct bisect_answer *out)
{
	char *from = git_says("graph", "rev-parse", good, NULL);
	char *to = git_says("graph", "rev-parse", bad, NULL);
	struct bisect_request rq = { .good = from,
				     .bad = to,
				     .measure = graph_measure,
				     .cuts = graph_cuts,
				     .sides = graph_sides };
	struct err err = ERR_INIT;

	*out = (struct bisect_answer)BISECT_ANSWER_INIT;
	*past = (struct bisect_log)BISECT_LOG_INIT;
	if (bisect(&rq, past, out, &err))
		fail_msg("%s", err.text);
	free(from);
	free(to);
}

static void names_in_graph(const char *good, const char *bad, const char *wanted)
{
	char *id = git_says("graph", "rev-parse", wanted, NULL);
	struct bisect_log past;
	struct bisect_answer answer;

	bisect_graph(good, bad, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_string_equal(answer.commit, id);
	assert_int_equal(answer.suspects.n, 1);
	assert_string_equal(answer.suspects.v[0], id);
	bisect_answer_release(&answer);
	bisect_log_release(&past);
	free(id);
}

static void suspects_in_graph(const char *good, const char *bad, const char *wanted)
{
	char *id = git_says("graph", "rev-parse", wanted, NULL);
	struct bisect_log past;
	struct bisect_answer answer;

	bisect_graph(good, bad, &past, &answer);
	assert_int_equal(answer.outcome, BISECT_RANGE);
	assert_true(strv_has(&answer.suspects, id));
	bisect_answer_release(&answer);
	bisect_log_release(&past);
	free(id);
}

/* A commit of one file, NULL: of none. */
static void commit_file(const char *name, const char *text, const char *tag)
{
	if (name) {
		put(at("graph/%s", name), text);
		run("graph", "git", "add", name);
	}
	run("graph", "git", "commit", "-q", "--allow-empty", "-m", tag);
	run("graph", "git", "tag", "-f", tag);
}

static void commit_empty(int n)
{
	while (n--)
		run("graph", "git", "commit", "-q", "--allow-empty", "-m", "nothing");
}

static void merge_in_graph(const char *into, const char *from)
{
	run("graph", "git", "checkout", "-q", into);
	run("graph", "git", "merge", "-q", "--no-ff", "--no-edit", "-m", "merge", from);
	run("graph", "git", "tag", "-f", "merge");
}

/* main: begin - good - ..., side: begin - ...; on main, with the repository open. */
static void fork_before_good(const char *old, const char *good)
{
	run(".", "rm", "-rf", "graph");
	make_repo("graph");
	commit_file("old", old, "begin");
	run("graph", "git", "branch", "side");
	commit_file(good ? "new" : NULL, good, "good");
	assert_int_equal(repo_open(at("graph"), &repo, NULL), 0);
}

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
