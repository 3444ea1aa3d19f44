#include "lib/store/alerts/point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/alerts/batch.h"
#include "lib/store/alerts/closing.h"
#include "lib/store/alerts/results.h"

#include "lib/base/banned.h"

/* Or one that waits for its result.  Most projects have none most of the time. */
static int has_open(struct alert_batch *b, struct err *err)
{
	int64_t one;
	int found;

	if (!b->looked) {
		found = db_get(b->db, &one, err,
			       "SELECT 1 FROM alert WHERE project_id=?1 AND (state=1 OR"
			       " was_state=1) LIMIT 1",
			       "i", b->project);
		if (found < 0)
			return -1;
		b->has_open = !found;
		b->looked = true;
	}
	return b->has_open;
}

/* Whether what lies at another commit is wholly beyond what is known. */
static bool is_beyond(const struct alert_row *a, const struct alert_point *p)
{
	double known = p->higher ? a->low : a->high, now = p->higher ? p->high : p->low;

	if (!isfinite(a->ratio) && !isfinite(p->ratio))
		return p->has_value && (p->higher ? p->v_high < a->v_low : p->v_low > a->v_high);
	return isfinite(known) && isfinite(now) &&
	       alert_harm(now, p->higher) > alert_harm(known, p->higher);
}

/* One that came to another branch gets worse and better there by itself. */
static bool is_elsewhere(const struct alert_row *a, const struct alert_point *p)
{
	return a->commit == p->commit && a->other_branch && a->kind == ALERT_VERDICT &&
	       a->state == ALERT_OPEN;
}

/*
 * A later commit was measured beside the one where the creep began.  It may have crept on
 * meanwhile: what is more than twice of it is another change.
 */
static bool is_creep_measured(const struct alert_row *a, const struct alert_point *p)
{
	double known = alert_harm(a->ratio, p->higher), now = alert_harm(p->ratio, p->higher);

	return p->base && p->base == a->base && a->same_branch && p->t >= a->t &&
	       !(is_beyond(a, p) && log(now) > 2 * log(known));
}

/* It is open, and its own commit was measured again. */
static bool is_again(const struct alert_row *a, const struct alert_point *p)
{
	return a->commit == p->commit && a->base == p->base && a->kind == ALERT_VERDICT &&
	       a->state != ALERT_ACCEPTED;
}

/* One that is gone is nobody's but its branch's.  What is far worse than one that was accepted is
   not accepted with it. */
static bool is_same(const struct alert_row *a, const struct alert_point *p)
{
	if (a->state == ALERT_GONE && !a->same_branch)
		return false;
	if (a->kind == ALERT_CREEP)
		return is_creep_measured(a, p);
	if (a->commit == p->commit)
		return !is_elsewhere(a, p) && (is_again(a, p) || !is_beyond(a, p));
	return p->base && a->base == p->base && a->same_branch && !a->is_alone && !is_beyond(a, p);
}

static int accept_row(struct alert_batch *b, const struct alert_row *a, const struct alert_point *p,
		      struct err *err)
{
	if (a->state != ALERT_OPEN || !p->accepted)
		return 0;
	return alert_set(b, a, alert_branch(b), ALERT_ACCEPTED, p->accepted, p->run, err);
}

/* Its branch has results again. */
static int come_back(struct alert_batch *b, struct alert_row *a, struct err *err)
{
	a->state = ALERT_OPEN;
	return alert_set(b, a, alert_branch(b), ALERT_OPEN, "its branch has results again", 0, err);
}

/* elsewhere: it is open on another branch.  Results that came before may have closed it. */
static int open_new(struct alert_batch *b, const struct alert_point *p, bool elsewhere,
		    struct err *err)
{
	struct alert_row a = { .series = p->series,
			       .commit = p->commit,
			       .base = p->base,
			       .t = p->t,
			       .ratio = p->ratio,
			       .low = p->low,
			       .high = p->high,
			       .before = p->has_before ? p->before : (double)NAN,
			       .kind = ALERT_VERDICT,
			       .state = ALERT_OPEN };
	const struct closing_of of = closing_of_row(&a, p->higher);
	struct closing c = { .run = 0 };

	if (p->accepted)
		a.state = ALERT_ACCEPTED;
	else if (closing_find(b, &of, p, &c, err))
		return -1;
	if (c.run)
		a.state = ALERT_RESOLVED;
	a.id = alert_number(b);
	if (alert_insert(b, &a, alert_branch(b), p, c.run ? c.why : p->accepted, c.run, err))
		return -1;
	b->looked = b->has_open = true;
	if (a.state != ALERT_OPEN)
		return 0;
	return elsewhere ? alert_say_branch(b, &a, alert_branch(b), err)
			 : alert_say(b, &a, alert_branch(b), ALERT_OPEN, err);
}

/* A step in a history was measured side by side by now, and is there. */
static int confirm(struct alert_batch *b, const struct alert_row *row, const struct alert_point *p,
		   struct err *err)
{
	struct alert_row a = *row;

	if (a.kind == ALERT_VERDICT)
		return 0;
	if (alert_write_figure(b, &a, p, err))
		return -1;
	/* The others know of it. */
	a.kind = ALERT_VERDICT;
	a.commit = p->commit;
	return a.state == ALERT_OPEN && !p->accepted
		       ? alert_say_verdict(b, &a, alert_branch(b), err)
		       : 0;
}

/* One that is open is far worse than was known: that is said, unless it was just now. */
static int worsen(struct alert_batch *b, const struct alert_row *a, const struct alert_point *p,
		  bool is_said, struct err *err)
{
	if (!is_again(a, p) || !is_beyond(a, p))
		return 0;
	if (alert_write_figure(b, a, p, err))
		return -1;
	/* As alert_set() does. */
	alert_number(b);
	return is_said || p->accepted ? 0 : alert_say(b, a, alert_branch(b), ALERT_OPEN, err);
}

/* One that says the same, or less. */
static int take_same(struct alert_batch *b, struct alert_row *a, const struct alert_point *p,
		     struct err *err)
{
	bool is_back = a->state == ALERT_GONE;

	if (is_back && come_back(b, a, err))
		return -1;
	return worsen(b, a, p, is_back, err) || confirm(b, a, p, err) || accept_row(b, a, p, err)
		       ? -1
		       : 0;
}

/* Changes by difference are of different sizes where what was measured is. */
static int read_value(struct alert_batch *b, struct alert_row *a, const struct alert_point *p,
		      struct err *err)
{
	struct result r;
	int found;

	if (isfinite(a->ratio) || isfinite(p->ratio))
		return 0;
	found = results_of(b, a->series, a->run, &r, err);
	if (found > 0) {
		a->v_low = r.v_low;
		a->v_high = r.v_high;
	}
	return found < 0 ? -1 : 0;
}

/* 1: of one that was accepted, which no result resolves, nothing was left before that commit. */
static int is_over(struct alert_batch *b, const struct alert_row *a, const struct alert_point *p,
		   struct err *err)
{
	if (a->state != ALERT_ACCEPTED || a->kind != ALERT_VERDICT || a->commit == p->commit)
		return 0;
	return closing_is_over(b, a, p, err);
}

static int take_worse(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	struct buf rows = BUF_INIT;
	struct alert_row *a;
	bool known = false, elsewhere = false;
	int result = -1, over;
	size_t i;

	if (closing_rows(b, p->series, &rows, err))
		goto out;
	a = (struct alert_row *)(void *)rows.data;
	for (i = 0; i < rows.len / sizeof(*a); i++) {
		if (a[i].state == ALERT_RESOLVED)
			continue;
		if (read_value(b, &a[i], p, err))
			goto out;
		elsewhere |= is_elsewhere(&a[i], p);
		if (!is_same(&a[i], p))
			continue;
		over = is_over(b, &a[i], p, err);
		if (over < 0)
			goto out;
		if (over)
			continue;
		known = true;
		if (take_same(b, &a[i], p, err))
			goto out;
	}
	result = known ? 0 : open_new(b, p, elsewhere, err);
out:
	buf_release(&rows);
	return result;
}

/* 1: no other result of the branch is of that commit, or of one behind it. */
static int is_newest(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	/* Two questions, so that each finds its rows by the index. */
	static const char of_branch[] = "SELECT 1 FROM run WHERE project_id=?1 AND branch=?2"
					" AND t>=?3 AND run_id<>?4 LIMIT 1";
	static const char of_none[] = "SELECT 1 FROM run WHERE project_id=?1 AND branch IS NULL"
				      " AND ?2='' AND t>=?3 AND run_id<>?4 LIMIT 1";
	int64_t any;
	int found;

	if (b->newest_of != p->run) {
		found = db_get(b->db, &any, err, b->branch ? of_branch : of_none, "itii",
			       b->project, alert_branch(b), p->t, p->run);
		if (found < 0)
			return -1;
		b->newest_of = p->run;
		b->is_newest = found > 0;
	}
	return b->is_newest;
}

/* Whether the newest result may make anything else of one that is open. */
static bool is_about(const struct alert_row *a, const struct alert_point *p)
{
	bool is_improved =
		isfinite(a->ratio) && fabs(a->left - alert_harm(a->ratio, p->higher)) >= 1e-9;

	if (a->commit == p->commit || (p->base && p->base == a->base))
		return true;
	/* What was left of it may be more again. */
	return a->kind == ALERT_VERDICT && (p->verdict == VERDICT_IMPROVED || is_improved);
}

/* A regression of its own commit is told by its own alert. */
static bool is_told(const struct alert_row *a, const struct alert_point *p)
{
	return p->verdict == VERDICT_REGRESSED && a->commit == p->commit && a->base == p->base;
}

static int look_at(struct alert_batch *b, struct alert_row *a, const struct alert_point *p,
		   bool newest, struct err *err)
{
	if (!a->same_branch || p->t < a->t)
		return 0;
	if (a->state == ALERT_OPEN ? newest && !is_about(a, p)
				   : newest || a->kind != ALERT_VERDICT || is_told(a, p))
		return 0;
	return closing_settle(b, a, p->higher, p, "another result says otherwise", err);
}

/* What becomes of those that are there. */
static int take_other(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	struct buf rows = BUF_INIT;
	struct alert_row *a;
	int newest = is_newest(b, p, err), open = newest < 0 ? -1 : has_open(b, err), result;
	size_t i;

	if (open < 0 || (newest && !open))
		return open < 0 ? -1 : 0;
	result = closing_rows(b, p->series, &rows, err);
	a = (struct alert_row *)(void *)rows.data;
	for (i = 0; !result && i < rows.len / sizeof(*a); i++)
		result = look_at(b, &a[i], p, newest > 0, err);
	buf_release(&rows);
	return result;
}

static int return_one(struct alert_batch *b, struct alert_row *a, const struct alert_point *p,
		      struct err *err)
{
	if (a->state != ALERT_GONE || a->kind == ALERT_CHANGE_POINT || !a->same_branch ||
	    p->t < a->t)
		return 0;
	a->state = ALERT_OPEN;
	/* The result is stored. */
	if (closing_settle(b, a, p->higher, NULL, NULL, err))
		return -1;
	return a->state == ALERT_OPEN ? come_back(b, a, err) : 0;
}

int point_return(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	struct buf rows = BUF_INIT;
	struct alert_row *a;
	int result = results_is_hidden(b, p->series, p->run, err);
	size_t i;

	if (result)
		return result < 0 ? -1 : 0;
	result = closing_rows(b, p->series, &rows, err);
	a = (struct alert_row *)(void *)rows.data;
	for (i = 0; !result && i < rows.len / sizeof(*a); i++)
		result = return_one(b, &a[i], p, err);
	buf_release(&rows);
	return result;
}

int point_take(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	if (!verdict_is_decided(p->verdict)) /* it takes nothing back */
		return 0;
	if (p->verdict == VERDICT_REGRESSED && p->can_open && take_worse(b, p, err))
		return -1;
	return take_other(b, p, err);
}
