#include "lib/store/points/tail.h"

#include <stdlib.h>

#include "lib/base/banned.h"

static int read_folded(struct db *db, const char *sql, int64_t project, struct folded *out,
		       struct err *err)
{
	struct db_query *st = NULL;
	int step;

	*out = (struct folded){ .upto = 0 };
	if (db_start(db, &st, err, sql, "i", project))
		return -1;
	step = db_step(db, st, err);
	if (step > 0)
		*out = (struct folded){ .upto = db_integer(st, 0),
					.next = db_integer(st, 1),
					.at = db_integer(st, 2),
					.changed = db_integer(st, 3),
					.n_runs = db_integer(st, 4) };
	db_end(st);
	return step < 0 ? -1 : 0;
}

/* A store of before has no log when it is folded for the first time. */
int folded_read(struct db *db, int64_t project, struct folded *out, struct err *err)
{
	static const char sql[] = "SELECT folded, fold_to, fold_at, 0, n_tail FROM project"
				  " WHERE project_id=?1";

	return read_folded(db, sql, project, out, err);
}

int folded_read_changed(struct db *db, int64_t project, struct folded *out, struct err *err)
{
	static const char sql[] = "SELECT folded, fold_to, fold_at, (SELECT max(audit_id)"
				  " FROM audit AS a WHERE a.project_id=project.project_id), n_tail"
				  " FROM project WHERE project_id=?1";

	return read_folded(db, sql, project, out, err);
}

int64_t folded_of(const struct folded *f, int64_t series)
{
	return series <= f->at ? f->next : f->upto;
}

int tail_visit(struct db *db, int64_t project, int64_t after, int64_t upto,
	       int (*take)(void *ctx, struct sheet *sheet, struct err *err), void *ctx,
	       struct err *err)
{
	struct db_query *st = NULL;
	struct sheet sheet;
	int step;

	if (db_scan(db, &st, err,
		    "SELECT run_id, t, points FROM sheet"
		    " WHERE project_id=?1 AND run_id>?2 AND run_id<=?3 ORDER BY run_id",
		    "iii", project, after, upto))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		size_t n;
		const void *bytes = db_bytes(st, 2, &n);

		if (db_row_check(st, err) ||
		    sheet_open(&sheet, project, db_integer(st, 0), db_integer(st, 1), bytes, n,
			       err) ||
		    take(ctx, &sheet, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

int point_list_add(struct point_list *list, const struct ledger_point *p, struct err *err)
{
	if (list->n == list->room) {
		size_t room = list->room ? 2 * list->room : 64;
		void *grown = realloc(list->points, room * sizeof(*p));

		if (!grown)
			return err_nomem(err);
		list->points = grown;
		list->room = room;
	}
	list->points[list->n++] = *p;
	return 0;
}
