#include "lib/store/alerts/outbox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/alerts/rows.h"
#include "lib/store/alerts/targets.h"

#include "lib/base/banned.h"

static const char *state_name(int64_t state)
{
	static const char *const names[MESSAGE_STATES] = { [MESSAGE_WAITS] = "waits",
							   [MESSAGE_DELIVERED] = "delivered",
							   [MESSAGE_FAILED] = "failed" };

	return state > 0 && state < MESSAGE_STATES ? names[state] : NULL;
}

void message_release(struct message *m)
{
	free(m->project_name);
	free(m->commit);
	alert_target_release(&m->target);
	*m = (struct message){ .project = 0 };
}

static int read_message(struct db_query *st, struct message *out, struct err *err)
{
	out->project = db_integer(st, 0);
	out->message = db_integer(st, 1);
	snprintf(out->id, sizeof(out->id), "%s", db_text(st, 2));
	out->event = (enum alert_state)db_integer(st, 3);
	out->made_us = db_integer(st, 4);
	out->next_us = db_integer(st, 5);
	out->tries = db_integer(st, 6);
	if (str_set(&out->project_name, db_text(st, 7), err) ||
	    (!db_is_null(st, 8) && str_set(&out->commit, db_text(st, 8), err)))
		return -1;
	return alert_target_read(st, 9, &out->target, err);
}

int outbox_next(struct db *db, int64_t now_us, struct message *out, int64_t *out_next_us,
		struct err *err)
{
	struct message m = { .project = 0 };
	struct db_query *st = NULL;
	int step;

	/* Of each target and commit the oldest: what comes later waits for it. */
	if (db_start(db, &st, err,
		     "SELECT m.project_id, m.message_id, m.id, m.event, m.made_us, m.next_us,"
		     " m.tries, p.name, c.sha, " TARGET_COLUMNS
		     " FROM (SELECT project_id, min(message_id) AS message_id FROM message"
		     "  WHERE state=1 GROUP BY project_id, target_id, commit_id) AS h"
		     " CROSS JOIN message AS m ON m.project_id=h.project_id"
		     "  AND m.message_id=h.message_id"
		     " CROSS JOIN project AS p ON p.project_id=m.project_id"
		     " CROSS JOIN target AS t ON t.project_id=m.project_id"
		     "  AND t.target_id=m.target_id"
		     " LEFT JOIN vcs_commit AS c ON c.project_id=m.project_id"
		     "  AND c.commit_id=m.commit_id ORDER BY m.next_us, m.message_id LIMIT 1",
		     ""))
		return -1;
	step = db_step(db, st, err);
	*out_next_us = INT64_MAX;
	if (step > 0) {
		*out_next_us = db_integer(st, 5);
		if (*out_next_us > now_us)
			step = 0;
		else if (read_message(st, &m, err))
			step = -1;
	}
	db_end(st);
	if (step > 0)
		*out = m;
	else
		message_release(&m);
	return step < 0 ? -1 : !step;
}

int outbox_claim(struct db *db, const struct message *m, int64_t until_us, bool *out_ours,
		 struct err *err)
{
	*out_ours = false;
	if (db_run(db, err,
		   "UPDATE message SET next_us=?4, tries=tries+1 WHERE project_id=?1"
		   " AND message_id=?2 AND state=1 AND next_us=?3",
		   "iiii", m->project, m->message, m->next_us, until_us))
		return -1;
	*out_ours = db_changes(db) > 0;
	return 0;
}

static int settle(struct db *db, const struct message *m, const struct settled *s, struct err *err)
{
	if (db_run(db, err,
		   "UPDATE message SET state=?3, next_us=?4, fault=?5, done_us=?6"
		   " WHERE project_id=?1 AND message_id=?2 AND state=1",
		   "iiiiti", m->project, m->message, (int64_t)s->state, s->next_us, s->fault,
		   s->state == MESSAGE_WAITS ? (int64_t)0 : when_now_us()))
		return -1;
	if (s->rest && db_run(db, err,
			      "UPDATE message SET next_us=?3 WHERE project_id=?1"
			      " AND target_id=?2 AND state=1 AND next_us<?3",
			      "iii", m->project, m->target.id, s->next_us))
		return -1;
	/* Answers about the project are tagged with it. */
	return db_run(db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1", "i",
		      m->project);
}

int outbox_settle(struct db *db, const struct message *m, const struct settled *s, struct err *err)
{
	int result;

	if (db_begin(db, err))
		return -1;
	result = settle(db, m, s, err) || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}

int outbox_open(struct db *db, const struct message *m, int64_t *out, struct err *err)
{
	return db_get(
		db, out, err,
		"SELECT count(DISTINCT s.benchmark) FROM alert AS a CROSS JOIN vcs_commit AS c"
		" ON c.project_id=a.project_id AND c.commit_id=a.commit_id"
		" CROSS JOIN series AS s ON s.project_id=a.project_id AND s.series_id=a.series_id"
		" WHERE a.project_id=?1 AND a.state IN (1,4) AND c.sha=?2",
		"it", m->project, m->commit ? m->commit : "");
}

int outbox_alerts(struct db *db, const struct message *m, size_t most, struct buf *out,
		  int64_t *out_n, struct err *err)
{
	struct db_query *st = NULL;
	struct jsonw w;
	int step;

	if (db_get(db, out_n, err,
		   "SELECT count(*) FROM message_alert WHERE project_id=?1 AND message_id=?2", "ii",
		   m->project, m->message) ||
	    db_start(db, &st, err,
		     ALERT_ROWS " WHERE a.project_id=?1 AND a.alert_id IN (SELECT alert_id"
				" FROM message_alert WHERE project_id=?1 AND message_id=?2)"
				" ORDER BY s.benchmark, a.alert_id LIMIT ?3",
		     "iii", m->project, m->message, (int64_t)most))
		return -1;
	jsonw_init(&w, out, 0);
	jsonw_array(&w);
	while ((step = db_step(db, st, err)) > 0)
		alert_write(st, &w);
	jsonw_array_end(&w);
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

int outbox_count(struct db *db, int64_t *out_waiting, int64_t *out_oldest_us, struct err *err)
{
	return db_get(db, out_waiting, err, "SELECT count(*) FROM message WHERE state=1", "") ||
			       db_get(db, out_oldest_us, err,
				      "SELECT coalesce(min(made_us), 0) FROM message"
				      " WHERE state=1",
				      "")
		       ? -1
		       : 0;
}

/* Where it goes, without what may be a secret (a path) or somebody's own (an address). */
static void write_place(struct jsonw *w, const char *url, const char *repository)
{
	const char *host = strstr(url, "://");
	size_t n = host ? (size_t)(host - url) + 3 : 0;
	struct buf text = BUF_INIT;

	n += strcspn(url + n, "/?");
	buf_add(&text, url, n);
	buf_adds(&text, *repository ? " " : "");
	buf_adds(&text, repository);
	jsonw_kstring(w, "to", buf_str(&text));
	buf_release(&text);
}

static void write_row(struct db_query *st, struct jsonw *w)
{
	jsonw_object(w);
	jsonw_kstring(w, "id", db_text(st, 0));
	jsonw_kstring(w, "event", alert_state_name(db_integer(st, 1)));
	alert_write_time(w, "made", db_integer(st, 2));
	jsonw_kstring(w, "state", state_name(db_integer(st, 3)));
	jsonw_kinteger(w, "tries", db_integer(st, 4));
	alert_write_time(w, "next", db_integer(st, 3) == MESSAGE_WAITS ? db_integer(st, 5) : 0);
	alert_write_time(w, "done", db_integer(st, 6));
	jsonw_kstring(w, "fault", db_is_null(st, 7) ? NULL : db_text(st, 7));
	jsonw_kinteger(w, "target", db_integer(st, 8));
	jsonw_kstring(w, "kind", alert_target_kind_name(db_integer(st, 9)));
	write_place(w, db_text(st, 10), db_text(st, 13));
	jsonw_kstring(w, "commit", db_is_null(st, 11) ? NULL : db_text(st, 11));
	jsonw_kinteger(w, "alerts", db_integer(st, 12));
	jsonw_object_end(w);
}

int outbox_rows(struct db *db, int64_t project, int64_t before, size_t limit, struct jsonw *w,
		struct alert_rows *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	*out = (struct alert_rows){ .n = 0 };
	if (db_start(db, &st, err,
		     "SELECT m.id, m.event, m.made_us, m.state, m.tries, m.next_us, m.done_us,"
		     " m.fault, t.target_id, t.kind, t.url,"
		     " c.sha, (SELECT count(*) FROM message_alert AS a WHERE"
		     " a.project_id=m.project_id AND a.message_id=m.message_id),"
		     " t.repository, m.message_id"
		     " FROM message AS m LEFT JOIN target AS t ON t.project_id=m.project_id"
		     " AND t.target_id=m.target_id LEFT JOIN vcs_commit AS c ON"
		     " c.project_id=m.project_id AND c.commit_id=m.commit_id"
		     " WHERE m.project_id=?1 AND (?2=0 OR m.message_id<?2)"
		     " ORDER BY m.message_id DESC LIMIT ?3",
		     "iii", project, before, (int64_t)limit + 1))
		return -1;
	while ((step = db_step(db, st, err)) > 0 && !(out->more = out->n == limit)) {
		write_row(st, w);
		out->last = db_integer(st, 14);
		out->n++;
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}
