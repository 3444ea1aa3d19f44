#include "lib/store/fsck/sheets.h"

#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

/* 1: there is such a row; -1: the database failed. */
static int has_series(struct db *db, const struct sheet_owner *run, int64_t series, struct err *err)
{
	int64_t one;
	int found =
		db_get(db, &one, err, "SELECT 1 FROM series WHERE project_id=?1 AND series_id=?2",
		       "ii", run->project, series);

	return found < 0 ? -1 : !found;
}

/* The same, of what moved. */
static int has_moved(struct db *db, const struct sheet_owner *run, int64_t series, struct err *err)
{
	int64_t one;
	int found = db_get(db, &one, err,
			   "SELECT 1 FROM moved WHERE project_id=?1 AND run_id=?2 AND series_id=?3",
			   "iii", run->project, run->run, series);

	return found < 0 ? -1 : !found;
}

static int check_point(struct db *db, const struct sheet_owner *run, struct sheet *sheet,
		       int64_t *n_listed, int64_t *out_bad, struct err *err)
{
	struct ledger_point p;
	struct err fault = ERR_INIT;
	int there = has_series(db, run, sheet->series, err);

	if (there < 0)
		return -1;
	if (!there || sheet_read(sheet, &p, NULL, NULL, &fault)) {
		++*out_bad;
		return 0;
	}
	if (run->apart || !point_is_listed(&p))
		return 0;
	++*n_listed;
	there = has_moved(db, run, sheet->series, err);
	*out_bad += !there;
	return there < 0 ? -1 : 0;
}

/* A row of what moved whose point did not. */
static int check_listed(struct db *db, const struct sheet_owner *run, int64_t n_listed,
			int64_t *out_bad, struct err *err)
{
	int64_t n = 0;

	if (db_get(db, &n, err, "SELECT count(*) FROM moved WHERE project_id=?1 AND run_id=?2",
		   "ii", run->project, run->run) < 0)
		return -1;
	if (!*out_bad && n > n_listed)
		*out_bad = n - n_listed;
	return 0;
}

/* Of a sheet that cannot be read, or is not there, all points, and there was one at least. */
static int check_sheet(struct db *db, const struct sheet_owner *run, struct db_query *st,
		       int64_t *out, int64_t *out_bad, struct err *err)
{
	struct err fault = ERR_INIT;
	struct sheet sheet;
	size_t n;
	const void *bytes = db_bytes(st, 1, &n);
	int64_t n_listed = 0;

	*out = db_integer(st, 2);
	if (db_row_check(st, err))
		return -1;
	if (sheet_open(&sheet, run->project, run->run, db_integer(st, 0), bytes, n, &fault)) {
		*out_bad = *out = *out > 0 ? *out : 1;
		return 0;
	}
	*out = (int64_t)sheet.n;
	while (sheet_next(&sheet))
		if (check_point(db, run, &sheet, &n_listed, out_bad, err))
			return -1;
	if (check_listed(db, run, n_listed, out_bad, err))
		return -1;
	if (db_integer(st, 0) != run->t && !*out_bad) /* its branch does not show it */
		*out_bad = sheet.n ? (int64_t)sheet.n : 1;
	return 0;
}

int sheets_check(struct db *db, const struct sheet_owner *run, int64_t *out_n, int64_t *out_bad,
		 struct err *err)
{
	struct db_query *st = NULL;
	int step;

	*out_n = *out_bad = 0;
	if (db_start(db, &st, err,
		     "SELECT t, points, n FROM sheet WHERE project_id=?1 AND run_id=?2", "ii",
		     run->project, run->run))
		return -1;
	step = db_step(db, st, err);
	if (step > 0)
		step = check_sheet(db, run, st, out_n, out_bad, err);
	else if (!step)
		*out_bad = *out_n = 1;
	db_end(st);
	return step < 0 ? -1 : 0;
}
