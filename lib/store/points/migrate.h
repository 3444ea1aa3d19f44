/*
 * migrate - the points of a ledger of before the seventh schema, a row each, as sheets and chunks.
 */
#ifndef PAWL_STORE_POINTS_MIGRATE_H
#define PAWL_STORE_POINTS_MIGRATE_H

#include "lib/store/db.h"

/*
 * Fills sheet, chunk and moved from point, and drops point.  Within the migration's transaction.
 * A point that is damaged stays so; its project is then folded once `pawld fsck --repair` has made
 * it again.
 *
 * Errors: those of the database; ERR_NOMEM.
 * Cost:   some 10 microseconds a point.
 */
int migrate_points(struct db *db, struct err *err);

#endif
