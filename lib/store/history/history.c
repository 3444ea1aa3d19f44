/* One series over the commits. */
#include <stdlib.h>
#include <string.h>

#include "lib/store/history/answer.h"
#include "lib/store/history/outcome.h"
#include "lib/store/history/thin.h"
#include "lib/store/history/walk.h"
#include "lib/store/ledger/cursor.h"

#include "lib/base/banned.h"

/* All that makes one page of a history follow another. */
static uint64_t scope_of(const struct history_query *q, const struct chosen *c)
{
	const char *words[] = { "history",  q->project, q->benchmark,
				c->metric,  c->unit,	c->higher ? "higher" : "lower",
				q->machine, q->branch,	q->untrusted ? "untrusted" : NULL };

	return cursor_scope(words, sizeof(words) / sizeof(words[0]));
}

static int read_cursor(const struct history_query *q, const struct chosen *c, struct place *out,
		       struct err *err)
{
	int64_t part[4];

	if (!q->cursor)
		return 0;
	if (cursor_read(q->cursor, scope_of(q, c), part, 4, err))
		return -1;
	*out = (struct place){ part[0], part[1], part[2], part[3] };
	return 0;
}

/* What is asked, and what is found. */
struct asked {
	const struct history_query *q;
	struct chosen chosen;
	struct answer a;
	struct thin *thin;	   /* NULL: all points are shown */
	struct ledger_point *last; /* instead: the newest ones; may be NULL */
	size_t n_last;		   /* of all that were seen */
	struct buf outcome;	   /* JSON, where it is asked for */
	char next[LEDGER_CURSOR];  /* "": there is no next page */
};

static int take_for_page(void *ctx, const struct ledger_point *p, struct err *err)
{
	struct asked *asked = ctx;

	return asked->a.n == asked->q->limit ? 1 : answer_add(&asked->a, p, err);
}

static int take_for_thin(void *ctx, const struct ledger_point *p, struct err *err)
{
	return thin_add(((struct asked *)ctx)->thin, p, err);
}

static int take_for_last(void *ctx, const struct ledger_point *p, struct err *err)
{
	struct asked *asked = ctx;

	(void)err;
	asked->last[asked->n_last++ % asked->q->limit] = *p;
	return 0;
}

static int add_to_answer(void *ctx, const struct ledger_point *p, struct err *err)
{
	return answer_add(ctx, p, err);
}

static struct walk walk_of(struct asked *asked,
			   int (*take)(void *ctx, const struct ledger_point *p, struct err *err))
{
	return (struct walk){ .l = asked->a.l,
			      .project = asked->a.project,
			      .q = asked->q,
			      .c = &asked->chosen,
			      .take = take,
			      .ctx = asked };
}

static void set_next(struct asked *asked, const struct place *at)
{
	const int64_t parts[] = { at->t, at->measured, at->run, at->series };

	cursor_write(scope_of(asked->q, &asked->chosen), parts, 4, asked->next);
}

/*
 * A page.  Where the time is over it ends early; without any point it fails, and says how far it
 * came: asked again from there it comes further.
 */
static int read_page(struct asked *asked, struct err *err)
{
	struct walk w = walk_of(asked, take_for_page);
	struct place from = PLACE_START, last;
	struct err fault = ERR_INIT;
	int result;

	if (read_cursor(asked->q, &asked->chosen, &from, err))
		return -1;
	result = walk_points(&w, &from, &fault);
	if (!result && !w.is_stopped)
		return 0;
	if (result && (fault.code != ERR_TIMEOUT || !w.n)) {
		if (fault.code == ERR_TIMEOUT && w.gone.t > from.t)
			set_next(asked, &w.gone);
		*err = fault;
		return -1;
	}
	if (place_of(w.l, &w.last, &last, err))
		return -1;
	set_next(asked, &last);
	return 0;
}

static int read_thinned(struct asked *asked, struct err *err)
{
	const struct place start = PLACE_START;
	struct walk w = walk_of(asked, take_for_thin);

	return thin_open(asked->q->px, LEDGER_MAX_POINTS, &asked->thin, err) ||
			       walk_points(&w, &start, err) ||
			       thin_visit(asked->thin, add_to_answer, &asked->a, err)
		       ? -1
		       : 0;
}

/* From further and further back, until there are enough of those that are wanted. */
static int read_newest(struct asked *asked, struct err *err)
{
	size_t i, limit = asked->q->limit, most = limit;
	const int64_t since = asked->q->since_us;
	const struct merge_place start = { since ? since : INT64_MIN, 0, 0 };
	struct merge_place from = start;
	bool all = false;

	asked->last = malloc(limit * sizeof(*asked->last));
	if (!asked->last)
		return err_nomem(err);
	for (; !all && asked->n_last < limit; most *= 8) {
		struct walk w = walk_of(asked, take_for_last);
		struct place behind = PLACE_START;

		asked->n_last = 0;
		if (asked->q->branch ? walk_last_of_branch(&w, most, start.t, &from.t, &all, err)
				     : merge_last(&w.l->db, w.project, chosen_series(w.c), w.c->n,
						  most, &start, &from, &all, err))
			return -1;
		behind.t = from.t;
		behind.measured = INT64_MIN;
		if (walk_points(&w, &behind, err))
			return -1;
	}
	for (i = asked->n_last > limit ? asked->n_last - limit : 0; i < asked->n_last; i++)
		if (answer_add(&asked->a, &asked->last[i % limit], err))
			return -1;
	return 0;
}

/* What came behind the newest point and gave none. */
static int read_outcome(struct asked *asked, struct err *err)
{
	size_t n = asked->n_last;
	struct place behind = PLACE_START;

	if (!asked->q->with_outcome)
		return 0;
	if (n && place_of(asked->a.l, &asked->last[(n - 1) % asked->q->limit], &behind, err))
		return -1;
	return outcome_write(asked->a.l, asked->a.project, asked->q, &behind, &asked->outcome, err);
}

static int read_points(struct asked *asked, struct err *err)
{
	if (asked->q->px)
		return read_thinned(asked, err);
	return asked->q->newest ? read_newest(asked, err) : read_page(asked, err);
}

static int write_history(struct asked *asked, struct buf *out, struct err *err)
{
	const struct answer_head head = {
		.q = asked->q,
		.others = buf_str(&asked->chosen.others),
		.outcome = buf_str(&asked->outcome),
		.next = *asked->next ? asked->next : NULL,
		.total = asked->thin ? thin_total(asked->thin) : 0,
		.buckets = asked->thin ? thin_buckets(asked->thin) : 0,
	};

	return answer_write(&asked->a, &head, out, err);
}

/* All that is asked of the database stands before the points: with these its time may end. */
static int find_and_write(struct ledger *l, struct asked *asked, struct buf *out, struct err *err)
{
	int64_t project;

	if (ledger_find_project(l, asked->q->project, &project, err) ||
	    choose(l, project, asked->q, &asked->chosen, err))
		return -1;
	answer_init(&asked->a, l, project, &asked->chosen, asked->q);
	return read_points(asked, err) || read_outcome(asked, err) || write_history(asked, out, err)
		       ? -1
		       : 0;
}

int ledger_history(struct ledger *l, const struct history_query *q, struct buf *out,
		   struct err *err)
{
	struct asked asked = { .q = q };
	struct err fault = ERR_INIT;
	int result;

	if (db_begin_read(&l->db, err))
		return -1;
	result = find_and_write(l, &asked, out, &fault);
	db_rollback(&l->db);
	if (result && err)
		*err = fault;
	if (q->next)
		memcpy(q->next, asked.next, sizeof(asked.next));
	answer_release(&asked.a);
	thin_close(asked.thin);
	free(asked.last);
	buf_release(&asked.outcome);
	chosen_release(&asked.chosen);
	return result;
}
