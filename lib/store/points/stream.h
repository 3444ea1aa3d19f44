/*
 * stream - the points of some series, in the order of a history, wherever they lie.
 *
 * Within one transaction: what is folded meanwhile would be met twice, or not at all.
 */
#ifndef PAWL_STORE_POINTS_STREAM_H
#define PAWL_STORE_POINTS_STREAM_H

#include "lib/store/points/recent.h"

struct stream; /* opaque */

/* A place in a history. */
struct stream_place {
	int64_t t, run, series;
};

/*
 * The points of series[0..n) behind that place; *kept as of recent_points().
 * Errors: ERR_CORRUPT, ERR_NOMEM, those of the database.
 * Cost:   that of recent_points(); memory for a chunk a series, about 15 KB.
 */
int stream_open(struct db *db, struct recent **kept, int64_t project, const int64_t *series,
		size_t n, const struct stream_place *behind, struct stream **out, struct err *err);

/* 1: *out is the next point, as a history shows it; 0: there is none; -1: see stream_open(). */
int stream_next(struct stream *s, struct ledger_point *out, struct err *err);

/* Leaves out what stands before that run at that place; never goes back. */
void stream_skip(struct stream *s, int64_t t, int64_t run);

void stream_close(struct stream *s); /* accepts NULL */

/*
 * Where at least `most` points of each series, or all that it has behind `since`, are behind;
 * *out_all: that is `since` itself.
 */
int stream_last(struct db *db, int64_t project, const int64_t *series, size_t n, size_t most,
		const struct stream_place *since, struct stream_place *out, bool *out_all,
		struct err *err);

#endif
