/* The benchmarks of a project, each with its metrics and series. */
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

/* What the list of benchmarks is in the middle of writing. */
struct open_levels {
	struct page *p;
	char *bench, *metric; /* NULL: that level is closed */
};

static void close_metric(struct open_levels *o)
{
	if (!o->metric)
		return;
	jsonw_array_end(&o->p->w);
	jsonw_object_end(&o->p->w);
	str_set(&o->metric, NULL, NULL);
}

static void close_bench(struct open_levels *o)
{
	close_metric(o);
	if (!o->bench)
		return;
	jsonw_array_end(&o->p->w);
	jsonw_object_end(&o->p->w);
	str_set(&o->bench, NULL, NULL);
}

/* One series; rows come ordered by benchmark, metric, unit, machine.  1: it is of the next page. */
static int write_series(struct open_levels *o, struct db_query *st, struct err *err)
{
	const char *bench = db_text(st, 0), *metric = db_text(st, 1);

	if (!o->bench || strcmp(o->bench, bench)) {
		close_bench(o);
		if (!page_has_room(o->p))
			return 1;
		if (str_set(&o->bench, bench, err))
			return -1;
		jsonw_object(&o->p->w);
		page_count(o->p, db_integer(st, 6), 0);
		jsonw_kstring(&o->p->w, "name", bench);
		jsonw_key(&o->p->w, "metrics");
		jsonw_array(&o->p->w);
	}
	if (!o->metric || strcmp(o->metric, metric)) {
		close_metric(o);
		if (str_set(&o->metric, metric, err))
			return -1;
		jsonw_object(&o->p->w);
		jsonw_kstring(&o->p->w, "name", metric);
		jsonw_key(&o->p->w, "series");
		jsonw_array(&o->p->w);
	}
	jsonw_object(&o->p->w);
	jsonw_kstring(&o->p->w, "machine", db_text(st, 2));
	jsonw_kstring(&o->p->w, "unit", db_text(st, 3));
	jsonw_kstring(&o->p->w, "better", db_integer(st, 4) ? "higher" : "lower");
	jsonw_kbool(&o->p->w, "gate", db_integer(st, 5) != 0);
	jsonw_object_end(&o->p->w);
	return 0;
}

static int write_all_series(struct open_levels *o, struct err *err)
{
	struct page *p = o->p;
	struct db_query *st = NULL;
	int step, result = 0;

	if (db_scan(&p->l->db, &st, err,
		    "SELECT s.benchmark, s.metric, e.machine, s.unit, s.better, s.gate,"
		    " s.series_id FROM series AS s JOIN env AS e"
		    " ON e.project_id=s.project_id AND e.env_id=s.env_id"
		    " WHERE s.project_id=?1 AND s.apart=0 AND (?2=0 OR s.benchmark>"
		    "  (SELECT benchmark FROM series WHERE project_id=?1 AND series_id=?2))"
		    " ORDER BY s.benchmark, s.metric, s.unit, e.machine, s.better, s.series_id",
		    "ii", p->project, p->from[0]))
		return -1;
	while (!result && (step = db_step(&p->l->db, st, err)) != 0)
		result = step < 0 ? -1 : write_series(o, st, err);
	db_end(st);
	close_bench(o);
	return result < 0 ? -1 : 0;
}

int lists_benchmarks(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct page p;
	struct open_levels o = { .p = &p };
	int result;

	if (page_begin(&p, l, q, "benchmarks", out, err))
		return -1;
	result = write_all_series(&o, &fault);
	/* The last one lacks series then: it cannot end a page. */
	if (result && p.n)
		p.n = 0;
	result = page_end(&p, result, out, &fault);
	if (result && err)
		*err = fault;
	return result;
}

int ledger_benchmarks(struct ledger *l, const char *project, struct buf *out, struct err *err)
{
	const struct list_query all = { .project = project, .limit = SIZE_MAX };

	return lists_benchmarks(l, &all, out, err);
}
