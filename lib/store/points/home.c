#include "lib/store/points/home.h"

#include "lib/base/banned.h"

int home_ask(struct db *db, const struct ledger_point *p, struct db_query **out, struct err *err)
{
	return db_start(db, out, err,
			"SELECT t0, run0, t1, run1, points FROM (SELECT t0, run0, t1, run1, points"
			"  FROM chunk WHERE project_id=?1 AND series_id=?2 AND (t0, run0)<=(?3, ?4)"
			"  ORDER BY t0 DESC, run0 DESC LIMIT 1) AS a"
			" UNION ALL SELECT t0, run0, t1, run1, points FROM (SELECT t0, run0, t1,"
			"  run1, points FROM chunk WHERE project_id=?1 AND series_id=?2"
			"  AND (t0, run0)>(?3, ?4) ORDER BY t0, run0 LIMIT 2) AS b",
			"iiii", p->project, p->series, p->t, p->run);
}

static bool is_behind(int64_t t, int64_t run, int64_t of_t, int64_t of_run)
{
	return t > of_t || (t == of_t && run > of_run);
}

static int read_home(struct home *h, struct db_query *st, const struct ledger_point *p,
		     struct err *err)
{
	struct chunk chunk;
	size_t n;
	const void *bytes = db_bytes(st, 4, &n);
	int step;

	h->key = (struct chunk_key){ p->project,	p->series,	   db_integer(st, 0),
				     db_integer(st, 1), db_integer(st, 2), db_integer(st, 3) };
	h->list.n = 0; /* of one that comes before it */
	if (db_row_check(st, err) || chunk_open(&chunk, &h->key, bytes, n, err))
		return -1;
	while ((step = chunk_next(&chunk, err)) > 0)
		if (point_list_add(&h->list, &chunk.last, err))
			return -1;
	h->is_there = true;
	return step;
}

/* The one before it; else the first one behind it.  The rows are in any order. */
static bool is_nearer(const struct home *h, int64_t t, int64_t run, const struct ledger_point *p)
{
	if (!h->is_there || !is_behind(t, run, p->t, p->run))
		return true;
	return is_behind(h->key.t0, h->key.run0, p->t, p->run) &&
	       is_behind(h->key.t0, h->key.run0, t, run);
}

static void take_next(struct home *h, int64_t t, int64_t run)
{
	if (!h->is_last && !is_behind(h->next_t, h->next_run, t, run))
		return;
	h->is_last = false;
	h->next_t = t;
	h->next_run = run;
}

int home_find(struct db *db, struct db_query *st, const struct ledger_point *p, struct home *h,
	      struct err *err)
{
	int step;

	*h = (struct home){ .is_last = true };
	while ((step = db_step(db, st, err)) > 0) {
		int64_t t = db_integer(st, 0), run = db_integer(st, 1);

		if (!is_nearer(h, t, run, p)) {
			take_next(h, t, run);
			continue;
		}
		if (h->is_there)
			take_next(h, h->key.t0, h->key.run0);
		if (read_home(h, st, p, err))
			return -1;
	}
	return step;
}

bool home_takes(const struct home *h, const struct ledger_point *p)
{
	return h->is_last || is_behind(h->next_t, h->next_run, p->t, p->run);
}
