/*
 * tail - where the points of a project lie: as they came, a sheet a run, and folded, in chunks.
 *
 * Each run's sheet stays.  What is folded of it stands in the chunks of its series, too: reading a
 * history takes those, and the sheets that are not folded yet, the tail.
 */
#ifndef PAWL_STORE_POINTS_TAIL_H
#define PAWL_STORE_POINTS_TAIL_H

#include "lib/store/db.h"
#include "lib/store/points/sheet.h"

/*
 * Up to which run a project is folded: series up to `at` are further, as long as a fold goes on.
 * What was kept of the tail holds until there is another last entry of the log: a repair, or what
 * hides results.
 */
struct folded {
	int64_t upto, next, at, changed;
	int64_t n_runs; /* of the tail */
};

/* Without `changed`, and with it. */
int folded_read(struct db *db, int64_t project, struct folded *out, struct err *err);
int folded_read_changed(struct db *db, int64_t project, struct folded *out, struct err *err);

/* Of one series. */
int64_t folded_of(const struct folded *f, int64_t series);

/*
 * Calls take for the sheet of each run in (after, upto], the oldest first; its -1 ends it.
 * Errors: ERR_CORRUPT, a sheet is damaged; those of take and of the database.
 */
int tail_visit(struct db *db, int64_t project, int64_t after, int64_t upto,
	       int (*take)(void *ctx, struct sheet *sheet, struct err *err), void *ctx,
	       struct err *err);

/* Points as they come; {0} to begin with, points for the caller to free. */
struct point_list {
	struct ledger_point *points;
	size_t n, room;
};

int point_list_add(struct point_list *list, const struct ledger_point *p, struct err *err);

#endif
