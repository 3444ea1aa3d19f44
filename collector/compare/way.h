/*
 * way - what fills a side of a comparison, where that is not a commit as it is configured.
 *
 * A command or a program is what it is and needs no repository.  A build command and variables go
 * with a commit: two builds of one commit, or of two.
 */
#ifndef PAWL_COLLECTOR_COMPARE_WAY_H
#define PAWL_COLLECTOR_COMPARE_WAY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/buf.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"

struct compare_way {
	const struct strv *command; /* argv; NULL: no command */
	const char *text;	    /* of it, as it was given */
	bool is_program;   /* its first word alone was given, and may hold several benchmarks */
	const char *build; /* command line for sh -c; NULL: as configured */
	const struct strv *env;	       /* "NAME=value"; NULL: none */
	const char *prepare, *cleanup; /* of a command's runs; NULL: as configured */
};

#define COMPARE_WAY_INIT \
	{ \
		NULL, NULL, false, NULL, NULL, NULL, NULL \
	}

/* Whether it says anything. */
bool compare_way_is_given(const struct compare_way *way);
bool compare_ways_are_given(const struct compare_way *base,
			    const struct compare_way *head); /* one of them */

/* Bytes of the name in front of '=' in "NAME=value"; 0: it is no such text. */
size_t compare_way_variable(const char *entry);

/* Whether the variable of entries[i] is one of those before it, too. */
bool compare_way_is_twice(const struct strv *entries, size_t i);

/*
 * Whether a variable reaches builds, and runs: those of compilers (CC, CFLAGS, ...) builds alone,
 * those of the loader and of libc (LD_PRELOAD, MALLOC_..., GLIBC_TUNABLES) runs alone, as they
 * would work on the compilers too; all others both.
 */
bool compare_way_builds(const char *entry);
bool compare_way_runs(const char *entry);

/* Appends those variables of it that reach builds, or runs.  Errors: ERR_NOMEM. */
int compare_way_env(const struct compare_way *way, bool builds, struct strv *out, struct err *err);

/* Whether runs get the same variables, in whatever order. */
bool compare_way_same_runs(const struct compare_way *a, const struct compare_way *b);

/*
 * What the side is called: its variables, then its command, its program or its build.  commit: its
 * id, put in front where both sides are not of one; else NULL.  build: the configured one, or NULL.
 */
void compare_way_name(const struct compare_way *way, const char *commit, const char *build,
		      struct buf *out);

#endif
