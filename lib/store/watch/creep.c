#include "lib/store/watch/creep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/stats/sample.h"
#include "lib/stats/series/creeping.h"
#include "lib/store/alerts/steps.h"

#include "lib/base/banned.h"

#define BACK_POINTS 12 /* at either end, to see whether a level is back */

/* What the alerts of the history say of it. */
struct known {
	double *x;   /* upwards is worse */
	bool *steps; /* of an alert, or measured side by side */
	size_t from; /* what was before is told, and settled */
	int64_t open;
	size_t base, commit; /* of the open one; v->n: not there any more */
};

static void known_release(struct known *k)
{
	free(k->x);
	free(k->steps);
}

static void take_alert(struct db_query *st, const struct values *v, struct known *out)
{
	enum alert_kind kind = (enum alert_kind)db_integer(st, 1);
	int64_t state = db_integer(st, 2);
	size_t at = values_find(v, db_text(st, 3)), base = values_find(v, db_text(st, 4));

	if (kind != ALERT_CREEP) {
		if (at < v->n)
			out->steps[at] = true;
		/* A creep whose ends were measured: all between them is told. */
		if (at < v->n && at >= base + CREEPING_LEAST_POINTS - 1 && at + 1 > out->from)
			out->from = at + 1;
	} else if (state == ALERT_OPEN || state == ALERT_GONE) {
		out->open = db_integer(st, 0);
		out->commit = at;
		out->base = base;
	} else if (at < v->n && at + 1 > out->from) {
		out->from = at + 1;
	}
}

static int read_alerts(struct db *db, const struct watch *w, const struct watch_history *h,
		       const struct values *v, struct known *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT a.alert_id, a.kind, a.state, c.sha, b.sha FROM alert AS a"
		     " LEFT JOIN vcs_commit AS c ON c.project_id=a.project_id"
		     " AND c.commit_id=a.commit_id LEFT JOIN vcs_commit AS b"
		     " ON b.project_id=a.project_id AND b.commit_id=a.base_id"
		     " WHERE a.project_id=?1 AND a.series_id=?2 AND a.branch=?3"
		     " ORDER BY a.alert_id",
		     "iit", w->project_id, h->series, h->branch))
		return -1;
	while ((step = db_step(db, st, err)) > 0)
		take_alert(st, v, out);
	db_end(st);
	return step;
}

static int read_known(struct db *db, const struct watch *w, const struct watch_history *h,
		      const struct values *v, struct known *out, struct err *err)
{
	size_t i, k;

	out->x = calloc(v->n + 1, sizeof(*out->x));
	out->steps = calloc(v->n + 1, sizeof(*out->steps));
	if (!out->x || !out->steps)
		return err_nomem(err);
	for (i = 0; i < v->n; i++) {
		out->x[i] = h->higher ? -v->x[i] : v->x[i];
		out->steps[i] = v->at[i].changed;
		/* Those are alerts in a moment. */
		for (k = 0; k < h->n_steps; k++)
			if (h->steps[k].is_new && !strcmp(h->steps[k].id, v->at[i].id))
				out->steps[i] = true;
	}
	return read_alerts(db, w, h, v, out, err);
}

/*
 * A machine may creep, too.  Where most commits were measured beside a base their ratios must say
 * at least half of it.
 */
static bool is_borne_out(const struct values *v, const struct known *k, size_t from, bool higher,
			 double change)
{
	size_t i, n = 0;
	double sum = 0;

	for (i = from; i < v->n; i++)
		if (v->at[i].n_ratio && !k->steps[i]) {
			sum += higher ? -v->at[i].ratio : v->at[i].ratio;
			n++;
		}
	return 2 * n < v->n - from || sum * (double)(v->n - from) / (double)n >= change / 2;
}

static int find(const struct values *v, const struct known *k, struct watch_history *h,
		struct err *err)
{
	struct creeping found;
	size_t n = v->n - k->from;

	if (creeping_find(k->x + k->from, k->steps + k->from, n, log1p(WATCH_CREEP), &found, err))
		return -1;
	if (!found.found || !is_borne_out(v, k, k->from + found.from, h->higher, found.change))
		return 0;
	h->creep = (struct watch_creep){ .found = true,
					 .change = h->higher ? -found.change : found.change,
					 .se = found.se };
	snprintf(h->creep.from, sizeof(h->creep.from), "%s", v->at[k->from + found.from].id);
	snprintf(h->creep.to, sizeof(h->creep.to), "%s", v->at[v->n - 1].id);
	return 0;
}

static double middle(const double *x)
{
	double copy[BACK_POINTS];

	memcpy(copy, x, sizeof(copy));
	return sample_select(copy, BACK_POINTS, BACK_POINTS / 2);
}

/* Behind its commit the level is what it was where it began. */
static bool is_back(const struct values *v, const struct known *k)
{
	return k->base < v->n && k->commit < v->n && k->commit + BACK_POINTS < v->n &&
	       middle(k->x + v->n - BACK_POINTS) - middle(k->x + k->base) <= STEPS_LEAST;
}

int creep_look(struct db *db, const struct watch *w, struct watch_history *h,
	       const struct values *v, struct err *err)
{
	struct known k = { .base = v->n, .commit = v->n };
	int result = 0;

	if (v->n < BACK_POINTS)
		return 0;
	result = read_known(db, w, h, v, &k, err);
	if (!result && !k.open)
		result = find(v, &k, h, err);
	else if (!result && is_back(v, &k))
		h->creep.back = k.open;
	known_release(&k);
	return result;
}
