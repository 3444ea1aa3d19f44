/*
 * visit - every stored result of a project in one query, read only as far as it is wanted.
 */
#ifndef PAWL_STORE_LOCAL_VISIT_H
#define PAWL_STORE_LOCAL_VISIT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/judge/points.h"
#include "lib/store/local/store.h"

struct stored; /* the result at hand; lives during the call */

struct store_visitor {
	void *ctx;
	/* Whether the result is wanted; the head of a document (schema 1) was not checked. */
	bool (*want)(void *ctx, const struct store_row *row);
	/* -1 with err ends the visit, but for ERR_CORRUPT. */
	int (*take)(void *ctx, const struct store_row *row, struct stored *stored, struct err *err);
};

/*
 * Goes through the results of a project, the newest first, dirty ones included.  machine NULL: of
 * any.  One that is damaged (its head, or what take() wanted of it) is passed over, counted in
 * *out_damaged, and noted: store_passed_over().  take NULL: nothing is wanted but the heads.
 *
 * The store must not be used from the two functions but by the calls below.
 *
 * Errors: ERR_STORE, ERR_BUSY, ERR_NOMEM; those of take().
 * Cost:   about a microsecond for a row that is not wanted.
 */
int store_visit(struct store *store, const char *project, const char *machine,
		const struct store_visitor *visitor, size_t *out_damaged, struct err *err);

/*
 * The whole result; *out is initialised by the call, and empty when it fails.
 * Errors: ERR_CORRUPT, ERR_NOMEM, ERR_STORE.
 */
int stored_summary(struct stored *stored, struct summary *out, struct err *err);

/*
 * The points of the result; they live as long as `stored`, and are to be released.
 * Errors: ERR_NEWER there are none, or of another rule, or they are damaged: the result has all
 * that they were made of; ERR_NOMEM, ERR_STORE.
 */
int stored_points(struct stored *stored, struct points *out, struct err *err);

/* As stored_summary() with no other benchmark than that one.  Errors: also ERR_ABSENT. */
int stored_bench(struct stored *stored, const char *name, struct summary *out, struct err *err);

#endif
