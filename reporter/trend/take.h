/*
 * trend_take - what both halves of trend_load() share: the line, and what is known of its places.
 */
#ifndef PAWL_REPORTER_TREND_TAKE_H
#define PAWL_REPORTER_TREND_TAKE_H

#include <stdbool.h>

#include "lib/store/local/visit.h"
#include "reporter/trend/load.h"

struct entry {
	const char *id;
	size_t place;
};

struct loader {
	const struct trend_query *query;
	struct trend_set *set;
	struct entry *index; /* the line, by id */
	unsigned char *seen; /* a clean result, by place */
	unsigned char *done; /* the only benchmark has its point, with a step */
	unsigned char *met;  /* some benchmark has a point, by place */
	size_t from;	     /* place of the oldest result to read */
	size_t n_dirty;
	struct err *err;
	bool failed;
};

/* By the ids, as the index is sorted. */
int loader_by_id(const void *a, const void *b);

/* A trend_place_fn of a loader. */
size_t loader_place_of(const void *ctx, const char *commit);

/* Makes points of a result that is wanted: of those that were kept with it, or of itself. */
int loader_take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err);

#endif
