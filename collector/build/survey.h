/*
 * survey - which benchmarks a repository has, when nobody said it.
 *
 * HEAD is built as `pawl compare` would build it, and kept, so that the first comparison need not.
 * Then the build systems are asked (CTest's label, Meson's benchmark()), and the executables that
 * the build made are looked into: one that is linked to libpawl or google-benchmark says so itself.
 */
#ifndef PAWL_COLLECTOR_BUILD_SURVEY_H
#define PAWL_COLLECTOR_BUILD_SURVEY_H

#include "collector/build/survey_list.h"
#include "collector/build/trees.h"
#include "lib/base/strv.h"

/*
 * Surveys a commit.  What does not build is no error; then only the sources are looked at.
 * Errors: those of tree_open() but a failed build; ERR_NOMEM.
 */
int survey_make(const struct trees_request *rq, const char *commit, struct survey *out,
		struct err *err);

/* What the build systems tell of a built tree. */
int survey_ask_tools(struct survey *s, const char *top, struct err *err);

/* The executables of a built tree that git does not track. */
int survey_scan(struct survey *s, const char *top, const struct strv *tracked, struct err *err);

#endif
