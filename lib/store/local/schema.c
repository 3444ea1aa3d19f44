/* The tables of the local store. */
#include "lib/store/local/local.h"
#include "lib/store/local/migrate.h"

#include "lib/base/banned.h"

/*
 * The queue holds no copy of the document: it points at the row that was stored in the
 * same transaction.  commit_id is '' for an unborn HEAD.
 */
static const char first[] = "CREATE TABLE summary ("
			    " seq INTEGER PRIMARY KEY,"
			    " id TEXT NOT NULL UNIQUE,"
			    " project TEXT NOT NULL,"
			    " commit_id TEXT NOT NULL,"
			    " machine TEXT NOT NULL,"
			    " finished_us INTEGER NOT NULL,"
			    " dirty INTEGER NOT NULL,"
			    " usable INTEGER NOT NULL,"
			    " posted INTEGER NOT NULL DEFAULT 0,"
			    " binaries TEXT NOT NULL,"
			    " sha256 TEXT NOT NULL,"
			    " json BLOB NOT NULL);"
			    "CREATE INDEX summary_by_commit"
			    " ON summary (project, commit_id, finished_us);"
			    "CREATE INDEX summary_by_time ON summary (project, finished_us);"
			    "CREATE TABLE queue ("
			    " seq INTEGER PRIMARY KEY AUTOINCREMENT,"
			    " id TEXT NOT NULL UNIQUE REFERENCES summary (id),"
			    " size INTEGER NOT NULL,"
			    " attempts INTEGER NOT NULL DEFAULT 0,"
			    " next_try_us INTEGER NOT NULL DEFAULT 0,"
			    " rejected INTEGER NOT NULL DEFAULT 0,"
			    " last_error TEXT);"
			    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);";

/*
 * A packed row: sum is the CRC-64 of the columns that are searched by, packed the result
 * (lib/record/packed), points what a history needs of it; binaries, sha256 and json are empty.
 * Where sum is NULL the row is as it was before.  The table has another name so that an older pawl,
 * which may try to read, takes none for damaged.
 */
static const char packed[] = "ALTER TABLE summary RENAME TO result;"
			     "ALTER TABLE result ADD COLUMN sum INTEGER;"
			     "ALTER TABLE result ADD COLUMN points BLOB;"
			     "ALTER TABLE result ADD COLUMN packed BLOB;";

static const char *const steps[STORE_SCHEMA] = { first, packed };

static int convert(struct db *db, int step, struct err *err)
{
	return step == 1 ? migrate_rows(db, err) : 0;
}

const struct db_schema store_schema = {
	.application = 0x7061776c, /* "pawl" */
	.what = "a store of results",
	.program = "pawl",
	.newer = "use the newer pawl that wrote it; reading still works",
	.steps = steps,
	.n_steps = STORE_SCHEMA,
	.convert = convert,
};
