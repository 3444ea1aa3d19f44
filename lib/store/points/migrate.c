#include "lib/store/points/migrate.h"

#include "lib/store/points/fold.h"

#include "lib/base/banned.h"

/* A run as its row tells. */
struct run {
	int64_t project, run, t;
	const unsigned char *series,
		*series_end; /* a list of numbers, seven bits a byte, the least first */
};

/* Takes the first number off the list; false at the end or when the bytes are damaged. */
static bool ids_take(const unsigned char **at, const unsigned char *end, int64_t *out)
{
	uint64_t value = 0;
	unsigned shift;

	for (shift = 0; *at < end && shift < 63; shift += 7) {
		unsigned char byte = *(*at)++;

		value |= (uint64_t)(byte & 127) << shift;
		if (byte & 128) {
			*out = (int64_t)value;
			return true;
		}
	}
	return false;
}

#define OLD_COLUMNS \
	"n, v, low, high, flags, verdict, ratio, ratio_low, ratio_high, base_id, how, sum"

/* A point without a sum is of a schema before the sixth, which had none. */
static int add_point(struct db_query *st, const struct run *run, int64_t series,
		     struct sheet_maker *m, struct err *err)
{
	const struct ledger_point p = {
		.project = run->project,
		.series = series,
		.t = run->t,
		.run = run->run,
		.n = db_integer(st, 0),
		.v = db_double(st, 1),
		.low = db_double(st, 2),
		.high = db_double(st, 3),
		.flags = db_integer(st, 4),
		.verdict = db_integer(st, 5),
		.ratio = db_double(st, 6),
		.ratio_low = db_double(st, 7),
		.ratio_high = db_double(st, 8),
		.base = db_integer(st, 9),
	};
	bool damaged = !db_is_null(st, 11) && db_integer(st, 11) != point_sum(&p);

	sheet_add(m, &p, db_is_null(st, 10) ? NULL : db_text(st, 10), damaged);
	return db_row_check(st, err);
}

/* A point that is not there leaves a damaged one. */
static int find_point(struct db *db, const struct run *run, int64_t series, struct sheet_maker *m,
		      struct err *err)
{
	const struct ledger_point none = {
		.project = run->project, .series = series, .t = run->t, .run = run->run
	};
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT " OLD_COLUMNS " FROM point WHERE project_id=?1 AND series_id=?2"
		     " AND t=?3 AND run_id=?4",
		     "iiii", run->project, series, run->t, run->run))
		return -1;
	step = db_step(db, st, err);
	if (step > 0)
		step = add_point(st, run, series, m, err);
	else if (!step)
		sheet_add(m, &none, NULL, true);
	db_end(st);
	return step;
}

static int store(struct db *db, const struct run *run, const struct sheet_maker *m, struct err *err)
{
	struct buf bytes = BUF_INIT;
	int result = -1;

	sheet_finish(m, run->project, run->run, run->t, &bytes);
	if (!buf_check(&bytes, err))
		result = db_run(db, err,
				"INSERT INTO sheet (project_id, run_id, t, n, points)"
				" VALUES (?1,?2,?3,?4,?5)",
				"iiiib", run->project, run->run, run->t, (int64_t)m->n,
				(const void *)buf_str(&bytes), bytes.len);
	buf_release(&bytes);
	return result;
}

static int migrate_run(struct db *db, const struct run *run, struct err *err)
{
	const unsigned char *at = run->series;
	struct sheet_maker m = { .n = 0 };
	int64_t series;
	int result = 0;

	while (!result && ids_take(&at, run->series_end, &series))
		result = find_point(db, run, series, &m, err);
	if (!result)
		result = store(db, run, &m, err);
	sheet_maker_release(&m);
	return result;
}

static int migrate_runs(struct db *db, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT project_id, run_id, t, series_ids FROM run WHERE commit_id IS NOT NULL"
		     " ORDER BY project_id, run_id",
		     ""))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		struct run run = { .project = db_integer(st, 0),
				   .run = db_integer(st, 1),
				   .t = db_integer(st, 2) };
		size_t n;

		run.series = db_bytes(st, 3, &n);
		run.series_end = run.series + n;
		if (db_row_check(st, err) || migrate_run(db, &run, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

/* What cannot be folded, since something of it is damaged, stays tail. */
static int fold_all(struct db *db, struct err *err)
{
	struct err fault = ERR_INIT;
	int64_t project = 0, after = 0;
	int found;

	while (!(found = fold_find(db, after, &project, err))) {
		err_clear(&fault);
		after = project - 1;
		if (!fold_step(db, project, &fault))
			continue;
		after = project;
		if (fault.code == ERR_CORRUPT)
			continue;
		if (err)
			*err = fault;
		return -1;
	}
	return found < 0 ? -1 : 0;
}

static int count_tails(struct db *db, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err, "SELECT project_id FROM project ORDER BY project_id", ""))
		return -1;
	while ((step = db_step(db, st, err)) > 0)
		if (fold_undo(db, db_integer(st, 0), err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step;
}

int migrate_points(struct db *db, struct err *err)
{
	if (migrate_runs(db, err) || count_tails(db, err) || fold_all(db, err))
		return -1;
	return db_exec(db,
		       "INSERT INTO moved SELECT project_id, run_id, series_id FROM point"
		       " WHERE moved IS NOT NULL;"
		       "DROP TABLE point; UPDATE run SET series_ids=x''",
		       err);
}
