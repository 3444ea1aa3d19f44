#include "lib/store/history/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

/* The natural key: without statistics the database would rather read all series of the project. */
#define BY_NAME " INDEXED BY sqlite_autoindex_series_2"

void candidates_release(struct candidates *c)
{
	free(c->rows);
	strv_release(&c->names);
}

/* Rows come in order: a name is mostly that of the row before. */
static const char *name_of(struct candidates *c, const char *before, const char *name,
			   struct err *err)
{
	if (before && !strcmp(before, name))
		return before;
	return strv_add(&c->names, name, err) ? NULL : c->names.v[c->names.n - 1];
}

static int add_row(struct candidates *c, const struct candidate *row, struct err *err)
{
	if (c->n == c->room) {
		size_t room = c->room ? 2 * c->room : 32;
		void *grown = realloc(c->rows, room * sizeof(*row));

		if (!grown)
			return err_nomem(err);
		c->rows = grown;
		c->room = room;
	}
	c->rows[c->n++] = *row;
	return 0;
}

static bool is_asked(const struct history_query *q, const struct candidate *row)
{
	return (!q->unit || !strcmp(q->unit, row->unit)) &&
	       (!q->better || row->higher == !strcmp(q->better, "higher"));
}

static int take_row(struct candidates *c, const struct history_query *q, struct db_query *st,
		    struct err *err)
{
	const struct candidate *last = c->n ? &c->rows[c->n - 1] : NULL;
	struct candidate row = { .series = db_integer(st, 0), .higher = db_integer(st, 5) != 0 };

	row.metric = name_of(c, last ? last->metric : NULL, db_text(st, 3), err);
	row.unit = row.metric ? name_of(c, last ? last->unit : NULL, db_text(st, 4), err) : NULL;
	if (!row.unit || db_row_check(st, err))
		return -1;
	row.rank = (db_integer(st, 2) ? 0 : RANK_GATES) | (db_integer(st, 1) ? RANK_TRUSTED : 0) |
		   (db_integer(st, 6) ? 0 : RANK_OF_MACHINE) | (is_asked(q, &row) ? 0 : RANK_ASKED);
	return add_row(c, &row, err);
}

int candidates_read(struct ledger *l, int64_t project, const struct history_query *q,
		    struct candidates *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT series_id, apart, gate, metric, unit, better,"
		     " CASE WHEN ?5 IS NULL OR env_id IN (SELECT env_id FROM env"
		     "  WHERE project_id=?1 AND apart IN (0,?2) AND machine=?5) THEN 1 ELSE 0 END"
		     " FROM series" BY_NAME " WHERE project_id=?1 AND apart IN (0,?2)"
		     " AND benchmark=?3 AND (?4 IS NULL OR metric=?4)"
		     " ORDER BY metric, unit, better, series_id",
		     "iittt", project, (int64_t)q->untrusted, q->benchmark, q->metric, q->machine))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0)
		if (take_row(out, q, st, err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step;
}

size_t candidates_end_of_metric(const struct candidates *c, size_t at)
{
	const char *metric = c->rows[at].metric;

	while (at < c->n && !strcmp(c->rows[at].metric, metric))
		at++;
	return at;
}

size_t candidates_end_of_unit(const struct candidates *c, size_t at)
{
	const struct candidate *first = &c->rows[at];

	while (at < c->n && !strcmp(c->rows[at].metric, first->metric) &&
	       !strcmp(c->rows[at].unit, first->unit) && c->rows[at].higher == first->higher)
		at++;
	return at;
}

size_t candidates_series(const struct candidates *c, size_t from, size_t end, unsigned rank,
			 unsigned bits, struct buf *out)
{
	size_t i, n = 0;

	for (i = from; i < end; i++) {
		if ((c->rows[i].rank & bits) != (rank & bits))
			continue;
		buf_add(out, &c->rows[i].series, sizeof(c->rows[i].series));
		n++;
	}
	return n;
}
