#include "lib/store/ledger/fsck.h"

#include <inttypes.h>

#include "lib/base/when.h"
#include "lib/store/ledger/document.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/put.h"
#include "lib/store/ledger/sum.h"

#include "lib/base/banned.h"

struct fsck {
	struct ledger *l;
	struct ledger_health *health;
	struct buf *report;
	bool repair;
};

/* A run as its row tells. */
struct run {
	int64_t project, run, apart, commit, env, t;
	const char *project_name, *id;
	const unsigned char *series, *series_end; /* a list of ids_take() */
};

static int check_file(struct fsck *f, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int step;

	if (db_start(&f->l->db, &st, err, "PRAGMA quick_check(10)", ""))
		return -1;
	while ((step = db_step(&f->l->db, st, err)) > 0) {
		const char *line = db_text(st, 0);

		if (line[0] == 'o' && line[1] == 'k' && !line[2])
			continue;
		f->health->n_faults++;
		buf_addf(f->report, "the file: %s\n", line);
	}
	db_end(st);
	return step;
}

/* 1: it is there and its sum fits; 0: not; -1: failed. */
static int is_well(struct fsck *f, const struct run *run, int64_t series, struct err *err)
{
	struct err fault = ERR_INIT;
	struct sqlite3_stmt *st = NULL;
	struct ledger_point point;
	int step;

	if (db_start(&f->l->db, &st, err,
		     "SELECT " POINT_COLUMNS " FROM point AS p WHERE p.project_id=?1"
		     " AND p.series_id=?2 AND p.t=?3 AND p.run_id=?4",
		     "iiii", run->project, series, run->t, run->run))
		return -1;
	step = db_step(&f->l->db, st, err);
	if (step > 0)
		step = !point_read(st, 0, run->project, &point, &fault);
	db_end(st);
	return step;
}

/* Wherever they are: the run may be wrong about that, too. */
static int delete_all(struct fsck *f, const struct run *run, struct err *err)
{
	if (db_run(&f->l->db, err, "DELETE FROM point WHERE project_id=?1 AND run_id=?2", "ii",
		   run->project, run->run))
		return -1;
	return db_run(&f->l->db, err, "DELETE FROM outcome WHERE project_id=?1 AND run_id=?2", "ii",
		      run->project, run->run);
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

/* What the run says of its points, as they are now. */
static int keep_run(struct put *put, struct err *err)
{
	return db_run(&put->l->db, err,
		      "UPDATE run SET t=?3, series_ids=?4 WHERE project_id=?1 AND run_id=?2",
		      "iiib", put->project, put->run, put->t,
		      (const void *)buf_str(&put->series_ids), put->series_ids.len);
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
	    keep_run(&put, err) || put_keep_ids(&put, err))
		goto out;
	result = db_commit(&f->l->db, err);
out:
	if (result)
		known_forget(f->l);
	db_rollback(&f->l->db);
	buf_release(&put.series_ids);
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
		buf_addf(f->report, "project '%s': summary %s: repaired\n", run->project_name,
			 run->id);
	}
	return result;
}

static int check_points(struct fsck *f, const struct run *run, int64_t *out_bad, struct err *err)
{
	const unsigned char *at = run->series;
	int64_t series, n = 0;
	int well;

	*out_bad = 0;
	while (ids_take(&at, run->series_end, &series)) {
		well = is_well(f, run, series, err);
		if (well < 0)
			return -1;
		*out_bad += !well;
		n++;
	}
	if (at > run->series && !(at[-1] & 128)) { /* cut off: what stood there is not known */
		*out_bad += 1;
		n++;
	}
	f->health->n_points += n;
	f->health->n_bad_points += *out_bad;
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
	int result = -1;

	f->health->n_summaries++;
	if (ledger_document(f->l, run->project, run->run, &json, &fault)) {
		if (fault.code != ERR_CORRUPT && fault.code != ERR_ABSENT) {
			if (err)
				*err = fault;
			goto out;
		}
		f->health->n_bad_documents++;
		buf_addf(f->report, "project '%s': summary %s: its document is damaged\n",
			 run->project_name, run->id);
	}
	result = check_points(f, run, &n_bad, err);
	if (!result && n_bad && f->repair && !fault.code)
		result = repair_run(f, run, n_bad, &json, err);
out:
	buf_release(&json);
	return result;
}

static int check_runs(struct fsck *f, struct err *err)
{
	struct sqlite3_stmt *st = NULL;
	int step;

	if (db_start(&f->l->db, &st, err,
		     "SELECT r.project_id, r.run_id, r.apart, r.commit_id, r.env_id, r.t, p.name,"
		     " r.id, r.series_ids FROM run AS r JOIN project AS p"
		     "  ON p.project_id=r.project_id ORDER BY r.project_id, r.run_id",
		     ""))
		return -1;
	while ((step = db_step(&f->l->db, st, err)) > 0) {
		struct run run = { .project = db_integer(st, 0),
				   .run = db_integer(st, 1),
				   .apart = db_integer(st, 2),
				   .commit = db_integer(st, 3),
				   .env = db_integer(st, 4),
				   .t = db_integer(st, 5),
				   .project_name = db_text(st, 6),
				   .id = db_text(st, 7) };
		size_t n;

		run.series = db_bytes(st, 8, &n);
		run.series_end = run.series + n;
		if (check_run(f, &run, err)) {
			step = -1;
			break;
		}
	}
	db_end(st);
	return step;
}

/* Points whose sum does not fit, and that no run knows: their key is damaged. */
static int next_stray(struct fsck *f, struct ledger_point *at, struct err *err)
{
	struct err fault = ERR_INIT;
	struct sqlite3_stmt *st = NULL;
	int step;

	if (db_start(&f->l->db, &st, err,
		     "SELECT " POINT_COLUMNS ", p.project_id FROM point AS p"
		     " WHERE (p.project_id, p.series_id, p.t, p.run_id)>(?1, ?2, ?3, ?4)"
		     " ORDER BY p.project_id, p.series_id, p.t, p.run_id",
		     "iiii", at->project, at->series, at->t, at->run))
		return -1;
	while ((step = db_step(&f->l->db, st, err)) > 0)
		if (point_read(st, 0, db_integer(st, POINT_N_COLUMNS), at, &fault))
			break;
	db_end(st);
	return step;
}

/* What the runs know of was looked at, and repaired where that could be. */
static int drop_strays(struct fsck *f, struct err *err)
{
	struct ledger_point at = { .project = INT64_MIN };
	int64_t n = 0;
	int step;

	while ((step = next_stray(f, &at, err)) > 0) {
		n++;
		if (db_run(&f->l->db, err,
			   "DELETE FROM point WHERE project_id=?1 AND series_id=?2 AND t=?3"
			   " AND run_id=?4",
			   "iiii", at.project, at.series, at.t, at.run))
			return -1;
	}
	if (n)
		buf_addf(f->report, "%" PRId64 " damaged points that belong to nothing: removed\n",
			 n);
	return step;
}

int ledger_fsck(struct ledger *l, bool repair, struct ledger_health *out, struct buf *report,
		struct err *err)
{
	struct fsck f = { .l = l, .health = out, .report = report, .repair = repair };

	*out = (struct ledger_health){ .n_summaries = 0 };
	if (check_file(&f, err) || check_runs(&f, err))
		return -1;
	/* Only when all that is known is well again: the last trace of a point is not removed. */
	if (repair && out->n_repaired == out->n_bad_points && !out->n_faults &&
	    drop_strays(&f, err))
		return -1;
	return buf_check(report, err);
}
