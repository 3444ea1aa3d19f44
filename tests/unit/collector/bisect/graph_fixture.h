/*
 * graph_fixture - bisections of a real repository whose files say how slow a commit is.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_BISECT_GRAPH_FIXTURE_H
#define PAWL_TESTS_UNIT_COLLECTOR_BISECT_GRAPH_FIXTURE_H

#include "tests/unit/test_git_fixture.h"

#include <math.h>

#include "collector/bisect/bisect.h"
#include "lib/git/repo.h"
#include "lib/git/history/merge.h"
#include "lib/git/history/walk.h"

/*
 * How slow a commit is: file `new` says it in hundredths, else file `old`; else 5 where file `slow`
 * is in its tree; and file `more` besides.  One with file `broken` does not build.
 */
static struct repo *repo;

__attribute__((unused)) static bool has_file(const char *id, const char *name)
{
	char *files = git_says("graph", "ls-tree", "--name-only", id, name, NULL);
	bool has = *files != '\0';

	free(files);
	return has;
}

__attribute__((unused)) static double number_in(const char *id, const char *name)
{
	char path[OID_TEXT + 8], *text;
	double number;

	snprintf(path, sizeof(path), "%s:%s", id, name);
	text = git_says("graph", "show", path, NULL);
	number = strtod(text, NULL) / 100;
	free(text);
	return number;
}

__attribute__((unused)) static double level_of(const char *id)
{
	double more = has_file(id, "more") ? number_in(id, "more") : 0;

	return more + (has_file(id, "new")    ? number_in(id, "new")
		       : has_file(id, "old")  ? number_in(id, "old")
		       : has_file(id, "slow") ? 0.05
					      : 0);
}

__attribute__((unused)) static int graph_measure(void *ctx, const char *base, const char *head,
						 int effort, struct bisect_evidence *out,
						 struct err *err)
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

__attribute__((unused)) static int graph_cuts(void *ctx, const struct strv *good, const char *bad,
					      bool on_path, struct strv *out, struct err *err)
{
	(void)ctx;
	return walk_bisect(repo, good, bad, on_path, out, err);
}

__attribute__((unused)) static int graph_sides(void *ctx, const char *from, const char *commit,
					       char out_parent[OID_TEXT], struct strv *out_sides,
					       struct err *err)
{
	(void)ctx;
	return merge_sides(repo, from, commit, out_parent, out_sides, err);
}

__attribute__((unused)) static void bisect_graph(const char *good, const char *bad,
						 struct bisect_log *past, struct bisect_answer *out)
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

__attribute__((unused)) static void names_in_graph(const char *good, const char *bad,
						   const char *wanted)
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

__attribute__((unused)) static void suspects_in_graph(const char *good, const char *bad,
						      const char *wanted)
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
__attribute__((unused)) static void commit_file(const char *name, const char *text, const char *tag)
{
	if (name) {
		put(at("graph/%s", name), text);
		run("graph", "git", "add", name);
	}
	run("graph", "git", "commit", "-q", "--allow-empty", "-m", tag);
	run("graph", "git", "tag", "-f", tag);
}

__attribute__((unused)) static void commit_empty(int n)
{
	while (n--)
		run("graph", "git", "commit", "-q", "--allow-empty", "-m", "nothing");
}

__attribute__((unused)) static void merge_in_graph(const char *into, const char *from)
{
	run("graph", "git", "checkout", "-q", into);
	run("graph", "git", "merge", "-q", "--no-ff", "--no-edit", "-m", "merge", from);
	run("graph", "git", "tag", "-f", "merge");
}

/* main: begin - good - ..., side: begin - ...; on main, with the repository open. */
__attribute__((unused)) static void fork_before_good(const char *old, const char *good)
{
	run(".", "rm", "-rf", "graph");
	make_repo("graph");
	commit_file("old", old, "begin");
	run("graph", "git", "branch", "side");
	commit_file(good ? "new" : NULL, good, "good");
	assert_int_equal(repo_open(at("graph"), &repo, NULL), 0);
}

#endif
