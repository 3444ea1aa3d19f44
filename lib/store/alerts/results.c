#include "lib/store/alerts/results.h"

#include "lib/store/alerts/batch.h"
#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

#define LATELY 500 /* results, as a history is watched */

/* What read_result() reads, and from where: of run AS r and series AS s, number 3. */
#define COLUMNS \
	"SELECT r.run_id, r.commit_id, p.t, p.points, (SELECT count(*) FROM moved AS m" \
	"  WHERE m.project_id=r.project_id AND m.run_id=r.run_id AND m.series_id=?3)"
#define SHEETS \
	" CROSS JOIN sheet AS p ON p.project_id=r.project_id AND p.run_id=r.run_id" \
	" CROSS JOIN series AS s ON s.project_id=r.project_id AND s.series_id=?3" \
	" WHERE r.project_id=?1 AND r.apart=0 AND r.dirty=0" \
	" AND NOT EXISTS (SELECT 1 FROM retracted AS x WHERE x.project_id=r.project_id" \
	"  AND x.run_id=r.run_id AND x.benchmark IN ('', s.benchmark))"

/* As the ledger has it: one that says it ended later than it came, when it came. */
#define MEASURED \
	"CASE WHEN r.finished_us>0 AND r.finished_us<r.received_us THEN r.finished_us" \
	" ELSE r.received_us END"

#define BEHIND_OF(branch) \
	COLUMNS " FROM run AS r INDEXED BY run_by_branch" SHEETS " AND " branch \
		" AND r.t>=?4 ORDER BY r.t, " MEASURED ", r.run_id"

bool result_is_no_worse(enum verdict verdict)
{
	return verdict == VERDICT_UNCHANGED || verdict == VERDICT_IMPROVED ||
	       verdict == VERDICT_IDENTICAL;
}

bool result_decides(const struct ledger_point *p)
{
	return (p->flags & POINT_GATE) && !(p->flags & (POINT_DIRTY | POINT_SUSPECT)) &&
	       verdict_is_decided((enum verdict)p->verdict);
}

struct alert_point result_point(const struct result *r, int64_t series, bool higher)
{
	return (struct alert_point){ .series = series,
				     .run = r->run,
				     .commit = r->commit,
				     .t = r->t,
				     .base = r->base,
				     .higher = higher,
				     .verdict = r->verdict,
				     .can_open = r->can_open,
				     .ratio = r->ratio,
				     .low = r->low,
				     .high = r->high,
				     .has_value = true,
				     .v = r->v,
				     .v_low = r->v_low,
				     .v_high = r->v_high };
}

/* 1: the figure of the series in the sheet of the row decides something. */
static int read_result(struct db_query *st, struct alert_batch *b, int64_t series,
		       struct result *out, struct err *err)
{
	struct ledger_point p = { .verdict = VERDICT_NONE };
	struct sheet sheet;
	size_t n = 0;
	const void *bytes = db_bytes(st, 3, &n);
	bool found = false;

	if (db_row_check(st, err))
		return -1;
	/* What is damaged is fsck's. */
	if (sheet_open(&sheet, b->project, db_integer(st, 0), db_integer(st, 2), bytes, n, NULL))
		return 0;
	while (!found && sheet_next(&sheet))
		found = sheet.series == series;
	if (found && sheet_read(&sheet, &p, NULL, NULL, NULL))
		return 0;
	*out = (struct result){ .run = db_integer(st, 0),
				.commit = db_integer(st, 1),
				.t = p.t,
				.base = p.base,
				.verdict = (enum verdict)p.verdict,
				.can_open = db_integer(st, 4) != 0,
				.ratio = p.ratio,
				.low = p.ratio_low,
				.high = p.ratio_high,
				.v = p.v,
				.v_low = p.low,
				.v_high = p.high };
	return found && result_decides(&p);
}

int results_at(struct alert_batch *b, int64_t series, int64_t commit, int64_t base,
	       struct result *out, struct err *err)
{
	struct db_query *st = NULL;
	struct result r;
	int step, found = 0;

	if (db_start(b->db, &st, err,
		     COLUMNS " FROM run AS r INDEXED BY run_by_commit" SHEETS
			     " AND r.commit_id=?2 AND coalesce(r.branch, '')=?4"
			     " ORDER BY " MEASURED " DESC, r.run_id DESC",
		     "iiit", b->project, commit, series, alert_branch(b)))
		return -1;
	while (!found && (step = db_step(b->db, st, err)) != 0) {
		found = step < 0 ? -1 : read_result(st, b, series, &r, err);
		if (found > 0 && (base == RESULTS_ANY_BASE ? !r.base : r.base != base))
			found = 0;
	}
	db_end(st);
	if (found > 0)
		*out = r;
	return found;
}

int results_of(struct alert_batch *b, int64_t series, int64_t run, struct result *out,
	       struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err, COLUMNS " FROM run AS r" SHEETS " AND r.run_id=?2", "iii",
		     b->project, run, series))
		return -1;
	step = db_step(b->db, st, err);
	if (step > 0)
		step = read_result(st, b, series, out, err);
	db_end(st);
	return step;
}

int results_behind(struct alert_batch *b, int64_t series, int64_t t, struct buf *out,
		   struct err *err)
{
	/* Two questions, so that each finds its rows by the index. */
	static const char of_branch[] = BEHIND_OF("r.branch=?2");
	static const char of_none[] = BEHIND_OF("r.branch IS NULL AND ?2=''");
	const char *branch = alert_branch(b);
	struct db_query *st = NULL;
	struct result r;
	int step, found = 0;

	if (db_start(b->db, &st, err, *branch ? of_branch : of_none, "itii", b->project, branch,
		     series, t))
		return -1;
	while (found >= 0 && (step = db_step(b->db, st, err)) > 0) {
		found = read_result(st, b, series, &r, err);
		if (found > 0)
			buf_add(out, &r, sizeof(r));
	}
	db_end(st);
	return found < 0 || step < 0 ? -1 : buf_check(out, err);
}

int results_is_of(struct alert_batch *b, int64_t run, int64_t commit, struct err *err)
{
	int64_t one;
	int found = db_get(b->db, &one, err,
			   "SELECT 1 FROM run WHERE project_id=?1 AND run_id=?2 AND commit_id=?3",
			   "iii", b->project, run, commit);

	return found < 0 ? -1 : !found;
}

int results_is_hidden(struct alert_batch *b, int64_t series, int64_t run, struct err *err)
{
	int64_t one;
	int found = db_get(b->db, &one, err,
			   "SELECT 1 FROM retracted AS x CROSS JOIN series AS s"
			   " ON s.project_id=x.project_id AND s.series_id=?3"
			   " WHERE x.project_id=?1 AND x.run_id=?2 AND x.benchmark IN"
			   " ('', s.benchmark) LIMIT 1",
			   "iii", b->project, run, series);

	return found < 0 ? -1 : !found;
}

int results_are_anybodys(struct alert_batch *b, int64_t series, struct err *err)
{
	int64_t one;
	int found;

	if (*alert_branch(b))
		return 0;
	found = db_get(b->db, &one, err,
		       "SELECT 1 FROM (SELECT env_id, branch FROM run WHERE project_id=?1"
		       "  AND apart=0 AND dirty=0 ORDER BY run_id DESC LIMIT ?3) AS r"
		       " WHERE branch IS NOT NULL AND env_id=(SELECT env_id FROM series"
		       "  WHERE project_id=?1 AND series_id=?2) LIMIT 1",
		       "iii", b->project, series, (int64_t)LATELY);
	return found < 0 ? -1 : !found;
}
