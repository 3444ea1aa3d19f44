#include "lib/store/alerts/creeps.h"

#include "lib/store/alerts/batch.h"

#include "lib/base/banned.h"

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
