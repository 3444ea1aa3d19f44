/*
 * merge - the points of some series, in the order of a history, wherever they lie.
 *
 * Within one transaction: what is folded meanwhile would be met twice, or not at all.
 */
#ifndef PAWL_STORE_POINTS_MERGE_H
#define PAWL_STORE_POINTS_MERGE_H

#include "lib/store/points/recent.h"

struct merge; /* opaque */

/* A place in a history. */
struct merge_place {
	int64_t t, run, series;
};

/*
 * The points of series[0..n) behind that place; *kept as of recent_points().
 * Errors: ERR_CORRUPT, ERR_NOMEM, those of the database.
 * Cost:   that of recent_points(); memory for a chunk a series, about 15 KB.
 */
int merge_open(struct db *db, struct recent **kept, int64_t project, const int64_t *series,
	       size_t n, const struct merge_place *behind, struct merge **out, struct err *err);

/*
 * 1: *out is the next point, as a history shows it, until the next call; 0: there is none; -1: see
 * merge_open().
 */
int merge_next(struct merge *s, const struct ledger_point **out, struct err *err);

/* Leaves out what stands before that run at that place; never goes back. */
void merge_skip(struct merge *s, int64_t t, int64_t run);

void merge_close(struct merge *s); /* accepts NULL */

/*
 * Where at least `most` points of each series, or all that it has behind `since`, are behind;
 * *out_all: that is `since` itself.
 */
int merge_last(struct db *db, int64_t project, const int64_t *series, size_t n, size_t most,
	       const struct merge_place *since, struct merge_place *out, bool *out_all,
	       struct err *err);

#endif
