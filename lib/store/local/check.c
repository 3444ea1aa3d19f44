/* Looking a store over. */
#include "lib/store/local/store.h"

#include <inttypes.h>
#include <string.h>

#include "lib/judge/points.h"
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

/*
 * The largest row number, by the table or, when that is damaged, by an index (of schema 1, too); 0
 * where none of them can be read.  What is no damage, such as no memory, is an error.
 */
static int last_row(struct db *db, int64_t *out, struct err *err)
{
	static const char *const ways[] = {
		"SELECT max(seq) FROM result NOT INDEXED",
		"SELECT max(seq) FROM result INDEXED BY summary_by_time",
		"SELECT max(seq) FROM summary INDEXED BY summary_by_time",
	};
	size_t i;

	*out = 0;
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct err mine = ERR_INIT;

		if (db_get(db, out, &mine, ways[i], "") >= 0)
			return 0;
		if (mine.code == ERR_CORRUPT || mine.code == ERR_STORE)
			continue;
		if (err)
			*err = mine;
		return -1;
	}
	return 0;
}

/* Whether a row says what was written, all of it. */
static int check_row(struct db_query *st, struct row *row, struct err *err)
{
	struct summary s;

	if (row_read(st, row, err))
		return -1;
	if (!row->is_packed)
		return 0;
	if (row_decode(row, &s, err))
		return -1;
	summary_release(&s);
	return 0;
}

/* A fault of the points alone costs nothing: they are made again from the result. */
static int check_points(struct db *db, const struct row *row, struct strv *faults, struct err *err)
{
	struct points points = POINTS_INIT;
	struct db_query *st = NULL;
	struct err mine = ERR_INIT;
	size_t n = 0;
	int result = 0;

	if (!faults || !row->is_packed)
		return 0;
	if (db_start(db, &st, err, "SELECT points FROM result WHERE seq=?1", "i", row->seq))
		return -1;
	if (db_step(db, st, &mine) > 0) {
		const void *bytes = db_bytes(st, 0, &n);

		if (points_open(bytes, n, &points, &mine) && mine.code == ERR_CORRUPT)
			result = strv_addf(faults, err, "row %" PRId64 ": '%s': %s", row->seq,
					   row->id, mine.text);
	}
	points_release(&points);
	db_end(st);
	return result;
}

/* One row by its number, so that a damaged page costs only the rows on it. */
static int visit(struct db *db, int64_t seq, struct check_walk *walk, struct err *err)
{
	struct db_query *st = NULL;
	struct err mine = ERR_INIT;
	struct row row;
	int step, result = 0;

	if (db_start(db, &st, &mine,
		     "SELECT " STORE_HEAD STORE_BODY " FROM result AS s WHERE seq=?1", "i", seq))
		step = -1;
	else
		step = db_step(db, st, &mine);
	if (step > 0 && !check_row(st, &row, &mine)) {
		walk->n_good++;
		result = walk->take ? walk->take(walk->ctx, db, &row, err)
				    : check_points(db, &row, walk->faults, err);
	} else if (step && mine.code == ERR_NOMEM) {
		result = err_nomem(err);
	} else if (step) {
		walk->n_bad++;
		if (walk->faults)
			result =
				strv_addf(walk->faults, err, "row %" PRId64 ": %s", seq, mine.text);
	}
	db_end(st);
	return result;
}

int check_walk(struct db *db, struct check_walk *walk, struct err *err)
{
	int64_t seq, last;

	if (last_row(db, &last, err))
		return -1;
	for (seq = 1; seq <= last; seq++)
		if (visit(db, seq, walk, err))
			return -1;
	return 0;
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
