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

extern const struct db_engine sqlite_engine;

#endif
