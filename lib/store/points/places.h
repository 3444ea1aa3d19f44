/*
 * places - where the commits of a ledger of before the fourth schema stand.
 */
#ifndef PAWL_STORE_POINTS_PLACES_H
#define PAWL_STORE_POINTS_PLACES_H

#include "lib/base/err.h"
#include "lib/store/db.h"

/*
 * Gives each commit that has results the place that it would have had if it had come to this
 * program, one after the other as they came (see put_commit()).  Within the migration, when no
 * commit has a place yet.
 * Cost: two questions and a write for each commit.
 */
int places_make(struct db *db, struct err *err);

#endif
