/* Alerts as JSON, and what a person says of one. */
#include <inttypes.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/alerts/batch.h"
#include "lib/store/alerts/rows.h"

#include "lib/base/banned.h"

#define TEXT_MOST 1000

int alerts_rows(struct db *db, int64_t project, const struct alert_query *q, struct jsonw *w,
		struct alert_rows *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	*out = (struct alert_rows){ .n = 0 };
	if (db_start(db, &st, err,
		     ALERT_ROWS " WHERE a.project_id=?1 AND (?2=0 OR a.state=?2)"
				" AND (?3=0 OR a.alert_id=?3) AND (?4 IS NULL OR s.benchmark=?4)"
				" AND (?5=0 OR a.alert_id<?5)"
				" ORDER BY a.alert_id DESC LIMIT ?6",
		     "iiitii", project, (int64_t)q->state, q->alert, q->benchmark, q->before,
		     (int64_t)q->limit + 1))
		return -1;
	while ((step = db_step(db, st, err)) > 0 && !(out->more = out->n == q->limit)) {
		alert_write(st, w);
		out->last = db_integer(st, 0);
		out->n++;
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

int alerts_list(struct db *db, const struct alert_query *q, struct buf *out, struct err *err)
{
	struct alert_rows rows;
	struct jsonw w;
	int64_t id = 0;

	if (alert_list_begin(db, q->project, "alerts", out, &w, &id, err) ||
	    alerts_rows(db, id, q, &w, &rows, err))
		return -1;
	return alert_list_end(&w, out, err);
}

int alerts_check(struct db *db, int64_t project, const char *name, struct buf *report,
		 int64_t *out_lost, struct err *err)
{
	static const struct {
		const char *what, *sql;
	} lost[] = {
		{ "alerts are of results, commits or series that are lost",
		  "SELECT count(*) FROM alert AS a WHERE project_id=?1 AND NOT (EXISTS (SELECT 1"
		  " FROM series AS s WHERE s.project_id=?1 AND s.series_id=a.series_id)"
		  " AND EXISTS (SELECT 1 FROM vcs_commit AS c WHERE c.project_id=?1"
		  " AND c.commit_id=a.commit_id) AND EXISTS (SELECT 1 FROM run AS r"
		  " WHERE r.project_id=?1 AND r.run_id=a.run_id))" },
		{ "messages are for targets or about alerts that are lost",
		  "SELECT count(*) FROM message AS m WHERE project_id=?1 AND (NOT EXISTS (SELECT 1"
		  " FROM target AS t WHERE t.project_id=?1 AND t.target_id=m.target_id)"
		  " OR NOT EXISTS (SELECT 1 FROM message_alert AS x JOIN alert AS a"
		  " ON a.project_id=?1 AND a.alert_id=x.alert_id WHERE x.project_id=?1"
		  " AND x.message_id=m.message_id))" },
	};
	int64_t n;
	size_t i;

	for (i = 0; i < sizeof(lost) / sizeof(lost[0]); i++) {
		if (db_get(db, &n, err, lost[i].sql, "i", project))
			return -1;
		if (n)
			buf_addf(report, "project '%s': %" PRId64 " %s\n", name, n, lost[i].what);
		*out_lost += n;
	}
	return 0;
}

static int check_text(const char *what, const char *text, struct err *err)
{
	const unsigned char *p = (const unsigned char *)text;

	if (!text)
		return 0;
	if (strlen(text) > TEXT_MOST)
		return err_set(err, ERR_RANGE, "%s: longer than %d bytes", what, TEXT_MOST);
	for (; *p; p++)
		if (*p < ' ' || *p == 0x7f)
			return err_set(err, ERR_RANGE, "%s: holds a control character", what);
	return 0;
}

/*
 * 1: it is as was asked already.  A state that a result brought, or that waits for one to be shown
 * again, is not yet a person's.
 */
static int is_so(struct db *db, int64_t project, const struct alert_change *c,
		 struct alert_row *out, struct buf *branch, struct err *err)
{
	struct db_query *st = NULL;
	int step, same = 0;

	if (db_start(db, &st, err,
		     "SELECT commit_id, kind, state, branch,"
		     " (?3=0 OR (state=?3 AND was_state IS NULL AND closed_by IS NULL))"
		     " AND (?4 IS NULL OR coalesce(owner,'')=?4)"
		     " AND (?5 IS NULL OR coalesce(note,'')=?5)"
		     " FROM alert WHERE project_id=?1 AND alert_id=?2",
		     "iiitt", project, c->alert, (int64_t)c->state, c->owner, c->note))
		return -1;
	step = db_step(db, st, err);
	if (step > 0) {
		*out = (struct alert_row){ .id = c->alert,
					   .commit = db_integer(st, 0),
					   .kind = (enum alert_kind)db_integer(st, 1),
					   .state = (enum alert_state)db_integer(st, 2) };
		buf_adds(branch, db_text(st, 3));
		same = db_integer(st, 4) != 0;
	}
	db_end(st);
	if (!step)
		return err_set(err, ERR_ABSENT, "no such alert in project '%s'", c->project);
	return step < 0 || buf_check(branch, err) ? -1 : same;
}

static int log_it(struct alert_batch *b, const struct alert_change *c, struct err *err)
{
	const char *state = alert_state_name(c->state);
	struct buf text = BUF_INIT;
	int result = -1;

	if (state)
		buf_addf(&text, "state %s", state);
	if (c->owner)
		buf_addf(&text, "%sowner '%s'", text.len ? ", " : "", c->owner);
	if (c->note)
		buf_addf(&text, "%snote '%s'", text.len ? ", " : "", c->note);
	if (!buf_check(&text, err))
		result = db_run(b->db, err,
				"INSERT INTO audit (project_id, audit_id, at_us, who, action, id,"
				" benchmark, why) SELECT ?1, ?2, ?3, ?4, 'alert',"
				" CAST(a.alert_id AS TEXT), s.benchmark, ?6 FROM alert AS a"
				" CROSS JOIN series AS s ON s.project_id=a.project_id"
				" AND s.series_id=a.series_id"
				" WHERE a.project_id=?1 AND a.alert_id=?5",
				"iiitit", b->project, alert_number(b), b->now_us, c->who, c->alert,
				buf_str(&text));
	buf_release(&text);
	return result;
}

static int write_change(struct alert_batch *b, const struct alert_change *c,
			const struct alert_row *a, const char *branch, struct err *err)
{
	if (c->state && c->state != a->state && alert_set(b, a, branch, c->state, c->who, 0, err))
		return -1;
	/* What a person said is not of a result, and is not taken back with one. */
	if (db_run(b->db, err,
		   "UPDATE alert SET owner=CASE WHEN ?3 IS NULL THEN owner ELSE nullif(?3,'') END,"
		   " note=CASE WHEN ?4 IS NULL THEN note ELSE nullif(?4,'') END, changed_us=?5,"
		   " closed_by=CASE WHEN ?6<>0 THEN NULL ELSE closed_by END,"
		   " was_state=CASE WHEN ?6<>0 THEN NULL ELSE was_state END"
		   " WHERE project_id=?1 AND alert_id=?2",
		   "iittii", b->project, c->alert, c->owner, c->note, b->now_us, (int64_t)c->state))
		return -1;
	return log_it(b, c, err);
}

static int change(struct db *db, const struct alert_change *c, bool *out_changed, struct err *err)
{
	struct alert_batch b = { .db = db, .now_us = when_now_us() };
	struct alert_row a = { .id = 0 };
	struct buf branch = BUF_INIT;
	int64_t next_id = 0;
	int result = -1, same;

	b.next_id = &next_id;
	if (alerts_find_project(db, c->project, &b.project, err) ||
	    db_get(db, &next_id, err, "SELECT next_id FROM project WHERE project_id=?1", "i",
		   b.project))
		goto out;
	same = is_so(db, b.project, c, &a, &branch, err);
	if (same) {
		result = same < 0 ? -1 : 0;
		goto out;
	}
	if (write_change(&b, c, &a, buf_str(&branch), err))
		goto out;
	*out_changed = true;
	result = db_run(db, err, "UPDATE project SET next_id=?2 WHERE project_id=?1", "ii",
			b.project, next_id);
out:
	alert_batch_release(&b);
	buf_release(&branch);
	return result;
}

int alerts_change(struct db *db, const struct alert_change *c, bool *out_changed, struct err *err)
{
	int result;

	*out_changed = false;
	if (check_text("owner", c->owner, err) || check_text("note", c->note, err) ||
	    db_begin(db, err))
		return -1;
	result = change(db, c, out_changed, err) || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}
