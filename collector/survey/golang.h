/*
 * golang - packages of Go that have benchmark functions, and how their test programs are built.
 *
 * `go test` would build while it is measured: each package's test program is built beside the
 * others, below pawl-bench.  A module within the repository is built from its own folder.
 */
#ifndef PAWL_COLLECTOR_SURVEY_GOLANG_H
#define PAWL_COLLECTOR_SURVEY_GOLANG_H

#include <stdbool.h>

#include "collector/survey/survey_list.h"

struct go_package {
	char *name;    /* of the benchmark; no other package has it */
	char *program; /* relative to the top */
	char *build;   /* a command for sh -c */
};

struct go_packages {
	struct go_package *v;
	size_t n;
	bool has_top; /* there is a go.mod at the top */
};

#define GO_PACKAGES_INIT \
	{ \
		NULL, 0, false \
	}

void go_packages_release(struct go_packages *g);

/* Of the tracked files of the work tree top, at most SURVEY_MOST.  Errors: ERR_NOMEM. */
int go_packages_find(const char *top, const struct strv *tracked, struct go_packages *out,
		     struct err *err);

/*
 * The builds of all packages as one command, parted by between (" && "); "" for none.  present: a
 * built tree, of which only those that have their program count; NULL: all.  free().  Errors:
 * ERR_NOMEM.
 */
int go_packages_build(const struct go_packages *g, const char *between, const char *present,
		      char **out, struct err *err);

/* Adds a benchmark for each that has its program in the built tree.  Errors: ERR_NOMEM. */
int go_packages_add(const struct go_packages *g, const char *tree, struct survey *s,
		    struct err *err);

#endif
