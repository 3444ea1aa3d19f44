/*
 * thin - of many points those that a picture of some width shows.
 *
 * The points are cut into buckets of equally many, as they come; of each the least and the greatest
 * value are kept, so that no peak is lost, besides the first and the last point of all and each
 * that moved its series.  What is kept are points as they were measured, never means of some.
 *
 * Source: the min-max aggregation of U. Jugel et al., "M4: a visualization-oriented time series
 * data aggregation", Proc. VLDB Endowment 7 (2014) 797-808.
 */
#ifndef PAWL_STORE_HISTORY_THIN_H
#define PAWL_STORE_HISTORY_THIN_H

#include <stddef.h>

#include "lib/base/err.h"
#include "lib/store/points/point.h"

struct thin; /* opaque */

/*
 * Up to most buckets, 1 or more; of changes up to most_changes.  Errors: ERR_NOMEM.
 */
int thin_open(size_t most, size_t most_changes, struct thin **out, struct err *err);

/* Errors: ERR_NOMEM; ERR_LIMIT, too many changes.  Cost: O(1) amortised, no memory but of changes.
 */
int thin_add(struct thin *t, const struct ledger_point *p, struct err *err);

/* How many were added, and in how many buckets they are. */
size_t thin_total(const struct thin *t);
size_t thin_buckets(const struct thin *t);

/*
 * Calls take for each that is kept, in the order in which they came; its -1 ends it.
 * Errors: those of take; ERR_NOMEM.  Cost: O(n log n) for what is kept.
 */
int thin_visit(const struct thin *t,
	       int (*take)(void *ctx, const struct ledger_point *p, struct err *err), void *ctx,
	       struct err *err);

void thin_close(struct thin *t); /* accepts NULL */

#endif
