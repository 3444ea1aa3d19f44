/* How a database gets the tables that this program knows. */
#include "lib/store/engine.h"

#include "lib/base/banned.h"

static bool is_foreign(const struct db_schema *schema, const struct db_mark *m)
{
	return m->application != schema->application &&
	       (m->application || m->version || m->n_tables);
}

static int apply_steps(struct db *db, const struct db_schema *schema, struct err *err)
{
	struct db_mark mark = { .n_tables = 0 };
	int64_t version;
	int result = -1;

	if (db->engine->begin_migration(db, err))
		return -1;
	/* Somebody else may have done it while we waited. */
	if (db->engine->read_mark(db, &mark, err))
		goto out;
	version = mark.version;
	if (!version && db->engine->starts_late && schema->base) {
		if (db_exec(db, schema->base, err))
			goto out;
		version = schema->n_base;
	}
	for (; version < schema->n_steps; version++)
		if (db_exec(db, schema->steps[version], err) ||
		    (schema->convert && schema->convert(db, (int)version, err)))
			goto out;
	mark.application = schema->application;
	mark.version = version;
	if (db->engine->write_mark(db, &mark, err))
		goto out;
	result = db_commit(db, err);
out:
	db_rollback(db);
	return result;
}

int db_migrate(struct db *db, const struct db_schema *schema, struct err *err)
{
	struct db_mark mark = { .n_tables = 0 };

	if (db->engine->read_mark(db, &mark, err))
		return -1;
	if (is_foreign(schema, &mark))
		return err_set(err, ERR_STORE, "'%s' is a database, but not %s", db->path,
			       schema->what);
	if (db->read_only)
		return mark.version ? 0 : err_set(err, ERR_ABSENT, "'%s' is empty", db->path);
	if (mark.version > schema->n_steps) {
		err_set(err, ERR_NEWER, "'%s' has schema %d, of a newer %s; %s %s writes schema %d",
			db->path, (int)mark.version, schema->program, schema->program, PAWL_VERSION,
			schema->n_steps);
		return err_hint(err, "%s", schema->newer);
	}
	return mark.version == schema->n_steps ? 0 : apply_steps(db, schema, err);
}
