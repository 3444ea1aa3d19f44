#include "collector/build/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/build/detect.h"
#include "lib/base/file.h"
#include "lib/git/worktree/worktree.h"

#include "lib/base/banned.h"

#define SOURCE_MAX_BYTES (1u << 20)

/* ---- what only the sources tell ------------------------------------------------------------- */

static bool file_holds(const char *top, const char *path, const char *text)
{
	struct buf name = BUF_INIT, whole = BUF_INIT;
	bool found = false;

	buf_addf(&name, "%s/%s", top, path);
	if (!buf_check(&name, NULL) &&
	    !file_read_whole(buf_str(&name), SOURCE_MAX_BYTES, &whole, NULL))
		found = strstr(buf_str(&whole), text);
	buf_release(&name);
	buf_release(&whole);
	return found;
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && !strcmp(text + n - m, end);
}

/* What was found in the sources so far. */
struct sources {
	struct strv packages; /* of Go, as folders; "" the top */
	struct buf build;     /* of their test programs */
};

/* A name for the folder, of which no other has the program: "a/b" and "a-b" are two. */
static int name_package(const struct survey *s, const char *folder, struct buf *name,
			struct buf *program, struct err *err)
{
	int i = 1;
	char *p;

	do {
		buf_reset(name);
		buf_reset(program);
		buf_adds(name, *folder ? folder : "go");
		if (i > 1)
			buf_addf(name, "-%d", i);
		if (buf_check(name, err))
			return -1;
		for (p = name->data; *p; p++)
			if (*p == '/')
				*p = '-';
		buf_addf(program, "pawl-bench/%s.test", buf_str(name));
		if (buf_check(program, err))
			return -1;
		i++;
	} while (survey_runs(s, buf_str(program)));
	return 0;
}

/*
 * A package of Go with benchmarks: its test program is built beside the others, since `go test`
 * would build it while it is measured.
 */
static int add_package(struct survey *s, const char *folder, struct buf *build, struct err *err)
{
	struct strv command = STRV_INIT, words = STRV_INIT;
	struct buf name = BUF_INIT, program = BUF_INIT;
	size_t before = s->n;
	int result = -1;

	if (name_package(s, folder, &name, &program, err) ||
	    strv_add(&command, buf_str(&program), err) ||
	    strv_add(&words, buf_str(&program), err) || strv_addf(&words, err, "./%s", folder) ||
	    survey_add(s, buf_str(&name), &command, "go", "a benchmark function of Go", err))
		goto out;
	if (s->n > before) {
		buf_addf(build, "%sgo test -c -o ", build->len ? " && " : "");
		words_quote(words.v, build);
	}
	result = buf_check(build, err);
out:
	strv_release(&command);
	strv_release(&words);
	buf_release(&name);
	buf_release(&program);
	return result;
}

/* The package that a file with benchmarks lies in, once. */
static int add_go(struct survey *s, const char *path, struct sources *src, struct err *err)
{
	const char *slash = strrchr(path, '/');
	struct buf folder = BUF_INIT;
	int result = 0;

	buf_add(&folder, path, slash ? (size_t)(slash - path) : 0);
	if (buf_check(&folder, err))
		result = -1;
	else if (!strv_has(&src->packages, buf_str(&folder)))
		result = strv_add(&src->packages, buf_str(&folder), err) ||
					 add_package(s, buf_str(&folder), &src->build, err)
				 ? -1
				 : 0;
	buf_release(&folder);
	return result;
}

static int look_at_sources(struct survey *s, const char *top, const struct strv *tracked,
			   struct err *err)
{
	struct strv command = STRV_INIT;
	struct sources src = { STRV_INIT, BUF_INIT };
	size_t i;
	int result = -1;

	for (i = 0; i < tracked->n; i++) {
		const char *path = tracked->v[i];

		if (ends_with(path, "_test.go") && file_holds(top, path, "\nfunc Benchmark") &&
		    add_go(s, path, &src, err))
			goto out;
		if (!strcmp(path, "Cargo.toml") && file_holds(top, path, "criterion") &&
		    (strv_add(&command, "cargo", err) || strv_add(&command, "bench", err) ||
		     survey_add(s, "criterion", &command, "criterion", "Cargo.toml", err)))
			goto out;
	}
	if (src.build.len && !s->build && str_set(&s->build, buf_str(&src.build), err))
		goto out;
	result = 0;
out:
	strv_release(&command);
	strv_release(&src.packages);
	buf_release(&src.build);
	return result;
}

/* A Makefile that is checked in beside a configure script may be there only to ask for that. */
static bool has_configure(const char *top, const struct strv *tracked)
{
	struct buf path = BUF_INIT;
	bool has = strv_has(tracked, "configure") &&
		   (strv_has(tracked, "Makefile") || strv_has(tracked, "makefile") ||
		    strv_has(tracked, "GNUmakefile"));

	buf_addf(&path, "%s/configure", top);
	has = has && !buf_check(&path, NULL) && !access(buf_str(&path), X_OK);
	buf_release(&path);
	return has;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Builds with what will be written, so that the first comparison finds it built. */
static int find_build(const struct trees_request *rq, struct survey *s, struct err *err)
{
	const char *top = repo_top(rq->repo);
	struct err fault = ERR_INIT;
	char *what = NULL;
	int result = 0;

	if (rq->config->build)
		return str_set(&s->build, rq->config->build, err);
	if (top && build_detect(top, &s->build, &what, &fault) && fault.code != ERR_ABSENT) {
		*err = fault;
		result = -1;
	}
	free(what);
	return result;
}

/* What the sources alone told of the build was not tried yet. */
static int try_build(const struct trees_request *rq, const char *commit, struct survey *s,
		     struct err *err)
{
	struct tree tree = TREE_INIT;
	struct err fault = ERR_INIT;
	int result = 0;

	if (tree_open(rq, commit, NULL, &tree, &fault)) {
		if (fault.code == ERR_CHILD || fault.code == ERR_TIMEOUT) {
			result = str_set(&s->build_fault, fault.text, err);
		} else {
			*err = fault;
			result = -1;
		}
	}
	tree_close(&tree);
	return result;
}

int survey_make(const struct trees_request *asked, const char *commit, struct survey *out,
		struct err *err)
{
	struct config config = *asked->config;
	struct trees_request request = *asked, *rq = &request;
	bool was_tried;
	struct survey s = SURVEY_INIT;
	struct strv tracked = STRV_INIT;
	struct tree tree = TREE_INIT;
	struct git_commit head = GIT_COMMIT_INIT;
	struct err fault = ERR_INIT;
	const char *top;
	int result = -1;

	*out = s;
	if (repo_commit(rq->repo, commit, &head, err) ||
	    tree_files(rq->repo, commit, &tracked, err) || find_build(rq, &s, err))
		goto out;
	rq->config = &config;
	config.build = s.build;
	was_tried = s.build;
	if (!tree_open(rq, head.id, NULL, &tree, &fault)) {
		if (str_set(&s.build, tree.build, err) ||
		    (tree.path && (survey_ask_tools(&s, tree.path, err) ||
				   survey_scan(&s, tree.path, &tracked, err))))
			goto out;
	} else if (fault.code == ERR_CHILD || fault.code == ERR_TIMEOUT) {
		if (str_set(&s.build_fault, fault.text, err))
			goto out;
	} else {
		*err = fault;
		goto out;
	}
	top = tree.path ? tree.path : repo_top(rq->repo);
	if (top && look_at_sources(&s, top, &tracked, err))
		goto out;
	s.has_configure = top && !asked->config->build && has_configure(top, &tracked);
	config.build = s.build;
	if (s.build && !was_tried && try_build(rq, head.id, &s, err))
		goto out;
	*out = s;
	s = (struct survey)SURVEY_INIT;
	result = 0;
out:
	survey_release(&s);
	git_commit_release(&head);
	strv_release(&tracked);
	tree_close(&tree);
	return result;
}
