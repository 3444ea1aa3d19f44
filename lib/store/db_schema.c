/* How a database gets the tables that this program knows. */
#include "lib/store/db.h"

#include <sqlite3.h>

#include "lib/base/buf.h"

#include "lib/base/banned.h"

/* Somebody else may be about it, for seconds where there are thousands of results. */
#define MIGRATE_WAIT_MS 120000

static int is_foreign(struct db *db, const struct db_schema *schema, int64_t version,
		      struct err *err)
{
	int64_t application = 0, n_tables = 0;

	/* In this order: a neighbour may create tables and mark together in between. */
	if (db_get(db, &n_tables, err, "SELECT count(*) FROM sqlite_schema", "") < 0 ||
	    db_get(db, &application, err, "PRAGMA application_id", "") < 0)
		return -1;
	if (application == schema->application || (!application && !version && !n_tables))
		return 0;
	return err_set(err, ERR_STORE, "'%s' is a database, but not %s", db->path, schema->what);
}

static int apply_steps(struct db *db, const struct db_schema *schema, struct err *err)
{
	struct buf mark = BUF_INIT;
	int64_t version = 0;
	int result = -1;

	sqlite3_busy_timeout(db->handle, MIGRATE_WAIT_MS);
	result = db_begin(db, err);
	sqlite3_busy_timeout(db->handle, DB_BUSY_MS);
	if (result)
		return -1;
	result = -1;
	/* Somebody else may have done it while we waited. */
	if (db_get(db, &version, err, "PRAGMA user_version", "") < 0)
		goto out;
	for (; version < schema->n_steps; version++)
		if (db_exec(db, schema->steps[version], err) ||
		    (schema->convert && schema->convert(db, (int)version, err)))
			goto out;
	buf_addf(&mark, "PRAGMA application_id=%d; PRAGMA user_version=%d", schema->application,
		 (int)version);
	if (buf_check(&mark, err) || db_exec(db, buf_str(&mark), err))
		goto out;
	result = db_commit(db, err);
out:
	db_rollback(db);
	buf_release(&mark);
	return result;
}

int db_migrate(struct db *db, const struct db_schema *schema, struct err *err)
{
	int64_t version = 0;

	if (db_get(db, &version, err, "PRAGMA user_version", "") < 0 ||
	    is_foreign(db, schema, version, err))
		return -1;
	if (db->read_only)
		return version ? 0 : err_set(err, ERR_ABSENT, "'%s' is empty", db->path);
	if (version > schema->n_steps) {
		err_set(err, ERR_NEWER, "'%s' has schema %d, of a newer %s; %s %s writes schema %d",
			db->path, (int)version, schema->program, schema->program, PAWL_VERSION,
			schema->n_steps);
		return err_hint(err, "%s", schema->newer);
	}
	return version == schema->n_steps ? 0 : apply_steps(db, schema, err);
}
