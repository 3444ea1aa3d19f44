/* Statements and transactions of SQLite, and what the file says of itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/store/sqlite/sqlite.h"

#include "lib/base/banned.h"

/* Somebody else may be about it, for seconds where there are thousands of results. */
#define MIGRATE_WAIT_MS 120000

/* So many steps of SQLite's machine take some 100 microseconds. */
#define STEPS_BETWEEN_LOOKS 2000

struct query {
	struct db_query head;
	sqlite3_stmt *st;
};

static sqlite3_stmt *statement(struct db_query *q)
{
	return ((struct query *)q)->st;
}

static void close_handle(struct db *db)
{
	sqlite_empty_stop(db);
	sqlite3_close(db->handle);
}

static int exec(struct db *db, const char *sql, struct err *err)
{
	int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : sqlite_fault(db, code, "use", err);
}

static int begin(struct db *db, bool to_write, struct err *err)
{
	return db_run(db, err, to_write ? "BEGIN IMMEDIATE" : "BEGIN", "");
}

/* One that is late lasts, too: to have it otherwise would cost another transaction. */
static int commit(struct db *db, bool late, struct err *err)
{
	(void)late;
	return db_run(db, err, "COMMIT", "");
}

static void rollback(struct db *db)
{
	/* SQLite ends a transaction by itself after some faults. */
	if (!sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

/* One server has the file, and whoever repairs it beside it changes no row that is remembered. */
static bool is_stale(struct db *db)
{
	(void)db;
	return false;
}

static int begin_part(struct db *db, struct err *err)
{
	return db_run(db, err, "SAVEPOINT part", "");
}

static int keep_part(struct db *db, struct err *err)
{
	return db_run(db, err, "RELEASE part", "");
}

static int undo_part(struct db *db, struct err *err)
{
	if (db_run(db, err, "ROLLBACK TO part", ""))
		return -1;
	return keep_part(db, err);
}

static int prepare(struct db *db, const char *sql, const char *types, struct db_query **out,
		   struct err *err)
{
	struct query *q = calloc(1, sizeof(*q));
	int code;

	(void)types;
	if (!q)
		return err_nomem(err);
	code = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &q->st, NULL);
	if (code != SQLITE_OK) {
		free(q);
		return sqlite_fault(db, code, "use", err);
	}
	*out = &q->head;
	return 0;
}

static void drop(struct db_query *q)
{
	sqlite3_finalize(statement(q));
	free(q);
}

static int bind_blob(sqlite3_stmt *st, int at, const void *bytes, size_t n)
{
	return sqlite3_bind_blob64(st, at, n ? bytes : "", n, SQLITE_STATIC);
}

static int bind_all(sqlite3_stmt *st, const char *types, va_list ap)
{
	int at, code = SQLITE_OK;
	const void *bytes;
	double number;

	for (at = 1; *types && code == SQLITE_OK; types++, at++) {
		switch (*types) {
		case 't':
			code = sqlite3_bind_text(st, at, va_arg(ap, const char *), -1,
						 SQLITE_STATIC);
			break;
		case 'i':
			code = sqlite3_bind_int64(st, at, va_arg(ap, int64_t));
			break;
		case 'd':
			number = va_arg(ap, double);
			code = isfinite(number) ? sqlite3_bind_double(st, at, number)
						: sqlite3_bind_null(st, at);
			break;
		case 'b':
			bytes = va_arg(ap, const void *);
			code = bind_blob(st, at, bytes, va_arg(ap, size_t));
			break;
		default:
			code = SQLITE_MISUSE;
		}
	}
	return code;
}

static int bind(struct db *db, struct db_query *q, const char *types, va_list ap, struct err *err)
{
	int code = bind_all(statement(q), types, ap);

	return code == SQLITE_OK ? 0 : sqlite_fault(db, code, "use", err);
}

static int bind_value(sqlite3_stmt *st, int at, const struct db_value *v)
{
	switch (v->type) {
	case 'i':
		return sqlite3_bind_int64(st, at, v->integer);
	case 'd':
		return sqlite3_bind_double(st, at, v->real);
	case 't':
		return sqlite3_bind_text(st, at, v->bytes, -1, SQLITE_STATIC);
	case 'b':
		return bind_blob(st, at, v->bytes, v->n);
	default:
		return sqlite3_bind_null(st, at);
	}
}

static int bind_values(struct db *db, struct db_query *q, const struct db_value *values, size_t n,
		       struct err *err)
{
	int code = SQLITE_OK;
	size_t i;

	for (i = 0; i < n && code == SQLITE_OK; i++)
		code = bind_value(statement(q), (int)i + 1, &values[i]);
	return code == SQLITE_OK ? 0 : sqlite_fault(db, code, "use", err);
}

static int step(struct db *db, struct db_query *q, struct err *err)
{
	int code = sqlite3_step(statement(q));

	if (code == SQLITE_ROW)
		return 1;
	if (code == SQLITE_DONE)
		return 0;
	return sqlite_fault(db, code, db->read_only ? "read" : "use", err);
}

static void end(struct db_query *q)
{
	sqlite3_reset(statement(q));
	sqlite3_clear_bindings(statement(q));
}

static const char *text(struct db_query *q, int column)
{
	const char *found = (const char *)sqlite3_column_text(statement(q), column);

	return found ? found : "";
}

static const void *bytes_of(struct db_query *q, int column, size_t *out_n)
{
	const void *bytes = sqlite3_column_blob(statement(q), column);

	*out_n = (size_t)sqlite3_column_bytes(statement(q), column);
	return bytes ? bytes : "";
}

static int64_t integer(struct db_query *q, int column)
{
	return sqlite3_column_int64(statement(q), column);
}

static bool is_null(struct db_query *q, int column)
{
	return sqlite3_column_type(statement(q), column) == SQLITE_NULL;
}

static double real(struct db_query *q, int column)
{
	return is_null(q, column) ? (double)NAN : sqlite3_column_double(statement(q), column);
}

static int row_check(struct db_query *q, struct err *err)
{
	sqlite3 *handle = sqlite3_db_handle(statement(q));

	return sqlite3_errcode(handle) == SQLITE_NOMEM ? err_nomem(err) : 0;
}

static int64_t changes(struct db *db)
{
	return sqlite3_changes64(db->handle);
}

static int is_over(void *arg)
{
	return db_is_over(arg);
}

static void limit(struct db *db, uint64_t within_ns)
{
	uint64_t wait_ms = within_ns / 1000000;

	sqlite3_progress_handler(db->handle, within_ns ? STEPS_BETWEEN_LOOKS : 0, is_over, db);
	sqlite3_busy_timeout(db->handle,
			     within_ns && wait_ms < DB_BUSY_MS ? (int)wait_ms : DB_BUSY_MS);
}

static int tune(struct db *db, struct err *err)
{
	if (db->read_only)
		return exec(db, "PRAGMA cache_size=-16384", err);
	return exec(db, "PRAGMA cache_size=-8192; PRAGMA journal_size_limit=67108864", err) ||
			       sqlite_empty_beside(db, err)
		       ? -1
		       : 0;
}

static int check(struct db *db, void (*tell)(void *ctx, const char *fault), void *ctx,
		 struct err *err)
{
	struct db_query *q = NULL;
	int found;

	if (db_start(db, &q, err, "PRAGMA quick_check(10)", ""))
		return -1;
	while ((found = db_step(db, q, err)) > 0)
		if (strcmp(db_text(q, 0), "ok"))
			tell(ctx, db_text(q, 0));
	db_end(q);
	return found;
}

static int read_mark(struct db *db, struct db_mark *out, struct err *err)
{
	/* In this order: a neighbour may create tables and mark together in between. */
	return db_get(db, &out->version, err, "PRAGMA user_version", "") < 0 ||
			       db_get(db, &out->n_tables, err, "SELECT count(*) FROM sqlite_schema",
				      "") < 0 ||
			       db_get(db, &out->application, err, "PRAGMA application_id", "") < 0
		       ? -1
		       : 0;
}

static int write_mark(struct db *db, const struct db_mark *mark, struct err *err)
{
	struct buf sql = BUF_INIT;
	int result = -1;

	buf_addf(&sql, "PRAGMA application_id=%d; PRAGMA user_version=%d", (int)mark->application,
		 (int)mark->version);
	if (!buf_check(&sql, err))
		result = exec(db, buf_str(&sql), err);
	buf_release(&sql);
	return result;
}

static int begin_migration(struct db *db, struct err *err)
{
	int result;

	sqlite3_busy_timeout(db->handle, MIGRATE_WAIT_MS);
	result = begin(db, true, err);
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	return result;
}

const char *db_library_version(void)
{
	return sqlite3_libversion();
}

const struct db_engine sqlite_engine = {
	.name = "SQLite",
	.close = close_handle,
	.exec = exec,
	.begin = begin,
	.commit = commit,
	.rollback = rollback,
	.is_stale = is_stale,
	.begin_part = begin_part,
	.keep_part = keep_part,
	.undo_part = undo_part,
	.prepare = prepare,
	.bind = bind,
	.bind_values = bind_values,
	.step = step,
	.end = end,
	.drop = drop,
	.text = text,
	.bytes = bytes_of,
	.integer = integer,
	.real = real,
	.is_null = is_null,
	.row_check = row_check,
	.changes = changes,
	.limit = limit,
	.tune = tune,
	.trim = sqlite_trim,
	.copy = sqlite_copy,
	.check = check,
	.columns = "SELECT m.name, c.name, CASE c.type WHEN 'INTEGER' THEN 'i' WHEN 'TEXT' THEN 't'"
		   " WHEN 'REAL' THEN 'd' ELSE 'b' END FROM sqlite_schema AS m"
		   " JOIN pragma_table_info(m.name) AS c WHERE m.type='table'"
		   " AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid",
	.read_mark = read_mark,
	.write_mark = write_mark,
	.begin_migration = begin_migration,
};
