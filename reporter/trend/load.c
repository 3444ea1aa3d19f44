#include "reporter/trend/load.h"

#include <stdlib.h>
#include <string.h>

#include "lib/store/local/visit.h"

#include "lib/base/banned.h"

#define MOST_MACHINES 8 /* named in a hint */

struct entry {
	const char *id;
	size_t place;
};

struct loader {
	const struct trend_query *query;
	struct trend_set *set;
	struct entry *index; /* the line, by id */
	unsigned char *seen; /* a clean result, by place */
	unsigned char *done; /* the only benchmark has its point, with a step */
	unsigned char *met;  /* some benchmark has a point, by place */
	size_t from;	     /* place of the oldest result to read */
	size_t n_dirty;
	struct err *err;
	bool failed;
};

void trend_set_release(struct trend_set *set)
{
	size_t i;

	for (i = 0; i < set->n; i++)
		trend_release(&set->v[i]);
	free(set->v);
	strv_release(&set->machines);
	*set = (struct trend_set)TREND_SET_INIT;
}

static int by_id(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->id, y->id);
}

static size_t place_of(const void *ctx, const char *commit)
{
	const struct loader *l = ctx;
	const struct entry key = { commit, 0 }, *found;

	found = bsearch(&key, l->index, l->query->line->n, sizeof(key), by_id);
	return found ? found->place : TREND_NOWHERE;
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
	qsort(l->index, line->n, sizeof(*l->index), by_id);
	return 0;
}

/* First pass: which commits have results at all; nothing is read. */
static bool note_head(void *ctx, const struct store_row *row)
{
	struct loader *l = ctx;
	size_t place = place_of(l, row->commit);

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
	size_t place = row->dirty ? TREND_NOWHERE : place_of(l, row->commit);

	return place != TREND_NOWHERE && place >= l->from && !l->done[place] &&
	       !strcmp(row->machine, l->query->machine);
}

/* The trend of a benchmark; most summaries list them in the same order. */
static struct trend *trend_of(struct trend_set *set, const char *name, size_t guess,
			      struct err *err)
{
	struct trend *t;
	size_t i;

	if (guess < set->n && !strcmp(set->v[guess].benchmark, name))
		return &set->v[guess];
	for (i = 0; i < set->n; i++)
		if (!strcmp(set->v[i].benchmark, name))
			return &set->v[i];
	if (set->n == set->cap) {
		size_t cap = set->cap ? 2 * set->cap : 16;

		t = realloc(set->v, cap * sizeof(*t));
		if (!t) {
			err_nomem(err);
			return NULL;
		}
		set->v = t;
		set->cap = cap;
	}
	t = &set->v[set->n];
	trend_init(t);
	if (str_set(&t->benchmark, name, err))
		return NULL;
	set->n++;
	return t;
}

/* The newest result that has the metric says what it is. */
static int name_metric(const struct loader *l, const struct bench *b, struct trend *t,
		       struct err *err)
{
	const char *name = l->query->metric ? l->query->metric : b->gate;
	const struct metric *m = name ? bench_find_metric(b, name) : NULL;

	if (t->metric || !m || !m->n)
		return 0;
	if (str_set(&t->metric, m->name, err) || str_set(&t->unit, m->unit, err))
		return -1;
	t->better = m->better;
	t->threshold = b->threshold;
	return 0;
}

/* What an acceptance of any commit of the step says; the summary's own word stands. */
static int look_up_acceptance(const struct loader *l, const char *benchmark, struct trend_point *p,
			      struct err *err)
{
	size_t place = p->how == TREND_NO_STEP ? p->place : p->base_place + 1;

	for (; l->query->accepted && !p->accepted && place <= p->place; place++) {
		const char *why =
			l->query->accepted(l->query->ctx, l->query->line->v[place], benchmark);

		if (why && str_set(&p->accepted, why, err))
			return -1;
	}
	return 0;
}

/* The older result's step for the newer one, which has none. */
static void lend_step(struct trend_point *from, struct trend_point *to)
{
	struct trend_point old = *to;

	to->how = from->how;
	to->base = from->base;
	to->base_place = from->base_place;
	to->d = from->d;
	to->n_pairs = from->n_pairs;
	to->n_points = from->n_points;
	to->many_void = from->many_void;
	to->reported = from->reported;
	to->suspect = from->suspect;
	from->base = old.base;
	from->d = old.d;
	if (!to->accepted) {
		to->accepted = from->accepted;
		from->accepted = NULL;
	}
}

static struct trend_point *point_at(struct trend *t, size_t place)
{
	size_t i;

	for (i = t->n; i > 0; i--)
		if (t->points[i - 1].place == place)
			return &t->points[i - 1];
	return NULL;
}

/* Somebody may say later which way of a counter is better: that holds for what came before, too. */
static void turn_round(const struct trend *t, const struct bench *b, struct trend_point *p)
{
	const struct metric *m = t->metric ? bench_find_metric(b, t->metric) : NULL;
	size_t i;

	if (!m || m->better == t->better)
		return;
	for (i = 0; i < p->n_pairs; i++)
		p->d[i] = -p->d[i];
	if (p->reported == VERDICT_REGRESSED || p->reported == VERDICT_IMPROVED)
		p->reported =
			p->reported == VERDICT_REGRESSED ? VERDICT_IMPROVED : VERDICT_REGRESSED;
	p->suspect = false;
}

static int take_bench(struct loader *l, const struct summary *s, const struct bench *b, size_t i,
		      size_t place, struct err *err)
{
	struct trend *t = trend_of(l->set, b->name, i, err);
	struct trend_point p, *before;

	if (!t || name_metric(l, b, t, err))
		return -1;
	if (b->status == BENCH_REMOVED || b->status == BENCH_SKIPPED)
		return 0;
	/* A second result of a commit is rare: only then are the points looked through. */
	before = l->met[place] ? point_at(t, place) : NULL;
	if (before && before->how != TREND_NO_STEP)
		return 0;
	if (trend_point_of(s, b, t->metric ? t->metric : "", place_of, l, &p, err) ||
	    look_up_acceptance(l, b->name, &p, err)) {
		trend_point_release(&p);
		return -1;
	}
	turn_round(t, b, &p);
	if (l->query->benchmark && p.how != TREND_NO_STEP)
		l->done[place] = 1;
	if (!before)
		return trend_add(t, &p, err);
	if (p.how != TREND_NO_STEP)
		lend_step(&p, before);
	trend_point_release(&p);
	return 0;
}

static int take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct loader *l = ctx;
	size_t place = place_of(l, row->commit), i;
	struct err fault = ERR_INIT;
	struct summary s;
	int result = 0;

	if (l->query->benchmark ? stored_bench(stored, l->query->benchmark, &s, &fault)
				: stored_summary(stored, &s, &fault)) {
		if (fault.code == ERR_ABSENT)
			return 0;
		*err = fault;
		return -1;
	}
	for (i = 0; !result && !s.settings.measured_identical && i < s.n_benchmarks; i++)
		result = take_bench(l, &s, &s.benchmarks[i], i, place, err);
	l->met[place] = 1;
	summary_release(&s);
	return result;
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
	const struct store_visitor heads = { &l, note_head, NULL }, whole = { &l, want, take };
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
