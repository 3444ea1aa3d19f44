/* What is there: projects, benchmarks, documents. */
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/ledger/local.h"

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

/* The newest commit, by its place, that has trusted results. */
static int write_latest(struct ledger *l, struct jsonw *w, int64_t project, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT sha, committed_us, subject, commit_id FROM vcs_commit AS c"
		     " INDEXED BY commit_by_place WHERE project_id=?1 AND apart=0"
		     " AND place IS NOT NULL AND EXISTS (SELECT 1 FROM run AS r"
		     "  INDEXED BY run_by_commit WHERE r.project_id=c.project_id"
		     "  AND r.commit_id=c.commit_id AND " IS_SHOWN ")"
		     " ORDER BY place DESC, commit_id DESC LIMIT 1",
		     "i", project))
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

static int write_projects(struct ledger *l, const char *only, struct jsonw *w, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT project_id, name FROM project WHERE ?1 IS NULL OR name=?1"
		     " ORDER BY name",
		     "t", only))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		int64_t project = db_integer(st, 0);

		jsonw_object(w);
		jsonw_kstring(w, "name", db_text(st, 1));
		if (write_counts(l, w, project, err) || write_latest(l, w, project, err)) {
			step = -1;
			break;
		}
		jsonw_object_end(w);
	}
	db_end(st);
	return step;
}

int ledger_projects(struct ledger *l, const char *only, struct buf *out, struct err *err)
{
	struct jsonw w;
	int result;

	if (db_begin_read(&l->db, err))
		return -1;
	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_key(&w, "projects");
	jsonw_array(&w);
	result = write_projects(l, only, &w, err);
	db_rollback(&l->db);
	if (result)
		return -1;
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	return buf_check(out, err);
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

/* What the list of benchmarks is in the middle of writing. */
struct open_levels {
	struct jsonw w;
	char *bench, *metric; /* NULL: that level is closed */
};

static void close_metric(struct open_levels *o)
{
	if (!o->metric)
		return;
	jsonw_array_end(&o->w);
	jsonw_object_end(&o->w);
	str_set(&o->metric, NULL, NULL);
}

static void close_bench(struct open_levels *o)
{
	close_metric(o);
	if (!o->bench)
		return;
	jsonw_array_end(&o->w);
	jsonw_object_end(&o->w);
	str_set(&o->bench, NULL, NULL);
}

/* One series; rows come ordered by benchmark, metric, unit, machine. */
static int write_series(struct open_levels *o, struct db_query *st, struct err *err)
{
	const char *bench = db_text(st, 0), *metric = db_text(st, 1);

	if (!o->bench || strcmp(o->bench, bench)) {
		close_bench(o);
		if (str_set(&o->bench, bench, err))
			return -1;
		jsonw_object(&o->w);
		jsonw_kstring(&o->w, "name", bench);
		jsonw_key(&o->w, "metrics");
		jsonw_array(&o->w);
	}
	if (!o->metric || strcmp(o->metric, metric)) {
		close_metric(o);
		if (str_set(&o->metric, metric, err))
			return -1;
		jsonw_object(&o->w);
		jsonw_kstring(&o->w, "name", metric);
		jsonw_key(&o->w, "series");
		jsonw_array(&o->w);
	}
	jsonw_object(&o->w);
	jsonw_kstring(&o->w, "machine", db_text(st, 2));
	jsonw_kstring(&o->w, "unit", db_text(st, 3));
	jsonw_kstring(&o->w, "better", db_integer(st, 4) ? "higher" : "lower");
	jsonw_kbool(&o->w, "gate", db_integer(st, 5) != 0);
	jsonw_object_end(&o->w);
	return 0;
}

static int write_all_series(struct ledger *l, int64_t project, struct open_levels *o,
			    struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err,
		     "SELECT s.benchmark, s.metric, e.machine, s.unit, s.better, s.gate"
		     " FROM series AS s JOIN env AS e"
		     " ON e.project_id=s.project_id AND e.env_id=s.env_id"
		     " WHERE s.project_id=?1 AND s.apart=0"
		     " ORDER BY s.benchmark, s.metric, s.unit, e.machine",
		     "i", project))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0)
		if (write_series(o, st, err)) {
			step = -1;
			break;
		}
	db_end(st);
	close_bench(o);
	return step;
}

int ledger_benchmarks(struct ledger *l, const char *project, struct buf *out, struct err *err)
{
	struct open_levels o = { .bench = NULL, .metric = NULL };
	int64_t id;
	int result;

	if (db_begin_read(&l->db, err))
		return -1;
	jsonw_init(&o.w, out, 0);
	result = ledger_find_project(l, project, &id, err);
	if (!result) {
		jsonw_object(&o.w);
		jsonw_kstring(&o.w, "project", project);
		jsonw_key(&o.w, "benchmarks");
		jsonw_array(&o.w);
		result = write_all_series(l, id, &o, err);
	}
	db_rollback(&l->db);
	if (result)
		return -1;
	jsonw_array_end(&o.w);
	jsonw_object_end(&o.w);
	return buf_check(out, err);
}
