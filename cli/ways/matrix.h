/*
 * matrix - more than two builds or environments: all combinations of some values of variables.
 */
#ifndef PAWL_CLI_WAYS_MATRIX_H
#define PAWL_CLI_WAYS_MATRIX_H

#include <stddef.h>

#include "collector/compare.h"
#include "lib/base/err.h"
#include "lib/base/strv.h"
#include "lib/record/summary.h"

#define MATRIX_MOST 64 /* combinations */

struct matrix {
	struct strv
		*rows; /* "NAME=value" of each combination; the first is the base of all others */
	size_t n;      /* 0: none was asked for; else two or more */
	char *title;   /* as it was given */
};

#define MATRIX_INIT \
	{ \
		NULL, 0, NULL \
	}

void matrix_release(struct matrix *m);

/*
 * given: each "NAME=VALUE,VALUE..."; empty: m stays as it is.  The values of the last name change
 * first.  Errors: ERR_USAGE a text of another form, a name or a value twice, one combination alone
 *         or more than MATRIX_MOST; ERR_NOMEM.
 */
int matrix_of(const struct strv *given, struct matrix *m, struct err *err);

/*
 * Compares each other combination with the first one, one after the other, and joins the results:
 * *out (initialised here, released on failure) is for judge(), which judges all of them together.
 * Benchmarks are named "NAME (CC=clang OPT=-O3)".  rq's ways are overwritten.
 * What fails after the first of them, such as a signal that asks us to stop, is no error: *out has
 * those that are finished, and *out_ended says it.
 * Errors: those of compare() in the first one; ERR_NOMEM.
 */
int matrix_compare(const struct matrix *m, struct compare_request *rq, struct summary *out,
		   struct err *out_ended, struct err *err);

#endif
