/* What a look has found, written. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/stats/dist.h"
#include "lib/stats/verdict.h"
#include "lib/store/alerts/steps.h"
#include "lib/store/watch/returned.h"

#include "lib/base/banned.h"

/* A result by its id, as its row has it. */
struct place {
	int64_t run, commit, t;
};

/* 1: there. */
static int find_place(struct db *db, int64_t project, const char *id, struct place *out,
		      struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT run_id, commit_id, t FROM run WHERE project_id=?1 AND apart=0"
		     " AND id=?2",
		     "it", project, id))
		return -1;
	step = db_step(db, st, err);
	if (step > 0)
		*out = (struct place){ db_integer(st, 0), db_integer(st, 1), db_integer(st, 2) };
	db_end(st);
	return step;
}

/* 1: all results of it are there. */
static int make_step(struct db *db, const struct watch *w, const struct watch_step *s,
		     struct alert_step *out, struct err *err)
{
	struct place at, from, to;
	int found;

	found = find_place(db, w->project_id, s->id, &at, err);
	if (found > 0)
		found = find_place(db, w->project_id, s->from, &from, err);
	if (found > 0)
		found = find_place(db, w->project_id, s->to, &to, err);
	if (found > 0)
		*out = (struct alert_step){ .run = at.run,
					    .commit = at.commit,
					    .t = at.t,
					    .from_t = from.t,
					    .to_t = to.t,
					    .before = s->before,
					    .after = s->after,
					    .is_worse = s->is_worse,
					    .is_new = s->is_new };
	return found;
}

static int settle_history(struct alert_batch *b, const struct watch *w,
			  const struct watch_history *h, struct err *err)
{
	struct alert_history history = { .series = h->series,
					 .higher = h->higher,
					 .now = h->now,
					 .stays = h->stays,
					 .n_stays = h->n_stays };
	struct alert_step *steps = calloc(h->n_steps + 1, sizeof(*steps));
	struct place sure = { .t = 0 };
	int result = -1, found;
	size_t i;

	if (!steps)
		return err_nomem(err);
	found = *h->sure ? find_place(b->db, w->project_id, h->sure, &sure, err) : 0;
	for (i = 0; found > 0 && i < h->n_steps; i++) {
		found = make_step(b->db, w, &h->steps[i], &steps[history.n], err);
		history.n += found > 0;
		found = found < 0 ? -1 : 1;
	}
	history.steps = steps;
	history.sure_t = sure.t;
	b->branch = h->branch;
	if (found >= 0)
		result = found ? alerts_steps(b, &history, err) : 0;
	free(steps);
	return result;
}

static int settle_creep(struct alert_batch *b, const struct watch *w, const struct watch_history *h,
			struct err *err)
{
	const struct watch_creep *c = &h->creep;
	double wide = normal_quantile((1 + VERDICT_CONFIDENCE) / 2) * c->se;
	struct place from, to;
	int found;

	b->branch = h->branch;
	if (c->back)
		return alerts_creep_back(b, c->back, err);
	found = c->found ? find_place(b->db, w->project_id, c->from, &from, err) : 0;
	if (found > 0)
		found = find_place(b->db, w->project_id, c->to, &to, err);
	if (found <= 0)
		return found;
	return alerts_creep(b,
			    &(struct alert_creep){ .series = h->series,
						   .run = to.run,
						   .commit = to.commit,
						   .t = to.t,
						   .base = from.commit,
						   .ratio = exp(c->change),
						   .low = exp(c->change - wide),
						   .high = exp(c->change + wide) },
			    err);
}

static int settle(struct db *db, const struct watch *w, struct err *err)
{
	int64_t next_id = 0;
	struct alert_batch b = {
		.db = db, .project = w->project_id, .next_id = &next_id, .now_us = when_now_us()
	};
	int result = -1;
	size_t i;

	if (db_get(db, &next_id, err, "SELECT next_id FROM project WHERE project_id=?1", "i",
		   w->project_id))
		goto out;
	for (i = 0; i < w->n; i++)
		if (settle_history(&b, w, &w->histories[i], err) ||
		    settle_creep(&b, w, &w->histories[i], err))
			goto out;
	for (i = 0; i < w->n_returned; i++)
		if (returned_settle(&b, &w->returned[i], err))
			goto out;
	result = db_run(db, err, "UPDATE project SET next_id=?2, watched=?3 WHERE project_id=?1",
			"iii", w->project_id, next_id, w->seen);
out:
	alert_batch_release(&b);
	return result;
}

int watch_settle(struct ledger *l, const struct watch *w, struct err *err)
{
	struct db *db = ledger_db(l);
	int result;

	if (db_begin(db, err))
		return -1;
	result = settle(db, w, err) || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}
