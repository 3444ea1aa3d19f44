#include "lib/store/points/fold.h"

#include <stdlib.h>

#include "lib/store/points/chunk.h"

#include "lib/base/banned.h"

/* Of one fold, and of one step of it. */
#define MAX_RUNS 512
#define MAX_POINTS 32768
#define MAX_SERIES 128

/* Points of a chunk; one with others behind it may grow to twice as many. */
#define CHUNK_POINTS 512

bool fold_is_due(int64_t n_runs, int64_t n_points)
{
	return n_runs >= FOLD_RUNS || n_points >= FOLD_POINTS;
}

int fold_find(struct db *db, int64_t after, int64_t *out, struct err *err)
{
	return db_get(db, out, err,
		      "SELECT project_id FROM project WHERE project_id>?3 AND (n_tail>=?1"
		      " OR n_tail_points>=?2 OR fold_to>folded) ORDER BY project_id LIMIT 1",
		      "iii", (int64_t)FOLD_RUNS, (int64_t)FOLD_POINTS, after);
}

int fold_undo(struct db *db, int64_t project, struct err *err)
{
	if (db_run(db, err, "DELETE FROM chunk WHERE project_id=?1", "i", project))
		return -1;
	return db_run(db, err,
		      "UPDATE project SET folded=0, fold_to=0, fold_at=0,"
		      " n_tail=(SELECT count(*) FROM sheet AS s"
		      "  WHERE s.project_id=project.project_id),"
		      " n_tail_points=(SELECT coalesce(sum(n), 0) FROM sheet AS s"
		      "  WHERE s.project_id=project.project_id) WHERE project_id=?1",
		      "i", project);
}

/* How far this fold is to go. */
static int begin(struct db *db, int64_t project, struct folded *f, struct err *err)
{
	struct db_query *st = NULL;
	int64_t n_points = 0;
	int step;

	f->at = 0;
	if (db_start(db, &st, err,
		     "SELECT run_id, n FROM sheet WHERE project_id=?1 AND run_id>?2"
		     " ORDER BY run_id LIMIT ?3",
		     "iii", project, f->upto, (int64_t)MAX_RUNS))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		n_points += db_integer(st, 1);
		if (f->next > f->upto && n_points > MAX_POINTS)
			break;
		f->next = db_integer(st, 0);
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

struct taking {
	struct point_list list;
	int64_t behind; /* the series that are done */
	int64_t n_runs, n_points;
};

static int take(void *ctx, struct sheet *sheet, struct err *err)
{
	struct taking *t = ctx;
	struct ledger_point p;

	t->n_runs++;
	t->n_points += (int64_t)sheet->n;
	while (sheet_next(sheet)) {
		if (sheet->series <= t->behind)
			continue;
		if (sheet_read(sheet, &p, NULL, NULL, err) || point_list_add(&t->list, &p, err))
			return -1;
	}
	return 0;
}

static int order_in_chunks(const void *a, const void *b)
{
	const struct ledger_point *x = a, *y = b;

	if (x->series != y->series)
		return x->series > y->series ? 1 : -1;
	return point_order(x, y);
}

/* The chunk that a point belongs to; a project's points before its first one go there, too. */
struct home {
	bool is_there;
	struct chunk_key key;
	struct point_list list;
	bool is_last;
	int64_t next_t, next_run; /* where the one behind it begins */
};

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

/* The chunk before a point, or that it is in, and two behind it. */
static int ask_home(struct db *db, const struct ledger_point *p, struct db_query **out,
		    struct err *err)
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

static int find_home(struct db *db, struct db_query *st, const struct ledger_point *p,
		     struct home *h, struct err *err)
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

static int write_chunk(struct db *db, const struct ledger_point *points, size_t n, struct err *err)
{
	const struct chunk_key key = chunk_key_of(points, n);
	struct buf bytes = BUF_INIT;
	int result = -1;

	chunk_write(points, n, &bytes);
	if (!buf_check(&bytes, err))
		result = db_run(db, err,
				"INSERT INTO chunk (project_id, series_id, t0, run0, t1, run1, n,"
				" points) VALUES (?1,?2,?3,?4,?5,?6,?7,?8)"
				" ON CONFLICT (project_id, series_id, t0, run0) DO UPDATE SET"
				" t1=excluded.t1, run1=excluded.run1, n=excluded.n,"
				" points=excluded.points",
				"iiiiiiib", key.project, key.series, key.t0, key.run0, key.t1,
				key.run1, (int64_t)n, (const void *)buf_str(&bytes), bytes.len);
	buf_release(&bytes);
	return result;
}

/* One point a run, the newest that was added. */
static size_t drop_doubles(struct ledger_point *p, size_t n)
{
	size_t i, kept = 0;

	for (i = 0; i < n; i++) {
		if (kept && p[kept - 1].t == p[i].t && p[kept - 1].run == p[i].run)
			kept--;
		p[kept++] = p[i];
	}
	return kept;
}

/* The home's points again, in as many chunks as they need. */
static int write_home(struct db *db, struct home *h, struct err *err)
{
	struct ledger_point *p = h->list.points;
	size_t i, n, each = CHUNK_POINTS;

	qsort(p, h->list.n, sizeof(*p), order_in_chunks);
	n = drop_doubles(p, h->list.n);
	if (!h->is_last) /* only what comes late is added to it */
		each = n <= 2 * CHUNK_POINTS ? n : (n + n / CHUNK_POINTS) / (n / CHUNK_POINTS);
	if (h->is_there && (h->key.t0 != p->t || h->key.run0 != p->run) &&
	    db_run(db, err,
		   "DELETE FROM chunk WHERE project_id=?1 AND series_id=?2 AND t0=?3 AND run0=?4",
		   "iiii", h->key.project, h->key.series, h->key.t0, h->key.run0))
		return -1;
	for (i = 0; i < n; i += each)
		if (write_chunk(db, p + i, n - i < each ? n - i : each, err))
			return -1;
	return 0;
}

/* As many of points[0..n), of one series and in order, as belong into one chunk.  Ends st. */
static int fold_some(struct db *db, struct db_query *st, const struct ledger_point *points,
		     size_t n, size_t *out_n, struct err *err)
{
	struct home h;
	size_t i = 0;
	int result = find_home(db, st, points, &h, err);

	db_end(st);
	while (!result && i < n &&
	       (h.is_last || is_behind(h.next_t, h.next_run, points[i].t, points[i].run)))
		result = point_list_add(&h.list, &points[i++], err);
	if (!result)
		result = write_home(db, &h, err);
	free(h.list.points);
	*out_n = i;
	return result;
}

/* Those of one series, whose first home may be asked for already. */
struct share {
	const struct ledger_point *points;
	size_t n;
	struct db_query *asked;
};

static int fold_series(struct db *db, struct share *s, struct err *err)
{
	struct db_query *st = s->asked;
	size_t i, done = 0;

	s->asked = NULL;
	for (i = 0; i < s->n; i += done) {
		if (!st && ask_home(db, s->points + i, &st, err))
			return -1;
		if (fold_some(db, st, s->points + i, s->n - i, &done, err))
			return -1;
		st = NULL;
	}
	return 0;
}

/* The first series of the sorted points. */
static size_t share_out(const struct point_list *list, struct share *out, bool *out_all)
{
	size_t i, n, n_series = 0;

	for (i = 0; i < list->n && n_series < MAX_SERIES; i += n) {
		n = 1;
		while (i + n < list->n && list->points[i + n].series == list->points[i].series)
			n++;
		out[n_series++] = (struct share){ &list->points[i], n, NULL };
	}
	*out_all = i == list->n;
	return n_series;
}

/* All at once where each question is a journey. */
static int ask_all(struct db *db, struct share *shares, size_t n, struct err *err)
{
	size_t i;

	for (i = 0; db_is_far(db) && i < n; i++)
		if (ask_home(db, shares[i].points, &shares[i].asked, err) ||
		    db_ahead(db, shares[i].asked, err))
			return -1;
	return 0;
}

/* The last series that was folded in *out_at. */
static int fold_points(struct db *db, const struct point_list *list, int64_t *out_at, bool *out_all,
		       struct err *err)
{
	struct share shares[MAX_SERIES];
	size_t i, n = share_out(list, shares, out_all);
	int result = ask_all(db, shares, n, err);

	for (i = 0; !result && i < n; i++) {
		result = fold_series(db, &shares[i], err);
		if (!result)
			*out_at = shares[i].points->series;
	}
	for (i = 0; i < n; i++)
		db_end(shares[i].asked);
	return result;
}

static int keep(struct db *db, int64_t project, const struct folded *f, const struct taking *t,
		bool all, struct err *err)
{
	/* Counts that say more than is there end with it. */
	int64_t n_runs = t->n_runs ? t->n_runs : INT64_MAX;
	int64_t n_points = t->n_runs ? t->n_points : INT64_MAX;

	if (!all)
		return db_run(db, err,
			      "UPDATE project SET fold_to=?2, fold_at=?3 WHERE project_id=?1",
			      "iii", project, f->next, f->at);
	return db_run(db, err,
		      "UPDATE project SET folded=?2, fold_to=?2, fold_at=0,"
		      " n_tail=CASE WHEN n_tail>?3 THEN n_tail-?3 ELSE 0 END,"
		      " n_tail_points=CASE WHEN n_tail_points>?4 THEN n_tail_points-?4 ELSE 0"
		      " END"
		      " WHERE project_id=?1",
		      "iiii", project, f->next, n_runs, n_points);
}

int fold_step(struct db *db, int64_t project, struct err *err)
{
	struct taking t = { .n_runs = 0 };
	struct folded f;
	bool all = false;
	int result = -1;

	if (folded_read(db, project, &f, err) || (f.next <= f.upto && begin(db, project, &f, err)))
		return -1;
	t.behind = f.at;
	if (tail_visit(db, project, f.upto, f.next, take, &t, err))
		goto out;
	if (t.list.n)
		qsort(t.list.points, t.list.n, sizeof(*t.list.points), order_in_chunks);
	if (!fold_points(db, &t.list, &f.at, &all, err))
		result = keep(db, project, &f, &t, all, err);
out:
	free(t.list.points);
	return result;
}
