#include "lib/store/alerts/results.h"

#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

/* 1: the figure of the series in the sheet of the row's columns from 0 on decides something. */
static int read_result(struct db_query *st, struct alert_batch *b, int64_t series,
		       struct result *out, struct err *err)
{
	struct ledger_point p = { .verdict = VERDICT_NONE };
	struct sheet sheet;
	size_t n = 0;
	const void *bytes = db_bytes(st, 3, &n);
	bool found = false;

	if (db_row_check(st, err) ||
	    sheet_open(&sheet, b->project, db_integer(st, 0), db_integer(st, 2), bytes, n, err))
		return -1;
	while (!found && sheet_next(&sheet))
		found = sheet.series == series;
	if (found && sheet_read(&sheet, &p, NULL, NULL, err))
		return -1;
	*out = (struct result){ .run = db_integer(st, 0),
				.commit = db_integer(st, 1),
				.t = p.t,
				.base = p.base,
				.verdict = (enum verdict)p.verdict,
				.can_open = db_integer(st, 4) != 0,
				.ratio = p.ratio,
				.low = p.ratio_low,
				.high = p.ratio_high };
	return found && (p.flags & POINT_GATE) && !(p.flags & (POINT_DIRTY | POINT_SUSPECT)) &&
	       p.verdict != VERDICT_NONE && p.verdict != VERDICT_INCONCLUSIVE;
}

int results_at(struct alert_batch *b, int64_t series, int64_t commit, int64_t base,
	       struct result *out, struct err *err)
{
	struct db_query *st = NULL;
	struct result r;
	int step, found = 0;

	if (db_start(b->db, &st, err,
		     "SELECT r.run_id, r.commit_id, p.t, p.points, (SELECT count(*) FROM moved AS m"
		     "  WHERE m.project_id=r.project_id AND m.run_id=r.run_id AND m.series_id=?3)"
		     " FROM run AS r INDEXED BY run_by_commit CROSS JOIN sheet AS p"
		     " ON p.project_id=r.project_id AND p.run_id=r.run_id CROSS JOIN series AS s"
		     " ON s.project_id=r.project_id AND s.series_id=?3"
		     " WHERE r.project_id=?1 AND r.commit_id=?2 AND r.apart=0 AND r.dirty=0"
		     " AND NOT EXISTS (SELECT 1 FROM retracted AS x"
		     "  WHERE x.project_id=r.project_id AND x.run_id=r.run_id"
		     "  AND x.benchmark IN ('', s.benchmark))"
		     " ORDER BY CASE WHEN r.finished_us>0 AND r.finished_us<r.received_us"
		     "  THEN r.finished_us ELSE r.received_us END DESC, r.run_id DESC",
		     "iii", b->project, commit, series))
		return -1;
	while (!found && (step = db_step(b->db, st, err)) != 0) {
		found = step < 0 ? -1 : read_result(st, b, series, &r, err);
		if (found > 0 && r.base != base)
			found = 0;
	}
	db_end(st);
	if (found > 0)
		*out = r;
	return found;
}
