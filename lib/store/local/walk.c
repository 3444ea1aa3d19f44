/*
 * walk - each row of a store that may be damaged, by its number.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/judge/points.h"
#include "lib/store/local/local.h"

#include "lib/base/banned.h"

#define ROW_BYTES 32	     /* of the file, at least */
#define DENSE_MOST (1 << 16) /* numbers that are tried one by one where the file is damaged */

struct seqs {
	int64_t *v;
	size_t n, cap, most;
	bool is_damaged; /* what lists them could not be read to its end */
};

static int add(struct seqs *to, int64_t seq, struct err *err)
{
	if (to->n == to->cap) {
		size_t cap = to->cap ? 2 * to->cap : 256;
		int64_t *grown = realloc(to->v, cap * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		to->v = grown;
		to->cap = cap;
	}
	to->v[to->n++] = seq;
	return 0;
}

/* What a query lists, as far as it can be read.  What is no damage, such as no memory, is an error.
 */
static int list(struct db *db, const char *sql, struct seqs *out, struct err *err)
{
	struct err mine = ERR_INIT;
	struct db_query *st = NULL;
	size_t before = out->n;
	int step = -1;

	if (!db_start_values(db, &st, &mine, sql, NULL, 0))
		while ((step = db_step(db, st, &mine)) > 0) {
			/* A page that stands in several places of a tree. */
			if (out->n - before >= out->most) {
				out->is_damaged = true;
				break;
			}
			if (add(out, db_integer(st, 0), err)) {
				db_end(st);
				return -1;
			}
		}
	db_end(st);
	if (step >= 0)
		return 0;
	out->is_damaged = out->is_damaged || mine.code == ERR_CORRUPT;
	if (mine.code == ERR_CORRUPT || mine.code == ERR_STORE)
		return 0;
	if (err)
		*err = mine;
	return -1;
}

static int by_seq(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/*
 * The numbers that the table and its index (of schema 1, too) have.  A damaged page hides others
 * from both: from either end of the table, and one by one, what it does not hold is found.
 */
static int list_all(struct db *db, struct seqs *out, struct err *err)
{
	static const char *const ways[] = {
		"SELECT seq FROM result NOT INDEXED ORDER BY seq",
		"SELECT seq FROM result INDEXED BY summary_by_time",
		"SELECT seq FROM summary INDEXED BY summary_by_time",
	};
	static const char backwards[] = "SELECT seq FROM result NOT INDEXED ORDER BY seq DESC";
	int64_t pages = 0, bytes = 0, last = 0, seq;
	size_t i, n;

	if (db_get(db, &pages, NULL, "PRAGMA page_count", "") < 0 ||
	    db_get(db, &bytes, NULL, "PRAGMA page_size", "") < 0)
		pages = bytes = 1 << 12;
	out->most = (size_t)(pages * bytes / ROW_BYTES);
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (list(db, ways[i], out, err))
			return -1;
	if (out->is_damaged && list(db, backwards, out, err))
		return -1;
	for (i = 0; i < out->n; i++)
		last = out->v[i] > last ? out->v[i] : last;
	for (seq = 1; out->is_damaged && seq <= last && seq <= DENSE_MOST; seq++)
		if (add(out, seq, err))
			return -1;
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), by_seq);
	for (i = n = 0; i < out->n; i++)
		if (!n || out->v[n - 1] != out->v[i])
			out->v[n++] = out->v[i];
	out->n = n;
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
	struct seqs seqs = { .v = NULL };
	int result = list_all(db, &seqs, err);
	size_t i;

	for (i = 0; !result && i < seqs.n; i++)
		result = visit(db, seqs.v[i], walk, err);
	free(seqs.v);
	return result;
}
