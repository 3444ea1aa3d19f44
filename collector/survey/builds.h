/*
 * builds - the ways in which a repository may be built, those first that promise benchmarks.
 */
#ifndef PAWL_COLLECTOR_SURVEY_BUILDS_H
#define PAWL_COLLECTOR_SURVEY_BUILDS_H

#include <stdbool.h>

#include "collector/survey/golang.h"

enum build_when {
	BUILD_ALWAYS,	      /* unless one before it built */
	BUILD_FOR_BENCHMARKS, /* also where the one that built has no benchmark */
	BUILD_FOR_TESTS,      /* also where the one that built made no test program */
	BUILD_FOR_PROGRAMS    /* also where the one that built made no program at all */
};

struct build_way {
	char *command; /* for sh -c, from the top */
	char *folder;  /* that it builds in; "" is the top */
	enum build_when when;
	bool is_go; /* made of the packages of Go */
};

struct builds {
	struct build_way *v;
	size_t n;
	char systems[8]; /* a letter for each build system that the top has a description of */
};

#define BUILDS_INIT \
	{ \
		NULL, 0, "" \
	}

void builds_release(struct builds *b);

/*
 * Those of the work tree top with these tracked files, in the order in which they are to be tried.
 * At the top: Go's modules and Cargo before descriptions that may only call them; each description
 * with its options for benchmarks, without, and with those for tests.  Then up to BUILDS_BELOW
 * folders within: where the top has nothing, and for programs those of another build system, which
 * are no part of the top's own.  None is no error.  Errors: ERR_NOMEM.
 */
int builds_list(const char *top, const struct strv *tracked, const struct go_packages *go,
		struct builds *out, struct err *err);
#define BUILDS_BELOW 3

/*
 * A folder of benchmarks with a Makefile of its own, whose default target only builds: *out gets
 * "BUILD && make -C FOLDER", or NULL.  tree: built already by build.  Errors: ERR_NOMEM.
 */
int builds_add_folder(const char *tree, const struct strv *tracked, const char *build, char **out,
		      struct err *err);

#endif
