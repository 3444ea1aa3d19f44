#include "lib/store/watch/stays.h"

#include <math.h>
#include <stdlib.h>

#include "lib/stats/sample.h"
#include "lib/store/alerts/steps.h"

#include "lib/base/banned.h"

#define LEVEL_POINTS 8 /* whose mean is a level */

/* Where its place is a guess, points beside it tell neither level. */
static bool is_there(const struct values *v, size_t at, double ratio, bool higher)
{
	size_t end = at > WATCH_NEAR ? at - WATCH_NEAR : 0;
	size_t from = end > LEVEL_POINTS ? end - LEVEL_POINTS : 0;
	size_t behind = v->n - at > LEVEL_POINTS ? v->n - LEVEL_POINTS : at;
	double moved;

	if (at >= v->n || from == end || !(ratio > 0))
		return false;
	moved = sample_mean(v->x + behind, v->n - behind) - sample_mean(v->x + from, end - from);
	return (higher ? -moved : moved) > fmax(STEPS_LEAST, fabs(log(ratio)) / 2);
}

static int add(struct watch_history *h, int64_t id, struct err *err)
{
	int64_t *more = realloc(h->stays, (h->n_stays + 1) * sizeof(*more));

	if (!more)
		return err_nomem(err);
	h->stays = more;
	more[h->n_stays++] = id;
	return 0;
}

int stays_look(struct db *db, const struct watch *w, struct watch_history *h,
	       const struct values *v, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT a.alert_id, a.ratio, c.sha FROM alert AS a JOIN vcs_commit AS c"
		     " ON c.project_id=a.project_id AND c.commit_id=a.commit_id"
		     " WHERE a.project_id=?1 AND a.series_id=?2 AND a.branch=?3 AND a.kind=?4"
		     " AND a.state=?5 ORDER BY a.alert_id",
		     "iitii", w->project_id, h->series, h->branch, (int64_t)ALERT_CHANGE_POINT,
		     (int64_t)ALERT_OPEN))
		return -1;
	while ((step = db_step(db, st, err)) > 0)
		if (is_there(v, values_find(v, db_text(st, 2)), db_double(st, 1), h->higher) &&
		    add(h, db_integer(st, 0), err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step;
}
