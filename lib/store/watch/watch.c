#include "lib/store/watch/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json/jtree.h"
#include "lib/stats/series/changepoint.h"
#include "lib/store/db.h"
#include "lib/store/points/sheet.h"
#include "lib/store/watch/creep.h"
#include "lib/store/watch/returned.h"
#include "lib/store/watch/stays.h"
#include "lib/store/watch/values.h"

#include "lib/base/banned.h"

#define LEAST_POINTS 12
#define TREE_BYTES (4u << 20)
#define TREE_DEPTH 6

void watch_release(struct watch *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		free(w->histories[i].branch);
		free(w->histories[i].steps);
		free(w->histories[i].stays);
	}
	free(w->histories);
	free(w->project);
	returned_release(w);
	*w = (struct watch){ .n = 0 };
}

static int find_project(struct db *db, int64_t last, struct watch *w, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT p.project_id, p.name, p.watched FROM project AS p WHERE EXISTS"
		     " (SELECT 1 FROM run AS r WHERE r.project_id=p.project_id"
		     "  AND r.run_id>p.watched)"
		     " ORDER BY CASE WHEN p.project_id>?1 THEN 0 ELSE 1 END, p.project_id LIMIT 1",
		     "i", last))
		return -1;
	step = db_step(db, st, err);
	if (step > 0) {
		w->project_id = db_integer(st, 0);
		w->seen = db_integer(st, 2);
		step = str_set(&w->project, db_text(st, 1), err) ? -1 : 1;
	}
	db_end(st);
	return step < 0 ? -1 : !step;
}

static int add_history(struct watch *w, int64_t series, const char *branch, struct err *err)
{
	struct watch_history *more;
	size_t i;

	for (i = 0; i < w->n; i++)
		if (w->histories[i].series == series && !strcmp(w->histories[i].branch, branch)) {
			w->histories[i].n_new++;
			return 0;
		}
	more = realloc(w->histories, (w->n + 1) * sizeof(*more));
	if (!more)
		return err_nomem(err);
	w->histories = more;
	more[w->n] = (struct watch_history){ .series = series, .n_new = 1 };
	if (str_set(&more[w->n].branch, branch, err))
		return -1;
	w->n++;
	return 0;
}

/* The gated series of a sheet.  What is damaged is fsck's. */
static int add_sheet(struct watch *w, int64_t run, int64_t t, const void *bytes, size_t n,
		     const char *branch, struct err *err)
{
	struct sheet sheet;
	struct ledger_point p;

	if (sheet_open(&sheet, w->project_id, run, t, bytes, n, NULL))
		return 0;
	while (sheet_next(&sheet)) {
		if (sheet_read(&sheet, &p, NULL, NULL, NULL) || !(p.flags & POINT_GATE))
			continue;
		if (add_history(w, sheet.series, branch, err))
			return -1;
	}
	return 0;
}

static int read_runs(struct db *db, struct watch *w, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT r.run_id, r.branch, r.apart=0 AND r.dirty=0, p.t, p.points"
		     " FROM run AS r LEFT JOIN sheet AS p ON p.project_id=r.project_id"
		     " AND p.run_id=r.run_id WHERE r.project_id=?1 AND r.run_id>?2"
		     " ORDER BY r.run_id LIMIT ?3",
		     "iii", w->project_id, w->seen, (int64_t)WATCH_RUNS))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		size_t n = 0;
		const void *bytes = db_bytes(st, 4, &n);

		w->seen = db_integer(st, 0);
		if (n && db_integer(st, 2) &&
		    add_sheet(w, w->seen, db_integer(st, 3), bytes, n, db_text(st, 1), err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

/* ---- one history ------------------------------------------------------------------------ */

/* Of the newest n of them; late: as many points from the end it may be a new one. */
static void take_step(const struct value *at, size_t n, const struct change_point *c, bool higher,
		      size_t late, struct watch_step *out)
{
	size_t from = c->at > WATCH_NEAR ? c->at - WATCH_NEAR : 0;
	size_t to = c->at + WATCH_NEAR < n ? c->at + WATCH_NEAR : n - 1;
	bool is_worse = higher ? c->after < c->before : c->after > c->before;

	snprintf(out->id, sizeof(out->id), "%s", at[c->at].id);
	snprintf(out->from, sizeof(out->from), "%s", at[from].id);
	snprintf(out->to, sizeof(out->to), "%s", at[to].id);
	out->before = c->before;
	out->after = c->after;
	out->is_worse = is_worse && c->at + WATCH_SETTLED <= n && !at[c->at].measured;
	out->is_new = out->is_worse && c->at + late >= n;
}

/* is_cut: there are older ones. */
static int take_steps(const double *x, const struct value *at, size_t n_values, bool is_cut,
		      struct watch_history *h, struct err *err)
{
	struct changepoint_terms terms = CHANGEPOINT_TERMS;
	struct change_point *found = NULL;
	size_t i, n = 0;
	bool is_kept = true;
	int result = -1;

	if (n_values < LEAST_POINTS)
		return 0;
	terms.final_p = WATCH_P;
	terms.weak_p = 10 * WATCH_P;
	if (changepoint_find(x, n_values, &terms, &found, &n, err))
		return -1;
	h->steps = calloc(n + 1, sizeof(*h->steps));
	if (!h->steps) {
		err_nomem(err);
		goto out;
	}
	/* However many came at once: but one that later steps took back is no news. */
	for (i = n; i > 0; i--) {
		const struct change_point *c = &found[i - 1];
		size_t at_once = is_kept ? h->n_new + WATCH_SETTLED : 0;

		take_step(at, n_values, c, h->higher,
			  at_once > WATCH_LATELY ? at_once : WATCH_LATELY, &h->steps[i - 1]);
		is_kept = is_kept && (h->higher ? c->after < c->before : c->after > c->before);
	}
	h->n_steps = n;
	h->now = n ? found[n - 1].after : 0;
	/* Of what came before the older steps less and less is looked at: in the end too little. */
	snprintf(h->sure, sizeof(h->sure), "%s", at[is_cut ? n_values / 2 : 0].id);
	result = 0;
out:
	free(found);
	return result;
}

/* There may be older results. */
static bool is_full(const struct jtree *root)
{
	return jtree_count(jtree_get(jtree_get(root, "points"), "value")) == WATCH_RESULTS;
}

/* Steps are looked for in the newest of them alone. */
static int take_all(struct db *db, const struct watch *w, const struct values *v, bool is_cut,
		    struct watch_history *h, struct err *err)
{
	size_t more = v->n > WATCH_POINTS ? v->n - WATCH_POINTS : 0;

	return take_steps(v->x + more, v->at + more, v->n - more, is_cut || more, h, err) ||
			       stays_look(db, w, h, v, err) || creep_look(db, w, h, v, err)
		       ? -1
		       : 0;
}

/* The question that gives it; texts live as long as the row of *st does. */
static int ask_history(struct ledger *l, const struct watch *w, struct watch_history *h,
		       struct buf *json, struct err *err)
{
	struct db *db = ledger_db(l);
	struct history_query q = {
		.project = w->project, .branch = h->branch, .newest = true, .limit = WATCH_RESULTS
	};
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT s.benchmark, s.metric, s.unit, s.better, e.machine FROM series AS s"
		     " CROSS JOIN env AS e ON e.project_id=s.project_id AND e.env_id=s.env_id"
		     " WHERE s.project_id=?1 AND s.series_id=?2",
		     "ii", w->project_id, h->series))
		return -1;
	step = db_step(db, st, err);
	if (step > 0) {
		h->higher = db_integer(st, 3) != 0;
		q.benchmark = db_text(st, 0);
		q.metric = db_text(st, 1);
		q.unit = db_text(st, 2);
		q.better = h->higher ? "higher" : "lower";
		q.machine = db_text(st, 4);
		step = ledger_history(l, &q, json, err) ? -1 : 1;
	}
	db_end(st);
	return step < 0 ? -1 : !step;
}

/*
 * Where the machine's results lately name their branches, one that names none is of who knows
 * which: often a topic branch that CI took out by its commit.  1: so it is.
 */
static int is_of_any_branch(struct db *db, const struct watch *w, const struct watch_history *h,
			    struct err *err)
{
	int64_t one;
	int found;

	if (*h->branch)
		return 0;
	found = db_get(db, &one, err,
		       "SELECT 1 FROM (SELECT env_id, branch FROM run WHERE project_id=?1"
		       "  AND apart=0 AND dirty=0 ORDER BY run_id DESC LIMIT ?3) AS r"
		       " WHERE branch IS NOT NULL AND env_id=(SELECT env_id FROM series"
		       "  WHERE project_id=?1 AND series_id=?2) LIMIT 1",
		       "iii", w->project_id, h->series, (int64_t)WATCH_RESULTS);
	return found < 0 ? -1 : !found;
}

static int look_at(struct ledger *l, const struct watch *w, struct watch_history *h,
		   struct err *err)
{
	struct buf json = BUF_INIT;
	struct jtree *root = NULL;
	struct values values = { .n = 0 };
	struct err fault = ERR_INIT;
	int result = is_of_any_branch(ledger_db(l), w, h, &fault);

	if (!result)
		result = ask_history(l, w, h, &json, &fault);
	if (!result) {
		root = jtree_parse(json.data, json.len, TREE_BYTES, TREE_DEPTH, err);
		result = !root || values_read(root, &values, err) ||
					 take_all(ledger_db(l), w, &values, is_full(root), h, err)
				 ? -1
				 : 0;
	} else if (fault.code == ERR_CORRUPT || fault.code == ERR_ABSENT || result > 0) {
		result = 0; /* its own readers are told; the others go on */
	} else if (err) {
		*err = fault;
	}
	values_release(&values);
	jtree_free(root);
	buf_release(&json);
	return result;
}

int watch_look(struct ledger *l, int64_t *io_last, struct watch *out, struct err *err)
{
	struct watch w = { .n = 0 };
	int none = find_project(ledger_db(l), *io_last, &w, err);
	int64_t from = w.seen;
	size_t i;

	if (!none)
		*io_last = w.project_id;
	if (!none &&
	    (read_runs(ledger_db(l), &w, err) || returned_read(ledger_db(l), &w, from, err)))
		none = -1;
	for (i = 0; !none && i < w.n; i++)
		if (look_at(l, &w, &w.histories[i], err))
			none = -1;
	if (none)
		watch_release(&w);
	else
		*out = w;
	return none;
}
