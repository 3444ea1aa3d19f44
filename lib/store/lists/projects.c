/* Projects. */
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/compare/side.h"
#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

static int write_counts(struct ledger *l, struct jsonw *w, int64_t project, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT n_runs, n_commits, n_benchmarks, n_runs_apart FROM project"
		     " WHERE project_id=?1",
		     "i", project))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		jsonw_kinteger(w, "summaries", db_integer(st, 0));
		jsonw_kinteger(w, "commits", db_integer(st, 1));
		jsonw_kinteger(w, "benchmarks", db_integer(st, 2));
		jsonw_kinteger(w, "untrusted", db_integer(st, 3));
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

/*
 * The newest commit, by its place, that has trusted results of a clean tree.  What is dated more
 * than a day ahead stands at its receipt, but is not what the project has come to: no benchmark is
 * old beside it.
 */
static const char latest[] =
	"SELECT sha, committed_us, subject, commit_id FROM vcs_commit AS c"
	" INDEXED BY commit_by_place WHERE project_id=?1 AND apart=0 AND place IS NOT NULL"
	" AND committed_us<=?2"
	" AND EXISTS (SELECT 1 FROM run AS r INDEXED BY run_by_commit"
	"  WHERE r.project_id=c.project_id AND r.commit_id=c.commit_id AND r.dirty=0"
	"  AND " IS_SHOWN ") ORDER BY place DESC, commit_id DESC LIMIT 1";

static int start_latest(struct ledger *l, int64_t project, struct db_query **out, struct err *err)
{
	return db_start(&l->db, out, err, latest, "ii", project, when_now_us() + LEDGER_AHEAD_US);
}

static int write_latest(struct ledger *l, struct jsonw *w, int64_t project, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (start_latest(l, project, &st, err))
		return -1;
	step = db_step(&l->db, st, err);
	jsonw_key(w, "latest");
	if (step > 0) {
		jsonw_object(w);
		jsonw_kstring(w, "commit", db_text(st, 0));
		ledger_write_time(w, "time", db_integer(st, 1));
		jsonw_kstring(w, "subject", db_is_null(st, 2) ? NULL : db_text(st, 2));
		step = ledger_write_parts(l, w, project, db_integer(st, 3), err);
		jsonw_object_end(w);
	} else {
		jsonw_null(w);
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

static int write_machines(struct ledger *l, struct jsonw *w, int64_t project, struct err *err)
{
	struct db_query *st = NULL;
	const char *facts;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT facts FROM env WHERE project_id=?1 AND apart=0 ORDER BY machine", "i",
		     project))
		return -1;
	jsonw_key(w, "machines");
	jsonw_array(w);
	while ((step = db_step(&l->db, st, err)) > 0) {
		facts = db_text(st, 0);
		jsonw_raw(w, facts, strlen(facts));
	}
	jsonw_array_end(w);
	db_end(st);
	return step;
}

static int write_projects(struct page *p, const char *only, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&p->l->db, &st, err,
		     "SELECT project_id, name FROM project WHERE (?1 IS NULL OR name=?1)"
		     " AND (?2=0 OR name>(SELECT name FROM project WHERE project_id=?2))"
		     " ORDER BY name",
		     "ti", only, p->from[0]))
		return -1;
	while ((step = db_step(&p->l->db, st, err)) > 0 && page_has_room(p)) {
		int64_t project = db_integer(st, 0);
		size_t mark = p->w.out->len;
		struct jsonw before = p->w;

		jsonw_object(&p->w);
		jsonw_kstring(&p->w, "name", db_text(st, 1));
		if (write_counts(p->l, &p->w, project, err) ||
		    write_latest(p->l, &p->w, project, err)) {
			/* What is begun of it is no row. */
			buf_truncate(p->w.out, mark);
			p->w = before;
			step = -1;
			break;
		}
		jsonw_object_end(&p->w);
		page_count(p, project, 0);
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

int lists_projects(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct page p;
	int result;

	if (page_begin(&p, l, q, "projects", out, err))
		return -1;
	result = page_end(&p, write_projects(&p, q->project, &fault), out, &fault);
	if (result && err)
		*err = fault;
	return result;
}

int ledger_projects(struct ledger *l, const char *only, struct buf *out, struct err *err)
{
	const struct list_query all = { .project = only, .limit = SIZE_MAX };

	return lists_projects(l, &all, out, err);
}

int ledger_project(struct ledger *l, const char *project, struct buf *out, struct err *err)
{
	struct jsonw w;
	int64_t id;
	int result;

	if (db_begin_read(&l->db, err))
		return -1;
	jsonw_init(&w, out, 0);
	result = ledger_find_project(l, project, &id, err);
	if (!result) {
		jsonw_object(&w);
		jsonw_kstring(&w, "name", project);
		result = write_counts(l, &w, id, err) || write_latest(l, &w, id, err) ||
			 write_machines(l, &w, id, err);
	}
	db_rollback(&l->db);
	if (result)
		return -1;
	jsonw_object_end(&w);
	return buf_check(out, err);
}

/* Of several machines on which a benchmark failed it is one; those that gave no value are few. */
static int count_failed(struct ledger *l, int64_t project, int64_t commit, size_t *out,
			struct err *err)
{
	struct ledger_side side = { .commit = commit };
	const char *last = "";
	int64_t any;
	size_t i;
	int found = db_get(&l->db, &any, err,
			   "SELECT 1 FROM run AS r INDEXED BY run_by_commit"
			   " CROSS JOIN outcome AS o ON o.project_id=r.project_id AND"
			   " o.run_id=r.run_id WHERE r.project_id=?1 AND r.commit_id=?2 LIMIT 1",
			   "ii", project, commit);

	if (found)
		return found < 0 ? -1 : 0;
	found = ledger_side_read(l, project, NULL, &side, err);
	for (i = 0; !found && i < side.n_outcomes; i++) {
		const struct outcome *o = &side.outcomes[i];

		if ((strcmp(o->status, "failed") && strcmp(o->status, "timeout")) ||
		    !strcmp(o->benchmark, last))
			continue;
		last = o->benchmark;
		*out += 1;
	}
	ledger_side_release(&side);
	return found;
}

static int count_moves(struct ledger *l, int64_t project, struct newest_moves *out, struct err *err)
{
	struct db_query *st = NULL;
	int64_t commit = 0;
	int step;

	if (start_latest(l, project, &st, err))
		return -1;
	step = db_step(&l->db, st, err);
	out->is_there = step > 0;
	if (step > 0)
		commit = db_integer(st, 3);
	db_end(st);
	if (step <= 0)
		return step;
	return lists_moves_of(l, project, commit, out, err) ||
			       count_failed(l, project, commit, &out->n_failed, err)
		       ? -1
		       : 0;
}

int ledger_newest_moves(struct ledger *l, const char *project, struct newest_moves *out,
			struct err *err)
{
	struct newest_moves found = { .is_there = false };
	int64_t id;
	int result;

	if (db_begin_read(&l->db, err))
		return -1;
	result = ledger_find_project(l, project, &id, err) || count_moves(l, id, &found, err);
	db_rollback(&l->db);
	if (result)
		return -1;
	*out = found;
	return 0;
}
