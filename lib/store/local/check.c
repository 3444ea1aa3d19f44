/* Looking a store over. */
#include "lib/store/local/store.h"

#include <string.h>

#include "lib/store/local/local.h"

#include "lib/base/banned.h"

#define MAX_SQLITE_FAULTS "20"

void store_check_release(struct store_check *c)
{
	strv_release(&c->faults);
	memset(c, 0, sizeof(*c));
}

/* What SQLite itself finds: one line each, none when all is well. */
static int check_pages(struct db *db, struct strv *faults, struct err *err)
{
	struct db_query *st = NULL;
	struct err mine = ERR_INIT;
	int step, result = 0;

	if (db_start(db, &st, &mine, "PRAGMA integrity_check(" MAX_SQLITE_FAULTS ")", ""))
		return strv_add(faults, mine.text, err);
	while (!result && (step = db_step(db, st, &mine)) > 0)
		if (strcmp(db_text(st, 0), "ok"))
			result = strv_add(faults, db_text(st, 0), err);
	if (!result && step < 0)
		result = strv_add(faults, mine.text, err);
	db_end(st);
	return result;
}

/* None of ours has triggers or views: they are not run, but whoever reads the file otherwise runs
 * them. */
static int check_schema(struct db *db, struct strv *faults, struct err *err)
{
	struct db_query *st = NULL;
	struct err mine = ERR_INIT;
	int step, result = 0;
	int64_t n = 0;

	if (db_get(db, &n, &mine,
		   "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ('result', "
		   "'summary')",
		   "") >= 0 &&
	    !n)
		result = strv_add(faults, "there is no table of results", err);
	if (db_start(db, &st, &mine,
		     "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')", ""))
		return result; /* check_pages() tells why */
	while (!result && (step = db_step(db, st, &mine)) > 0)
		result = strv_addf(faults, err, "there is a %s that is not pawl's: '%s'",
				   db_text(st, 0), db_text(st, 1));
	db_end(st);
	return result;
}

int store_check(struct store *store, struct store_check *out, struct err *err)
{
	struct store_check c = { 0, 0, STRV_INIT };
	struct check_walk walk = { .faults = &c.faults };

	if (check_pages(&store->db, &c.faults, err) || check_schema(&store->db, &c.faults, err) ||
	    meta_check(&store->db, &c.faults, err) || check_walk(&store->db, &walk, err)) {
		store_check_release(&c);
		return -1;
	}
	c.n_rows = walk.n_good + walk.n_bad;
	c.n_bad = walk.n_bad;
	*out = c;
	return 0;
}

int check_is_sound(struct db *db, struct err *err)
{
	struct strv faults = STRV_INIT;
	struct check_walk walk = { .faults = &faults };
	int result = -1;

	if (!check_pages(db, &faults, err) && !check_schema(db, &faults, err) &&
	    !meta_check(db, &faults, err) && !check_walk(db, &walk, err))
		result = faults.n == 0;
	strv_release(&faults);
	return result;
}
