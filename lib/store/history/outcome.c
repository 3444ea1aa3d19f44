#include "lib/store/history/outcome.h"

#include "lib/base/banned.h"

/* In the order of a history, the newest first. */
static const char newest[] =
	"SELECT o.status, c.sha, c.committed_us, e.machine, r.id"
	" FROM vcs_commit AS c INDEXED BY commit_by_place"
	" CROSS JOIN run AS r INDEXED BY run_by_commit"
	"  ON r.project_id=c.project_id AND r.commit_id=c.commit_id"
	" CROSS JOIN outcome AS o ON o.project_id=r.project_id AND o.run_id=r.run_id"
	"  AND o.benchmark=?2"
	" CROSS JOIN env AS e ON e.project_id=r.project_id AND e.env_id=r.env_id"
	" WHERE c.project_id=?1 AND c.apart=0 AND c.place>=?3 AND c.place<=?4"
	" AND (c.place>?3 OR " MEASURED_OF("r") ">?5 OR (" MEASURED_OF(
		"r") "=?5 AND r.run_id>?6))"
		     " AND r.dirty=0 AND o.status<>'skipped' AND (?7 IS NULL OR e.machine=?7)"
		     " AND (?8 IS NULL OR coalesce(r.branch, '')=?8) AND " IS_SHOWN_OF(
			     "?2") " ORDER BY c.place DESC, " MEASURED_OF("r") " DESC, r.run_id "
									       "DESC LIMIT 1";

int outcome_write(struct ledger *l, int64_t project, const struct history_query *q,
		  const struct place *behind, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	struct jsonw w;
	int step;

	if (db_start(&l->db, &st, err, newest, "itiiiitt", project, q->benchmark, behind->t,
		     q->until_us ? q->until_us : INT64_MAX, behind->measured, behind->run,
		     q->machine, q->branch))
		return -1;
	step = db_step(&l->db, st, err);
	jsonw_init(&w, out, 0);
	if (step > 0) {
		jsonw_object(&w);
		jsonw_kstring(&w, "status", db_text(st, 0));
		jsonw_kstring(&w, "commit", db_text(st, 1));
		ledger_write_time(&w, "time", db_integer(st, 2));
		jsonw_kstring(&w, "machine", db_text(st, 3));
		jsonw_kstring(&w, "id", db_text(st, 4));
		jsonw_object_end(&w);
	} else {
		jsonw_null(&w);
	}
	db_end(st);
	return step < 0 ? -1 : buf_check(out, err);
}
