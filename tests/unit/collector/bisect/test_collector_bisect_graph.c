/* Which commit is named in a real repository, with sides and merges. */
#include "tests/unit/test_git_fixture.h"

#include <math.h>

#include "collector/bisect/bisect.h"
#include "lib/git/repo.h"
#include "lib/git/history/walk.h"

#include "lib/base/banned.h"

/* Commits are slower from where file `slow` is in their tree. */
static struct repo *repo;

static int graph_measure(void *ctx, const char *base, const char *head, int effort,
			 struct bisect_evidence *out, struct err *err)
{
	const char *ids[] = { base, head };
	double level[2];
	int i;

	(void)ctx;
	(void)effort;
	(void)err;
	for (i = 0; i < 2; i++) {
		char *files = git_says("graph", "ls-tree", "--name-only", ids[i], "slow", NULL);

		level[i] = *files ? 0.05 : 0;
		free(files);
	}
	out->state = BISECT_MEASURED;
	out->theta = level[1] - level[0];
	out->low = out->theta - 0.001;
	out->high = out->theta + 0.001;
	out->confidence = 0.9999;
	out->verdict = out->theta > 0.01 ? VERDICT_REGRESSED : VERDICT_UNCHANGED;
	return 0;
}

static int graph_cuts(void *ctx, const struct strv *good, const char *bad, struct strv *out,
		      struct err *err)
{
	(void)ctx;
	return walk_bisect(repo, good, bad, out, err);
}

static int graph_parent(void *ctx, const char *commit, char out[OID_TEXT], struct err *err)
{
	(void)ctx;
	return repo_first_parent(repo, commit, out, err);
}

static void names_in_graph(const char *good, const char *bad, const char *wanted)
{
	char *from = git_says("graph", "rev-parse", good, NULL);
	char *to = git_says("graph", "rev-parse", bad, NULL);
	char *id = git_says("graph", "rev-parse", wanted, NULL);
	struct bisect_request rq = { .good = from,
				     .bad = to,
				     .measure = graph_measure,
				     .cuts = graph_cuts,
				     .parent = graph_parent };
	struct bisect_log past = BISECT_LOG_INIT;
	struct bisect_answer answer = BISECT_ANSWER_INIT;
	struct err err = ERR_INIT;

	if (bisect(&rq, &past, &answer, &err))
		fail_msg("%s", err.text);
	assert_int_equal(answer.outcome, BISECT_FOUND);
	assert_string_equal(answer.commit, id);
	bisect_answer_release(&answer);
	bisect_log_release(&past);
	free(from);
	free(to);
	free(id);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(step_is_found_on_a_merged_side_and_in_a_merge),
	};

	return cmocka_run_group_tests(tests, fixture_begin, fixture_end);
}
