#include "lib/store/alerts/closing.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/store/alerts/chain.h"

#include "lib/base/banned.h"

#define WALK_MAX 64 /* commits from a result back to the change */

static void say_measured(enum verdict verdict, struct closing *out)
{
	snprintf(out->why, sizeof(out->why), "measured side by side: %s", verdict_name(verdict));
}

/* 1: what counts at its own commit says otherwise; of a step whatever it is compared with. */
static int find_own(struct alert_batch *b, const struct closing_of *a,
		    const struct alert_point *now, struct closing *out, struct err *err)
{
	bool is_step = a->kind == ALERT_CHANGE_POINT;
	struct result r;
	int found = 1;

	if (a->kind == ALERT_CREEP)
		return 0;
	if (now && now->commit == a->commit && (is_step ? now->base != 0 : now->base == a->base))
		r = (struct result){ .run = now->run, .verdict = now->verdict };
	else
		found = results_at(b, a->series, a->commit, is_step ? RESULTS_ANY_BASE : a->base,
				   &r, err);
	if (found <= 0)
		return found;
	if (!result_is_no_worse(r.verdict))
		return 0;
	out->run = r.run;
	out->t = a->t;
	out->is_own = true;
	if (is_step)
		say_measured(r.verdict, out);
	else
		snprintf(out->why, sizeof(out->why), "a later run of the same commit says: %s",
			 verdict_name(r.verdict));
	return 1;
}

/* The threshold of the benchmark in that result. */
static int find_threshold(struct alert_batch *b, const struct closing_of *a,
			  const struct alert_point *now, int64_t run, double *out, struct err *err)
{
	struct alert_said said = { .threshold = 0 };
	int result = 0;

	if (now)
		said.threshold = now->threshold;
	else if (b->read_said)
		result = b->read_said(b->ctx, run, a->series, &said, err);
	*out = said.threshold;
	free(said.accepted);
	return result;
}

/* Of one without a ratio: whether what was measured is no worse than before it. */
static bool is_back(const struct closing_of *a, double v, double threshold)
{
	double worse = a->higher ? a->before - v : v - a->before;

	return isfinite(worse) && worse <= threshold * fabs(a->before);
}

/* 1: what improved there leaves less of it than the threshold. */
static int is_better(struct alert_batch *b, const struct closing_of *a, const struct chain_link *l,
		     const struct alert_point *now, struct err *err)
{
	double threshold = 0;

	if (l->r.verdict != VERDICT_IMPROVED || !l->r.can_open ||
	    (isfinite(a->ratio) && !l->is_last))
		return 0;
	if (isfinite(a->ratio) && !(l->left < 2))
		return 0;
	if (find_threshold(b, a, now, l->r.run, &threshold, err))
		return -1;
	return isfinite(a->ratio) ? chain_is_over(l, alert_harm(a->ratio, a->higher), threshold)
				  : is_back(a, l->r.v, threshold);
}

/* 1: the first parents of the commit lead to that of the change. */
static int leads_to(struct alert_batch *b, int64_t commit, int64_t change, struct err *err)
{
	int64_t at = commit;
	int i, found = 0;

	for (i = 0; !found && at != change && i < WALK_MAX; i++)
		found = db_get(b->db, &at, err,
			       "SELECT p.commit_id FROM vcs_commit AS c JOIN vcs_commit AS p"
			       " ON p.project_id=c.project_id AND p.apart=0 AND p.sha=c.parent"
			       " WHERE c.project_id=?1 AND c.commit_id=?2",
			       "ii", b->project, at);
	return found < 0 ? -1 : at == change;
}

/* 1: the link, of a later commit, closes it. */
static int find_at(struct alert_batch *b, const struct closing_of *a, const struct chain_link *l,
		   const struct alert_point *now, struct closing *out, struct err *err)
{
	int found = 0;

	if (a->base && l->r.base == a->base && result_is_no_worse(l->r.verdict)) {
		if (a->kind == ALERT_CREEP)
			say_measured(l->r.verdict, out);
		else
			snprintf(out->why, sizeof(out->why), "%s", CLOSING_BACK);
		found = 1;
	} else if (a->kind == ALERT_VERDICT) {
		found = is_better(b, a, l, now, err);
		if (found > 0)
			snprintf(out->why, sizeof(out->why), "%s", CLOSING_BETTER);
	}
	if (found > 0) {
		out->run = l->r.run;
		out->t = l->r.t;
	}
	return found;
}

/* The links behind it; where they may be anybody's those alone whose commits are behind its. */
static int read_links(struct alert_batch *b, const struct closing_of *a,
		      const struct alert_point *now, struct buf *out, struct err *err)
{
	struct chain_of of = { .series = a->series,
			       .commit = a->commit,
			       .base = a->base,
			       .t = a->t,
			       .higher = a->higher,
			       .ratio = a->ratio,
			       .low = a->low,
			       .high = a->high };
	int alone = results_are_anybodys(b, a->series, err), leads = 0;
	struct chain_link *l;
	size_t i, n, kept = 0;

	if (alone < 0)
		return -1;
	/* From its own commit alone. */
	of.base = alone ? 0 : a->base;
	if (chain_read(b, &of, now, out, err))
		return -1;
	l = (struct chain_link *)(void *)out->data;
	n = out->len / sizeof(*l);
	for (i = 0; alone && i < n; i++) {
		leads = l[i].is_last ? 1 : leads_to(b, l[i].r.commit, a->commit, err);
		if (leads < 0)
			return -1;
		if (leads)
			l[kept++] = l[i];
	}
	if (alone)
		buf_truncate(out, kept * sizeof(*l));
	return 0;
}

static int find_behind(struct alert_batch *b, const struct closing_of *a,
		       const struct alert_point *now, int64_t since, struct closing *out,
		       struct err *err)
{
	struct buf links = BUF_INIT;
	const struct chain_link *l;
	int result = read_links(b, a, now, &links, err);
	size_t i;

	l = (const struct chain_link *)(const void *)links.data;
	for (i = 0; result >= 0 && i < links.len / sizeof(*l); i++) {
		if (l[i].r.commit == a->commit)
			continue;
		if (l[i].is_last)
			out->left = fmin(l[i].left, alert_harm(a->ratio, a->higher));
		if (!out->run && l[i].r.run > since)
			result = find_at(b, a, &l[i], now, out, err);
	}
	buf_release(&links);
	return result < 0 ? -1 : 0;
}

/* When a person opened it last, as a number of the project, of which runs have theirs; 0: nobody
   did. */
static int find_opened(struct alert_batch *b, const struct closing_of *a, int64_t *out,
		       struct err *err)
{
	char id[24];

	*out = 0;
	if (!a->id)
		return 0;
	snprintf(id, sizeof(id), "%" PRId64, a->id);
	return db_get(b->db, out, err,
		      "SELECT coalesce(max(audit_id), 0) FROM audit WHERE project_id=?1"
		      " AND action='alert' AND id=?2 AND why LIKE 'state open%'",
		      "it", b->project, id);
}

static int find(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		int64_t since, struct closing *out, struct err *err)
{
	int found;

	*out = (struct closing){ .left = alert_harm(a->ratio, a->higher) };
	found = find_own(b, a, now, out, err);
	if (found > 0 && out->run > since)
		return 0;
	*out = (struct closing){ .left = alert_harm(a->ratio, a->higher) };
	if (found || a->kind == ALERT_CHANGE_POINT)
		return found < 0 ? -1 : 0;
	return find_behind(b, a, now, since, out, err);
}

int closing_find(struct alert_batch *b, const struct closing_of *a, const struct alert_point *now,
		 struct closing *out, struct err *err)
{
	int64_t since;

	if (find(b, a, now, 0, out, err))
		return -1;
	if (!out->run)
		return 0;
	/* What a person opened no result closes that was here before. */
	if (find_opened(b, a, &since, err))
		return -1;
	return since ? find(b, a, now, since, out, err) : 0;
}

int closing_rows(struct alert_batch *b, int64_t series, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	int step, alone = results_are_anybodys(b, series, err);

	if (alone < 0 ||
	    db_start(b->db, &st, err,
		     "SELECT alert_id, series_id, commit_id, base_id, run_id, t, kind, state, low,"
		     " high, ratio, branch, was_state, remaining, closed_by FROM alert"
		     " WHERE project_id=?1 AND series_id=?2 AND (state<>3 OR was_state=1"
		     " OR closed_by IS NOT NULL) ORDER BY alert_id",
		     "ii", b->project, series))
		return -1;
	while ((step = db_step(b->db, st, err)) > 0) {
		const char *branch = db_text(st, 11);
		bool same = !strcmp(branch, alert_branch(b));
		struct alert_row a = { .id = db_integer(st, 0),
				       .series = db_integer(st, 1),
				       .commit = db_integer(st, 2),
				       .base = db_integer(st, 3),
				       .run = db_integer(st, 4),
				       .t = db_integer(st, 5),
				       .kind = (enum alert_kind)db_integer(st, 6),
				       .state = (enum alert_state)db_integer(st, 7),
				       .was = (enum alert_state)db_integer(st, 12),
				       .closed_by = db_integer(st, 14),
				       .low = db_double(st, 8),
				       .high = db_double(st, 9),
				       .ratio = db_double(st, 10),
				       .left = db_double(st, 13),
				       .v_low = (double)NAN,
				       .v_high = (double)NAN,
				       .same_branch = same,
				       .is_alone = same && alone,
				       .other_branch = !same && *branch && b->branch };

		a.before = isfinite(a.ratio) ? (double)NAN : a.left;
		buf_add(out, &a, sizeof(a));
	}
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

bool closing_is_by_result(const struct alert_row *a)
{
	return a->state == ALERT_RESOLVED && !a->was && a->closed_by;
}

struct closing_of closing_of_row(const struct alert_row *a, bool higher)
{
	return (struct closing_of){ .id = a->id,
				    .series = a->series,
				    .commit = a->commit,
				    .base = a->base,
				    .t = a->t,
				    .kind = a->kind,
				    .higher = higher,
				    .ratio = a->ratio,
				    .low = a->low,
				    .high = a->high,
				    .before = a->before };
}

static int resolve(struct alert_batch *b, struct alert_row *a, const struct closing *c, bool higher,
		   struct err *err)
{
	a->state = ALERT_RESOLVED;
	if (c->is_own && alert_set_free(b, a, higher, err))
		return -1;
	return alert_set(b, a, alert_branch(b), ALERT_RESOLVED, c->why, c->run, err);
}

static int settle_open(struct alert_batch *b, struct alert_row *a, const struct closing *c,
		       bool higher, struct err *err)
{
	if (c->run)
		return resolve(b, a, c, higher, err);
	if (a->kind != ALERT_VERDICT || !isfinite(a->ratio) || fabs(c->left - a->left) < 1e-9)
		return 0;
	return db_run(b->db, err,
		      "UPDATE alert SET remaining=?3 WHERE project_id=?1 AND alert_id=?2", "iid",
		      b->project, a->id, c->left);
}

/* 1: another one came since, and tells what became of the same change. */
static int is_followed(struct alert_batch *b, const struct alert_row *a, struct err *err)
{
	int64_t any;
	int found =
		db_get(b->db, &any, err,
		       "SELECT 1 FROM alert WHERE project_id=?1 AND series_id=?2"
		       " AND commit_id=?3 AND base_id=?4 AND branch=?5 AND kind=1"
		       " AND alert_id>?6 LIMIT 1",
		       "iiiiti", b->project, a->series, a->commit, a->base, alert_branch(b), a->id);

	return found < 0 ? -1 : !found;
}

int closing_keep(struct alert_batch *b, const struct alert_row *a, const struct closing *c,
		 struct err *err)
{
	/* As alert_set() does. */
	alert_number(b);
	return db_run(b->db, err,
		      "UPDATE alert SET was_state=NULL, why=?3, closed_by=?4"
		      " WHERE project_id=?1 AND alert_id=?2",
		      "iiti", b->project, a->id, c->why, c->run);
}

static int open_again(struct alert_batch *b, struct alert_row *a, const char *why, bool higher,
		      struct err *err)
{
	int own = results_is_of(b, a->closed_by, a->commit, err);

	a->state = ALERT_OPEN;
	if (own < 0 || (own && alert_set_free(b, a, higher, err)))
		return -1;
	return alert_set(b, a, alert_branch(b), ALERT_OPEN, why, 0, err);
}

static int settle_closed(struct alert_batch *b, struct alert_row *a, const struct closing *c,
			 const char *why, bool higher, struct err *err)
{
	int is_other;

	if (c->run)
		return c->run == a->closed_by ? 0 : closing_keep(b, a, c, err);
	is_other = is_followed(b, a, err);
	if (is_other)
		return is_other < 0 ? -1 : 0;
	is_other = results_is_hidden(b, a->series, a->run, err);
	if (is_other < 0)
		return -1;
	if (is_other)
		return db_run(b->db, err,
			      "UPDATE alert SET was_state=1 WHERE project_id=?1 AND alert_id=?2",
			      "ii", b->project, a->id);
	return open_again(b, a, why, higher, err);
}

int closing_is_over(struct alert_batch *b, const struct alert_row *a, const struct alert_point *now,
		    struct err *err)
{
	const struct closing_of of = closing_of_row(a, now->higher);
	struct closing c;

	if (closing_find(b, &of, now, &c, err))
		return -1;
	return c.run && c.t < now->t;
}

int closing_settle(struct alert_batch *b, struct alert_row *a, bool higher,
		   const struct alert_point *now, const char *why, struct err *err)
{
	const struct closing_of of = closing_of_row(a, higher);
	struct closing c;

	if (a->state != ALERT_OPEN && !closing_is_by_result(a))
		return 0;
	if (closing_find(b, &of, now, &c, err))
		return -1;
	return a->state == ALERT_OPEN ? settle_open(b, a, &c, higher, err)
				      : settle_closed(b, a, &c, why, higher, err);
}
