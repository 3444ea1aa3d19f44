/*
 * migrate - the rows of an older store as they are kept today.
 */
#ifndef PAWL_STORE_LOCAL_MIGRATE_H
#define PAWL_STORE_LOCAL_MIGRATE_H

#include "lib/base/err.h"
#include "lib/store/db.h"

/*
 * Packs every row that is a document, inside the caller's transaction.  One that is damaged, or
 * whose document would not come out byte for byte again, stays as it is. Errors: ERR_CORRUPT a page
 * cannot be read; ERR_FULL, ERR_NOMEM, ERR_STORE. Cost:   about 0.5 ms a row of 3 KB.
 */
int migrate_rows(struct db *db, struct err *err);

/*
 * Makes a file of the first schema readable by the statements of today, for this handle alone; the
 * file is not touched.  Does nothing for any other.
 */
int migrate_view(struct db *db, struct err *err);

#endif
