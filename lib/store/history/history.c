/* One series over the commits. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/history/answer.h"
#include "lib/store/history/choose.h"
#include "lib/store/points/stream.h"

#include "lib/base/banned.h"

static const char *direction_word(int64_t higher)
{
	return higher ? "higher" : "lower";
}

/* What the same metric was measured in besides: a question with that unit and direction shows it.
 */
static int write_other_units(struct ledger *l, int64_t project, const struct history_query *q,
			     const struct chosen *c, struct jsonw *w, struct err *err)
{
	struct db_query *st = NULL;
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

/* Where a page begins: behind this point. */
static int read_cursor(const char *text, struct stream_place *out, struct err *err)
{
	int64_t part[3];
	int i;

	if (!text) {
		*out = (struct stream_place){ INT64_MIN, 0, 0 };
		return 0;
	}
	for (i = 0; i < 3; i++) {
		char *end;

		part[i] = strtoll(text, &end, 10);
		if (end == text || *end != (i < 2 ? '.' : '\0'))
			return err_set(err, ERR_RANGE, "that is no cursor");
		text = end + 1;
	}
	*out = (struct stream_place){ part[0], part[1], part[2] };
	return 0;
}

/* A page while it is read. */
struct page {
	const struct history_query *q;
	struct answer *a;
	struct stream *points;
	struct stream_place *next; /* of its last point */
	size_t n;
	bool more; /* points follow that do not fit it */
	struct hidden hidden;
	struct ledger_point *last; /* instead: the newest ones, n counts all; may be NULL */
};

/* A point of it, or of the next one. */
static int take_point(struct page *page, const struct ledger_point *p, struct err *err)
{
	if ((p->flags & POINT_DIRTY) || hidden_has(&page->hidden, p->run))
		return 0;
	if (page->last) {
		page->last[page->n++ % page->q->limit] = *p;
		return 0;
	}
	if (page->n == page->q->limit) {
		page->more = true;
		return 0;
	}
	page->n++;
	*page->next = (struct stream_place){ p->t, p->run, p->series };
	return answer_add(page->a, p, err);
}

static int64_t until_of(const struct history_query *q)
{
	return q->until_us ? q->until_us : INT64_MAX;
}

static int open_page(struct page *page, const struct chosen *c, const struct stream_place *from,
		     struct err *err)
{
	struct ledger *l = page->a->l;

	return stream_open(&l->db, &l->recent, page->a->project, chosen_series(c), c->n, from,
			   &page->points, err);
}

static int read_all(struct page *page, struct err *err)
{
	struct ledger_point p;
	int step = 0;

	while (!page->more && (step = stream_next(page->points, &p, err)) > 0) {
		if (p.t > until_of(page->q))
			return 0;
		if (take_point(page, &p, err))
			return -1;
	}
	return step < 0 ? -1 : 0;
}

/* The points of that run, among those that are left; *p is the one that was read last. */
static int take_run(struct page *page, const struct stream_place *run, struct ledger_point *p,
		    struct err *err)
{
	int there = 1;

	if (p->t < run->t || (p->t == run->t && p->run < run->run)) {
		stream_skip(page->points, run->t, run->run);
		there = stream_next(page->points, p, err);
	}
	while (there > 0 && p->t == run->t && p->run == run->run && !page->more) {
		if (take_point(page, p, err))
			return -1;
		there = stream_next(page->points, p, err);
	}
	return there;
}

/* The runs of a branch are in the order of a history by an index: both are gone through at once. */
static int read_branch(struct page *page, const struct chosen *c, const struct stream_place *from,
		       struct err *err)
{
	struct ledger *l = page->a->l;
	struct ledger_point p = { .t = INT64_MIN };
	struct db_query *st = NULL;
	int step, there = 1;

	if (db_start(&l->db, &st, err,
		     "SELECT t, run_id FROM run INDEXED BY run_by_branch WHERE project_id=?1"
		     " AND branch=?2 AND t<=?3 AND (t, run_id)>=(?4, ?5) ORDER BY t, run_id",
		     "itiii", page->a->project, page->q->branch, until_of(page->q), from->t,
		     from->run))
		return -1;
	while (there > 0 && !page->more && (step = db_step(&l->db, st, err)) != 0) {
		struct stream_place run = { db_integer(st, 0), db_integer(st, 1), 0 };

		if (step < 0 || (!page->points && open_page(page, c, from, err)))
			there = -1;
		else
			there = take_run(page, &run, &p, err);
	}
	db_end(st);
	return there < 0 ? -1 : 0;
}

static int read_from(struct page *page, const struct chosen *c, const struct stream_place *from,
		     struct err *err)
{
	int result = -1;

	if (page->q->branch)
		result = read_branch(page, c, from, err);
	else if (!open_page(page, c, from, err))
		result = read_all(page, err);
	stream_close(page->points);
	page->points = NULL;
	return result;
}

/* From further and further back, until there are enough of those that are wanted. */
static int read_newest(struct page *page, const struct chosen *c, const struct stream_place *since,
		       struct err *err)
{
	size_t i, limit = page->q->limit, most = limit;
	struct stream_place from = *since;
	bool all = false;
	int result = 0;

	page->last = malloc(limit * sizeof(*page->last));
	if (!page->last)
		return err_nomem(err);
	for (; !result && !all && page->n < limit; most *= 8) {
		page->n = 0;
		result = stream_last(&page->a->l->db, page->a->project, chosen_series(c), c->n,
				     most, since, &from, &all, err) ||
					 read_from(page, c, &from, err)
				 ? -1
				 : 0;
	}
	for (i = page->n > limit ? page->n - limit : 0; !result && i < page->n; i++)
		result = answer_add(page->a, &page->last[i % limit], err);
	free(page->last);
	return result;
}

/* Reads a page of points; *out_next is the place of its last point when more follow. */
static int read_points(const struct history_query *q, const struct chosen *c, struct answer *a,
		       struct stream_place *out_next, bool *out_more, struct err *err)
{
	struct page page = { .q = q, .a = a, .next = out_next };
	struct stream_place from;
	int result = -1;

	if (read_cursor(q->cursor, &from, err))
		return -1;
	if (hidden_find(a->l, a->project, q->benchmark, &page.hidden, err))
		goto out;
	if (q->since_us && from.t < q->since_us)
		from = (struct stream_place){ q->since_us, 0, 0 };
	result = q->newest ? read_newest(&page, c, &from, err) : read_from(&page, c, &from, err);
	*out_more = page.more;
out:
	hidden_release(&page.hidden);
	return result;
}

static int write_history(const struct history_query *q, const struct chosen *c, struct answer *a,
			 const struct stream_place *next, struct buf *out, struct err *err)
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
	struct stream_place next = { 0, 0, 0 };
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
