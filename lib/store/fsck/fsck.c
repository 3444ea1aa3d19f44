#include "lib/store/fsck/fsck.h"

#include <inttypes.h>

#include "lib/base/when.h"
#include "lib/store/alerts/alerts.h"
#include "lib/store/fsck/rows.h"
#include "lib/store/fsck/sheets.h"
#include "lib/store/ledger/document.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/put.h"
#include "lib/store/points/check.h"
#include "lib/store/points/fold.h"

#include "lib/base/banned.h"

struct fsck {
	struct ledger *l;
	struct ledger_health *health;
	struct buf *report;
	bool repair;
	int64_t n_unwell; /* summaries of the project whose points are still not well */
};

/* A run as its row tells. */
struct run {
	int64_t project, run, apart, commit, env, t;
	const char *project_name, *id;
};

static void tell(void *ctx, const char *fault)
{
	struct fsck *f = ctx;

	f->health->n_faults++;
	buf_addf(f->report, "the file: %s\n", fault);
}

static int delete_all(struct fsck *f, const struct run *run, struct err *err)
{
	static const char *const all[] = {
		"DELETE FROM sheet WHERE project_id=?1 AND run_id=?2",
		"DELETE FROM moved WHERE project_id=?1 AND run_id=?2",
		"DELETE FROM outcome WHERE project_id=?1 AND run_id=?2",
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (db_run(&f->l->db, err, all[i], "ii", run->project, run->run))
			return -1;
	return 0;
}

/* Where its commit is; the run says so itself, and may be damaged. */
static int find_place(struct fsck *f, const struct run *run, int64_t *out, struct err *err)
{
	int found = db_get(&f->l->db, out, err,
			   "SELECT place FROM vcs_commit WHERE project_id=?1 AND commit_id=?2"
			   " AND place IS NOT NULL",
			   "ii", run->project, run->commit);

	if (found > 0)
		*out = run->t;
	return found < 0 ? -1 : 0;
}

/* Where the run says that it is, which is where its points are now. */
static int keep_run(struct put *put, struct err *err)
{
	return db_run(&put->l->db, err, "UPDATE run SET t=?3 WHERE project_id=?1 AND run_id=?2",
		      "iii", put->project, put->run, put->t);
}

/* All points of the run again, as when it was posted. */
static int make_again(struct fsck *f, const struct run *run, const struct summary *s,
		      struct err *err)
{
	struct post post = { .summary = s,
			     .untrusted = run->apart != 0,
			     .received_us = when_now_us() };
	struct put put = { .l = f->l, .post = &post, .is_repair = true };
	int result = -1;

	if (db_begin(&f->l->db, err))
		return -1;
	if (put_project(&put, err))
		goto out;
	put.env = run->env;
	put.commit = run->commit;
	put.run = run->run;
	if (find_place(f, run, &put.t, err) || delete_all(f, run, err) || put_points(&put, err) ||
	    keep_run(&put, err) || put_mended(&put, err))
		goto out;
	result = db_commit(&f->l->db, err);
out:
	if (result)
		known_forget(f->l);
	db_rollback(&f->l->db);
	put_release(&put);
	return result;
}

/* n_bad of its points are not well; *json is its document, whole. */
static int repair_run(struct fsck *f, const struct run *run, int64_t n_bad, const struct buf *json,
		      struct err *err)
{
	struct err fault = ERR_INIT;
	struct summary s;
	int result;

	if (summary_decode(buf_str(json), json->len, &s, &fault)) {
		buf_addf(f->report, "project '%s': summary %s: not repaired: %s\n",
			 run->project_name, run->id, fault.text);
		return 0;
	}
	result = make_again(f, run, &s, err);
	summary_release(&s);
	if (!result) {
		f->health->n_repaired += n_bad;
		f->n_unwell--;
		buf_addf(f->report, "project '%s': summary %s: repaired\n", run->project_name,
			 run->id);
	}
	return result;
}

static int check_points(struct fsck *f, const struct run *run, int64_t *out_bad, struct err *err)
{
	const struct sheet_owner owner = { run->project, run->run, run->apart, run->t };
	int64_t n;

	*out_bad = 0;
	if (!run->commit)
		return 0;
	if (sheets_check(&f->l->db, &owner, &n, out_bad, err))
		return -1;
	f->health->n_points += n;
	f->health->n_bad_points += *out_bad;
	f->n_unwell += *out_bad > 0;
	if (*out_bad)
		buf_addf(f->report,
			 "project '%s': summary %s: %" PRId64 " of %" PRId64
			 " points are damaged or missing\n",
			 run->project_name, run->id, *out_bad, n);
	return 0;
}

static int check_run(struct fsck *f, const struct run *run, struct err *err)
{
	struct buf json = BUF_INIT;
	struct err fault = ERR_INIT;
	int64_t n_bad = 0;
	int result = -1, dropped;

	f->health->n_summaries++;
	if (ledger_document(f->l, run->project, run->run, &json, &fault)) {
		if (fault.code != ERR_CORRUPT && fault.code != ERR_ABSENT) {
			if (err)
				*err = fault;
			goto out;
		}
		dropped = ledger_document_is_dropped(f->l, run->project, run->run, err);
		if (dropped < 0)
			goto out;
		if (dropped) {
			f->health->n_dropped++;
		} else {
			f->health->n_bad_documents++;
			buf_addf(f->report, "project '%s': summary %s: its document is damaged\n",
				 run->project_name, run->id);
		}
	}
	result = check_points(f, run, &n_bad, err);
	if (!result && n_bad && f->repair && !fault.code)
		result = repair_run(f, run, n_bad, &json, err);
out:
	buf_release(&json);
	return result;
}

/* A project as its row tells. */
struct project {
	int64_t id;
	const char *name;
};

static int check_runs(struct fsck *f, const struct project *p, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_scan(&f->l->db, &st, err,
		    "SELECT run_id, apart, commit_id, env_id, t, id FROM run WHERE project_id=?1"
		    " ORDER BY run_id",
		    "i", p->id))
		return -1;
	while ((step = db_step(&f->l->db, st, err)) > 0) {
		struct run run = { .project = p->id,
				   .project_name = p->name,
				   .run = db_integer(st, 0),
				   .apart = db_integer(st, 1),
				   .commit = db_integer(st, 2),
				   .env = db_integer(st, 3),
				   .t = db_integer(st, 4),
				   .id = db_text(st, 5) };

		if (check_run(f, &run, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

/* All chunks of it again; reading goes on meanwhile, from the tail. */
static int fold_again(struct fsck *f, const struct project *p, struct err *err)
{
	struct db *db = &f->l->db;
	int64_t due = 0;
	int found = 0;

	if (db_begin(db, err))
		return -1;
	/* What was told of it is not what an answer was tagged for. */
	if (fold_undo(db, p->id, err) ||
	    db_run(db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1", "i",
		   p->id) ||
	    db_commit(db, err)) {
		db_rollback(db);
		return -1;
	}
	while (!found) {
		if (db_begin(db, err))
			return -1;
		found = fold_find(db, p->id - 1, &due, err);
		if (!found && due != p->id)
			found = 1;
		if (!found && fold_step(db, p->id, err))
			found = -1;
		if (found < 0 || db_commit(db, err)) {
			db_rollback(db);
			return -1;
		}
	}
	return 0;
}

static int check_histories(struct fsck *f, const struct project *p, struct err *err)
{
	struct points_health h;
	int64_t n;

	if (db_begin_read(&f->l->db, err))
		return -1;
	if (points_check(&f->l->db, p->id, &h, err)) {
		db_rollback(&f->l->db);
		return -1;
	}
	db_rollback(&f->l->db);
	if (h.is_well)
		return 0;
	n = h.n_bad_chunks ? h.n_bad_chunks : 1;
	f->health->n_bad_chunks += n;
	buf_addf(f->report,
		 "project '%s': histories hold %" PRId64 " points instead of %" PRId64
		 ", and %" PRId64 " pieces are damaged\n",
		 p->name, h.n_chunks, h.n_sheets, h.n_bad_chunks);
	/* The last trace of a point is not removed. */
	if (!f->repair || f->n_unwell)
		return 0;
	if (fold_again(f, p, err))
		return -1;
	f->health->n_mended_chunks += n;
	buf_addf(f->report, "project '%s': histories repaired\n", p->name);
	return 0;
}

static int check_projects(struct fsck *f, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&f->l->db, &st, err, "SELECT project_id, name FROM project ORDER BY 1", ""))
		return -1;
	while ((step = db_step(&f->l->db, st, err)) > 0) {
		struct project p = { db_integer(st, 0), db_text(st, 1) };
		const struct rows_check rows = {
			f->l, p.id, p.name, f->repair, f->health, f->report
		};

		f->n_unwell = 0;
		/* Rows first: what is made again is then looked at. */
		if (rows_check(&rows, err) || check_runs(f, &p, err) ||
		    check_histories(f, &p, err) ||
		    alerts_check(&f->l->db, p.id, p.name, f->report, &f->health->n_lost, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

int ledger_fsck(struct ledger *l, bool repair, struct ledger_health *out, struct buf *report,
		struct err *err)
{
	struct fsck f = { .l = l, .health = out, .report = report, .repair = repair };

	*out = (struct ledger_health){ .n_summaries = 0 };
	known_forget(l); /* what it was told may be lost by now */
	return db_check(&l->db, tell, &f, err) || check_projects(&f, err) ? -1
									  : buf_check(report, err);
}
