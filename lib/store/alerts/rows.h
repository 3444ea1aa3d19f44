/*
 * rows - an alert as it is shown: one query of its row, one object of JSON; and a list of a
 * project's.
 *
 * Internal to lib/store/alerts.
 */
#ifndef PAWL_STORE_ALERTS_ROWS_H
#define PAWL_STORE_ALERTS_ROWS_H

#include "lib/base/jsonw.h"
#include "lib/store/db.h"

/* What alert_write() reads; a WHERE on AS a follows. */
#define ALERT_ROWS \
	"SELECT a.alert_id, a.state, a.kind, s.benchmark, s.metric, s.unit, s.better, e.machine," \
	" a.branch, c.sha, c.subject, b.sha, a.ratio, a.low, a.high, a.remaining, a.opened_us," \
	" a.changed_us, a.owner, a.note, a.why, r.id FROM alert AS a" \
	" LEFT JOIN series AS s ON s.project_id=a.project_id AND s.series_id=a.series_id" \
	" LEFT JOIN env AS e ON e.project_id=s.project_id AND e.env_id=s.env_id" \
	" LEFT JOIN vcs_commit AS c ON c.project_id=a.project_id AND c.commit_id=a.commit_id" \
	" LEFT JOIN vcs_commit AS b ON b.project_id=a.project_id AND b.commit_id=a.base_id" \
	" LEFT JOIN run AS r ON r.project_id=a.project_id AND r.run_id=a.run_id"

void alert_write(struct db_query *st, struct jsonw *w);

/* "key": the time, or null for 0. */
void alert_write_time(struct jsonw *w, const char *key, int64_t us);

/* Errors: ERR_ABSENT. */
int alerts_find_project(struct db *db, const char *name, int64_t *out, struct err *err);

/*
 * {"project": its name, "key": [ what is written to w then ]}; *out_id is the project's.
 * Errors: ERR_ABSENT; ERR_NOMEM at the end.
 */
int alert_list_begin(struct db *db, const char *project, const char *key, struct buf *out,
		     struct jsonw *w, int64_t *out_id, struct err *err);
int alert_list_end(struct jsonw *w, struct buf *out, struct err *err);

#endif
