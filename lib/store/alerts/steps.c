#include "lib/store/alerts/steps.h"

#include <math.h>
#include <string.h>

#include "lib/store/alerts/batch.h"

#include "lib/base/banned.h"

/* All alerts of the series on the branch, whatever became of them. */
static int read_rows(struct alert_batch *b, int64_t series, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err,
		     "SELECT alert_id, commit_id, t, kind, state, was_state, ratio,"
		     " state=3 AND (was_state IS NOT NULL OR EXISTS (SELECT 1 FROM run AS r"
		     "  WHERE r.project_id=alert.project_id AND r.run_id=alert.closed_by"
		     "  AND r.commit_id=alert.commit_id)) FROM alert"
		     " WHERE project_id=?1 AND series_id=?2 AND branch=?3 ORDER BY alert_id",
		     "iit", b->project, series, alert_branch(b)))
		return -1;
	while ((step = db_step(b->db, st, err)) > 0) {
		struct alert_row a = { .id = db_integer(st, 0),
				       .series = series,
				       .commit = db_integer(st, 1),
				       .t = db_integer(st, 2),
				       .kind = (enum alert_kind)db_integer(st, 3),
				       .state = (enum alert_state)db_integer(st, 4),
				       .was = (enum alert_state)db_integer(st, 5),
				       .ratio = db_double(st, 6),
				       .is_void = db_integer(st, 7) != 0 };

		buf_add(out, &a, sizeof(a));
	}
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

static bool is_of(const struct alert_row *a, const struct alert_step *s)
{
	return a->t >= s->from_t && a->t <= s->to_t;
}

/*
 * Some alert said it, or several together at least half of it: one that is accepted says nothing of
 * a change ten times as large a commit later, and one that was a mistake nothing.  A new step that
 * is not behind the newest commit of a creep is part of it: that is of at least 48 commits.
 */
static bool is_told(const struct alert_row *v, size_t n, const struct alert_step *s)
{
	double said = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct alert_row *a = &v[i];

		if ((a->is_void && a->kind == ALERT_VERDICT) ||
		    (a->kind == ALERT_CREEP ? s->t > a->t : !is_of(a, s)))
			continue;
		if (a->kind == ALERT_CREEP || !(a->ratio > 0))
			return true;
		said += fabs(log(a->ratio));
	}
	return said > 0 && fabs(s->after - s->before) <= 2 * said + STEPS_LEAST;
}

static int open_step(struct alert_batch *b, const struct alert_history *h,
		     const struct alert_step *s, struct err *err)
{
	struct alert_row a = { .id = alert_number(b),
			       .series = h->series,
			       .commit = s->commit,
			       .kind = ALERT_CHANGE_POINT,
			       .state = ALERT_OPEN };

	if (db_run(b->db, err,
		   "INSERT INTO alert (project_id, alert_id, series_id, kind, state, branch,"
		   " commit_id, base_id, run_id, t, ratio, opened_us, changed_us) VALUES"
		   " (?1,?2,?3,2,1,?4,?5,0,?6,?7,?8,?9,?9)",
		   "iiitiiidi", b->project, a.id, h->series, alert_branch(b), s->commit, s->run,
		   s->t, exp(s->after - s->before), b->now_us))
		return -1;
	return alert_say(b, &a, alert_branch(b), ALERT_OPEN, err);
}

static bool is_back(const struct alert_history *h, const struct alert_step *s)
{
	double left = h->now - s->before;

	return (h->higher ? -left : left) <= STEPS_LEAST;
}

/* NULL: it stays as it is. */
static const char *why_closed(const struct alert_row *a, const struct alert_history *h)
{
	size_t i;

	if (a->kind != ALERT_CHANGE_POINT || a->state != ALERT_OPEN)
		return NULL;
	for (i = 0; i < h->n; i++)
		if (is_of(a, &h->steps[i]))
			return is_back(h, &h->steps[i]) ? "its level is back" : NULL;
	for (i = 0; i < h->n_stays; i++)
		if (h->stays[i] == a->id)
			return NULL;
	return a->t > h->sure_t ? "with more results there is no step any more" : NULL;
}

/* The step whose alert it was, where results still show it that are not retracted, or on a branch
   that was gone; or NULL. */
static const struct alert_step *still_shown(const struct alert_row *a,
					    const struct alert_history *h)
{
	size_t i;

	bool was_hidden = a->state == ALERT_RESOLVED && a->was;

	if (a->kind != ALERT_CHANGE_POINT || !(was_hidden || a->state == ALERT_GONE))
		return NULL;
	for (i = 0; i < h->n; i++)
		if (is_of(a, &h->steps[i]) && h->steps[i].is_worse && !is_back(h, &h->steps[i]))
			return &h->steps[i];
	return NULL;
}

static int open_again(struct alert_batch *b, const struct alert_row *a, const struct alert_step *s,
		      struct err *err)
{
	struct alert_row moved = *a;

	if (a->state == ALERT_GONE)
		return alert_set(b, a, alert_branch(b), ALERT_OPEN, "its branch has results again",
				 0, err);
	moved.commit = s->commit;
	if (db_run(b->db, err,
		   "UPDATE alert SET state=?3, why=NULL, was_state=NULL, run_id=?4, commit_id=?5,"
		   " t=?6 WHERE project_id=?1 AND alert_id=?2",
		   "iiiiii", b->project, a->id, (int64_t)a->was, s->run, s->commit, s->t))
		return -1;
	/* As alert_set() does.  That it is accepted was said. */
	alert_number(b);
	return a->was == ALERT_OPEN
		       ? alert_set(b, &moved, alert_branch(b), ALERT_OPEN, NULL, 0, err)
		       : 0;
}

/* What becomes of one that was there. */
static int mend_row(struct alert_batch *b, const struct alert_row *a, const struct alert_history *h,
		    struct err *err)
{
	const struct alert_step *shown = still_shown(a, h);
	const char *why = why_closed(a, h);

	if (shown)
		return open_again(b, a, shown, err);
	return why ? alert_set(b, a, alert_branch(b), ALERT_RESOLVED, why, 0, err) : 0;
}

int alerts_steps(struct alert_batch *b, const struct alert_history *h, struct err *err)
{
	struct buf rows = BUF_INIT;
	const struct alert_row *v;
	size_t i, k, n;
	int result = -1;

	if (read_rows(b, h->series, &rows, err))
		goto out;
	v = (const struct alert_row *)(const void *)rows.data;
	n = rows.len / sizeof(*v);
	for (i = 0; i < n; i++)
		if (mend_row(b, &v[i], h, err))
			goto out;
	for (k = 0; k < h->n; k++)
		if (h->steps[k].is_new && !is_told(v, n, &h->steps[k]) &&
		    open_step(b, h, &h->steps[k], err))
			goto out;
	result = 0;
out:
	buf_release(&rows);
	return result;
}

/* ---- many small ones ------------------------------------------------------------------ */

int alerts_creep(struct alert_batch *b, const struct alert_creep *c, struct err *err)
{
	struct alert_row a = { .series = c->series,
			       .commit = c->commit,
			       .base = c->base,
			       .kind = ALERT_CREEP,
			       .state = ALERT_OPEN };
	int64_t one;
	int found = db_get(b->db, &one, err,
			   "SELECT 1 FROM alert WHERE project_id=?1 AND series_id=?2 AND kind=3"
			   " AND branch=?3 AND state IN (1,4) LIMIT 1",
			   "iit", b->project, c->series, alert_branch(b));

	if (found <= 0)
		return found;
	a.id = alert_number(b);
	if (db_run(b->db, err,
		   "INSERT INTO alert (project_id, alert_id, series_id, kind, state, branch,"
		   " commit_id, base_id, run_id, t, ratio, low, high, opened_us, changed_us)"
		   " VALUES (?1,?2,?3,3,1,?4,?5,?6,?7,?8,?9,?10,?11,?12,?12)",
		   "iiitiiiidddi", b->project, a.id, c->series, alert_branch(b), c->commit, c->base,
		   c->run, c->t, c->ratio, c->low, c->high, b->now_us))
		return -1;
	return alert_say(b, &a, alert_branch(b), ALERT_OPEN, err);
}

int alerts_creep_back(struct alert_batch *b, int64_t alert, struct err *err)
{
	struct alert_row a = { .id = alert, .kind = ALERT_CREEP, .state = ALERT_OPEN };
	int found = db_get(b->db, &a.commit, err,
			   "SELECT commit_id FROM alert WHERE project_id=?1 AND alert_id=?2"
			   " AND state=1 AND kind=3",
			   "ii", b->project, alert);

	if (found)
		return found < 0 ? -1 : 0;
	return alert_set(b, &a, alert_branch(b), ALERT_RESOLVED, "its level is back", 0, err);
}
