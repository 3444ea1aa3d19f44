/*
 * recent - the tail of a project, kept unpacked by one who asks about many of its series.
 *
 * Sheets come behind those that are there and are never changed but by a repair, which is logged;
 * what is folded meanwhile is left out by whoever asks.  Nothing is kept of a tail with damage, so
 * that a repair is seen at once, nor of one with more than RECENT_MOST points.
 */
#ifndef PAWL_STORE_POINTS_RECENT_H
#define PAWL_STORE_POINTS_RECENT_H

#include "lib/store/points/tail.h"

#define RECENT_MOST 65536

struct recent; /* opaque; one per handle of the database */

/*
 * Appends the points of series[0..n), which are sorted, that are not folded, as a history shows
 * them.  *kept (NULL at first) is made, or brought up to date.  Within one transaction.
 * Errors: ERR_CORRUPT, one of them is damaged; those of the database.
 * Cost:   a search, and what came since; of a tail of 16,384 points 2 MB are kept.  Where nothing
 * is kept, the whole tail.
 */
int recent_points(struct recent **kept, struct db *db, int64_t project, const struct folded *f,
		  const int64_t *series, size_t n, struct point_list *out, struct err *err);

/* As folded_read_changed(); r: what is kept, NULL: nothing.  Cost: a search, or none. */
int recent_folded(const struct recent *r, struct db *db, int64_t project, struct folded *out,
		  struct err *err);

/* Accepts NULL. */
void recent_free(struct recent *r);

#endif
