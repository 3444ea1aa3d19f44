/* One series over the commits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/answer.h"

#include "lib/base/banned.h"

/* The natural key: without statistics the database would rather read all series of the project. */
#define BY_NAME " INDEXED BY sqlite_autoindex_series_2"

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

static const char *direction_word(int64_t higher)
{
	return higher ? "higher" : "lower";
}

/* 0, 1, or -1 for any. */
static int64_t direction(const struct history_query *q)
{
	return q->better ? !strcmp(q->better, "higher") : -1;
}

static int no_such_series(const struct history_query *q, struct err *err)
{
	if (q->unit || q->better)
		return err_set(err, ERR_ABSENT,
			       "no series of benchmark '%s' with that metric, unit and direction",
			       q->benchmark);
	if (q->metric)
		return err_set(err, ERR_ABSENT, "no metric '%s' of benchmark '%s'", q->metric,
			       q->benchmark);
	return err_set(err, ERR_ABSENT, "no benchmark '%s'", q->benchmark);
}

/* When a metric was measured in two units, or better meant two things, the newest point decides. */
static int choose_metric(struct ledger *l, int64_t project, const struct history_query *q,
			 struct chosen *out, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT metric, unit, better FROM series AS s" BY_NAME
		     " WHERE project_id=?1 AND apart IN (0,?2)"
		     " AND benchmark=?3 AND (?4 IS NULL OR metric=?4) AND (?5 IS NULL OR unit=?5)"
		     " AND (?6<0 OR better=?6)"
		     " ORDER BY apart, gate DESC, (SELECT max(t) FROM point AS p"
		     "  WHERE p.project_id=s.project_id AND p.series_id=s.series_id) DESC,"
		     " series_id DESC LIMIT 1",
		     "iittti", project, (int64_t)q->untrusted, q->benchmark, q->metric, q->unit,
		     direction(q)))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		out->higher = db_integer(st, 2) != 0;
		step = str_set(&out->metric, db_text(st, 0), err) ||
				       str_set(&out->unit, db_text(st, 1), err)
			       ? -1
			       : 0;
	} else if (!step) {
		step = no_such_series(q, err);
	}
	db_end(st);
	return step;
}

/* What the same metric was measured in besides: a question with that unit and direction shows it.
 */
static int write_other_units(struct ledger *l, int64_t project, const struct history_query *q,
			     const struct chosen *c, struct jsonw *w, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT DISTINCT unit, better FROM series WHERE project_id=?1 AND apart IN "
		     "(0,?2)"
		     " AND benchmark=?3 AND metric=?4 AND NOT (unit=?5 AND better=?6)"
		     " ORDER BY unit, better",
		     "iittti", project, (int64_t)q->untrusted, q->benchmark, c->metric, c->unit,
		     (int64_t)c->higher))
		return -1;
	jsonw_key(w, "other_units");
	jsonw_array(w);
	while ((step = db_step(&l->db, st, err)) > 0) {
		jsonw_object(w);
		jsonw_kstring(w, "unit", db_text(st, 0));
		jsonw_kstring(w, "better", direction_word(db_integer(st, 1)));
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
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
		     "SELECT s.series_id FROM series AS s" BY_NAME " JOIN env AS e"
		     " ON e.project_id=s.project_id AND e.env_id=s.env_id"
		     " WHERE s.project_id=?1 AND s.apart IN (0,?2) AND s.benchmark=?3 AND "
		     "s.metric=?4"
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

/* Of one series the table itself is in the order asked for; several are sorted. */
#define PICK(series, order) \
	"SELECT " POINT_COLUMNS " FROM point AS p WHERE p.project_id=?1 AND p.series_id " series \
	" AND p.t>=?3 AND p.t<=?4 AND NOT (p.flags & 1)" \
	" AND (p.t, p.run_id, p.series_id)>(?5, ?6, ?7)" \
	" ORDER BY p.t" order ", p.run_id" order ", p.series_id" order " LIMIT ?8"
#define MANY "IN (SELECT value FROM json_each(?2))"

/* The last ones, in the order of the others: series_id, t, run_id are the first three columns. */
#define TURNED(pick) "SELECT * FROM (" pick ") ORDER BY 2, 3, 1"

static const char pick_one[] = PICK("=?2", "");
static const char pick_many[] = PICK(MANY, "");
static const char pick_newest_one[] = TURNED(PICK("=?2", " DESC"));
static const char pick_newest_many[] = TURNED(PICK(MANY, " DESC"));

/* The runs of a branch are in that order by an index; each was on one machine, so it has one point
 * at most. */
#define PICK_BRANCH(order) \
	"SELECT " POINT_COLUMNS " FROM run AS b INDEXED BY run_by_branch" \
	" CROSS JOIN series AS s ON s.project_id=b.project_id AND s.apart=b.apart" \
	"  AND s.benchmark=?9 AND s.metric=?10 AND s.env_id=b.env_id AND s.unit=?11" \
	"  AND s.better=?12 AND s.series_id " MANY \
	" CROSS JOIN point AS p ON p.project_id=b.project_id AND p.series_id=s.series_id" \
	"  AND p.t=b.t AND p.run_id=b.run_id" \
	" WHERE b.project_id=?1 AND b.branch=?7 AND b.t>=?3 AND b.t<=?4" \
	" AND (b.t, b.run_id)>(?5, ?6) AND NOT (p.flags & 1)" \
	" ORDER BY b.t" order ", b.run_id" order " LIMIT ?8"

static const char pick_branch[] = PICK_BRANCH("");
static const char pick_newest_branch[] = TURNED(PICK_BRANCH(" DESC"));

static int start_pick(const struct history_query *q, const struct chosen *c, struct answer *a,
		      struct sqlite3_stmt **out, struct err *err)
{
	int64_t until = q->until_us ? q->until_us : INT64_MAX;
	int64_t limit = (int64_t)q->limit + !q->newest; /* one more: whether there are more */
	int64_t since = q->since_us ? q->since_us : INT64_MIN;
	struct place from = { 0, 0, 0 };

	if (read_cursor(q->cursor, &from, err))
		return -1;
	if (q->branch)
		return db_start(&a->l->db, out, err, q->newest ? pick_newest_branch : pick_branch,
				"itiiiitittti", a->project, buf_str(&c->ids), since, until, from.t,
				from.run, q->branch, limit, q->benchmark, c->metric, c->unit,
				(int64_t)c->higher);
	if (c->n == 1)
		return db_start(&a->l->db, out, err, q->newest ? pick_newest_one : pick_one,
				"iiiiiiii", a->project, c->one, since, until, from.t, from.run,
				from.series, limit);
	return db_start(&a->l->db, out, err, q->newest ? pick_newest_many : pick_many, "itiiiiii",
			a->project, buf_str(&c->ids), since, until, from.t, from.run, from.series,
			limit);
}

/* Reads a page of points; *out_next is the place of its last point when more follow. */
static int read_points(const struct history_query *q, const struct chosen *c, struct answer *a,
		       struct place *out_next, bool *out_more, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	struct ledger_point point;
	size_t n = 0;
	int step;

	if (start_pick(q, c, a, &st, err))
		return -1;
	while ((step = db_step(&a->l->db, st, err)) > 0 && n++ < q->limit) {
		if (point_read(st, 0, a->project, &point, err) || answer_add(a, &point, err)) {
			step = -1;
			break;
		}
		*out_next = (struct place){ point.t, point.run, point.series };
	}
	*out_more = step > 0;
	db_end(st);
	return step < 0 ? -1 : 0;
}

static int write_history(const struct history_query *q, const struct chosen *c, struct answer *a,
			 const struct place *next, struct buf *out, struct err *err)
{
	char cursor[80] = "";
	struct jsonw w;

	if (next)
		snprintf(cursor, sizeof(cursor), "%" PRId64 ".%" PRId64 ".%" PRId64, next->t,
			 next->run, next->series);
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "project", q->project);
	jsonw_kstring(&w, "benchmark", q->benchmark);
	jsonw_kstring(&w, "metric", c->metric);
	jsonw_kstring(&w, "unit", c->unit);
	jsonw_kstring(&w, "better", direction_word(c->higher));
	if (write_other_units(a->l, a->project, q, c, &w, err))
		return -1;
	answer_write(a, &w);
	jsonw_kstring(&w, "next", next ? cursor : NULL);
	jsonw_object_end(&w);
	return buf_check(out, err);
}

int ledger_history(struct ledger *l, const struct history_query *q, struct buf *out,
		   struct err *err)
{
	struct chosen chosen = { .ids = BUF_INIT };
	struct place next = { 0, 0, 0 };
	struct answer a;
	int64_t project = 0;
	bool more = false;
	int result = -1;

	if (db_begin_read(&l->db, err))
		return -1;
	if (ledger_find_project(l, q->project, &project, err) ||
	    choose(l, project, q, &chosen, err))
		goto out;
	answer_init(&a, l, project);
	result = read_points(q, &chosen, &a, &next, &more, err);
	if (!result)
		result = write_history(q, &chosen, &a, more ? &next : NULL, out, err);
	answer_release(&a);
out:
	db_rollback(&l->db);
	chosen_release(&chosen);
	return result;
}
