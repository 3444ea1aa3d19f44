/*
 * db - the one wrapper around SQLite: how a file is opened, how a statement is run, and
 * what SQLite's result codes mean in this house.
 *
 * A handle belongs to one thread at a time.  SQL texts are string literals: a prepared
 * statement is kept with the handle and found again by the address of its text.
 */
#ifndef PAWL_STORE_DB_H
#define PAWL_STORE_DB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct sqlite3;
struct sqlite3_stmt;
struct db_statement;

struct db {
	struct sqlite3 *handle;
	char *path;
	const char *cure; /* the hint of ERR_CORRUPT; static text */
	bool read_only;	  /* opened for reading, whatever the file would allow */
	struct db_statement *statements;
	size_t n_statements, cap_statements;
	uint64_t trim_ns;	  /* of when_monotonic_ns(): db_trim_wal() does nothing before */
	_Atomic uint64_t ends_ns; /* of when_monotonic_ns(): when statements end; 0: never */
};

#define DB_INIT \
	{ \
		NULL, NULL, NULL, false, NULL, 0, 0, 0, 0 \
	}

#define DB_BUSY_MS 5000

enum db_mode { DB_WRITE, DB_READ, DB_CHANGE };

/*
 * Opens a database file: WAL, synchronous=FULL, busy_timeout, foreign_keys, untrusted
 * schema.  DB_WRITE creates the file with mode 0600 (its folder must exist); DB_CHANGE is
 * the same for one that must be there.  DB_READ tries read-write (a WAL needs its index),
 * then read-only, then immutable; the last only when no results wait in the WAL, since an
 * immutable open would not see them.
 *
 * Errors: ERR_ABSENT (no file, unless DB_WRITE), ERR_IO (a symbolic link, no permission, ...: path
 *         and reason), ERR_CORRUPT with the cure, ERR_FULL, ERR_BUSY, ERR_NOMEM.
 */
int db_open(struct db *db, const char *path, enum db_mode mode, const char *cure, struct err *err);
void db_close(struct db *db); /* accepts DB_INIT */

/* Step number i + 1 of a schema; forward only, never edited once released. */
struct db_schema {
	int32_t application; /* PRAGMA application_id: what kind of file this is */
	const char *what;    /* "a store of results": for messages */
	const char *program; /* that writes it: "pawl" */
	const char *newer;   /* what helps where a newer one has written it */
	const char *const *steps;
	int n_steps; /* = the newest user_version this program writes */
	/* What SQL cannot do, behind steps[step], in the same transaction; may be NULL. */
	int (*convert)(struct db *db, int step, struct err *err);
};

/*
 * Brings the file to the newest schema, all steps in one transaction (when opened for
 * writing), or checks that it can be read.
 *
 * Errors: ERR_NEWER (writing only: reading a newer file is tried), ERR_ABSENT (reading an
 *         empty file), ERR_STORE when it is some other program's database.
 */
int db_migrate(struct db *db, const struct db_schema *schema, struct err *err);

int db_begin(struct db *db, struct err *err);	   /* BEGIN IMMEDIATE */
int db_begin_read(struct db *db, struct err *err); /* one snapshot for several statements */
int db_commit(struct db *db, struct err *err);	   /* rolls back when it fails */
void db_rollback(struct db *db);		   /* accepts that no transaction is open */

/* A string of SQL without parameters or rows. */
int db_exec(struct db *db, const char *sql, struct err *err);

/*
 * Prepares (or finds again) and binds.  types has one letter for each parameter:
 * t const char * (NULL gives NULL), i int64_t, d double (not finite gives NULL),
 * b const void * and size_t.  What is bound must live until db_end().
 */
int db_start(struct db *db, struct sqlite3_stmt **out, struct err *err, const char *sql,
	     const char *types, ...);

/* 1: a row; 0: the end; -1: failed. */
int db_step(struct db *db, struct sqlite3_stmt *st, struct err *err);

/* Must follow every db_start() that succeeded; accepts NULL. */
void db_end(struct sqlite3_stmt *st);

/* db_start, db_step, db_end of a statement that gives no rows. */
int db_run(struct db *db, struct err *err, const char *sql, const char *types, ...);

/* One integer from the first row; 0: there was a row, 1: there was none, -1: failed. */
int db_get(struct db *db, int64_t *out, struct err *err, const char *sql, const char *types, ...);

/* Columns of the current row, valid until the next step; NULL gives "", 0 and NaN. */
const char *db_text(struct sqlite3_stmt *st, int column);
const void *db_bytes(struct sqlite3_stmt *st, int column, size_t *out_n);
int64_t db_integer(struct sqlite3_stmt *st, int column);
double db_double(struct sqlite3_stmt *st, int column);
bool db_is_null(struct sqlite3_stmt *st, int column);

/*
 * Whether what the calls above gave for this row is what is stored: 0, or -1 with ERR_NOMEM when
 * memory ran out in one of them.
 */
int db_row_check(struct sqlite3_stmt *st, struct err *err);

/* Rows that the last statement changed. */
int64_t db_changes(struct db *db);

/*
 * Empties the WAL into the file when it is larger than that; readers that hold it up are
 * waited for a moment only.  Failing is no fault: a call some seconds later tries again, since a
 * reader that holds a snapshot, such as a backup, holds it long.
 */
void db_trim_wal(struct db *db, int64_t limit_bytes);

/*
 * Copies what is stored at this moment to a new file of mode 0600, which is there as a whole or not
 * at all, and on the disk.  Others read and write meanwhile.
 * Errors: ERR_IO (it, or what was beside one of that name, such as its WAL, is there already; or it
 *         cannot be made), ERR_FULL, ERR_CORRUPT.
 * Cost:   reads and writes the whole database.
 */
int db_copy(struct db *db, const char *to, struct err *err);

/*
 * From now on all statements together may take so long, also waiting for locks; then they fail with
 * ERR_TIMEOUT, until this is called again.  0: no such limit.
 */
void db_budget(struct db *db, uint64_t within_ns);

/* Whether that time is over: no statement starts any more. */
bool db_is_over(struct db *db);

/* Uses up the budget, if there is one.  From any thread, as long as the handle is open. */
void db_stop(struct db *db);

/* Fills err from the handle's last fault.  Returns -1. */
int db_fault(struct db *db, int code, const char *doing, struct err *err);

/* The version of SQLite, as it is loaded. */
const char *db_library_version(void);

#endif
