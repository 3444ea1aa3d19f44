/* Who is to hear of alerts. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/alerts/outbox.h"
#include "lib/store/alerts/rows.h"
#include "lib/store/alerts/targets.h"

#include "lib/base/banned.h"

const char *alert_target_kind_name(int64_t kind)
{
	static const char *const names[TARGET_KINDS] = {
		[TARGET_WEBHOOK] = "webhook", [TARGET_MAIL] = "mail", [TARGET_STATUS] = "status"
	};

	return kind > 0 && kind < TARGET_KINDS ? names[kind] : NULL;
}

void alert_target_release(struct alert_target *t)
{
	free(t->url);
	free(t->secret_file);
	free(t->sender);
	free(t->recipients);
	free(t->forge);
	free(t->repository);
	free(t->branch);
	*t = (struct alert_target){ .id = 0 };
}

static int copy(struct db_query *st, int column, char **out, struct err *err)
{
	return db_is_null(st, column) ? 0 : str_set(out, db_text(st, column), err);
}

int alert_target_read(struct db_query *st, int at, struct alert_target *out, struct err *err)
{
	out->id = db_integer(st, at);
	out->kind = (enum target_kind)db_integer(st, at + 1);
	out->verdicts_only = db_integer(st, at + 8) != 0;
	out->allow_private = db_integer(st, at + 9) != 0;
	if (copy(st, at + 2, &out->url, err) || copy(st, at + 3, &out->secret_file, err) ||
	    copy(st, at + 4, &out->sender, err) || copy(st, at + 5, &out->recipients, err) ||
	    copy(st, at + 6, &out->forge, err) || copy(st, at + 7, &out->repository, err) ||
	    copy(st, at + 10, &out->branch, err))
		return -1;
	return 0;
}

/* One that has no results yet may have its targets already. */
static int find_or_make(struct db *db, const char *name, int64_t *out, struct err *err)
{
	int found = db_get(db, out, err, "SELECT project_id FROM project WHERE name=?1", "t", name);

	if (found <= 0)
		return found;
	if (db_get(db, out, err, "SELECT coalesce(max(project_id), 0) + 1 FROM project", ""))
		return -1;
	return db_run(db, err,
		      "INSERT INTO project (project_id, name, created_us, next_id, n_series,"
		      " n_series_apart) VALUES (?1,?2,?3,1,0,0)",
		      "iti", *out, name, when_now_us());
}

static int add(struct db *db, const char *project, const struct alert_target *t, int64_t *out_id,
	       struct err *err)
{
	int64_t id = 0;

	if (find_or_make(db, project, &id, err) ||
	    db_get(db, out_id, err, "SELECT next_id FROM project WHERE project_id=?1", "i", id) ||
	    db_run(db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1", "i", id))
		return -1;
	return db_run(db, err,
		      "INSERT INTO target (project_id, target_id, kind, url, secret_file, sender,"
		      " recipients, forge, repository, branch, verdicts_only, allow_private,"
		      " created_us, removed_us) VALUES"
		      " (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,0)",
		      "iiitttttttiii", id, *out_id, (int64_t)t->kind, t->url, t->secret_file,
		      t->sender, t->recipients, t->forge, t->repository, t->branch,
		      (int64_t)t->verdicts_only, (int64_t)t->allow_private, when_now_us());
}

int alert_target_add(struct db *db, const char *project, const struct alert_target *t,
		     int64_t *out_id, struct err *err)
{
	int result;

	if (db_begin(db, err))
		return -1;
	result = add(db, project, t, out_id, err) || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}

static int no_target(struct err *err, const char *project, int64_t id)
{
	return err_set(err, ERR_ABSENT, "project '%s' has no target %lld", project, (long long)id);
}

static int take_away(struct db *db, const char *project, int64_t id, struct err *err)
{
	int64_t p = 0, now = when_now_us();

	if (alerts_find_project(db, project, &p, err) ||
	    db_run(db, err,
		   "UPDATE target SET removed_us=?3 WHERE project_id=?1 AND target_id=?2"
		   " AND removed_us=0",
		   "iii", p, id, now))
		return -1;
	if (!db_changes(db))
		return no_target(err, project, id);
	if (db_run(db, err,
		   "UPDATE message SET state=3, done_us=?3, fault='the target was removed'"
		   " WHERE project_id=?1 AND target_id=?2 AND state=1",
		   "iii", p, id, now))
		return -1;
	/* Answers about the project are tagged with it. */
	return db_run(db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1", "i", p);
}

int alert_target_remove(struct db *db, const char *project, int64_t id, struct err *err)
{
	int result;

	if (db_begin(db, err))
		return -1;
	result = take_away(db, project, id, err) || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}

int alert_target_get(struct db *db, const char *project, int64_t id, struct alert_target *out,
		     struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT " TARGET_COLUMNS " FROM target AS t CROSS JOIN project AS p"
		     " ON p.project_id=t.project_id WHERE p.name=?1 AND t.target_id=?2"
		     " AND t.removed_us=0",
		     "ti", project, id))
		return -1;
	step = db_step(db, st, err);
	if (step > 0 && alert_target_read(st, 0, out, err))
		step = -1;
	db_end(st);
	if (!step)
		return no_target(err, project, id);
	return step < 0 ? -1 : 0;
}

static void write_target(struct jsonw *w, const struct alert_target *t)
{
	jsonw_object(w);
	jsonw_kinteger(w, "target", t->id);
	jsonw_kstring(w, "kind", alert_target_kind_name(t->kind));
	jsonw_kstring(w, "url", t->url);
	jsonw_kstring(w, "secret_file", t->secret_file);
	jsonw_kstring(w, "from", t->sender);
	jsonw_kstring(w, "to", t->recipients);
	jsonw_kstring(w, "forge", t->forge);
	jsonw_kstring(w, "repository", t->repository);
	jsonw_kstring(w, "branch", t->branch);
	jsonw_kbool(w, "verdicts_only", t->verdicts_only);
	jsonw_kbool(w, "allow_private", t->allow_private);
	jsonw_object_end(w);
}

static int write_targets(struct db *db, int64_t project, struct jsonw *w, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT " TARGET_COLUMNS " FROM target AS t WHERE t.project_id=?1"
		     " AND t.removed_us=0 ORDER BY t.target_id",
		     "i", project))
		return -1;
	while ((step = db_step(db, st, err)) > 0) {
		struct alert_target t = { .id = 0 };

		if (alert_target_read(st, 0, &t, err))
			step = -1;
		else
			write_target(w, &t);
		alert_target_release(&t);
		if (step < 0)
			break;
	}
	db_end(st);
	return step;
}

int alert_target_list(struct db *db, const char *project, struct buf *out, struct err *err)
{
	struct jsonw w;
	int64_t id = 0;

	if (alert_list_begin(db, project, "targets", out, &w, &id, err) ||
	    write_targets(db, id, &w, err))
		return -1;
	return alert_list_end(&w, out, err);
}
