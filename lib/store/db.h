/*
 * db - how a database is asked: statements, transactions, and what its faults are called in this
 * house.  Which engine answers is decided by how it is opened (engine.h).
 *
 * A handle belongs to one thread at a time.  SQL texts are string literals: a prepared
 * statement is kept with the handle and found again by the address of its text.
 *
 * A text of the ledger runs on every engine.  Its parameters are ?1, ?2, ...; its columns INTEGER
 * (64 bits), TEXT (which sorts by its bytes), REAL and BLOB; its numbers are made by the program.
 * What engines differ in is not used: a number as a condition (`dirty=0`, not `NOT dirty`), max(a,
 * b) and min(a, b), IS between columns, x'' (bind 0 bytes), INSERT OR ... (ON CONFLICT), a
 * sub-query in FROM without a name, a column that is neither grouped nor counted, PRAGMA.  INDEXED
 * BY, CROSS JOIN ... ON and WITHOUT ROWID are hints to SQLite, which others leave out.  INSERTs of
 * a transaction may be run in another order, up to the next statement of another kind: those of one
 * text with ON CONFLICT DO UPDATE name different rows.
 */
#ifndef PAWL_STORE_DB_H
#define PAWL_STORE_DB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct db_engine;
struct db_query; /* a statement that is being run, and its row */

struct db {
	const struct db_engine *engine;
	void *handle; /* the engine's own; NULL: not open */
	void *beside; /* what the engine has running beside it; NULL: nothing */
	char *path;
	const char *cure;	   /* the hint of ERR_CORRUPT; static text */
	bool read_only;		   /* opened for reading, whatever the file would allow */
	struct db_query **queries; /* that were prepared */
	size_t n_queries, cap_queries;
	uint64_t trim_ns;	  /* of when_monotonic_ns(): db_trim_wal() does nothing before */
	_Atomic uint64_t ends_ns; /* of when_monotonic_ns(): when statements end; 0: never */
	uint64_t n_held;	  /* snapshots that were held */
	bool is_held;
};

#define DB_INIT \
	{ \
		NULL, NULL, NULL, NULL, NULL, false, NULL, 0, 0, 0, 0, 0, false \
	}

#define DB_BUSY_MS 5000

enum db_mode { DB_WRITE, DB_READ, DB_CHANGE };

/*
 * Opens a database file of SQLite: WAL, synchronous=FULL, busy_timeout, foreign_keys, untrusted
 * schema.  DB_WRITE creates the file with mode 0600 (its folder must exist); DB_CHANGE is
 * the same for one that must be there.  DB_READ tries read-write (a WAL needs its index),
 * then read-only, then immutable; the last only when no results wait in the WAL, since an
 * immutable open would not see them.
 *
 * Errors: ERR_ABSENT (no file, unless DB_WRITE), ERR_IO (a symbolic link, no permission, ...: path
 *         and reason), ERR_CORRUPT with the cure, ERR_FULL, ERR_BUSY, ERR_NOMEM.
 */
int db_open(struct db *db, const char *path, enum db_mode mode, const char *cure, struct err *err);

/*
 * The same of a database of PostgreSQL, by a URL as libpq takes it; DB_WRITE makes the tables of a
 * schema there, not the database.  A connection that is lost is made again when it is next asked
 * for, between two transactions.
 *
 * Errors: ERR_USAGE (built without libpq; a password in the address), ERR_IO (libpq is not there,
 *         too old, another encoding than UTF-8), ERR_NET, ERR_NOMEM.
 */
int db_connect(struct db *db, const char *address, enum db_mode mode, const char *cure,
	       struct err *err);
void db_close(struct db *db); /* accepts DB_INIT */

/* Step number i + 1 of a schema; forward only, never edited once released. */
struct db_schema {
	int32_t application; /* PRAGMA application_id: what kind of file this is */
	const char *what;    /* "a store of results": for messages */
	const char *program; /* that writes it: "pawl" */
	const char *newer;   /* what helps where a newer one has written it */
	const char *const *steps;
	int n_steps; /* = the newest version this program writes */
	const char
		*base; /* all that steps[0..n_base) make, for an engine that came later; or NULL */
	int n_base;
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

int db_begin(struct db *db, struct err *err); /* for writing: nobody else writes meanwhile */

/*
 * The same, asked ahead: questions may be asked ahead at once, which are then of a moment when
 * nobody else writes.  Nothing is written, and db_is_stale() not asked, before db_settle().
 */
int db_begin_ahead(struct db *db, struct err *err);
int db_settle(struct db *db, struct err *err); /* after db_begin(), does nothing */

int db_begin_read(struct db *db, struct err *err); /* one snapshot for several statements */
int db_commit(struct db *db, struct err *err);	   /* rolls back when it fails */

/*
 * The same of what need not last: a crash may take it back, all of it or nothing, until something
 * that is committed later lasts.
 */
int db_commit_late(struct db *db, struct err *err);

void db_rollback(struct db *db); /* accepts that no transaction is open */

/*
 * One snapshot for several questions, each of which begins and ends its own otherwise: until
 * db_let_go(), db_begin_read() and db_rollback() do nothing.  For reading alone.
 */
int db_hold(struct db *db, struct err *err);
void db_let_go(struct db *db); /* accepts that none is held */

/* The number of the one that is held, which no other of this handle has; 0: none is. */
uint64_t db_held(const struct db *db);

/*
 * Calls one() for each of n, and within db_hold(), where each question is a journey, lets all of
 * them ask before the first is answered: db_step() then asks ahead and fails with ERR_LATER, as
 * one() then does, which is called again when the answers are here.  Until it returns 0, what it
 * has done must leave no trace. Errors: of the first that fails otherwise, ERR_NOMEM.
 */
int db_together(struct db *db, size_t n, int (*one)(void *ctx, size_t i, struct err *err),
		void *ctx, struct err *err);

/*
 * Within a transaction: from here on a part of it that can be taken back.  It ends by db_keep(), or
 * by db_undo() where something of it failed; they do not nest.
 */
int db_try(struct db *db, struct err *err);
int db_keep(struct db *db, struct err *err);
int db_undo(struct db *db, struct err *err);

/*
 * After db_begin(): whether somebody else may have written since the last transaction of this
 * handle, so that what is remembered of the rows counts no more.
 */
bool db_is_stale(struct db *db);

/* A string of SQL without parameters or rows. */
int db_exec(struct db *db, const char *sql, struct err *err);

/*
 * Prepares (or finds again) and binds.  types has one letter for each parameter:
 * t const char * (NULL gives NULL), i int64_t, d double (not finite gives NULL),
 * b const void * and size_t.  What is bound must live until db_end().
 */
int db_start(struct db *db, struct db_query **out, struct err *err, const char *sql,
	     const char *types, ...);

/* A parameter whose type is known only when the program runs: a letter of db_start(), '\0' NULL. */
struct db_value {
	char type;
	int64_t integer;
	double real;
	const void *bytes; /* of t and b */
	size_t n;	   /* of b */
};

/* db_start() with those; sql is no literal here, and must live until db_close(). */
int db_start_values(struct db *db, struct db_query **out, struct err *err, const char *sql,
		    const struct db_value *values, size_t n);

/*
 * Sends a question that was started, within a transaction that writes: several of them, and what is
 * written meanwhile, are one journey, and db_step() gives the rows of each.  They are of this
 * moment, or of a later one in the same transaction.  A fault of one may be told by another.
 */
int db_ahead(struct db *db, struct db_query *st, struct err *err);

/*
 * db_start() where all rows together may not fit the memory: some come at a time.  Within a
 * transaction or without one, and then of one moment all the same.
 */
int db_scan(struct db *db, struct db_query **out, struct err *err, const char *sql,
	    const char *types, ...);

/* 1: a row; 0: the end; -1: failed. */
int db_step(struct db *db, struct db_query *st, struct err *err);

/* Must follow every db_start() that succeeded; accepts NULL. */
void db_end(struct db_query *st);

/*
 * db_start, db_step, db_end of a statement that gives no rows.  Within a transaction that writes, a
 * fault of it may be told by a later call of that transaction, db_keep() and db_commit() at last.
 */
int db_run(struct db *db, struct err *err, const char *sql, const char *types, ...);

/* One integer from the first row; 0: there was a row, 1: there was none, -1: failed. */
int db_get(struct db *db, int64_t *out, struct err *err, const char *sql, const char *types, ...);

/* Columns of the current row, valid until the next step; NULL gives "", 0 and NaN. */
const char *db_text(struct db_query *st, int column);
const void *db_bytes(struct db_query *st, int column, size_t *out_n);
int64_t db_integer(struct db_query *st, int column);
double db_double(struct db_query *st, int column);
bool db_is_null(struct db_query *st, int column);

/*
 * Whether what the calls above gave for this row is what is stored: 0, or -1 with ERR_NOMEM when
 * memory ran out in one of them.
 */
int db_row_check(struct db_query *st, struct err *err);

/*
 * Tells each column of each table, by table: take gets its type as a letter of db_start(), and its
 * -1 ends it.
 */
int db_describe(struct db *db,
		int (*take)(void *ctx, const char *table, const char *column, char type,
			    struct err *err),
		void *ctx, struct err *err);

/* Whether a question costs a journey: then one that brings more is worth it. */
bool db_is_far(const struct db *db);

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

/* Settings for a store that a server keeps open. */
int db_tune(struct db *db, struct err *err);

/*
 * Has the engine look at how it stores things; tell gets a line about each fault.
 * Cost: reads the whole database.
 */
int db_check(struct db *db, void (*tell)(void *ctx, const char *fault), void *ctx, struct err *err);

/* The version of SQLite, as it is loaded. */
const char *db_library_version(void);

#endif
