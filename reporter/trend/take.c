/* Points of a trend, out of a stored result. */
#include "reporter/trend/take.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/banned.h"

int loader_by_id(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->id, y->id);
}

size_t loader_place_of(const void *ctx, const char *commit)
{
	const struct loader *l = ctx;
	const struct entry key = { commit, 0 }, *found;

	found = bsearch(&key, l->index, l->query->line->n, sizeof(key), loader_by_id);
	return found ? found->place : TREND_NOWHERE;
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
static int name_metric(const struct point *p, struct trend *t, struct err *err)
{
	if (t->metric || !p->metric)
		return 0;
	if (str_set(&t->metric, p->metric, err) || str_set(&t->unit, p->unit, err))
		return -1;
	t->better = p->better;
	t->threshold = p->threshold;
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
	to->by_difference = from->by_difference;
	to->base_size = from->base_size;
	to->shared = from->shared;
	to->layouts = from->layouts;
	to->is_judged = from->is_judged;
	to->judged = from->judged;
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

/* The older result's values for the newer one, which found the code the same and ran nothing. */
static void lend_level(struct trend_point *from, struct trend_point *to)
{
	struct machine machine = to->machine;
	char *procs = to->procs;

	to->machine = from->machine;
	from->machine = machine;
	to->procs = from->procs;
	from->procs = procs;
	to->level = from->level;
	to->low = from->low;
	to->high = from->high;
	to->n_runs = from->n_runs;
	to->iterations = from->iterations;
	to->has_location = from->has_location;
	to->location = from->location;
}

static bool is_whole(const struct trend_point *p)
{
	return p->how != TREND_NO_STEP && isfinite(p->level);
}

/* Of a whole one no other result can say more of what its own commit did. */
static bool is_final(const struct trend_point *p)
{
	return is_whole(p) && p->base_place != TREND_NOWHERE && p->base_place + 1 >= p->place;
}

/*
 * A commit that was measured against the one before, and later against one far back: that step is
 * of all commits in between, and some of them have moved it themselves.
 */
static bool is_nearer(const struct trend_point *p, const struct trend_point *than)
{
	if (p->how == TREND_NO_STEP || p->base_place == TREND_NOWHERE)
		return false;
	return than->base_place == TREND_NOWHERE || p->base_place > than->base_place;
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
static void turn_round(const struct trend *t, struct point *p)
{
	size_t i;

	if (!p->metric || p->better == t->better)
		return;
	for (i = 0; p->d && i < p->n_pairs; i++)
		p->d[i] = -p->d[i];
	if (p->reported == VERDICT_REGRESSED || p->reported == VERDICT_IMPROVED)
		p->reported =
			p->reported == VERDICT_REGRESSED ? VERDICT_IMPROVED : VERDICT_REGRESSED;
	p->suspect = false;
}

/* Takes over the d of a point that was worked out. */
static int add_point(struct loader *l, struct trend *t, const struct points_frame *frame,
		     struct point *from, size_t place, struct err *err)
{
	/* A second result of a commit is rare: only then are the points looked through. */
	struct trend_point *before = l->met[place] ? point_at(t, place) : NULL, p;

	bool is_other = from->metric && from->unit && t->unit && strcmp(from->unit, t->unit) != 0;

	/* Values of another unit stand for something else: they are in no line with these. */
	if (is_other || from->absent || (before && is_final(before))) {
		free(from->d);
		return 0;
	}
	turn_round(t, from);
	if (trend_point_from(frame, from, loader_place_of, l, &p, err))
		return -1;
	if (look_up_acceptance(l, from->benchmark, &p, err)) {
		trend_point_release(&p);
		return -1;
	}
	if (l->query->benchmark && is_final(&p))
		l->done[place] = 1;
	if (!before)
		return trend_add(t, &p, err);
	if (p.how != TREND_NO_STEP && (before->how == TREND_NO_STEP || is_nearer(&p, before)))
		lend_step(&p, before);
	if (isfinite(p.level) && !isfinite(before->level))
		lend_level(&p, before);
	trend_point_release(&p);
	return 0;
}

/* A point worked out from the result; i is a guess at where its trend is. */
static int take_bench(struct loader *l, const struct summary *s, const struct bench *b, size_t i,
		      size_t place, struct err *err)
{
	const struct points_frame frame = points_frame_of(s);
	struct trend *t = trend_of(l->set, b->name, i, err);
	const char *metric = l->query->metric ? l->query->metric : b->gate;
	struct point p;

	if (!t || point_of(s, b, t->metric ? t->metric : metric, &p, err))
		return -1;
	if (name_metric(&p, t, err)) {
		free(p.d);
		return -1;
	}
	return add_point(l, t, &frame, &p, place, err);
}

/* Whether the point that was kept is what would be worked out for the trend. */
static bool fits(const struct loader *l, const struct trend *t, const struct point *p)
{
	const char *metric = t->metric ? t->metric : l->query->metric;

	/* Kept by an earlier pawl, which looked for no threshold but its own. */
	if (!isfinite(p->threshold))
		return false;
	if (!p->metric)
		return !p->has_others;
	if (metric && strcmp(metric, p->metric) != 0)
		return false;
	return !t->metric || (t->better == p->better && t->threshold == p->threshold);
}

static int take_point(struct loader *l, struct stored *stored, const struct points_frame *frame,
		      struct point *p, size_t i, size_t place, struct err *err)
{
	struct trend *t = trend_of(l->set, p->benchmark, i, err);
	struct summary s;
	int result;

	if (!t)
		return -1;
	if (fits(l, t, p))
		return name_metric(p, t, err) ? -1 : add_point(l, t, frame, p, place, err);
	if (stored_bench(stored, p->benchmark, &s, err))
		return -1;
	result = take_bench(l, &s, &s.benchmarks[0], i, place, err);
	summary_release(&s);
	return result;
}

static int take_points(struct loader *l, struct stored *stored, struct points *points, size_t place,
		       struct err *err)
{
	const char *only = l->query->benchmark;
	struct point p;
	size_t i;
	int there = 1;

	for (i = 0; there > 0; i++) {
		there = only ? points_find(points, only, &p, err) : points_next(points, &p, err);
		if (there > 0 && take_point(l, stored, &points->frame, &p, i, place, err))
			there = -1;
		if (only)
			break;
	}
	return there < 0 ? -1 : 0;
}

/* Everything worked out from the result: of an older store, or by an older rule. */
static int take_whole(struct loader *l, struct stored *stored, size_t place, struct err *err)
{
	struct err fault = ERR_INIT;
	struct summary s;
	int result = 0;
	size_t i;

	if (l->query->benchmark ? stored_bench(stored, l->query->benchmark, &s, &fault)
				: stored_summary(stored, &s, &fault)) {
		if (fault.code == ERR_ABSENT)
			return 0;
		*err = fault;
		return -1;
	}
	for (i = 0; !result && !s.settings.measured_identical && i < s.n_benchmarks; i++)
		result = take_bench(l, &s, &s.benchmarks[i], i, place, err);
	summary_release(&s);
	return result;
}

int loader_take(void *ctx, const struct store_row *row, struct stored *stored, struct err *err)
{
	struct points points = POINTS_INIT;
	struct loader *l = ctx;
	size_t place = loader_place_of(l, row->commit);
	struct err fault = ERR_INIT;
	int result = -1;

	if (!stored_points(stored, &points, &fault))
		result = take_points(l, stored, &points, place, err);
	else if (fault.code == ERR_NEWER)
		result = take_whole(l, stored, place, err);
	else
		*err = fault;
	points_release(&points);
	l->met[place] = 1;
	return result;
}
