/*
 * engine - what a database engine offers behind db.h, and what all of them share.
 *
 * An engine opens handles by a call of its own (db_open()), which sets db->engine and db->handle;
 * everything after that goes through its table.  What a call promises is said in db.h.
 */
#ifndef PAWL_STORE_ENGINE_H
#define PAWL_STORE_ENGINE_H

#include <stdarg.h>

#include "lib/store/db.h"

/* The head of an engine's own statement. */
struct db_query {
	const struct db_engine *engine;
	const char *sql; /* compared by address */
	bool in_use;	 /* between db_start() and db_end() */
	bool is_scan;	 /* of db_scan() */
};

/* What a database says of itself; application and version are 0 where it says nothing. */
struct db_mark {
	int64_t n_tables, application, version;
};

struct db_engine {
	const char *name; /* for people */
	bool is_far;	  /* see db_is_far() */
	bool starts_late; /* its first schema is db_schema's base */

	void (*close)(struct db *db); /* the handle; its statements are gone already */
	int (*exec)(struct db *db, const char *sql, struct err *err);
	int (*begin)(struct db *db, bool to_write, struct err *err);
	int (*begin_ahead)(struct db *db, struct err *err); /* NULL: begin is as good */
	int (*settle)(struct db *db, struct err *err);	    /* NULL: not needed */
	/* A failed one is rolled back by others.  late: see db_commit_late(). */
	int (*commit)(struct db *db, bool late, struct err *err);
	void (*rollback)(struct db *db);
	bool (*is_stale)(struct db *db);
	int (*begin_part)(struct db *db, struct err *err);
	int (*keep_part)(struct db *db, struct err *err);
	int (*undo_part)(struct db *db, struct err *err);

	/* Allocates it and fills all but its head. */
	int (*prepare)(struct db *db, const char *sql, const char *types, struct db_query **out,
		       struct err *err);
	int (*bind)(struct db *db, struct db_query *q, const char *types, va_list ap,
		    struct err *err);
	int (*bind_values)(struct db *db, struct db_query *q, const struct db_value *values,
			   size_t n, struct err *err);
	int (*ahead)(struct db *db, struct db_query *q, struct err *err); /* NULL: not needed */
	/* See db_together(); NULL: not needed.  The second waits for what was asked. */
	void (*later)(struct db *db, bool on);
	int (*arrive)(struct db *db, struct err *err);
	int (*step)(struct db *db, struct db_query *q, struct err *err);
	void (*end)(struct db_query *q);
	void (*drop)(struct db_query *q); /* frees it */
	const char *(*text)(struct db_query *q, int column);
	const void *(*bytes)(struct db_query *q, int column, size_t *out_n);
	int64_t (*integer)(struct db_query *q, int column);
	double (*real)(struct db_query *q, int column);
	bool (*is_null)(struct db_query *q, int column);
	int (*row_check)(struct db_query *q, struct err *err);
	int64_t (*changes)(struct db *db);

	void (*limit)(struct db *db, uint64_t within_ns); /* db->ends_ns is set already */
	int (*tune)(struct db *db, struct err *err);
	void (*trim)(struct db *db, int64_t limit_bytes);
	int (*copy)(struct db *db, const char *to, struct err *err);
	int (*check)(struct db *db, void (*tell)(void *ctx, const char *fault), void *ctx,
		     struct err *err);

	/* Rows of table, column, and a letter for its type, by table. */
	const char *columns;

	int (*read_mark)(struct db *db, struct db_mark *out, struct err *err);
	int (*write_mark)(struct db *db, const struct db_mark *mark, struct err *err);
	/* Waits longer than others do: somebody else may be about the same. */
	int (*begin_migration)(struct db *db, struct err *err);
};

/* Ends all statements for good, and closes the handle; path, cure and read_only stay. */
void db_drop(struct db *db);

#endif
