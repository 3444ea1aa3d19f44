#include "lib/store/points/recent.h"

#include <stdlib.h>

#include "lib/base/banned.h"

/* So many points are gone through for a question before they are sorted, too. */
#define MAX_UNSORTED 1024

/* In place of the verdict of a point that cannot be read. */
#define DAMAGED (-1)

struct recent {
	int64_t project;
	int64_t after, upto; /* of its runs: behind the one, up to the other */
	int64_t changed;     /* see struct folded */
	struct point_list list;
	size_t n_sorted; /* by series */
	bool is_damaged, is_full;
	uint64_t held; /* the snapshot that it is all of: see db_held() */
	struct folded folded;
};

void recent_free(struct recent *r)
{
	if (r)
		free(r->list.points);
	free(r);
}

static int order_series(const void *a, const void *b)
{
	const struct ledger_point *x = a, *y = b;

	return (x->series > y->series) - (x->series < y->series);
}

static int take(void *ctx, struct sheet *sheet, struct err *err)
{
	struct recent *r = ctx;

	r->upto = sheet->run;
	r->is_full = r->list.n + sheet->n > RECENT_MOST;
	if (r->is_full)
		return -1;
	while (sheet_next(sheet)) {
		struct err fault = ERR_INIT;
		struct ledger_point p;

		if (sheet_read(sheet, &p, NULL, NULL, &fault)) {
			p = (struct ledger_point){ .series = sheet->series,
						   .run = sheet->run,
						   .verdict = DAMAGED };
			r->is_damaged = true;
		} else {
			p = point_shown(&p);
		}
		if (point_list_add(&r->list, &p, err))
			return -1;
	}
	return 0;
}

static int update(struct recent *r, struct db *db, int64_t project, const struct folded *f,
		  struct err *err)
{
	if (r->is_full && r->project == project && r->after == f->upto)
		return 0;
	if (r->is_damaged || r->is_full || r->project != project || r->after != f->upto ||
	    r->changed != f->changed) {
		r->list.n = r->n_sorted = 0;
		r->is_damaged = r->is_full = false;
		r->project = project;
		r->after = r->upto = f->upto;
		r->changed = f->changed;
	} else if (db_held(db) && r->held == db_held(db)) {
		return 0;
	}
	r->held = 0;
	if (tail_visit(db, project, r->upto, INT64_MAX, take, r, err)) {
		if (!r->is_full)
			r->project = 0;
		free(r->list.points);
		r->list = (struct point_list){ .n = 0 };
		r->n_sorted = 0;
		return r->is_full ? 0 : -1;
	}
	if (r->list.n - r->n_sorted > MAX_UNSORTED) {
		qsort(r->list.points, r->list.n, sizeof(*r->list.points), order_series);
		r->n_sorted = r->list.n;
	}
	r->held = db_held(db);
	r->folded = *f;
	return 0;
}

static int take_point(const struct ledger_point *p, const struct folded *f, struct point_list *out,
		      struct err *err)
{
	if (p->run <= folded_of(f, p->series))
		return 0;
	if (p->verdict == DAMAGED) {
		err_set(err, ERR_CORRUPT,
			"points of run %lld are damaged: their checksum does not fit",
			(long long)p->run);
		return err_hint(err, "pawld fsck --store STORE");
	}
	return point_list_add(out, p, err);
}

/* The first of the sorted points that is of that series or a later one. */
static size_t find(const struct recent *r, int64_t series)
{
	size_t low = 0, high = r->n_sorted;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r->list.points[middle].series < series)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int order_numbers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Straight from the sheets. */
struct asked {
	const struct folded *folded;
	const int64_t *series;
	size_t n;
	struct point_list *out;
};

static int take_asked(void *ctx, struct sheet *sheet, struct err *err)
{
	struct asked *a = ctx;
	struct ledger_point p;

	while (sheet_next(sheet)) {
		if (!bsearch(&sheet->series, a->series, a->n, sizeof(*a->series), order_numbers))
			continue;
		if (sheet->run <= folded_of(a->folded, sheet->series))
			continue;
		if (sheet_read(sheet, &p, NULL, NULL, err))
			return -1;
		p = point_shown(&p);
		if (point_list_add(a->out, &p, err))
			return -1;
	}
	return 0;
}

int recent_folded(const struct recent *r, struct db *db, int64_t project, struct folded *out,
		  struct err *err)
{
	if (!r || !db_held(db) || r->held != db_held(db) || r->project != project)
		return folded_read_changed(db, project, out, err);
	*out = r->folded;
	return 0;
}

int recent_points(struct recent **kept, struct db *db, int64_t project, const struct folded *f,
		  const int64_t *series, size_t n, struct point_list *out, struct err *err)
{
	struct recent *r = *kept ? *kept : calloc(1, sizeof(*r));
	struct asked asked = { f, series, n, out };
	const struct ledger_point *p;
	size_t i, at;

	if (!r)
		return err_nomem(err);
	*kept = r;
	if (update(r, db, project, f, err))
		return -1;
	if (r->is_full)
		return tail_visit(db, project, f->upto, INT64_MAX, take_asked, &asked, err);
	p = r->list.points;
	for (i = 0; i < n; i++)
		for (at = find(r, series[i]); at < r->n_sorted && p[at].series == series[i]; at++)
			if (take_point(&p[at], f, out, err))
				return -1;
	for (at = r->n_sorted; at < r->list.n; at++)
		if (bsearch(&p[at].series, series, n, sizeof(*series), order_numbers) &&
		    take_point(&p[at], f, out, err))
			return -1;
	return 0;
}
