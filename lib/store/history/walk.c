#include "lib/store/history/walk.h"

#include <stdlib.h>

#include "lib/store/ledger/runs.h"

#include "lib/base/banned.h"

/* A point of the commit at hand, and where it stands. */
struct placed {
	struct place place;
	struct ledger_point point;
};

/* A walk while it goes on. */
struct way {
	struct walk *w;
	struct place behind;
	struct hidden hidden;
	struct merge *points;
	int64_t t;	  /* of the commit at hand */
	struct buf group; /* n struct placed */
	size_t n;
};

static int order_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return place_order(&x->place, &y->place);
}

static struct placed *group_of(struct way *way)
{
	return (struct placed *)(void *)way->group.data;
}

/* Most commits have one point: its run is looked up when it is shown, not here. */
static int sort_group(struct way *way, struct err *err)
{
	struct placed *group = group_of(way);
	size_t i;

	if (way->n == 1 && group->point.t != way->behind.t)
		return 0;
	for (i = 0; i < way->n; i++)
		if (place_of(way->w->l, &group[i].point, &group[i].place, err))
			return -1;
	qsort(group, way->n, sizeof(*group), order_placed);
	return 0;
}

/* Whether another point of the commit in the group is of the same series. */
static bool has_other(struct way *way, const struct ledger_point *p)
{
	const struct placed *group = group_of(way);
	size_t i;

	for (i = 0; i < way->n; i++)
		if (group[i].point.series == p->series && group[i].point.run != p->run)
			return true;
	return false;
}

/* A change that a later run of its commit takes back is none; that run may name another branch. */
static int look_behind(struct way *way, struct ledger_point *p, struct err *err)
{
	struct walk *w = way->w;
	const struct run_facts *f = NULL;
	int found;

	if (!point_is_change(p) || (!w->q->branch && !has_other(way, p)))
		return 0;
	if (runs_find(w->l, w->project, p->run, &f, err))
		return -1;
	found = ledger_is_superseded(w->l, p, f->commit, f->measured_us, w->q->benchmark, NULL,
				     err);
	if (found > 0)
		p->flags |= POINT_TAKEN_BACK;
	return found < 0 ? -1 : 0;
}

/* All of a commit is there.  1: nothing more is wanted. */
static int give_group(struct way *way, struct err *err)
{
	struct walk *w = way->w;
	struct placed *group;
	int result = 0;
	size_t i;

	if (!way->n)
		return 0;
	if (buf_check(&way->group, err) || sort_group(way, err))
		return -1;
	group = group_of(way);
	for (i = 0; !result && i < way->n; i++) {
		if (place_order(&group[i].place, &way->behind) <= 0)
			continue;
		result = look_behind(way, &group[i].point, err);
		if (!result)
			result = w->take(w->ctx, &group[i].point, err);
		if (!result) {
			w->last = group[i].point;
			w->n++;
		}
	}
	w->is_stopped = result > 0;
	buf_reset(&way->group);
	way->n = 0;
	return result;
}

/* What follows is of the commit at t, or of a later one. */
static int pass_to(struct way *way, int64_t t, struct err *err)
{
	int result;

	if (t == way->t)
		return 0;
	result = give_group(way, err);
	if (!result)
		way->w->gone = (struct place){ way->t, INT64_MAX, INT64_MAX, INT64_MAX };
	way->t = t;
	return result;
}

static int take_point(struct way *way, const struct ledger_point *p, struct err *err)
{
	int result = pass_to(way, p->t, err);
	struct placed *one;

	if (result || (p->flags & POINT_DIRTY) || hidden_has(&way->hidden, p->run))
		return result;
	one = (struct placed *)(void *)buf_room(&way->group, sizeof(*one));
	if (!one)
		return err_nomem(err);
	one->place = (struct place){ p->t, INT64_MAX, p->run, p->series };
	one->point = *p;
	buf_wrote(&way->group, (char *)(one + 1));
	way->n++;
	return 0;
}

static int64_t until_of(const struct history_query *q)
{
	return q->until_us ? q->until_us : INT64_MAX;
}

/* From the first point of a commit on: what was given of it already is left out later. */
static int open_points(struct way *way, struct err *err)
{
	const struct merge_place from = { way->behind.t, 0, 0 };
	struct walk *w = way->w;

	return merge_open(&w->l->db, &w->l->recent, w->project, chosen_series(w->c), w->c->n, &from,
			  &way->points, err);
}

static int read_all(struct way *way, struct err *err)
{
	const struct ledger_point *p = NULL;
	int step, result = 0;

	if (open_points(way, err))
		return -1;
	while (!result && (step = merge_next(way->points, &p, err)) != 0) {
		if (step < 0)
			return -1;
		if (p->t > until_of(way->w->q))
			break;
		result = take_point(way, p, err);
	}
	return result;
}

/* The points of that run, among those that are left; *p is the one that was read last, or NULL. */
static int take_run(struct way *way, const struct merge_place *run, const struct ledger_point **p,
		    int *there, struct err *err)
{
	int result = pass_to(way, run->t, err);

	if (!*p || (*p)->t < run->t || ((*p)->t == run->t && (*p)->run < run->run)) {
		merge_skip(way->points, run->t, run->run);
		*there = merge_next(way->points, p, err);
	}
	while (!result && *there > 0 && (*p)->t == run->t && (*p)->run == run->run) {
		result = take_point(way, *p, err);
		if (!result)
			*there = merge_next(way->points, p, err);
	}
	return *there < 0 ? -1 : result;
}

int walk_last_of_branch(const struct walk *w, size_t most, int64_t since, int64_t *out_t, bool *all,
			struct err *err)
{
#define LAST_RUN(which) \
	"SELECT t FROM run INDEXED BY run_by_branch WHERE project_id=?1 AND " which \
	" AND t>=?3 ORDER BY t DESC, run_id DESC LIMIT 1 OFFSET ?4"
	static const char of_branch[] = LAST_RUN("branch=?2");
	static const char of_none[] = LAST_RUN("branch IS NULL AND ?2=''");
	int found;

	*out_t = since;
	found = db_get(&w->l->db, out_t, err, *w->q->branch ? of_branch : of_none, "itii",
		       w->project, w->q->branch, since, (int64_t)most - 1);
	*all = found > 0;
	return found < 0 ? -1 : 0;
}

/* The runs of a branch are in the order of a history by an index: both are gone through at once. */
static int read_branch(struct way *way, struct err *err)
{
#define OF_RUNS(which) \
	"SELECT t, run_id FROM run INDEXED BY run_by_branch WHERE project_id=?1 AND " which \
	" AND t<=?3 AND t>=?4 ORDER BY t, run_id"
	static const char of_branch[] = OF_RUNS("branch=?2");
	static const char of_none[] = OF_RUNS("branch IS NULL AND ?2=''");
	struct walk *w = way->w;
	const struct ledger_point *p = NULL;
	struct db_query *st = NULL;
	int step, there = 1, result = 0;

	if (db_start(&w->l->db, &st, err, *w->q->branch ? of_branch : of_none, "itii", w->project,
		     w->q->branch, until_of(w->q), way->behind.t))
		return -1;
	while (!result && there > 0 && (step = db_step(&w->l->db, st, err)) != 0) {
		struct merge_place run = { db_integer(st, 0), db_integer(st, 1), 0 };

		if (step < 0 || (!way->points && open_points(way, err)))
			result = -1;
		else
			result = take_run(way, &run, &p, &there, err);
	}
	db_end(st);
	return result;
}

int walk_points(struct walk *w, const struct place *behind, struct err *err)
{
	struct way way = { .w = w, .behind = *behind, .t = behind->t };
	int result;

	if (w->q->since_us && way.behind.t < w->q->since_us)
		way.behind = (struct place){ w->q->since_us, INT64_MIN, 0, 0 };
	w->gone = *behind;
	result = hidden_find(w->l, w->project, w->q->benchmark, &way.hidden, err);
	if (!result)
		result = w->q->branch ? read_branch(&way, err) : read_all(&way, err);
	if (!result)
		result = give_group(&way, err);
	merge_close(way.points);
	hidden_release(&way.hidden);
	buf_release(&way.group);
	return result < 0 ? -1 : 0;
}
