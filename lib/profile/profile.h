/*
 * profile - where a program spent its instructions: per function and per source line.
 *
 * Read from what valgrind's callgrind and cachegrind write.  Costs are counts of one event as
 * double: exact below 2^53, and still numbers when one profile is taken from another or divided
 * by the iterations.
 *
 * Source: "Callgrind Format Specification", version 1, of valgrind's manual (cl-format).
 */
#ifndef PAWL_PROFILE_PROFILE_H
#define PAWL_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/strv.h"

/* Limits of one input; beyond them ERR_LIMIT. */
#define PROFILE_MAX_BYTES (64u << 20)
#define PROFILE_MAX_RECORDS 4000000 /* lines that carry a cost */
#define PROFILE_MAX_ID (1u << 20)   /* of a compressed name */
#define PROFILE_MAX_EVENTS 32
#define PROFILE_MAX_COST 9007199254740992.0 /* 2^53 */

#define PROFILE_UNKNOWN "???" /* the name of what has none, as callgrind writes it */

/* Cost of a source line itself, without what it calls. */
struct profile_line {
	const char *file; /* differs from the function's where code was inlined */
	unsigned line;	  /* 0: not known */
	double self;
};

struct profile_function {
	const char *object, *file, *name;
	double self;
	double inclusive; /* with what it calls; of a recursive function at most the total */
	struct profile_line *lines;
	size_t n_lines; /* by file and line */
};

/* Strings belong to `names`, lines to one array. */
struct profile {
	struct profile_function *functions; /* by name, object and file */
	size_t n;
	struct profile_line *lines;
	double total; /* of all self costs */
	struct strv names;
};

#define PROFILE_INIT \
	{ \
		NULL, 0, NULL, 0, STRV_INIT \
	}

void profile_release(struct profile *p);

/* A part of an input. */
struct profile_text {
	const char *data;
	size_t n;
};

/*
 * Reads one or more files of one run (one a process) into one profile: costs of the same function
 * and line are added up.  The event is Ir, or the first one where there is no Ir.
 *
 * Shape:  *out is filled only on success; release it.
 * Errors: ERR_SYNTAX with the line for what is no such profile or is cut short (the costs do not
 *         sum up to its own total), ERR_RANGE for a number beyond its limits, ERR_LIMIT, ERR_NOMEM.
 * Cost:   O(n log n) in the lines.
 */
int profile_read(const struct profile_text *texts, size_t n, struct profile *out, struct err *err);

/* profile_read() of one text. */
int profile_parse(const char *data, size_t n, struct profile *out, struct err *err);

/*
 * (a - b) * factor: what is in both, such as the start of a program that ran twice as many
 * iterations in a, drops out.  Functions and lines that come out as 0 are left out; others may
 * be below 0.
 *
 * Errors: ERR_NOMEM; *out is untouched.
 */
int profile_subtract(const struct profile *a, const struct profile *b, double factor,
		     struct profile *out, struct err *err);

/* Whether there is a file of this name below the top. */
typedef bool profile_is_file(const void *ctx, const char *name);

/*
 * Takes the folder top, and "./", off the front of all names of files and objects, so that those
 * of two trees are alike.  A whole path whose top was mapped to "." (-ffile-prefix-map) reads
 * behind the folder of the build, as in "build/src/./src/a.c": where is_file (NULL: never) knows
 * only "src/a.c", that is the name.
 */
void profile_strip(struct profile *p, const char *top, profile_is_file *is_file, const void *ctx);

/* Whether most of the cost is in functions without a name: the program is stripped. */
bool profile_is_stripped(const struct profile *p);

#endif
