/*
 * survey_list - the benchmarks that a survey finds, each program once, under names of their own.
 */
#ifndef PAWL_COLLECTOR_BUILD_SURVEY_LIST_H
#define PAWL_COLLECTOR_BUILD_SURVEY_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

#define SURVEY_MOST 64 /* benchmarks */

/* One benchmark that was found. */
struct surveyed {
	char *name;
	struct strv command;  /* relative to the top */
	const char *format;   /* "pawl", "google", "command", ...; static storage */
	const char *found_by; /* "label of CTest", ...; static storage */
	char *fault;	 /* why it does not run, where that was tried; NULL: nothing is wrong */
	char *doubt;	 /* it ran well, and said what its user should see; or NULL */
	size_t n;	 /* how many benchmarks it holds, where it was asked; 0: not known */
	char *some;	 /* a name that means part of them; NULL: not known */
	char *dir;	 /* of a test: the folder that it may be meant to run in; or NULL */
	bool stands_in;	 /* a test program, where there is no benchmark */
	bool ends_well;	 /* of a test that was tried */
	uint64_t run_ns; /* how long it took, where it was run as a whole; 0: it was not */
};

struct survey {
	char *build;	   /* the command; NULL: nothing known is there */
	char *build_fault; /* why it did not build, or NULL */
	char *other_build; /* what was to be built rather, and failed; or NULL */
	char *other_fault; /* and why */
	struct surveyed *v;
	size_t n;
	bool is_cut;	    /* there were more than SURVEY_MOST */
	bool is_given;	    /* the only benchmark is what the user asked for; */
	bool is_known;	    /* and the survey found its program to be one */
	bool are_scripts;   /* others: tracked ones, of a project that is not built */
	struct strv others; /* programs of the build that are nothing known; the first few */
	/* Test programs, which may run by themselves, and could stand in for a benchmark; or NULL.
	 */
	struct survey *tests;
};

#define SURVEY_OTHERS 8
#define SURVEY_TESTS 24 /* test programs that are tried */

#define SURVEY_INIT \
	{ \
		NULL, NULL, NULL, NULL, NULL, 0, false, false, false, false, STRV_INIT, NULL \
	}

void survey_release(struct survey *s);
void surveyed_release(struct surveyed *b);

/* Whether one of them has no fault. */
bool survey_runs(const struct survey *s);

/* Whether a text can stand in a file of configuration: control characters cannot. */
bool survey_can_write(const char *text);

/*
 * Adds one, unless its program is there already or cannot be written down.  Takes
 * over *command.  ERR_NOMEM.
 */
int survey_add(struct survey *s, const char *name, struct strv *command, const char *format,
	       const char *found_by, struct err *err);

/*
 * The same for a test program that could stand in for a benchmark, of the first SURVEY_TESTS; not
 * one that is a benchmark already.  dir, relative to the top, may be NULL.
 */
int survey_add_test(struct survey *s, const char *name, struct strv *command, const char *dir,
		    const char *found_by, struct err *err);

#endif
