#include "reporter/trend/load.h"

#include <stdlib.h>
#include <string.h>

#include "reporter/trend/take.h"

#include "lib/base/banned.h"

#define MOST_MACHINES 8 /* named in a hint */

void trend_set_release(struct trend_set *set)
{
	size_t i;

	for (i = 0; i < set->n; i++)
		trend_release(&set->v[i]);
	free(set->v);
	strv_release(&set->machines);
	*set = (struct trend_set)TREND_SET_INIT;
}

static int make_index(struct loader *l, struct err *err)
{
	const struct strv *line = l->query->line;
	size_t i;

	l->index = malloc((line->n + 1) * sizeof(*l->index));
	l->seen = calloc(line->n + 1, 1);
	l->done = calloc(line->n + 1, 1);
	l->met = calloc(line->n + 1, 1);
	if (!l->index || !l->seen || !l->done || !l->met)
		return err_nomem(err);
	for (i = 0; i < line->n; i++)
		l->index[i] = (struct entry){ line->v[i], i };
	qsort(l->index, line->n, sizeof(*l->index), loader_by_id);
	return 0;
}

/* First pass: which commits have results at all; nothing is read. */
static bool note_head(void *ctx, const struct store_row *row)
{
	struct loader *l = ctx;
	size_t place = loader_place_of(l, row->commit);

	if (place == TREND_NOWHERE)
		return false;
	if (strcmp(row->machine, l->query->machine)) {
		if (!strv_has(&l->set->machines, row->machine) &&
		    l->set->machines.n < MOST_MACHINES &&
		    strv_add(&l->set->machines, row->machine, l->err))
			l->failed = true;
	} else if (row->dirty) {
		l->n_dirty += place >= l->query->first;
	} else {
		l->seen[place] = 1;
		l->set->n_results++;
	}
	return false;
}

/* From which place on results are shown, and read: the creep may need older ones. */
static size_t find_window(struct loader *l)
{
	const struct trend_query *q = l->query;
	size_t place = q->line->n, shown = q->line->n, left = q->limit;

	while (left && place > q->first) {
		if (l->seen[--place]) {
			shown = place;
			left--;
		}
	}
	l->from = q->tag && q->tag_place < shown ? q->tag_place : shown;
	return shown;
}

/* Second pass. */
static bool want(void *ctx, const struct store_row *row)
{
	const struct loader *l = ctx;
	size_t place = row->dirty ? TREND_NOWHERE : loader_place_of(l, row->commit);

	return place != TREND_NOWHERE && place >= l->from && !l->done[place] &&
	       !strcmp(row->machine, l->query->machine);
}

static int by_name(const void *a, const void *b)
{
	const struct trend *x = a, *y = b;

	return strcmp(x->benchmark, y->benchmark);
}

static int finish(const struct loader *l, struct trend *t, size_t shown, size_t n_damaged,
		  struct err *err)
{
	const struct trend_query *q = l->query;

	trend_sort(t);
	while (t->first < t->n && t->points[t->first].place < shown)
		t->first++;
	if (t->first < t->n)
		t->n_line = q->line->n - t->points[t->first].place;
	t->n_dirty = l->n_dirty;
	t->n_damaged = n_damaged;
	if (str_set(&t->project, q->project, err) || str_set(&t->machine, q->machine, err) ||
	    (!t->metric && (str_set(&t->metric, q->metric ? q->metric : "no metric", err) ||
			    str_set(&t->unit, "1", err))) ||
	    trend_judge(t, err))
		return -1;
	return q->tag && q->tag_place != TREND_NOWHERE ? trend_creep(t, q->tag, q->tag_place, err)
						       : 0;
}

int trend_load(struct store *store, const struct trend_query *query, struct trend_set *out,
	       struct err *err)
{
	struct trend_set set = TREND_SET_INIT;
	struct loader l = { .query = query, .set = &set, .err = err };
	const struct store_visitor heads = { &l, note_head, NULL },
				   whole = { &l, want, loader_take };
	size_t n_damaged = 0, shown, i;
	int result = -1;

	if (make_index(&l, err) ||
	    store_visit(store, query->project, NULL, &heads, &n_damaged, err) || l.failed)
		goto out;
	shown = find_window(&l);
	if (store_visit(store, query->project, query->machine, &whole, &n_damaged, err))
		goto out;
	for (i = 0; i < set.n; i++)
		if (finish(&l, &set.v[i], shown, n_damaged, err))
			goto out;
	if (set.n)
		qsort(set.v, set.n, sizeof(*set.v), by_name);
	*out = set;
	set = (struct trend_set)TREND_SET_INIT;
	result = 0;
out:
	free(l.index);
	free(l.seen);
	free(l.done);
	free(l.met);
	trend_set_release(&set);
	return result;
}
