#include "lib/store/archive/archive.h"

#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

#define BATCH 256

/*
 * Those that may go, with how manyth of its commit each is; dropped ones are rows without bytes.
 * What is shown stays before what is hidden, and of a suite in parts (pawl collect --shard) each.
 */
static const char candidates[] =
	"SELECT run_id, bytes FROM (SELECT r.run_id AS run_id, r.received_us AS received_us,"
	" length(d.json) AS bytes, row_number() OVER (PARTITION BY r.apart, r.commit_id, r.shard,"
	"  r.shards ORDER BY CASE WHEN " IS_SHOWN " THEN 0 ELSE 1 END, " MEASURED_OF(
		"r") " DESC, r.run_id DESC) AS nth FROM run AS r JOIN document AS d"
		     " ON d.project_id=r.project_id AND d.run_id=r.run_id WHERE r.project_id=?1"
		     " AND coalesce(d.coding, 0)<>2) AS q WHERE received_us<?2 AND nth>?3"
		     " ORDER BY run_id";

struct candidate {
	int64_t run, bytes;
};

/* 1: the points of the run can be read, or it has no place in any history. */
static int has_points(struct ledger *l, int64_t project, int64_t run, struct err *err)
{
	struct db_query *st = NULL;
	struct ledger_point p;
	struct sheet sheet;
	const void *bytes;
	size_t n;
	int step, well = 1;

	if (db_start(&l->db, &st, err,
		     "SELECT p.t, p.points, r.commit_id FROM run AS r LEFT JOIN sheet AS p"
		     " ON p.project_id=r.project_id AND p.run_id=r.run_id"
		     " WHERE r.project_id=?1 AND r.run_id=?2",
		     "ii", project, run))
		return -1;
	step = db_step(&l->db, st, err);
	if (step > 0 && !db_is_null(st, 2)) {
		bytes = db_bytes(st, 1, &n);
		well = !sheet_open(&sheet, project, run, db_integer(st, 0), bytes, n, NULL);
		while (well && sheet_next(&sheet))
			well = !sheet_read(&sheet, &p, NULL, NULL, NULL);
	}
	db_end(st);
	return step < 0 ? -1 : well;
}

static int drop(struct ledger *l, int64_t project, const struct candidate *c,
		const struct retention *r, struct retained *out, struct err *err)
{
	int well = has_points(l, project, c->run, err);

	if (well < 0)
		return -1;
	if (!well) {
		out->n_damaged++;
		return 0;
	}
	out->n_dropped++;
	out->dropped_bytes += c->bytes;
	if (r->is_trial)
		return 0;
	/* The row says that this is no loss. */
	return db_run(&l->db, err,
		      "UPDATE document SET json=?3, coding=2 WHERE project_id=?1 AND run_id=?2",
		      "iib", project, c->run, (const void *)"", (size_t)0);
}

static int drop_batch(struct ledger *l, int64_t project, const struct candidate *all, size_t n,
		      const struct retention *r, struct retained *out, struct err *err)
{
	size_t i;

	if (r->is_trial ? db_begin_read(&l->db, err) : db_begin(&l->db, err))
		return -1;
	for (i = 0; i < n; i++)
		if (drop(l, project, &all[i], r, out, err)) {
			db_rollback(&l->db);
			return -1;
		}
	/* What is gone is not what an answer was tagged for. */
	if (!r->is_trial &&
	    db_run(&l->db, err, "UPDATE project SET next_id=next_id+1 WHERE project_id=?1", "i",
		   project)) {
		db_rollback(&l->db);
		return -1;
	}
	if (!r->is_trial)
		return db_commit(&l->db, err);
	db_rollback(&l->db);
	return 0;
}

static int find_candidates(struct ledger *l, int64_t project, const struct retention *r,
			   struct buf *out, size_t *out_n, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&l->db, &st, err, candidates, "iii", project, r->before_us, r->keep))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		const struct candidate c = { db_integer(st, 0), db_integer(st, 1) };

		buf_add(out, &c, sizeof(c));
		++*out_n;
	}
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

static int retain_project(struct ledger *l, int64_t project, const struct retention *r,
			  struct retained *out, struct err *err)
{
	struct buf found = BUF_INIT;
	const struct candidate *all;
	int64_t n_there = 0;
	size_t i, n = 0;
	int result = db_get(&l->db, &n_there, err,
			    "SELECT count(*) FROM document WHERE project_id=?1"
			    " AND coalesce(coding, 0)<>2",
			    "i", project) < 0
			     ? -1
			     : find_candidates(l, project, r, &found, &n, err);

	all = (const struct candidate *)(const void *)found.data;
	out->n_kept += n_there - (int64_t)n;
	for (i = 0; !result && i < n; i += BATCH)
		result =
			drop_batch(l, project, all + i, n - i < BATCH ? n - i : BATCH, r, out, err);
	buf_release(&found);
	return result;
}

int archive_retain(struct ledger *l, const struct retention *r, struct retained *out,
		   struct err *err)
{
	struct buf projects = BUF_INIT;
	struct db_query *st = NULL;
	const int64_t *ids;
	size_t i, n = 0;
	int step;

	*out = (struct retained){ .n_kept = 0 };
	if (db_start(&l->db, &st, err,
		     "SELECT project_id FROM project WHERE ?1 IS NULL OR name=?1 ORDER BY 1", "t",
		     r->project))
		return -1;
	while ((step = db_step(&l->db, st, err)) > 0) {
		int64_t id = db_integer(st, 0);

		buf_add(&projects, &id, sizeof(id));
		n++;
	}
	db_end(st);
	if (!step && !n && r->project)
		step = err_set(err, ERR_ABSENT, "no project '%s'", r->project);
	if (!step)
		step = buf_check(&projects, err);
	ids = (const int64_t *)(const void *)projects.data;
	for (i = 0; !step && i < n; i++)
		step = retain_project(l, ids[i], r, out, err);
	buf_release(&projects);
	out->n_kept += out->n_damaged;
	return step;
}
