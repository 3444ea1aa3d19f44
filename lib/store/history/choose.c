#include "lib/store/history/choose.h"

#include <stdlib.h>
#include <string.h>

#include "lib/store/history/candidates.h"
#include "lib/store/ledger/newest.h"
#include "lib/store/ledger/runs.h"

#include "lib/base/banned.h"

/* Of so many other units it is told where their newest point is. */
#define MOST_TOLD 16

/* What a question may be of, and what came of it. */
struct choice {
	struct ledger *l;
	int64_t project;
	const struct history_query *q;
	struct candidates all;
	struct hidden hidden;
	bool knows_hidden;
	unsigned rank;		 /* the best one that there is */
	size_t from, end;	 /* rows of the metric that was chosen */
	size_t group, group_end; /* of these those of the unit and direction */
};

void chosen_release(struct chosen *c)
{
	free(c->metric);
	free(c->unit);
	buf_release(&c->ids);
	buf_release(&c->others);
}

const int64_t *chosen_series(const struct chosen *c)
{
	return (const int64_t *)(const void *)buf_str(&c->ids);
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

/* 1: *out is the newest point that is shown of those rows; 0: there is none. */
static int newest_of(struct choice *c, size_t from, size_t end, unsigned bits,
		     struct ledger_point *out, struct err *err)
{
	struct buf ids = BUF_INIT;
	size_t n = candidates_series(&c->all, from, end, c->rank, bits, &ids);
	int found = buf_check(&ids, err);

	if (!found && !c->knows_hidden) {
		found = hidden_find(c->l, c->project, c->q->benchmark, &c->hidden, err);
		c->knows_hidden = !found;
	}
	if (!found)
		found = newest_point(c->l, &c->l->recent, c->project,
				     (const int64_t *)(const void *)buf_str(&ids), n, &c->hidden,
				     out, err);
	buf_release(&ids);
	return found;
}

/* Of the best rank: the row of that series, or where series is 0 the one that came last. */
static size_t row_of(const struct choice *c, int64_t series)
{
	size_t i, at = 0;
	int64_t last = 0;

	for (i = 0; i < c->all.n; i++) {
		const struct candidate *row = &c->all.rows[i];

		if (row->rank != c->rank || (series ? row->series != series : row->series < last))
			continue;
		at = i;
		last = row->series;
	}
	return at;
}

/* Whether rows of the best rank are of several metrics. */
static bool is_mixed(const struct choice *c)
{
	const struct candidate *first = NULL;
	size_t i;

	for (i = 0; i < c->all.n; i++) {
		const struct candidate *row = &c->all.rows[i];

		if (row->rank != c->rank)
			continue;
		if (first && strcmp(first->metric, row->metric))
			return true;
		first = row;
	}
	return false;
}

static int choose_metric(struct choice *c, struct err *err)
{
	struct ledger_point newest = { .series = 0 };
	size_t i;

	c->rank = RANK_ALL;
	for (i = 0; i < c->all.n; i++)
		if (c->all.rows[i].rank < c->rank)
			c->rank = c->all.rows[i].rank;
	if (!c->all.n || (c->rank & RANK_ASKED))
		return no_such_series(c->q, err);
	if (is_mixed(c) && newest_of(c, 0, c->all.n, RANK_ALL, &newest, err) < 0)
		return -1;
	i = row_of(c, newest.series);
	c->end = candidates_end_of_metric(&c->all, i);
	for (c->from = i; c->from && candidates_end_of_metric(&c->all, c->from - 1) == c->end;)
		c->from--;
	return 0;
}

#define NEAR (RANK_ALL & ~(unsigned)RANK_GATES)

/* The first series of a unit, behind that one, or INT64_MAX; those that are gated and are not. */
static int64_t first_of(const struct choice *c, size_t from, size_t end, int64_t behind)
{
	int64_t first = INT64_MAX;
	size_t i;

	for (i = from; i < end; i++) {
		const struct candidate *row = &c->all.rows[i];

		if ((row->rank & NEAR) == (c->rank & NEAR) && row->series < first)
			first = row->series;
	}
	return first > behind ? first : INT64_MAX;
}

/* The unit that came next behind that series; its first series, INT64_MAX: there is none. */
static int64_t next_unit(struct choice *c, int64_t behind, size_t *out, size_t *out_end)
{
	int64_t first = INT64_MAX;
	size_t at, end;

	for (at = c->from; at < c->end; at = end) {
		int64_t of_unit;

		end = candidates_end_of_unit(&c->all, at);
		of_unit = first_of(c, at, end, behind);
		if (of_unit < first) {
			first = of_unit;
			*out = at;
			*out_end = end;
		}
	}
	return first;
}

/* The one that came first and has something to show; where none has, the first. */
static int choose_unit(struct choice *c, struct err *err)
{
	struct ledger_point newest;
	size_t at = 0, end = 0;
	int64_t first = next_unit(c, 0, &c->group, &c->group_end);
	int found = 0;

	if (next_unit(c, first, &at, &end) == INT64_MAX)
		return 0;
	at = c->group;
	end = c->group_end;
	while (!found && first < INT64_MAX) {
		struct err fault = ERR_INIT;

		found = newest_of(c, at, end, NEAR, &newest, &fault);
		if (found < 0 && fault.code != ERR_CORRUPT) {
			*err = fault;
			return -1;
		}
		if (found) {
			c->group = at;
			c->group_end = end;
		}
		first = next_unit(c, first, &at, &end);
	}
	return 0;
}

static void write_fact(struct jsonw *w, const char *key, const char *json)
{
	jsonw_key(w, key);
	jsonw_raw(w, json, strlen(json));
}

/* Likewise where it stands; damage of what nobody asked for is none of this answer. */
static int newest_place(struct choice *c, size_t at, size_t end, struct ledger_point *newest,
			struct place *out, struct err *err)
{
	struct err fault = ERR_INIT;
	int found = newest_of(c, at, end, 0, newest, &fault);

	if (found > 0 && place_of(c->l, newest, out, &fault))
		found = -1;
	if (found < 0 && fault.code == ERR_CORRUPT)
		return 0;
	if (found < 0 && err)
		*err = fault;
	return found;
}

/* Of another unit: where its newest result is, and whether that is newer than what is shown. */
static int write_other(struct choice *c, size_t at, size_t end, const struct place *shown,
		       bool is_told, struct jsonw *w, struct err *err)
{
	const struct candidate *row = &c->all.rows[at];
	const struct run_facts *f = NULL;
	struct ledger_point newest;
	struct place place = PLACE_START;
	int found = is_told ? newest_place(c, at, end, &newest, &place, err) : 0;

	if (found < 0 || (found && runs_find(c->l, c->project, newest.run, &f, err)))
		return -1;
	jsonw_object(w);
	jsonw_kstring(w, "unit", row->unit);
	jsonw_kstring(w, "better", row->higher ? "higher" : "lower");
	write_fact(w, "commit", f ? f->sha : "null");
	write_fact(w, "time", f ? f->time : "null");
	jsonw_kbool(w, "newer", f && place_order(shown, &place) < 0);
	jsonw_object_end(w);
	return 0;
}

/* What else the metric was measured in: a question with that unit and direction shows it. */
static int write_others(struct choice *c, struct buf *out, struct err *err)
{
	struct place shown = PLACE_START;
	struct ledger_point newest;
	size_t at, end, n = 0;
	struct jsonw w;
	int result = 0;

	if ((c->group > c->from || c->group_end < c->end) &&
	    newest_place(c, c->group, c->group_end, &newest, &shown, err) < 0)
		return -1;
	jsonw_init(&w, out, 0);
	jsonw_array(&w);
	for (at = c->from; !result && at < c->end; at = end) {
		end = candidates_end_of_unit(&c->all, at);
		if (at != c->group)
			result = write_other(c, at, end, &shown, n++ < MOST_TOLD, &w, err);
	}
	jsonw_array_end(&w);
	return result ? -1 : buf_check(out, err);
}

static int take(struct choice *c, struct chosen *out, struct err *err)
{
	const struct candidate *row = &c->all.rows[c->group];

	out->higher = row->higher;
	out->n = candidates_series(&c->all, c->group, c->group_end, 0,
				   c->q->machine ? RANK_OF_MACHINE : 0, &out->ids);
	return str_set(&out->metric, row->metric, err) || str_set(&out->unit, row->unit, err) ||
			       buf_check(&out->ids, err)
		       ? -1
		       : 0;
}

int choose(struct ledger *l, int64_t project, const struct history_query *q, struct chosen *out,
	   struct err *err)
{
	struct choice c = { .l = l, .project = project, .q = q };
	int result = -1;

	if (!candidates_read(l, project, q, &c.all, err) && !choose_metric(&c, err) &&
	    !choose_unit(&c, err) && !write_others(&c, &out->others, err))
		result = take(&c, out, err);
	hidden_release(&c.hidden);
	candidates_release(&c.all);
	return result;
}
