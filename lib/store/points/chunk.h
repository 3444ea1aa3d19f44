/*
 * chunk - many points of one series, packed, in the order of a history.
 *
 * It holds what a history shows of them (point_shown()), with one checksum over all.
 */
#ifndef PAWL_STORE_POINTS_CHUNK_H
#define PAWL_STORE_POINTS_CHUNK_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/store/points/point.h"

/* What a chunk is found by: its series, its first and its last point. */
struct chunk_key {
	int64_t project, series, t0, run0, t1, run1;
};

/* Of points[0..n), n > 0, of one series and in order. */
struct chunk_key chunk_key_of(const struct ledger_point *points, size_t n);

/* Appends those points. */
void chunk_write(const struct ledger_point *points, size_t n, struct buf *out);

/* Being read, a point at a time. */
struct chunk {
	struct ledger_point last; /* the one that was read last */
	size_t left;
	const unsigned char *at, *end;
};

/*
 * bytes must live as long as the chunk is read.
 * Errors: ERR_CORRUPT, with the cure: it is not what was stored by that key.
 */
int chunk_open(struct chunk *c, const struct chunk_key *key, const void *bytes, size_t n,
	       struct err *err);

/* 1: c->last is the next point; 0: there is none; -1: ERR_CORRUPT, with the cure. */
int chunk_next(struct chunk *c, struct err *err);

#endif
