#include "lib/store/db.h"

#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"

#include "lib/base/banned.h"

struct db_statement {
	const char *sql; /* compared by address */
	sqlite3_stmt *st;
};

static void free_statements(struct db *db)
{
	size_t i;

	for (i = 0; i < db->n_statements; i++)
		sqlite3_finalize(db->statements[i].st);
	free(db->statements);
	db->statements = NULL;
	db->n_statements = db->cap_statements = 0;
}

void db_close(struct db *db)
{
	free_statements(db);
	if (db->handle)
		sqlite3_close(db->handle);
	free(db->path);
	*db = (struct db)DB_INIT;
}

int db_exec(struct db *db, const char *sql, struct err *err)
{
	int code = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? 0 : db_fault(db, code, "use", err);
}

int db_begin(struct db *db, struct err *err)
{
	return db_exec(db, "BEGIN IMMEDIATE", err);
}

int db_begin_read(struct db *db, struct err *err)
{
	return db_exec(db, "BEGIN", err);
}

void db_rollback(struct db *db)
{
	/* SQLite ends a transaction by itself after some faults. */
	if (!sqlite3_get_autocommit(db->handle))
		sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
}

int db_commit(struct db *db, struct err *err)
{
	int result = db_exec(db, "COMMIT", err);

	if (result)
		db_rollback(db);
	return result;
}

/* The kept statement of this text that is not in use, or NULL. */
static sqlite3_stmt *kept(struct db *db, const char *sql)
{
	size_t i;

	for (i = 0; i < db->n_statements; i++)
		if (db->statements[i].sql == sql && !sqlite3_stmt_busy(db->statements[i].st))
			return db->statements[i].st;
	return NULL;
}

static int keep(struct db *db, const char *sql, sqlite3_stmt *st, struct err *err)
{
	if (db->n_statements == db->cap_statements) {
		size_t cap = db->cap_statements ? 2 * db->cap_statements : 16;
		struct db_statement *grown = realloc(db->statements, cap * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		db->statements = grown;
		db->cap_statements = cap;
	}
	db->statements[db->n_statements++] = (struct db_statement){ sql, st };
	return 0;
}

static int prepare(struct db *db, const char *sql, sqlite3_stmt **out, struct err *err)
{
	sqlite3_stmt *st = kept(db, sql);
	int code;

	if (!st) {
		code = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &st,
					  NULL);
		if (code != SQLITE_OK)
			return db_fault(db, code, "use", err);
		if (keep(db, sql, st, err)) {
			sqlite3_finalize(st);
			return -1;
		}
	}
	*out = st;
	return 0;
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

static int start(struct db *db, sqlite3_stmt **out, struct err *err, const char *sql,
		 const char *types, va_list ap)
{
	sqlite3_stmt *st = NULL;
	int code;

	/* A short one may end before its budget is looked at. */
	if (db_is_over(db))
		return err_set(err, ERR_TIMEOUT, "cannot read '%s': interrupted", db->path);
	if (prepare(db, sql, &st, err))
		return -1;
	code = bind_all(st, types, ap);
	if (code != SQLITE_OK) {
		db_fault(db, code, "use", err);
		db_end(st);
		return -1;
	}
	*out = st;
	return 0;
}

int db_start(struct db *db, struct sqlite3_stmt **out, struct err *err, const char *sql,
	     const char *types, ...)
{
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, out, err, sql, types, ap);
	va_end(ap);
	return result;
}

int db_step(struct db *db, struct sqlite3_stmt *st, struct err *err)
{
	int code = sqlite3_step(st);

	if (code == SQLITE_ROW)
		return 1;
	if (code == SQLITE_DONE)
		return 0;
	return db_fault(db, code, db->read_only ? "read" : "use", err);
}

void db_end(struct sqlite3_stmt *st)
{
	if (!st)
		return;
	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
}

int db_run(struct db *db, struct err *err, const char *sql, const char *types, ...)
{
	sqlite3_stmt *st = NULL;
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, &st, err, sql, types, ap);
	va_end(ap);
	if (result)
		return -1;
	result = db_step(db, st, err) < 0 ? -1 : 0;
	db_end(st);
	return result;
}

int db_get(struct db *db, int64_t *out, struct err *err, const char *sql, const char *types, ...)
{
	sqlite3_stmt *st = NULL;
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, &st, err, sql, types, ap);
	va_end(ap);
	if (result)
		return -1;
	result = db_step(db, st, err);
	if (result > 0)
		*out = db_integer(st, 0);
	db_end(st);
	return result < 0 ? -1 : !result;
}

const char *db_text(struct sqlite3_stmt *st, int column)
{
	const char *text = (const char *)sqlite3_column_text(st, column);

	return text ? text : "";
}

const void *db_bytes(struct sqlite3_stmt *st, int column, size_t *out_n)
{
	const void *bytes = sqlite3_column_blob(st, column);

	*out_n = (size_t)sqlite3_column_bytes(st, column);
	return bytes ? bytes : "";
}

int64_t db_integer(struct sqlite3_stmt *st, int column)
{
	return sqlite3_column_int64(st, column);
}

double db_double(struct sqlite3_stmt *st, int column)
{
	return db_is_null(st, column) ? (double)NAN : sqlite3_column_double(st, column);
}

bool db_is_null(struct sqlite3_stmt *st, int column)
{
	return sqlite3_column_type(st, column) == SQLITE_NULL;
}

int db_row_check(struct sqlite3_stmt *st, struct err *err)
{
	return sqlite3_errcode(sqlite3_db_handle(st)) == SQLITE_NOMEM ? err_nomem(err) : 0;
}

int64_t db_changes(struct db *db)
{
	return sqlite3_changes64(db->handle);
}

const char *db_library_version(void)
{
	return sqlite3_libversion();
}
