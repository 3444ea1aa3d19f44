/*
 * survey - which benchmarks a repository has, when nobody said it.
 *
 * HEAD is built as `pawl compare` would build it, and kept, so that the first comparison need not.
 * Then the build systems are asked (CTest's label, Meson's benchmark()), and the executables that
 * the build made are looked into: one that is linked to libpawl or google-benchmark says so itself.
 */
#ifndef PAWL_COLLECTOR_BUILD_SURVEY_H
#define PAWL_COLLECTOR_BUILD_SURVEY_H

#include <stdbool.h>

#include "collector/build/trees.h"
#include "lib/base/strv.h"

#define SURVEY_MOST 64 /* benchmarks */

/* One benchmark that was found. */
struct surveyed {
	char *name;
	struct strv command;  /* relative to the top */
	const char *format;   /* "pawl", "google", "command", ...; static storage */
	const char *found_by; /* "label of CTest", ...; static storage */
};

struct survey {
	char *build;	   /* the command; NULL: nothing known is there */
	char *build_fault; /* why it did not build, or NULL */
	struct surveyed *v;
	size_t n;
	bool is_cut;	    /* there were more than SURVEY_MOST */
	bool has_configure; /* beside a Makefile that is checked in, and no build was given */
	struct strv others; /* programs of the build that are nothing known; the first few */
};

#define SURVEY_OTHERS 8

#define SURVEY_INIT \
	{ \
		NULL, NULL, NULL, 0, false, false, STRV_INIT \
	}

void survey_release(struct survey *s);

/*
 * Surveys a commit.  What does not build is no error; then only the sources are looked at.
 * Errors: those of tree_open() but a failed build; ERR_NOMEM.
 */
int survey_make(const struct trees_request *rq, const char *commit, struct survey *out,
		struct err *err);

/* Whether a text can stand in a file of configuration: control characters cannot. */
bool survey_can_write(const char *text);

/*
 * For its parts: adds one, unless its program is there already or cannot be written down.  Takes
 * over *command.  ERR_NOMEM.
 */
int survey_add(struct survey *s, const char *name, struct strv *command, const char *format,
	       const char *found_by, struct err *err);

/* What the build systems tell of a built tree. */
int survey_ask_tools(struct survey *s, const char *top, struct err *err);

/* The executables of a built tree that git does not track. */
int survey_scan(struct survey *s, const char *top, const struct strv *tracked, struct err *err);

#endif
