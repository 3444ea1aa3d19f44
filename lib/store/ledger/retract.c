/* Results that are not to be shown, and the log of who said so. */
#include <string.h>

#include "lib/base/when.h"
#include "lib/record/narrow.h"
#include "lib/store/alerts/alerts.h"
#include "lib/store/audit.h"
#include "lib/store/ledger/document.h"
#include "lib/store/ledger/local.h"
#include "lib/store/ledger/names.h"
#include "lib/store/ledger/newest.h"
#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

/* Whose documents are read. */
struct saying {
	struct ledger *l;
	int64_t project, run; /* 0: none was read yet */
	struct buf json;
};

static int find_run(struct ledger *l, int64_t project, const struct retraction *r, int64_t *out,
		    struct err *err)
{
	int found = db_get(&l->db, out, err,
			   "SELECT run_id FROM run WHERE project_id=?1 AND apart=?2 AND id=?3",
			   "iit", project, (int64_t)r->untrusted, r->id);

	if (found > 0)
		return err_set(err, ERR_ABSENT, "no summary '%s' in project '%s'", r->id,
			       r->project);
	return found;
}

/* 1: some series of the sheet, or an outcome of the run, is of the benchmark. */
static int has_benchmark(struct ledger *l, int64_t project, int64_t run, const char *benchmark,
			 struct err *err)
{
	struct db_query *st = NULL;
	struct sheet sheet;
	int64_t one;
	size_t n;
	int step, found;

	found = db_get(&l->db, &one, err,
		       "SELECT 1 FROM outcome WHERE project_id=?1 AND run_id=?2 AND benchmark=?3",
		       "iit", project, run, benchmark);
	if (found <= 0)
		return found < 0 ? -1 : 1;
	if (db_start(&l->db, &st, err,
		     "SELECT t, points FROM sheet WHERE project_id=?1 AND run_id=?2", "ii", project,
		     run))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0) {
		const void *bytes = db_bytes(st, 1, &n);

		step = sheet_open(&sheet, project, run, db_integer(st, 0), bytes, n, err) ? -1 : 0;
		while (!step && sheet_next(&sheet)) {
			found = db_get(&l->db, &one, err,
				       "SELECT 1 FROM series WHERE project_id=?1 AND series_id=?2"
				       " AND benchmark=?3",
				       "iit", project, sheet.series, benchmark);
			step = found < 0 ? -1 : !found;
		}
	}
	db_end(st);
	return step;
}

/* What is identical, or of no commit, has neither: only its document tells that it is there. */
static int is_in_document(struct ledger *l, int64_t project, int64_t run, const char *benchmark,
			  struct err *err)
{
	struct err fault = ERR_INIT;
	struct buf json = BUF_INIT;
	struct summary s;
	int result = ledger_document(l, project, run, &json, &fault);

	if (!result)
		result = summary_decode_brief(buf_str(&json), json.len, &s, &fault);
	buf_release(&json);
	if (!result) {
		result = summary_find(&s, benchmark) != NULL;
		summary_release(&s);
		return result;
	}
	if (ledger_document_is_lost(&fault))
		return 0;
	if (err)
		*err = fault;
	return -1;
}

static int check_benchmark(struct ledger *l, int64_t project, int64_t run,
			   const struct retraction *r, struct err *err)
{
	int there;

	if (!r->benchmark || r->is_restored)
		return 0;
	there = has_benchmark(l, project, run, r->benchmark, err);
	if (!there)
		there = is_in_document(l, project, run, r->benchmark, err);
	if (!there)
		return err_set(err, ERR_ABSENT, "no benchmark '%s' in summary '%s'", r->benchmark,
			       r->id);
	return there < 0 ? -1 : 0;
}

/* The log takes a number of the project, which changes what its answers are tagged with. */
static int log_change(struct ledger *l, int64_t project, const struct retraction *r,
		      struct err *err)
{
	const struct audit_entry entry = { r->who, r->is_restored ? "restore" : "retract", r->id,
					   r->benchmark, r->why };

	return audit_add(&l->db, project, &entry, err);
}

/* Of the counts that are kept, summaries alone. */
static int count_run(struct ledger *l, int64_t project, const struct retraction *r, struct err *err)
{
	int64_t step = r->is_restored ? 1 : -1;

	if (r->benchmark)
		return 0;
	return db_run(&l->db, err,
		      "UPDATE project SET n_runs=n_runs+(1-?2)*?3,"
		      " n_runs_apart=n_runs_apart+?2*?3 WHERE project_id=?1",
		      "iii", project, (int64_t)r->untrusted, step);
}

static int read_bench(const struct buf *json, const char *benchmark, struct alert_said *out,
		      struct err *err)
{
	struct buf one = BUF_INIT;
	struct summary s;
	const struct bench *b;
	/* One that another program wrote may have another shape. */
	bool is_narrow = !summary_narrow(json->data, json->len, benchmark, &one, NULL);
	const struct buf *read = is_narrow ? &one : json;
	int result = summary_decode(buf_str(read), read->len, &s, err);

	buf_release(&one);
	if (result)
		return -1;
	b = summary_find(&s, benchmark);
	if (b) {
		out->threshold = summary_threshold(&s, b);
		if (b->accepted.commit)
			result = str_set(&out->accepted,
					 b->accepted.because ? b->accepted.because : "accepted",
					 err);
	}
	summary_release(&s);
	return result;
}

/* The document of the last run that was asked for is kept; an empty one: there is none. */
static int read_document(struct saying *of, int64_t run, struct err *err)
{
	struct err fault = ERR_INIT;

	if (of->run == run)
		return 0;
	buf_release(&of->json);
	of->run = run;
	if (!ledger_document(of->l, of->project, run, &of->json, &fault))
		return 0;
	buf_release(&of->json);
	if (ledger_document_is_lost(&fault))
		return 0;
	if (err)
		*err = fault;
	return -1;
}

/* For alerts_retract(). */
static int read_said(void *ctx, int64_t run, int64_t series, struct alert_said *out,
		     struct err *err)
{
	struct err fault = ERR_INIT;
	struct saying *of = ctx;
	struct series_names names;
	int found = names_find(of->l, of->project, series, &names, err);

	if (found <= 0 || read_document(of, run, err))
		return found ? -1 : 0;
	if (!of->json.len || !read_bench(&of->json, names.benchmark, out, &fault) ||
	    ledger_document_is_lost(&fault))
		return 0;
	if (err)
		*err = fault;
	return -1;
}

/* What the result opened is not so any more, or is so again. */
static int tell_alerts(struct ledger *l, int64_t project, int64_t run, const struct retraction *r,
		       struct err *err)
{
	int64_t next_id = 0;
	struct saying saying = { .l = l, .project = project };
	struct alert_batch b = { .read_said = read_said,
				 .ctx = &saying,
				 .db = &l->db,
				 .project = project,
				 .next_id = &next_id,
				 .now_us = when_now_us(),
				 .is_silent = r->is_history };
	int result = -1;

	if (r->untrusted)
		return 0;
	if (!db_get(&l->db, &next_id, err, "SELECT next_id FROM project WHERE project_id=?1", "i",
		    project) &&
	    !alerts_retract(&b, run, r->benchmark, r->is_restored, err))
		result = db_run(&l->db, err, "UPDATE project SET next_id=?2 WHERE project_id=?1",
				"ii", project, next_id);
	alert_batch_release(&b);
	buf_release(&saying.json);
	return result;
}

static int change(struct ledger *l, const struct retraction *r, bool *out_changed, struct err *err)
{
	const char *benchmark = r->benchmark ? r->benchmark : "";
	int64_t project = 0, run = 0;
	int result;

	if (ledger_find_project(l, r->project, &project, err) ||
	    find_run(l, project, r, &run, err) || check_benchmark(l, project, run, r, err))
		return -1;
	if (r->is_restored)
		result = db_run(&l->db, err,
				"DELETE FROM retracted WHERE project_id=?1 AND run_id=?2"
				" AND benchmark=?3",
				"iit", project, run, benchmark);
	else
		result = db_run(&l->db, err,
				"INSERT INTO retracted (project_id, run_id, benchmark) VALUES"
				" (?1,?2,?3) ON CONFLICT DO NOTHING",
				"iit", project, run, benchmark);
	*out_changed = !result && db_changes(&l->db) > 0;
	if (*out_changed)
		result = newest_gates(l, project, run, r->benchmark, err) ||
					 log_change(l, project, r, err) ||
					 count_run(l, project, r, err) ||
					 tell_alerts(l, project, run, r, err)
				 ? -1
				 : 0;
	return result;
}

int ledger_retract(struct ledger *l, const struct retraction *r, bool *out_changed, struct err *err)
{
	int result;

	*out_changed = false;
	if (db_begin(&l->db, err))
		return -1;
	result = change(l, r, out_changed, err) || db_commit(&l->db, err) ? -1 : 0;
	db_rollback(&l->db);
	return result;
}
