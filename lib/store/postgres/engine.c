/* Transactions of PostgreSQL, columns, and what the database says of itself. */
#ifdef PAWL_LIBPQ

#include <string.h>
#include <time.h>

#include "lib/store/postgres/postgres.h"

#include "lib/base/banned.h"

/* Another pawld may make the tables at the same moment. */
#define MIGRATE_TRIES 50

/* After so many statements that wrote, and after four times as many again. */
#define ANALYZE_FIRST 200
#define ANALYZE_LAST 50000

static int exec(struct db *db, const char *sql, struct err *err)
{
	struct link *l = db->handle;
	struct buf words = BUF_INIT;
	PGresult *r = NULL;
	int result = -1;

	postgres_words(sql, true, &words);
	if (buf_check(&words, err) || link_ready(db, err) || link_collect(db, NULL, err))
		goto out;
	pq.exitPipelineMode(l->conn);
	r = pq.exec(l->conn, buf_str(&words));
	if (pq.status(l->conn) == CONNECTION_BAD)
		postgres_lost(db, err);
	else if (pq.resultStatus(r) == PGRES_FATAL_ERROR)
		postgres_fault(db, r, err);
	else
		result = 0;
	pq.enterPipelineMode(l->conn);
out:
	pq.clear(r);
	buf_release(&words);
	return result;
}

static void rollback(struct db *db)
{
	struct link *l = db->handle;

	if (!l->in_transaction)
		return;
	l->in_transaction = false;
	gather_forget(l);
	lock_leave(l);
	later_forget(l);
	if (l->is_lost)
		return;
	/* What was sent ahead may have failed: that ends here, too. */
	if (l->to_write && link_collect(db, NULL, NULL) && l->is_lost)
		return;
	if (link_send(db, "ROLLBACK", NULL))
		return;
	if (l->to_write)
		link_collect(db, NULL, NULL);
	else
		link_sync(db, NULL);
}

/* A connection that was lost while nothing was asked is no fault of who asks next. */
static int begin(struct db *db, bool to_write, struct err *err)
{
	struct link *l = db->handle;
	int tries;

	for (tries = 0; tries < 2; tries++) {
		if (link_begin(db, to_write, err))
			return -1;
		if (!to_write || !lock_take(db, err))
			return 0;
		rollback(db);
		if (!l->is_lost)
			return -1;
	}
	return -1;
}

static int begin_ahead(struct db *db, struct err *err)
{
	if (link_begin(db, true, err))
		return -1;
	if (!lock_ask(db, err))
		return 0;
	rollback(db);
	return -1;
}

static bool is_stale(struct db *db)
{
	return ((struct link *)db->handle)->is_stale;
}

static int commit(struct db *db, bool late, struct err *err)
{
	struct link *l = db->handle;
	PGresult *r = NULL;
	bool is_done;

	if (l->fault.code) {
		if (err)
			*err = l->fault;
		return -1;
	}
	if (link_ready(db, err) ||
	    (late && link_send(db, "SET LOCAL synchronous_commit=off", err)) ||
	    link_send(db, "COMMIT", err) || link_collect(db, &r, err))
		return -1;
	/* That of a transaction that has failed is answered by another word, and no fault. */
	is_done = r && !strcmp(pq.cmdStatus(r), "COMMIT");
	pq.clear(r);
	l->in_transaction = false;
	return is_done ? 0
		       : err_set(err, ERR_STORE, "cannot use '%s': nothing was stored", db->path);
}

static int begin_part(struct db *db, struct err *err)
{
	return link_ready(db, err) || link_send(db, "SAVEPOINT part", err) ? -1 : 0;
}

static int keep_part(struct db *db, struct err *err)
{
	return link_ready(db, err) || link_send(db, "RELEASE part", err) ||
			       link_collect(db, NULL, err)
		       ? -1
		       : 0;
}

static int undo_part(struct db *db, struct err *err)
{
	gather_forget(db->handle);
	if (link_ready(db, err) || (link_collect(db, NULL, NULL) && link_ready(db, err)))
		return -1;
	return link_send(db, "ROLLBACK TO part", err) ? -1 : keep_part(db, err);
}

static int row_check(struct db_query *q, struct err *err)
{
	(void)q;
	(void)err;
	return 0;
}

/* Its fault is told when the transaction ends. */
static int64_t changes(struct db *db)
{
	struct link *l = db->handle;

	if (l->in_transaction && (link_ready(db, &l->fault) || link_collect(db, NULL, &l->fault)))
		return 0;
	return l->n_changed;
}

static void limit(struct db *db, uint64_t within_ns)
{
	(void)db;
	(void)within_ns;
}

static int tune(struct db *db, struct err *err)
{
	(void)db;
	(void)err;
	return 0;
}

/*
 * Those that are twice as large as when they were looked at, and whose rows are here: what is on
 * another server has statistics there.
 */
static int find_tables(struct db *db, struct buf *out, struct err *err)
{
	struct db_query *q = NULL;
	int step;

	if (db_start(db, &q, err,
		     "SELECT string_agg(quote_ident(relname), ', ') FROM pg_class"
		     " WHERE relnamespace=current_schema()::regnamespace AND relkind='r'"
		     " AND pg_relation_size(oid)>2*relpages*current_setting('block_size')::bigint",
		     ""))
		return -1;
	step = db_step(db, q, err);
	if (step > 0)
		buf_adds(out, db_text(q, 0));
	db_end(q);
	return step > 0 && out->len ? 0 : -1;
}

/*
 * A plan that is made while a table has a page is kept, and may go through all rows of a project by
 * an index that fits it no worse then: a post took ten times as long after some thousand.
 * PostgreSQL looks after its tables once a minute, and the first thousands come in less.
 */
static void analyze(struct db *db)
{
	struct buf tables = BUF_INIT, sql = BUF_INIT;

	if (!find_tables(db, &tables, NULL)) {
		buf_addf(&sql, "ANALYZE %s", buf_str(&tables));
		if (!buf_check(&sql, NULL))
			exec(db, buf_str(&sql), NULL);
	}
	buf_release(&tables);
	buf_release(&sql);
}

static void trim(struct db *db, int64_t limit_bytes)
{
	struct link *l = db->handle;

	(void)limit_bytes;
	if (l->n_written < ANALYZE_FIRST || l->n_written < l->analyze_at ||
	    l->analyze_at > ANALYZE_LAST)
		return;
	l->analyze_at = 4 * l->n_written;
	analyze(db);
}

static int copy(struct db *db, const char *to, struct err *err)
{
	(void)to;
	err_set(err, ERR_USAGE, "'%s' is no file that could be copied", db->path);
	return err_hint(err, "back it up by pg_dump, as any other database");
}

static int check(struct db *db, void (*tell)(void *ctx, const char *fault), void *ctx,
		 struct err *err)
{
	(void)db; /* PostgreSQL's own business: checksums of pages, pg_amcheck */
	(void)tell;
	(void)ctx;
	(void)err;
	return 0;
}

static int read_mark(struct db *db, struct db_mark *out, struct err *err)
{
	struct db_query *q = NULL;
	int64_t there = 0;
	int step;

	if (db_get(db, &out->n_tables, err,
		   "SELECT count(*) FROM information_schema.tables"
		   " WHERE table_schema=current_schema() AND table_name<>'pawl_mark'"
		   " AND table_type<>'VIEW'", /* such as those of extensions */
		   "") < 0 ||
	    db_get(db, &there, err,
		   "SELECT count(*) FROM information_schema.tables"
		   " WHERE table_schema=current_schema() AND table_name='pawl_mark'",
		   "") < 0)
		return -1;
	if (!there)
		return 0;
	if (db_start(db, &q, err, "SELECT application, version FROM pawl_mark", ""))
		return -1;
	step = db_step(db, q, err);
	if (step > 0) {
		out->application = db_integer(q, 0);
		out->version = db_integer(q, 1);
	}
	db_end(q);
	return step < 0 ? -1 : 0;
}

static int write_mark(struct db *db, const struct db_mark *mark, struct err *err)
{
	return db_run(db, err, "UPDATE pawl_mark SET application=?1, version=?2", "ii",
		      mark->application, mark->version);
}

static int make_mark(struct db *db, struct err *err)
{
	return exec(db,
		    "SET LOCAL statement_timeout=0; SET LOCAL lock_timeout='120s';"
		    "CREATE TABLE IF NOT EXISTS pawl_mark (application INTEGER NOT NULL,"
		    " version INTEGER NOT NULL, owner INTEGER NOT NULL);"
		    "INSERT INTO pawl_mark SELECT 0, 0, 0"
		    " WHERE NOT EXISTS (SELECT 1 FROM pawl_mark)",
		    err);
}

static int begin_migration(struct db *db, struct err *err)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	int tries;

	for (tries = 0; tries < MIGRATE_TRIES; tries++) {
		if (link_begin(db, true, err))
			return -1;
		if (!make_mark(db, err) && !lock_take(db, err))
			return 0;
		rollback(db);
		/* Of two who make it at once one is told that it is there. */
		if (!err || err->code != ERR_STORE)
			return -1;
		nanosleep(&pause, NULL);
	}
	return -1;
}

const struct db_engine postgres_engine = {
	.name = "PostgreSQL",
	.is_far = true,
	.starts_late = true,
	.close = link_close,
	.exec = exec,
	.begin = begin,
	.begin_ahead = begin_ahead,
	.settle = lock_settle,
	.commit = commit,
	.rollback = rollback,
	.is_stale = is_stale,
	.begin_part = begin_part,
	.keep_part = keep_part,
	.undo_part = undo_part,
	.prepare = postgres_prepare,
	.bind = postgres_bind,
	.bind_values = postgres_bind_values,
	.ahead = postgres_ahead,
	.later = postgres_later,
	.arrive = postgres_arrive,
	.step = postgres_step,
	.end = postgres_end,
	.drop = postgres_drop,
	.text = postgres_text,
	.bytes = postgres_bytes,
	.integer = postgres_integer,
	.real = postgres_real,
	.is_null = postgres_is_null,
	.row_check = row_check,
	.changes = changes,
	.limit = limit,
	.tune = tune,
	.trim = trim,
	.copy = copy,
	.check = check,
	.columns = "SELECT table_name, column_name, CASE data_type WHEN 'bigint' THEN 'i'"
		   " WHEN 'text' THEN 't' WHEN 'double precision' THEN 'd' ELSE 'b' END"
		   " FROM information_schema.columns AS c WHERE table_schema=current_schema()"
		   " AND table_name<>'pawl_mark' AND NOT EXISTS (SELECT 1 FROM"
		   " information_schema.views AS v WHERE v.table_schema=current_schema()"
		   " AND v.table_name=c.table_name) ORDER BY table_name COLLATE \"C\","
		   " ordinal_position",
	.read_mark = read_mark,
	.write_mark = write_mark,
	.begin_migration = begin_migration,
};

#else
typedef int libpq_is_absent;
#endif
