#include "lib/store/points/check.h"

#include "lib/store/points/chunk.h"

#include "lib/base/banned.h"

/* The sum of their checksums is the same in whatever order they come. */
struct total {
	struct folded folded;
	int64_t n;
	uint64_t sum;
};

static void count(struct total *t, const struct ledger_point *p)
{
	struct ledger_point shown = point_shown(p);

	t->n++;
	t->sum += point_crc(&shown);
}

static int take(void *ctx, struct sheet *sheet, struct err *err)
{
	struct total *t = ctx;
	struct ledger_point p;

	while (sheet_next(sheet)) {
		if (sheet->run > folded_of(&t->folded, sheet->series))
			continue;
		if (sheet_read(sheet, &p, NULL, NULL, err))
			return -1;
		count(t, &p);
	}
	return 0;
}

/* The chunk of the row: behind *last, which becomes its last point, and in order within. */
static int count_chunk(struct db_query *st, int64_t project, struct ledger_point *last,
		       struct total *t, struct err *err)
{
	const struct chunk_key key = { project,		  db_integer(st, 0), db_integer(st, 1),
				       db_integer(st, 2), db_integer(st, 3), db_integer(st, 4) };
	struct chunk chunk;
	size_t n;
	const void *bytes = db_bytes(st, 5, &n);
	bool in_order = true;
	int step;

	if (db_row_check(st, err) || chunk_open(&chunk, &key, bytes, n, err))
		return -1;
	while ((step = chunk_next(&chunk, err)) > 0) {
		in_order &= last->series != chunk.last.series || point_order(last, &chunk.last) < 0;
		*last = chunk.last;
		count(t, last);
	}
	return step || in_order ? step : err_set(err, ERR_CORRUPT, "points are out of order");
}

static int check_chunks(struct db *db, int64_t project, struct total *t, int64_t *out_bad,
			struct err *err)
{
	struct ledger_point last = { .series = 0 };
	struct err fault = ERR_INIT;
	struct db_query *st = NULL;
	int step;

	if (db_scan(db, &st, err,
		    "SELECT series_id, t0, run0, t1, run1, points FROM chunk WHERE project_id=?1"
		    " ORDER BY series_id, t0, run0",
		    "i", project))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		if (!count_chunk(st, project, &last, t, &fault))
			continue;
		if (fault.code != ERR_CORRUPT) {
			if (err)
				*err = fault;
			step = -1;
			break;
		}
		++*out_bad;
	}
	db_end(st);
	return step;
}

/* What comes next must not pass for folded. */
static int check_marks(struct db *db, int64_t project, bool *out_well, struct err *err)
{
	int64_t well = 0;
	int found = db_get(db, &well, err,
			   "SELECT folded<=fold_to AND fold_to<next_id FROM project"
			   " WHERE project_id=?1",
			   "i", project);

	*out_well = well != 0;
	return found < 0 ? -1 : 0;
}

int points_check(struct db *db, int64_t project, struct points_health *out, struct err *err)
{
	struct total sheets = { .n = 0 }, chunks = { .n = 0 };
	struct err fault = ERR_INIT;

	bool marks_well = false;

	*out = (struct points_health){ .is_known = true };
	if (folded_read(db, project, &sheets.folded, err) ||
	    check_marks(db, project, &marks_well, err))
		return -1;
	if (tail_visit(db, project, 0, INT64_MAX, take, &sheets, &fault)) {
		out->is_known = false;
		if (fault.code != ERR_CORRUPT) {
			if (err)
				*err = fault;
			return -1;
		}
	}
	if (check_chunks(db, project, &chunks, &out->n_bad_chunks, err))
		return -1;
	out->n_sheets = sheets.n;
	out->n_chunks = chunks.n;
	out->is_well = marks_well && !out->n_bad_chunks &&
		       (!out->is_known || (sheets.n == chunks.n && sheets.sum == chunks.sum));
	return 0;
}
