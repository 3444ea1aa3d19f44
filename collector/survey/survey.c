#include "collector/survey/survey.h"

#include <stdlib.h>
#include <string.h>

#include "collector/survey/builds.h"
#include "collector/survey/checked.h"
#include "collector/survey/golang.h"
#include "collector/survey/sources.h"
#include "lib/base/buf.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define CRITERION "criterion"

struct work {
	const struct trees_request *rq;
	const char *commit, *top;
	struct strv tracked;
	struct go_packages go;
	struct builds builds;
	struct survey best; /* of what built */
	bool has_best;
	char *failed, *fault; /* the first way that did not build, and why */
	char *cargo_fault;
};

/* ---- one way ------------------------------------------------------------------------------- */

static int look_at_tree(struct work *w, const struct tree *tree, const char *folder,
			struct survey *s, struct err *err)
{
	if (str_set(&s->build, tree->build, err) ||
	    (tree->path && (survey_ask_tools(s, tree->path, folder, err) ||
			    go_packages_add(&w->go, tree->path, s, err))))
		return -1;
	strv_sort(&w->tracked);
	/* make tells with which arguments a test runs. */
	if (tree->path && ((!s->n && checked_add(s, tree->path, folder, &w->tracked, err)) ||
			   survey_scan(s, tree->path, &w->tracked, err)))
		return -1;
	return 0;
}

static int open_way(const struct work *w, const char *command, struct tree *tree, struct err *err)
{
	struct config config = *w->rq->config;
	struct trees_request rq = *w->rq;

	rq.config = &config;
	rq.is_variant = true;
	config.build = (char *)(uintptr_t)command;
	return tree_open(&rq, w->commit, NULL, tree, err);
}

static int keep_fault(struct work *w, const char *command, const char *fault, struct err *err)
{
	if (str_starts(command, "cargo ") && !w->cargo_fault &&
	    str_set(&w->cargo_fault, fault, err))
		return -1;
	return w->failed							     ? 0
	       : str_set(&w->failed, command, err) || str_set(&w->fault, fault, err) ? -1
										     : 0;
}

/* More benchmarks; with none, tests that could stand in, or programs that could be one. */
static bool is_better(const struct survey *a, const struct survey *b)
{
	if (a->n || b->n)
		return a->n > b->n;
	return !b->tests && (a->tests || (a->others.n && !b->others.n));
}

/* 1: it does not build. */
static int try_command(struct work *w, const char *command, const char *folder, struct err *err)
{
	struct survey s = SURVEY_INIT;
	struct tree tree = TREE_INIT;
	struct err fault = ERR_INIT;
	int result = -1;

	if (open_way(w, command, &tree, &fault)) {
		if (fault.code != ERR_CHILD && fault.code != ERR_TIMEOUT)
			*err = fault;
		else if (!keep_fault(w, command, fault.text, err))
			result = 1;
		goto out;
	}
	if (look_at_tree(w, &tree, folder, &s, err))
		goto out;
	if (!w->has_best || is_better(&s, &w->best)) {
		survey_release(&w->best);
		w->best = s;
		s = (struct survey)SURVEY_INIT;
		w->has_best = true;
	}
	result = 0;
out:
	survey_release(&s);
	tree_close(&tree);
	return result;
}

/* Those packages alone that build: what a module needs may not be here. */
static int try_some_packages(struct work *w, struct err *err)
{
	char *each = NULL, *some = NULL;
	struct tree tree = TREE_INIT;
	struct err fault = ERR_INIT;
	struct buf text = BUF_INIT;
	int result = -1;

	if (go_packages_build(&w->go, "; ", NULL, &each, err))
		goto out;
	buf_addf(&text, "%s; true", each);
	if (buf_check(&text, err))
		goto out;
	if (open_way(w, buf_str(&text), &tree, &fault)) {
		if (fault.code == ERR_CHILD || fault.code == ERR_TIMEOUT)
			result = 0;
		else
			*err = fault;
		goto out;
	}
	if (go_packages_build(&w->go, " && ", tree.path, &some, err))
		goto out;
	tree_close(&tree);
	result = *some && try_command(w, some, "", err) < 0 ? -1 : 0;
out:
	tree_close(&tree);
	free(each);
	free(some);
	buf_release(&text);
	return result;
}

/* ---- all of them --------------------------------------------------------------------------- */

static bool is_worth_trying(const struct work *w, const struct build_way *way)
{
	if (!w->has_best)
		return true;
	return !w->best.n && (way->when == BUILD_FOR_BENCHMARKS ||
			      (way->when == BUILD_FOR_TESTS && !w->best.tests) ||
			      (way->when == BUILD_FOR_PROGRAMS && !w->best.others.n));
}

/* Where there is none yet, that of a folder of benchmarks with a Makefile of its own. */
static int add_folder(struct work *w, struct err *err)
{
	struct tree tree = TREE_INIT;
	char *more = NULL;
	int result = 0;

	if (!w->has_best || w->best.n || !w->best.build)
		return 0;
	/* It is kept: opening it again builds nothing. */
	if (!open_way(w, w->best.build, &tree, NULL) && tree.path)
		result = builds_add_folder(tree.path, &w->tracked, w->best.build, &more, err);
	tree_close(&tree);
	if (!result && more)
		result = try_command(w, more, "", err);
	free(more);
	return result < 0 ? -1 : 0;
}

/* Where there is none, and no test that could stand in: those that the build leaves out. */
static int add_tests(struct work *w, struct err *err)
{
	struct tree tree = TREE_INIT;
	char *more = NULL;
	int result = 0;

	if (!w->has_best || w->best.n || w->best.tests || !w->best.build)
		return 0;
	if (!open_way(w, w->best.build, &tree, NULL) && tree.path)
		result = checked_build(tree.path, &w->tracked, w->best.build, &more, err);
	tree_close(&tree);
	if (!result && more)
		result = try_command(w, more, "", err);
	free(more);
	return result < 0 ? -1 : 0;
}

static int try_all(struct work *w, struct err *err)
{
	int result = 0;
	size_t i;

	for (i = 0; i < w->builds.n && result >= 0; i++) {
		const struct build_way *way = &w->builds.v[i];

		if (!is_worth_trying(w, way))
			continue;
		result = try_command(w, way->command, way->folder, err);
		if (result > 0 && way->is_go && w->go.n > 1)
			result = try_some_packages(w, err);
	}
	return result < 0 || add_folder(w, err) ? -1 : add_tests(w, err);
}

/* ---- what only the sources tell ------------------------------------------------------------- */

/*
 * Criterion's own defaults are 3 s of warm-up and 5 s of measuring for each benchmark and run: here
 * runs are repeated.  Only programs of [[bench]] know its options, not what libtest runs.
 */
static int add_criterion(struct work *w, struct survey *s, struct err *err)
{
	static const char *const words[] = { "cargo",	"bench",
					     "--bench", "*",
					     "--",	"--warm-up-time",
					     "1",	"--measurement-time",
					     "1",	"--noplot" };
	struct strv command = STRV_INIT;
	size_t before = s->n, i;
	int result = -1;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strv_add(&command, words[i], err))
			goto out;
	if (survey_add(s, CRITERION, &command, CRITERION, "Cargo.toml", err))
		goto out;
	if (s->n > before && w->cargo_fault && str_set(&s->v[before].fault, w->cargo_fault, err))
		goto out;
	result = 0;
out:
	strv_release(&command);
	return result;
}

static int look_at_sources(struct work *w, struct survey *s, struct err *err)
{
	if (strv_has(&w->tracked, "Cargo.toml") && source_holds(w->top, "Cargo.toml", CRITERION) &&
	    add_criterion(w, s, err))
		return -1;
	/* Beside programs of the project they are helpers, or the same in other languages. */
	if (s->n || s->others.n)
		return 0;
	if (source_scripts(w->top, &w->tracked, s, err) ||
	    (!s->n && !s->tests && source_suites(&w->tracked, s, err)) ||
	    (!s->n && !s->tests && source_programs(w->top, &w->tracked, s, err)))
		return -1;
	/* Scripts alone need no build. */
	return (s->n || s->others.n || s->tests) && !s->build ? str_set(&s->build, "true", err) : 0;
}

static int list_ways(struct work *w, struct err *err)
{
	if (w->top && go_packages_find(w->top, &w->tracked, &w->go, err))
		return -1;
	if (w->rq->config->build || !w->top)
		return 0;
	return builds_list(w->top, &w->tracked, &w->go, &w->builds, err);
}

/* A Makefile beside Python's description may make no more than pages of documentation. */
static bool is_python(const struct work *w)
{
	static const char *const builds[] = { "CMakeLists.txt", "meson.build", "configure",
					      "configure.ac" };
	size_t i;

	for (i = 0; i < sizeof(builds) / sizeof(builds[0]); i++)
		if (strv_has(&w->tracked, builds[i]))
			return false;
	return strv_has(&w->tracked, "setup.py") || strv_has(&w->tracked, "pyproject.toml");
}

/* Nothing built: scripts that need no build are there all the same. */
static int keep_failure(struct work *w, struct err *err)
{
	struct survey *s = &w->best;

	if (w->top && is_python(w) && source_scripts(w->top, &w->tracked, s, err))
		return -1;
	if (!s->n)
		return str_set(&s->build, w->failed, err) || str_set(&s->build_fault, w->fault, err)
			       ? -1
			       : 0;
	return str_set(&s->build, "true", err) || str_set(&s->other_build, w->failed, err) ||
			       str_set(&s->other_fault, w->fault, err)
		       ? -1
		       : 0;
}

static int survey_all(struct work *w, struct err *err)
{
	if (w->rq->config->build ? try_command(w, w->rq->config->build, "", err) < 0
				 : try_all(w, err))
		return -1;
	if (!w->has_best && w->failed) {
		if (keep_failure(w, err))
			return -1;
	} else if (w->failed && (str_set(&w->best.other_build, w->failed, err) ||
				 str_set(&w->best.other_fault, w->fault, err))) {
		return -1;
	}
	return w->top && !w->best.build_fault ? look_at_sources(w, &w->best, err) : 0;
}

int survey_make(const struct trees_request *rq, const char *commit, struct survey *out,
		struct err *err)
{
	struct work w = { rq,
			  NULL,
			  repo_top(rq->repo),
			  STRV_INIT,
			  GO_PACKAGES_INIT,
			  BUILDS_INIT,
			  SURVEY_INIT,
			  false,
			  NULL,
			  NULL,
			  NULL };
	struct git_commit head = GIT_COMMIT_INIT;
	int result = -1;

	*out = (struct survey)SURVEY_INIT;
	if (repo_commit(rq->repo, commit, &head, err) ||
	    tree_files(rq->repo, commit, &w.tracked, err))
		goto out;
	w.commit = head.id;
	if (list_ways(&w, err) || survey_all(&w, err))
		goto out;
	*out = w.best;
	w.best = (struct survey)SURVEY_INIT;
	result = 0;
out:
	survey_release(&w.best);
	builds_release(&w.builds);
	go_packages_release(&w.go);
	strv_release(&w.tracked);
	git_commit_release(&head);
	free(w.failed);
	free(w.fault);
	free(w.cargo_fault);
	return result;
}
