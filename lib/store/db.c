#include "lib/store/db.h"

#include <stdlib.h>

#include "lib/store/engine.h"

#include "lib/base/banned.h"

void db_drop(struct db *db)
{
	size_t i;

	for (i = 0; i < db->n_queries; i++)
		db->engine->drop(db->queries[i]);
	free(db->queries);
	db->queries = NULL;
	db->n_queries = db->cap_queries = 0;
	if (db->handle)
		db->engine->close(db);
	db->handle = NULL;
}

void db_close(struct db *db)
{
	db_drop(db);
	free(db->path);
	*db = (struct db)DB_INIT;
}

int db_exec(struct db *db, const char *sql, struct err *err)
{
	return db->engine->exec(db, sql, err);
}

int db_begin(struct db *db, struct err *err)
{
	return db->engine->begin(db, true, err);
}

int db_begin_ahead(struct db *db, struct err *err)
{
	return db->engine->begin_ahead ? db->engine->begin_ahead(db, err) : db_begin(db, err);
}

int db_settle(struct db *db, struct err *err)
{
	return db->engine->settle ? db->engine->settle(db, err) : 0;
}

int db_begin_read(struct db *db, struct err *err)
{
	return db->is_held ? 0 : db->engine->begin(db, false, err);
}

void db_rollback(struct db *db)
{
	if (!db->is_held)
		db->engine->rollback(db);
}

int db_hold(struct db *db, struct err *err)
{
	if (db_begin_read(db, err))
		return -1;
	db->is_held = true;
	db->n_held++;
	return 0;
}

void db_let_go(struct db *db)
{
	db->is_held = false;
	db_rollback(db);
}

uint64_t db_held(const struct db *db)
{
	return db->is_held ? db->n_held : 0;
}

static int commit(struct db *db, bool late, struct err *err)
{
	int result = db->engine->commit(db, late, err);

	if (result)
		db_rollback(db);
	return result;
}

int db_commit(struct db *db, struct err *err)
{
	return commit(db, false, err);
}

int db_commit_late(struct db *db, struct err *err)
{
	return commit(db, true, err);
}

int db_try(struct db *db, struct err *err)
{
	return db->engine->begin_part(db, err);
}

int db_keep(struct db *db, struct err *err)
{
	return db->engine->keep_part(db, err);
}

int db_undo(struct db *db, struct err *err)
{
	return db->engine->undo_part(db, err);
}

bool db_is_stale(struct db *db)
{
	return db->engine->is_stale(db);
}

/* The kept statement of this text that is not in use, or NULL. */
static struct db_query *kept(struct db *db, const char *sql)
{
	size_t i;

	for (i = 0; i < db->n_queries; i++)
		if (db->queries[i]->sql == sql && !db->queries[i]->in_use)
			return db->queries[i];
	return NULL;
}

static int keep(struct db *db, struct db_query *q, struct err *err)
{
	if (db->n_queries == db->cap_queries) {
		size_t cap = db->cap_queries ? 2 * db->cap_queries : 16;
		struct db_query **grown = realloc(db->queries, cap * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		db->queries = grown;
		db->cap_queries = cap;
	}
	db->queries[db->n_queries++] = q;
	return 0;
}

static int prepare(struct db *db, const char *sql, const char *types, struct db_query **out,
		   struct err *err)
{
	struct db_query *q = kept(db, sql);

	if (!q) {
		if (db->engine->prepare(db, sql, types, &q, err))
			return -1;
		q->engine = db->engine;
		q->sql = sql;
		q->in_use = false;
		if (keep(db, q, err)) {
			db->engine->drop(q);
			return -1;
		}
	}
	*out = q;
	return 0;
}

static int start(struct db *db, struct db_query **out, struct err *err, const char *sql,
		 const char *types, va_list ap)
{
	struct db_query *q = NULL;

	/* A short one may end before its budget is looked at. */
	if (db_is_over(db))
		return err_set(err, ERR_TIMEOUT, "cannot read '%s': interrupted", db->path);
	if (prepare(db, sql, types, &q, err))
		return -1;
	q->in_use = true;
	q->is_scan = false;
	if (db->engine->bind(db, q, types, ap, err)) {
		db_end(q);
		return -1;
	}
	*out = q;
	return 0;
}

int db_start(struct db *db, struct db_query **out, struct err *err, const char *sql,
	     const char *types, ...)
{
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, out, err, sql, types, ap);
	va_end(ap);
	return result;
}

int db_start_values(struct db *db, struct db_query **out, struct err *err, const char *sql,
		    const struct db_value *values, size_t n)
{
	struct db_query *q = NULL;

	if (prepare(db, sql, NULL, &q, err))
		return -1;
	q->in_use = true;
	q->is_scan = false;
	if (db->engine->bind_values(db, q, values, n, err)) {
		db_end(q);
		return -1;
	}
	*out = q;
	return 0;
}

int db_ahead(struct db *db, struct db_query *q, struct err *err)
{
	return db->engine->ahead ? db->engine->ahead(db, q, err) : 0;
}

int db_scan(struct db *db, struct db_query **out, struct err *err, const char *sql,
	    const char *types, ...)
{
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, out, err, sql, types, ap);
	va_end(ap);
	if (!result)
		(*out)->is_scan = true;
	return result;
}

int db_step(struct db *db, struct db_query *q, struct err *err)
{
	return db->engine->step(db, q, err);
}

void db_end(struct db_query *q)
{
	if (!q)
		return;
	q->engine->end(q);
	q->in_use = false;
}

int db_run(struct db *db, struct err *err, const char *sql, const char *types, ...)
{
	struct db_query *q = NULL;
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, &q, err, sql, types, ap);
	va_end(ap);
	if (result)
		return -1;
	result = db_step(db, q, err) < 0 ? -1 : 0;
	db_end(q);
	return result;
}

int db_get(struct db *db, int64_t *out, struct err *err, const char *sql, const char *types, ...)
{
	struct db_query *q = NULL;
	va_list ap;
	int result;

	va_start(ap, types);
	result = start(db, &q, err, sql, types, ap);
	va_end(ap);
	if (result)
		return -1;
	result = db_step(db, q, err);
	if (result > 0)
		*out = db_integer(q, 0);
	db_end(q);
	return result < 0 ? -1 : !result;
}

const char *db_text(struct db_query *q, int column)
{
	return q->engine->text(q, column);
}

const void *db_bytes(struct db_query *q, int column, size_t *out_n)
{
	return q->engine->bytes(q, column, out_n);
}

int64_t db_integer(struct db_query *q, int column)
{
	return q->engine->integer(q, column);
}

double db_double(struct db_query *q, int column)
{
	return q->engine->real(q, column);
}

bool db_is_null(struct db_query *q, int column)
{
	return q->engine->is_null(q, column);
}

int db_row_check(struct db_query *q, struct err *err)
{
	return q->engine->row_check(q, err);
}

bool db_is_far(const struct db *db)
{
	return db->engine->is_far;
}

int db_describe(struct db *db,
		int (*take)(void *ctx, const char *table, const char *column, char type,
			    struct err *err),
		void *ctx, struct err *err)
{
	struct db_query *q = NULL;
	int step;

	if (db_start(db, &q, err, db->engine->columns, ""))
		return -1;
	while ((step = db_step(db, q, err)) > 0)
		if (take(ctx, db_text(q, 0), db_text(q, 1), *db_text(q, 2), err)) {
			step = -1;
			break;
		}
	db_end(q);
	return step;
}

int64_t db_changes(struct db *db)
{
	return db->engine->changes(db);
}

int db_tune(struct db *db, struct err *err)
{
	return db->engine->tune(db, err);
}

void db_trim_wal(struct db *db, int64_t limit_bytes)
{
	db->engine->trim(db, limit_bytes);
}

int db_copy(struct db *db, const char *to, struct err *err)
{
	return db->engine->copy(db, to, err);
}

int db_check(struct db *db, void (*tell)(void *ctx, const char *fault), void *ctx, struct err *err)
{
	return db->engine->check(db, tell, ctx, err);
}
