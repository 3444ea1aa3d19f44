#include "lib/store/points/fold.h"

#include <stdlib.h>

#include "lib/store/points/home.h"

#include "lib/base/banned.h"

/* Of one fold. */
#define MAX_RUNS 512
#define MAX_POINTS 32768

/* Of one step of it: whoever posts waits for that. */
#define STEP_SERIES 128
#define STEP_POINTS 8192

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
	int64_t behind, upto; /* the series of this step */
	bool is_left;	      /* there are others behind them */
	int64_t n_tail;	      /* runs that there are, about */
	int64_t n_runs, n_points;
};

static int order_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* How far this step goes, by the first sheet: the series of all are often the same. */
static int choose_end(struct taking *t, struct sheet sheet, struct err *err)
{
	int64_t *series = malloc((sheet.n + 1) * sizeof(*series));
	size_t n = 0, n_steps;

	if (!series)
		return err_nomem(err);
	while (sheet_next(&sheet))
		if (sheet.series > t->behind)
			series[n++] = sheet.series;
	n_steps = n * (size_t)(t->n_tail < MAX_RUNS ? t->n_tail : MAX_RUNS) / STEP_POINTS + 1;
	if (n_steps > 1) {
		qsort(series, n, sizeof(*series), order_numbers);
		t->upto = series[(n - 1) / n_steps];
	}
	free(series);
	return 0;
}

static int take(void *ctx, struct sheet *sheet, struct err *err)
{
	struct taking *t = ctx;
	struct ledger_point p;

	if (!t->n_runs && choose_end(t, *sheet, err))
		return -1;
	t->n_runs++;
	t->n_points += (int64_t)sheet->n;
	while (sheet_next(sheet)) {
		t->is_left = t->is_left || sheet->series > t->upto;
		if (sheet->series <= t->behind || sheet->series > t->upto)
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

/* Most come in order: what is new behind what is there. */
static void sort(struct ledger_point *p, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (order_in_chunks(&p[i - 1], &p[i]) > 0) {
			qsort(p, n, sizeof(*p), order_in_chunks);
			return;
		}
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

	sort(p, h->list.n);
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
	int result = home_find(db, st, points, &h, err);

	db_end(st);
	while (!result && i < n && home_takes(&h, &points[i]))
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
		if (!st && home_ask(db, s->points + i, &st, err))
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

	for (i = 0; i < list->n && n_series < STEP_SERIES; i += n) {
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
		if (home_ask(db, shares[i].points, &shares[i].asked, err) ||
		    db_ahead(db, shares[i].asked, err))
			return -1;
	return 0;
}

/* The last series that was folded in *out_at. */
static int fold_points(struct db *db, const struct point_list *list, int64_t *out_at, bool *out_all,
		       struct err *err)
{
	struct share shares[STEP_SERIES];
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
	struct taking t = { .upto = INT64_MAX };
	struct folded f;
	bool all = false;
	int result = -1;

	if (folded_read(db, project, &f, err) || (f.next <= f.upto && begin(db, project, &f, err)))
		return -1;
	t.behind = f.at;
	t.n_tail = f.n_runs;
	if (tail_visit(db, project, f.upto, f.next, take, &t, err))
		goto out;
	sort(t.list.points, t.list.n);
	if (fold_points(db, &t.list, &f.at, &all, err))
		goto out;
	if (all && t.is_left) {
		f.at = t.upto;
		all = false;
	}
	result = keep(db, project, &f, &t, all, err);
out:
	free(t.list.points);
	return result;
}
