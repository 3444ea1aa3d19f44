#include "lib/store/history/choose.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/newest.h"

#include "lib/base/banned.h"

/* The natural key: without statistics the database would rather read all series of the project. */
#define BY_NAME " INDEXED BY sqlite_autoindex_series_2"

void chosen_release(struct chosen *c)
{
	free(c->metric);
	free(c->unit);
	buf_release(&c->ids);
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
			       "parameter '%s' fits no series of benchmark '%s' with that metric%s",
			       q->unit ? "unit" : "better", q->benchmark,
			       q->unit && q->better ? " and direction" : "");
	if (q->metric)
		return err_set(err, ERR_ABSENT, "no metric '%s' of benchmark '%s'", q->metric,
			       q->benchmark);
	return err_set(err, ERR_ABSENT, "no benchmark '%s'", q->benchmark);
}

/* The row's metric, unit and direction, from that column on. */
static int take_row(struct db_query *st, int column, struct chosen *out, struct err *err)
{
	out->higher = db_integer(st, column + 2) != 0;
	return str_set(&out->metric, db_text(st, column), err) ||
			       str_set(&out->unit, db_text(st, column + 1), err)
		       ? -1
		       : 0;
}

static int take_series(struct ledger *l, int64_t project, int64_t series, struct chosen *out,
		       struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT metric, unit, better FROM series WHERE project_id=?1 AND series_id=?2",
		     "ii", project, series))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0)
		step = take_row(st, 0, out, err);
	db_end(st);
	return step;
}

/* Series of the first rank; is_mixed: their metrics, units or directions differ. */
struct ranked {
	struct buf ids; /* n numbers, int64_t each, the highest first */
	size_t n;
	int64_t apart, gate;
	bool is_mixed;
};

/* The first one in *out.  1: the row, and all behind it, are of a later rank. */
static int rank_row(struct db_query *st, struct ranked *r, struct chosen *out, struct err *err)
{
	int64_t series = db_integer(st, 0), apart = db_integer(st, 1), gate = db_integer(st, 2);

	if (r->n && (apart != r->apart || gate != r->gate))
		return 1;
	if (!r->n && take_row(st, 3, out, err))
		return -1;
	r->is_mixed |= strcmp(out->metric, db_text(st, 3)) || strcmp(out->unit, db_text(st, 4)) ||
		       out->higher != (db_integer(st, 5) != 0);
	r->apart = apart;
	r->gate = gate;
	r->n++;
	buf_add(&r->ids, &series, sizeof(series));
	return 0;
}

static const int64_t *numbers(const struct buf *ids)
{
	return (const int64_t *)(const void *)buf_str(ids);
}

static int rank_series(struct ledger *l, int64_t project, const struct history_query *q,
		       struct ranked *r, struct chosen *out, struct err *err)
{
	struct db_query *st = NULL;
	int step, end = 0;

	if (db_start(&l->db, &st, err,
		     "SELECT series_id, apart, gate, metric, unit, better FROM series" BY_NAME
		     " WHERE project_id=?1 AND apart IN (0,?2) AND benchmark=?3"
		     " AND (?4 IS NULL OR metric=?4) AND (?5 IS NULL OR unit=?5)"
		     " AND (?6<0 OR better=?6) ORDER BY apart, gate DESC, series_id DESC",
		     "iittti", project, (int64_t)q->untrusted, q->benchmark, q->metric, q->unit,
		     direction(q)))
		return -1;
	while (!end && (step = db_step(&l->db, st, err)) != 0)
		end = step < 0 ? -1 : rank_row(st, r, out, err);
	db_end(st);
	return end < 0 ? -1 : buf_check(&r->ids, err);
}

/*
 * When a metric was measured in two units, or better meant two things, the newest point that is
 * shown decides; where there is none, the series that came last does.
 */
static int choose_metric(struct ledger *l, int64_t project, const struct history_query *q,
			 struct chosen *out, struct err *err)
{
	struct ranked r = { .ids = BUF_INIT };
	struct hidden hidden = { .n = 0 };
	struct ledger_point newest;
	int found = 0, result = rank_series(l, project, q, &r, out, err);

	if (!result && !r.n)
		result = no_such_series(q, err);
	if (!result && r.is_mixed)
		result = hidden_find(l, project, q->benchmark, &hidden, err);
	if (!result && r.is_mixed)
		found = newest_point(l, &l->recent, project, numbers(&r.ids), r.n, &hidden, &newest,
				     err);
	if (found > 0)
		result = take_series(l, project, newest.series, out, err);
	hidden_release(&hidden);
	buf_release(&r.ids);
	return found < 0 ? -1 : result;
}

const int64_t *chosen_series(const struct chosen *c)
{
	return numbers(&c->ids);
}

int choose(struct ledger *l, int64_t project, const struct history_query *q, struct chosen *out,
	   struct err *err)
{
	struct db_query *st = NULL;
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
		int64_t series = db_integer(st, 0);

		buf_add(&out->ids, &series, sizeof(series));
		out->n++;
	}
	db_end(st);
	return step ? -1 : buf_check(&out->ids, err);
}
