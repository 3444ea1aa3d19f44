/* Results of branches that were gone. */
#include "lib/store/watch/returned.h"

#include <stdlib.h>
#include <string.h>

#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

/* The gated figures of a sheet.  What is damaged is fsck's. */
static int add_points(struct watch *w, int64_t run, int64_t t, const void *bytes, size_t n,
		      const char *branch, struct err *err)
{
	struct watch_return *more;
	struct sheet sheet;
	struct ledger_point p;

	if (sheet_open(&sheet, w->project_id, run, t, bytes, n, NULL))
		return 0;
	while (sheet_next(&sheet)) {
		if (sheet_read(&sheet, &p, NULL, NULL, NULL) || !(p.flags & POINT_GATE))
			continue;
		more = realloc(w->returned, (w->n_returned + 1) * sizeof(*more));
		if (!more)
			return err_nomem(err);
		w->returned = more;
		more[w->n_returned] = (struct watch_return){
			.series = sheet.series,
			.run = run,
			.t = t,
			.base = p.base,
			.verdict = p.flags & POINT_SUSPECT ? VERDICT_NONE : (enum verdict)p.verdict,
			.ratio = p.ratio,
			.low = p.ratio_low,
			.high = p.ratio_high,
		};
		if (str_set(&more[w->n_returned].branch, branch, err))
			return -1;
		w->n_returned++;
	}
	return 0;
}

int returned_read(struct db *db, struct watch *w, int64_t from, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT r.run_id, p.t, p.points, r.branch FROM run AS r CROSS JOIN sheet AS p"
		     " ON p.project_id=r.project_id AND p.run_id=r.run_id WHERE r.project_id=?1"
		     " AND r.run_id>?2 AND r.run_id<=?3 AND r.apart=0 AND r.dirty=0 AND EXISTS"
		     " (SELECT 1 FROM alert AS a WHERE a.project_id=r.project_id AND a.state=4"
		     "  AND a.branch=coalesce(r.branch, '')) ORDER BY r.run_id",
		     "iii", w->project_id, from, w->seen))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		size_t n = 0;
		const void *bytes = db_bytes(st, 2, &n);

		if (n && add_points(w, db_integer(st, 0), db_integer(st, 1), bytes, n,
				    db_text(st, 3), err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

void returned_release(struct watch *w)
{
	size_t i;

	for (i = 0; i < w->n_returned; i++)
		free(w->returned[i].branch);
	free(w->returned);
	w->returned = NULL;
	w->n_returned = 0;
}

/* 1: its row is there. */
static int find_row(struct alert_batch *b, const struct watch_return *r, int64_t *out_commit,
		    int64_t *out_better, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err,
		     "SELECT r.commit_id, s.better FROM run AS r CROSS JOIN series AS s"
		     " ON s.project_id=r.project_id AND s.series_id=?3"
		     " WHERE r.project_id=?1 AND r.run_id=?2",
		     "iii", b->project, r->run, r->series))
		return -1;
	step = db_step(b->db, st, err);
	if (step > 0) {
		*out_commit = db_integer(st, 0);
		*out_better = db_integer(st, 1);
	}
	db_end(st);
	return step;
}

int returned_settle(struct alert_batch *b, const struct watch_return *r, struct err *err)
{
	int64_t commit = 0, better = 0;
	int found = find_row(b, r, &commit, &better, err);
	const struct alert_point p = { .series = r->series,
				       .run = r->run,
				       .commit = commit,
				       .t = r->t,
				       .base = r->base,
				       .higher = better != 0,
				       .verdict = r->verdict,
				       .can_open = true,
				       .ratio = r->ratio,
				       .low = r->low,
				       .high = r->high };

	b->branch = r->branch;
	return found <= 0 ? found : alerts_return(b, &p, err);
}
