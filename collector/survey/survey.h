/*
 * survey - which benchmarks a repository has and how they are built, when nobody said it.
 *
 * HEAD is built in the ways of builds.h, one after the other, until one builds and has benchmarks,
 * and kept, so that the first comparison need not build it.  Of each the build systems are asked
 * (CTest's label, Meson's benchmark()), and the executables that the build made are looked into:
 * one that is linked to libpawl or google-benchmark says so itself.
 */
#ifndef PAWL_COLLECTOR_BUILD_SURVEY_H
#define PAWL_COLLECTOR_BUILD_SURVEY_H

#include "collector/survey/survey_list.h"
#include "collector/build/trees.h"
#include "lib/base/strv.h"

/*
 * Surveys a commit.  What does not build is no error: out->build is then the first way that was
 * tried, and out->build_fault why it failed.
 * Errors: those of tree_open() but a failed build; ERR_NOMEM.
 */
int survey_make(const struct trees_request *rq, const char *commit, struct survey *out,
		struct err *err);

/* What the build systems tell of a built tree, which they built in its folder ("" the top). */
int survey_ask_tools(struct survey *s, const char *top, const char *folder, struct err *err);

/* The executables of a built tree that git does not track; tracked is put in order. */
int survey_scan(struct survey *s, const char *top, struct strv *tracked, struct err *err);

#endif
