/* One series over the commits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/number.h"
#include "lib/base/strv.h"
#include "lib/base/when.h"
#include "lib/store/ledger_local.h"

#include "lib/base/banned.h"

/* The series of one question: all of one metric, unit and direction. */
struct chosen {
	char *metric, *unit;
	bool higher;
	struct buf ids; /* "[1,2,3]" */
	int64_t one;	/* the only one, when n is 1 */
	size_t n;
};

static void chosen_release(struct chosen *c)
{
	free(c->metric);
	free(c->unit);
	buf_release(&c->ids);
}

/* Of a metric that was measured in two units the newer series decides which is shown. */
static int choose_metric(struct ledger *l, int64_t project, const struct history_query *q,
			 struct chosen *out, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT metric, unit, better FROM series WHERE project_id=?1 AND apart<=?2"
		     " AND benchmark=?3 AND (?4 IS NULL OR metric=?4)"
		     " ORDER BY apart, gate DESC, series_id DESC LIMIT 1",
		     "iitt", project, (int64_t)q->untrusted, q->benchmark, q->metric))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		out->higher = db_integer(st, 2) != 0;
		step = str_set(&out->metric, db_text(st, 0), err) ||
				       str_set(&out->unit, db_text(st, 1), err)
			       ? -1
			       : 0;
	} else if (!step) {
		step = q->metric ? err_set(err, ERR_ABSENT, "no metric '%s' of benchmark '%s'",
					   q->metric, q->benchmark)
				 : err_set(err, ERR_ABSENT, "no benchmark '%s'", q->benchmark);
	}
	db_end(st);
	return step;
}

static int choose(struct ledger *l, int64_t project, const struct history_query *q,
		  struct chosen *out, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int step;

	if (choose_metric(l, project, q, out, err))
		return -1;
	if (db_start(&l->db, &st, err,
		     "SELECT s.series_id FROM series AS s JOIN env AS e"
		     " ON e.project_id=s.project_id AND e.env_id=s.env_id"
		     " WHERE s.project_id=?1 AND s.apart<=?2 AND s.benchmark=?3 AND s.metric=?4"
		     " AND s.unit=?5 AND s.better=?6 AND (?7 IS NULL OR e.machine=?7)",
		     "iitttit", project, (int64_t)q->untrusted, q->benchmark, out->metric,
		     out->unit, (int64_t)out->higher, q->machine))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		out->one = db_integer(st, 0);
		buf_addf(&out->ids, "%s%" PRId64, out->n++ ? "," : "[", out->one);
	}
	db_end(st);
	buf_adds(&out->ids, out->n ? "]" : "[]");
	return step ? -1 : buf_check(&out->ids, err);
}

/* Where a page begins: behind this point. */
struct place {
	int64_t t, run, series;
};

static int read_cursor(const char *text, struct place *out, struct err *err)
{
	int64_t part[3];
	int i;

	if (!text) {
		*out = (struct place){ INT64_MIN, 0, 0 };
		return 0;
	}
	for (i = 0; i < 3; i++) {
		char *end;

		part[i] = strtoll(text, &end, 10);
		if (end == text || *end != (i < 2 ? '.' : '\0'))
			return err_set(err, ERR_RANGE, "that is no cursor");
		text = end + 1;
	}
	*out = (struct place){ part[0], part[1], part[2] };
	return 0;
}

/*
 * The points are picked first and the rest is joined to those alone.  Of one series the
 * table itself is in the order asked for; several are sorted.
 */
#define PICK(series) \
	"WITH picked AS (SELECT * FROM point AS p WHERE p.project_id=?1 AND p.series_id " series \
	" AND p.t>=?3 AND p.t<=?4 AND NOT (p.flags & 1)" \
	" AND (p.t, p.run_id, p.series_id)>(?5, ?6, ?7)" \
	" AND (?8 IS NULL OR (SELECT branch FROM run AS b" \
	"  WHERE b.project_id=p.project_id AND b.run_id=p.run_id)=?8)" \
	" ORDER BY p.t, p.run_id, p.series_id LIMIT ?9)" \
	" SELECT p.t, p.run_id, p.series_id, p.v, p.low, p.high, p.n, p.verdict, p.ratio," \
	" p.ratio_low, p.ratio_high, p.flags, c.sha, r.id, e.machine, r.apart, b.sha" \
	" FROM picked AS p CROSS JOIN run AS r ON r.project_id=p.project_id AND r.run_id=p.run_id" \
	" CROSS JOIN vcs_commit AS c ON c.project_id=r.project_id AND c.commit_id=r.commit_id" \
	" CROSS JOIN env AS e ON e.project_id=r.project_id AND e.env_id=r.env_id" \
	" LEFT JOIN vcs_commit AS b ON b.project_id=p.project_id AND b.commit_id=p.base_id" \
	" ORDER BY p.t, p.run_id, p.series_id"

static const char pick_one[] = PICK("=?2");
static const char pick_many[] = PICK("IN (SELECT value FROM json_each(?2))");

enum { COMMIT, TIME, VALUE, LOW, HIGH, N, VERDICT, RATIO, MACHINE, ID, UNTRUSTED, N_COLUMNS };

static const char *const column_names[N_COLUMNS] = { "commit",	"time", "value",    "low",
						     "high",	"n",	"verdict",  "ratio",
						     "machine", "id",	"untrusted" };

struct column {
	struct buf text;
	struct jsonw w;
};

/* An answer as it grows: each column by itself, and the change points. */
struct answer {
	struct column columns[N_COLUMNS];
	struct column changes;
};

static void column_init(struct column *c)
{
	c->text = (struct buf)BUF_INIT;
	jsonw_init(&c->w, &c->text, 0);
	jsonw_array(&c->w);
}

static void answer_init(struct answer *a)
{
	int i;

	for (i = 0; i < N_COLUMNS; i++)
		column_init(&a->columns[i]);
	column_init(&a->changes);
}

static void answer_release(struct answer *a)
{
	int i;

	for (i = 0; i < N_COLUMNS; i++)
		buf_release(&a->columns[i].text);
	buf_release(&a->changes.text);
}

static void write_delta(struct jsonw *w, struct sqlite3_stmt *st, int first)
{
	jsonw_knumber(w, "ratio", db_double(st, first));
	jsonw_knumber(w, "low", db_double(st, first + 1));
	jsonw_knumber(w, "high", db_double(st, first + 2));
}

static bool is_change(int64_t verdict, int64_t flags)
{
	return (verdict == VERDICT_REGRESSED || verdict == VERDICT_IMPROVED) &&
	       (flags & POINT_GATE) && !(flags & POINT_SUSPECT);
}

static void add_change(struct jsonw *w, struct sqlite3_stmt *st)
{
	jsonw_object(w);
	jsonw_kstring(w, "commit", db_text(st, 12));
	ledger_write_time(w, "time", db_integer(st, 0));
	jsonw_kstring(w, "base", db_is_null(st, 16) ? NULL : db_text(st, 16));
	jsonw_kbool(w, "exact", (db_integer(st, 11) & POINT_EXACT) != 0);
	jsonw_kstring(w, "verdict", ledger_verdict(db_integer(st, 7)));
	write_delta(w, st, 8);
	jsonw_kstring(w, "machine", db_text(st, 14));
	jsonw_kstring(w, "id", db_text(st, 13));
	jsonw_kbool(w, "untrusted", db_integer(st, 15) != 0);
	jsonw_object_end(w);
}

static void add_row(struct answer *a, struct sqlite3_stmt *st)
{
	int64_t t = db_integer(st, 0);
	char text[WHEN_ISO];

	jsonw_string(&a->columns[COMMIT].w, db_text(st, 12));
	jsonw_string(&a->columns[TIME].w, when_iso(t, t % 1000000 != 0, text));
	jsonw_number(&a->columns[VALUE].w, db_double(st, 3));
	jsonw_number(&a->columns[LOW].w, db_double(st, 4));
	jsonw_number(&a->columns[HIGH].w, db_double(st, 5));
	jsonw_integer(&a->columns[N].w, db_integer(st, 6));
	jsonw_string(&a->columns[VERDICT].w, ledger_verdict(db_integer(st, 7)));
	jsonw_number(&a->columns[RATIO].w, db_double(st, 8));
	jsonw_string(&a->columns[MACHINE].w, db_text(st, 14));
	jsonw_string(&a->columns[ID].w, db_text(st, 13));
	jsonw_bool(&a->columns[UNTRUSTED].w, db_integer(st, 15) != 0);
	if (is_change(db_integer(st, 7), db_integer(st, 11)))
		add_change(&a->changes.w, st);
}

/* Reads a page of points; *out_next is the place of its last point when more follow. */
static int read_points(struct ledger *l, int64_t project, const struct history_query *q,
		       const struct chosen *c, struct answer *a, struct place *out_next,
		       bool *out_more, struct err *err)
{
	int64_t until = q->until_us ? q->until_us : INT64_MAX, limit = (int64_t)q->limit + 1;
	int64_t since = q->since_us ? q->since_us : INT64_MIN;
	struct sqlite3_stmt *st = NULL;
	struct place from = { 0, 0, 0 };
	size_t n = 0;
	int step;

	if (read_cursor(q->cursor, &from, err))
		return -1;
	step = c->n == 1 ? db_start(&l->db, &st, err, pick_one, "iiiiiiiti", project, c->one, since,
				    until, from.t, from.run, from.series, q->branch, limit)
			 : db_start(&l->db, &st, err, pick_many, "itiiiiiti", project,
				    buf_str(&c->ids), since, until, from.t, from.run, from.series,
				    q->branch, limit);
	if (step)
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0 && n++ < q->limit) {
		*out_next =
			(struct place){ db_integer(st, 0), db_integer(st, 1), db_integer(st, 2) };
		add_row(a, st);
	}
	*out_more = step > 0;
	db_end(st);
	return step < 0 ? -1 : 0;
}

static void put_column(struct jsonw *w, const char *name, struct column *c)
{
	jsonw_array_end(&c->w);
	jsonw_key(w, name);
	jsonw_raw(w, buf_str(&c->text), c->text.len);
	/* A column without memory would make an answer that is no JSON. */
	w->out->failed = w->out->failed || c->text.failed;
}

static void write_history(const struct history_query *q, const struct chosen *c, struct answer *a,
			  const struct place *next, struct buf *out)
{
	char cursor[80];
	struct jsonw w;
	int i;

	snprintf(cursor, sizeof(cursor), "%" PRId64 ".%" PRId64 ".%" PRId64, next ? next->t : 0,
		 next ? next->run : 0, next ? next->series : 0);
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", q->project);
	jsonw_kstring(&w, "benchmark", q->benchmark);
	jsonw_kstring(&w, "metric", c->metric);
	jsonw_kstring(&w, "unit", c->unit);
	jsonw_kstring(&w, "better", c->higher ? "higher" : "lower");
	jsonw_key(&w, "points");
	jsonw_object(&w);
	for (i = 0; i < N_COLUMNS; i++)
		put_column(&w, column_names[i], &a->columns[i]);
	jsonw_object_end(&w);
	put_column(&w, "change_points", &a->changes);
	jsonw_kstring(&w, "next", next ? cursor : NULL);
	jsonw_object_end(&w);
}

int ledger_history(struct ledger *l, const struct history_query *q, struct buf *out,
		   struct err *err)
{
	struct chosen chosen = { .ids = BUF_INIT };
	struct place next;
	struct answer a;
	int64_t project;
	bool more = false;
	int result = -1;

	if (db_begin_read(&l->db, err))
		return -1;
	answer_init(&a);
	if (ledger_find_project(l, q->project, &project, err) ||
	    choose(l, project, q, &chosen, err) ||
	    read_points(l, project, q, &chosen, &a, &next, &more, err))
		goto out;
	write_history(q, &chosen, &a, more ? &next : NULL, out);
	result = buf_check(out, err);
out:
	db_rollback(&l->db);
	answer_release(&a);
	chosen_release(&chosen);
	return result;
}
