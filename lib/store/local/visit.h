/*
 * visit - every stored result of a project in one query, read only as far as it is wanted.
 */
#ifndef PAWL_STORE_LOCAL_VISIT_H
#define PAWL_STORE_LOCAL_VISIT_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"
#include "lib/store/local/store.h"

struct store_visitor {
	void *ctx;
	/* Whether the document is wanted; a row's head has not been checked by its SHA-256. */
	bool (*want)(void *ctx, const struct store_row *row);
	/* The document, checked; it lives during the call.  -1 with err ends the visit. */
	int (*take)(void *ctx, const struct store_row *row, const char *json, size_t n,
		    struct err *err);
};

/*
 * Goes through the results of a project, the newest first, dirty ones included.  machine NULL: of
 * any.  A wanted row that is damaged is passed over and counted in *out_damaged.
 *
 * The store must not be used from the two functions.
 *
 * Errors: ERR_STORE, ERR_BUSY, ERR_NOMEM; those of take().
 * Cost:   a page for a row that is not wanted; its size, and its SHA-256, for one that is.
 */
int store_visit(struct store *store, const char *project, const char *machine,
		const struct store_visitor *visitor, size_t *out_damaged, struct err *err);

#endif
