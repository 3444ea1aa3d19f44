/*
 * sqlite - what the files of the SQLite engine share.  A handle is a sqlite3 *.
 */
#ifndef PAWL_STORE_SQLITE_SQLITE_H
#define PAWL_STORE_SQLITE_SQLITE_H

#include <sqlite3.h>

#include "lib/store/engine.h"

/* Fills err from the handle's last fault.  Returns -1. */
int sqlite_fault(struct db *db, int code, const char *doing, struct err *err);

/* Bytes in the WAL beside the file: what an immutable open would not see. */
int64_t sqlite_wal_size(const char *path);

/* See db_copy(), db_trim_wal(). */
int sqlite_copy(struct db *db, const char *to, struct err *err);
void sqlite_trim(struct db *db, int64_t limit_bytes);

/*
 * From here on, as commits of this handle make the WAL longer, a thread of its own copies what is
 * in it to the file: it waits for the disk, and who commits need not.  Once all of a long one is
 * copied the next commit begins it afresh, over its old pages, which the disk takes faster than new
 * ones.
 */
int sqlite_empty_beside(struct db *db, struct err *err);
void sqlite_empty_stop(struct db *db); /* accepts one that has none */

extern const struct db_engine sqlite_engine;

#endif
