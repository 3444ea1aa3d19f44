/* What moved lately. */
#include "lib/store/ledger/sum.h"

#include "lib/base/banned.h"

/*
 * point_moved holds only what moved, by order of arrival.  A later run of the same commit
 * against the same base that judged otherwise takes an entry back.
 */
static const char moved[] =
	"SELECT s.benchmark, s.metric, s.unit, s.better, e.machine, p.verdict, p.ratio,"
	" p.ratio_low, p.ratio_high, c.sha, b.sha, c.subject, c.committed_us, r.branch, r.id,"
	" p.flags, r.received_us, " POINT_COLUMNS " FROM point AS p INDEXED BY point_moved"
	" CROSS JOIN run AS r ON r.project_id=p.project_id AND r.run_id=p.run_id"
	" CROSS JOIN series AS s ON s.project_id=p.project_id AND s.series_id=p.series_id"
	" CROSS JOIN env AS e ON e.project_id=s.project_id AND e.env_id=s.env_id"
	" CROSS JOIN vcs_commit AS c ON c.project_id=r.project_id AND c.commit_id=r.commit_id"
	" LEFT JOIN vcs_commit AS b ON b.project_id=p.project_id AND b.commit_id=p.base_id"
	" WHERE p.project_id=?1 AND p.moved IS NOT NULL AND NOT EXISTS (SELECT 1 FROM point AS q"
	"  JOIN run AS x ON x.project_id=q.project_id AND x.run_id=q.run_id"
	"  WHERE q.project_id=p.project_id AND q.series_id=p.series_id AND q.t=p.t"
	"  AND q.run_id>p.run_id AND q.base_id IS p.base_id AND q.verdict"
	"  AND NOT (q.flags & 5) AND x.commit_id=r.commit_id)"
	" ORDER BY p.run_id DESC, s.benchmark LIMIT ?2";

#define MOVED_N_COLUMNS 17

static void write_row(struct jsonw *w, struct sqlite3_stmt *st)
{
	jsonw_object(w);
	jsonw_kstring(w, "benchmark", db_text(st, 0));
	jsonw_kstring(w, "metric", db_text(st, 1));
	jsonw_kstring(w, "unit", db_text(st, 2));
	jsonw_kstring(w, "better", db_integer(st, 3) ? "higher" : "lower");
	jsonw_kstring(w, "machine", db_text(st, 4));
	jsonw_kstring(w, "verdict", ledger_verdict(db_integer(st, 5)));
	jsonw_knumber(w, "ratio", db_double(st, 6));
	jsonw_knumber(w, "low", db_double(st, 7));
	jsonw_knumber(w, "high", db_double(st, 8));
	jsonw_kstring(w, "commit", db_text(st, 9));
	jsonw_kstring(w, "base", db_is_null(st, 10) ? NULL : db_text(st, 10));
	jsonw_kbool(w, "exact", (db_integer(st, 15) & POINT_EXACT) != 0);
	jsonw_kstring(w, "subject", db_is_null(st, 11) ? NULL : db_text(st, 11));
	ledger_write_time(w, "time", db_integer(st, 12));
	jsonw_kstring(w, "branch", db_is_null(st, 13) ? NULL : db_text(st, 13));
	jsonw_kstring(w, "id", db_text(st, 14));
	ledger_write_time(w, "received", db_integer(st, 16));
	jsonw_object_end(w);
}

static int write_rows(struct ledger *l, int64_t project, size_t limit, struct jsonw *w,
		      struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	struct ledger_point point;
	int step;

	if (db_start(&l->db, &st, err, moved, "ii", project, (int64_t)limit))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		if (point_read(st, MOVED_N_COLUMNS, project, &point, err)) {
			step = -1;
			break;
		}
		write_row(w, st);
	}
	db_end(st);
	return step;
}

int ledger_regressions(struct ledger *l, const char *project, size_t limit, struct buf *out,
		       struct err *err)
{
	struct jsonw w;
	int64_t id;
	int result;

	if (db_begin_read(&l->db, err))
		return -1;
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", project);
	jsonw_key(&w, "regressions");
	jsonw_array(&w);
	result = ledger_find_project(l, project, &id, err) || write_rows(l, id, limit, &w, err);
	db_rollback(&l->db);
	if (result)
		return -1;
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	return buf_check(out, err);
}
