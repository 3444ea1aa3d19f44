#include "lib/store/fsck/rows.h"

#include <inttypes.h>
#include <string.h>

#include "lib/digest/digest.h"
#include "lib/store/ledger/document.h"
#include "lib/store/ledger/known.h"
#include "lib/store/ledger/put.h"

#include "lib/base/banned.h"

/* What is lost, of one summary; run is what the row says, or what is left of it. */
struct lost {
	const struct rows_check *c;
	int64_t run, apart, t, commit, env, base;
	struct summary s;
	char sha256[DIGEST_HEX];
};

static int skip(const struct lost *lost, const char *id, const char *why)
{
	buf_addf(lost->c->report, "project '%s': summary %s: not made again: %s\n",
		 lost->c->project_name, id, why);
	return 1;
}

/* The commit of that number again, or the one of that id that was made since: *id says which. */
static int make_commit(struct put *put, const char *sha, int64_t *id, struct err *err)
{
	int64_t next = put->next_id, there = 0;

	if (*id)
		put->next_id = *id; /* a new one takes it */
	if (put_commit_stub(put, sha, &there, err))
		return -1;
	if (*id)
		put->next_id = next;
	*id = there;
	return 0;
}

/* Its own commit, at the place where its points are unless it has one. */
static int mend_commit(struct put *put, struct lost *lost, struct err *err)
{
	const struct commit_tag *c = &lost->s.commit;
	struct db *db = &put->l->db;

	if (make_commit(put, c->id, &lost->commit, err))
		return -1;
	put->commit = lost->commit;
	if (!c->id)
		return put_commit(put, err); /* there is none; the time that it says */
	if (db_run(db, err,
		   "UPDATE vcs_commit SET parent=?3, committed_us=?4, subject=?5, place=?6"
		   " WHERE project_id=?1 AND commit_id=?2 AND place IS NULL",
		   "iititi", put->project, lost->commit, c->parents.n ? c->parents.v[0] : NULL,
		   c->commit_time_us, c->subject, lost->t) ||
	    put_sides(put, err) ||
	    db_get(db, &put->t, err,
		   "SELECT place FROM vcs_commit WHERE project_id=?1 AND commit_id=?2", "ii",
		   put->project, lost->commit))
		return -1;
	/* Where it is another place its points are made again, behind this. */
	return db_run(db, err,
		      "UPDATE run SET commit_id=?3, t=?4 WHERE project_id=?1 AND run_id=?2", "iiii",
		      put->project, put->run, lost->commit, put->t);
}

/* 1: there is another row for that machine since; its histories would be two. */
static int mend_env(struct put *put, struct lost *lost, struct err *err)
{
	int64_t next = put->next_id;

	put->next_id = lost->env;
	if (put_env(put, err))
		return -1;
	put->next_id = next;
	return put->env == lost->env ? 0
				     : skip(lost, lost->s.id, "its machine has another row since");
}

static int mend_base(struct put *put, struct lost *lost, struct err *err)
{
	int64_t was = lost->base;

	if (!lost->s.baseline.commit)
		return skip(lost, lost->s.id, "its document names no baseline");
	if (make_commit(put, lost->s.baseline.commit, &lost->base, err))
		return -1;
	return was == lost->base ? 0 : skip(lost, lost->s.id, "its baseline has another row since");
}

/* The same summary was posted again: what is left of the first one is in the way. */
static int drop_rest(const struct lost *lost, int64_t again, struct err *err)
{
	static const char *const all[] = {
		"DELETE FROM document WHERE project_id=?1 AND run_id=?2",
		"DELETE FROM sheet WHERE project_id=?1 AND run_id=?2",
		"DELETE FROM moved WHERE project_id=?1 AND run_id=?2",
		"DELETE FROM outcome WHERE project_id=?1 AND run_id=?2",
	};
	struct db *db = &lost->c->l->db;
	int64_t same;
	size_t i;
	int found = db_get(db, &same, err,
			   "SELECT 1 FROM run WHERE project_id=?1 AND run_id=?2 AND sha256=?3",
			   "iit", lost->c->project, again, lost->sha256);

	if (found)
		return found < 0 ? -1 : skip(lost, lost->s.id, "another one has its id since");
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (db_run(db, err, all[i], "ii", lost->c->project, lost->run))
			return -1;
	return 0;
}

static int side_of_series(struct lost *lost, int64_t series, struct err *err)
{
	static const char apart[] = "SELECT apart FROM series WHERE project_id=?1 AND series_id=?2";
	static const char env[] = "SELECT env_id FROM series WHERE project_id=?1 AND series_id=?2";
	struct db *db = &lost->c->l->db;

	return db_get(db, &lost->apart, err, apart, "ii", lost->c->project, series) < 0 ||
			       db_get(db, &lost->env, err, env, "ii", lost->c->project, series) < 0
		       ? -1
		       : 0;
}

/* Where its points are, and on which side. */
static int find_side(struct lost *lost, struct err *err)
{
	struct db *db = &lost->c->l->db;
	struct db_query *st = NULL;
	struct sheet sheet;
	const void *bytes;
	size_t n;
	int step;

	lost->apart = 1;
	lost->t = lost->s.commit.commit_time_us;
	if (db_start(db, &st, err, "SELECT t, points FROM sheet WHERE project_id=?1 AND run_id=?2",
		     "ii", lost->c->project, lost->run))
		return -1;
	step = db_step(db, st, err);
	if (step > 0) {
		lost->t = db_integer(st, 0);
		bytes = db_bytes(st, 1, &n);
		step = db_row_check(st, err);
		if (!step &&
		    !sheet_open(&sheet, lost->c->project, lost->run, lost->t, bytes, n, NULL) &&
		    sheet_next(&sheet))
			step = side_of_series(lost, sheet.series, err);
	}
	db_end(st);
	return step < 0 ? -1 : 0;
}

/* It came with the last one before it. */
static int find_receipt(const struct lost *lost, int64_t *out, struct err *err)
{
	int found = db_get(&lost->c->l->db, out, err,
			   "SELECT received_us FROM run WHERE project_id=?1 AND run_id<?2"
			   " ORDER BY run_id DESC LIMIT 1",
			   "ii", lost->c->project, lost->run);

	if (found > 0)
		*out = lost->s.finished_us;
	return found < 0 ? -1 : 0;
}

static int mend_row(struct put *put, struct lost *lost, struct err *err)
{
	int64_t again;
	int found = db_get(&put->l->db, &again, err,
			   "SELECT run_id FROM run WHERE project_id=?1 AND apart=?2 AND id=?3",
			   "iit", put->project, lost->apart, lost->s.id);

	if (found <= 0)
		return found < 0 ? -1 : drop_rest(lost, again, err);
	if (lost->env) {
		found = mend_env(put, lost, err);
		if (found)
			return found;
	} else if (put_env(put, err)) {
		return -1;
	}
	/* The row is made with the place of its commit. */
	return mend_commit(put, lost, err) || put_row(put, err) ? -1 : 0;
}

/* 1: it could not be made again, and that is told. */
static int mend(struct lost *lost, int (*how)(struct put *put, struct lost *lost, struct err *err),
		struct err *err)
{
	struct ledger *l = lost->c->l;
	struct post post = { .summary = &lost->s, .sha256 = lost->sha256 };
	struct put put = { .l = l, .post = &post, .is_repair = true };
	int result = -1;

	if (how == mend_row && (find_side(lost, err) || find_receipt(lost, &post.received_us, err)))
		return -1;
	post.untrusted = lost->apart != 0;
	if (db_begin(&l->db, err))
		return -1;
	if (!put_project(&put, err)) {
		put.project = lost->c->project;
		put.run = lost->run;
		result = how(&put, lost, err);
	}
	if (!result)
		result = put_mended(&put, err) || db_commit(&l->db, err) ? -1 : 0;
	known_forget(l);
	db_rollback(&l->db);
	put_release(&put);
	return result;
}

static int mend_from_document(struct lost *lost,
			      int (*how)(struct put *put, struct lost *lost, struct err *err),
			      struct err *err)
{
	struct buf json = BUF_INIT;
	struct err fault = ERR_INIT;
	int result;

	if (ledger_document_bare(lost->c->l, lost->c->project, lost->run, &json, &fault) ||
	    summary_decode(buf_str(&json), json.len, &lost->s, &fault)) {
		buf_release(&json);
		if (!ledger_document_is_lost(&fault)) {
			*err = fault;
			return -1;
		}
		return skip(lost, "without a row", fault.text);
	}
	result = digest_of(buf_str(&json), json.len, lost->sha256, err);
	if (!result && lost->s.project && strcmp(lost->s.project, lost->c->project_name) != 0)
		result = skip(lost, lost->s.id, "its document is of another project");
	if (!result)
		result = mend(lost, how, err);
	if (!result)
		buf_addf(lost->c->report, "project '%s': summary %s: made again\n",
			 lost->c->project_name, lost->s.id);
	summary_release(&lost->s);
	buf_release(&json);
	return result;
}

/*
 * What may be lost, and how it is made again; a row: run, apart, t, commit, env, base.  What others
 * stand on goes first, so that it gets its number again.
 */
static const struct kind {
	const char *what, *sql;
	int (*how)(struct put *put, struct lost *lost, struct err *err);
} kinds[] = {
	{ "summaries have a baseline that is lost",
	  "SELECT run_id, apart, t, commit_id, env_id, base_id FROM run AS r WHERE project_id=?1"
	  " AND base_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vcs_commit AS c"
	  " WHERE c.project_id=?1 AND c.commit_id=r.base_id) ORDER BY run_id",
	  mend_base },
	{ "summaries are of commits that are lost",
	  "SELECT run_id, apart, t, commit_id, env_id, 0 FROM run AS r WHERE project_id=?1"
	  " AND commit_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vcs_commit AS c"
	  " WHERE c.project_id=?1 AND c.commit_id=r.commit_id AND c.place IS NOT NULL)"
	  " ORDER BY run_id",
	  mend_commit },
	{ "summaries are of machines that are lost",
	  "SELECT run_id, apart, t, commit_id, env_id, 0 FROM run AS r WHERE project_id=?1"
	  " AND NOT EXISTS (SELECT 1 FROM env AS e WHERE e.project_id=?1 AND e.env_id=r.env_id)"
	  " ORDER BY run_id",
	  mend_env },
	{ "summaries have lost their row: only their documents or points are left",
	  "SELECT run_id, 0, 0, 0, 0, 0 FROM (SELECT run_id FROM document WHERE project_id=?1"
	  " UNION SELECT run_id FROM sheet WHERE project_id=?1) AS d WHERE NOT EXISTS (SELECT 1"
	  " FROM run AS r WHERE r.project_id=?1 AND r.run_id=d.run_id) ORDER BY run_id",
	  mend_row },
};

/* All of a kind before any is made again: making one changes what the question finds. */
static int find_lost(const struct rows_check *c, const struct kind *kind, struct buf *out,
		     size_t *out_n, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(&c->l->db, &st, err, kind->sql, "i", c->project))
		return -1;
	while ((step = db_step(&c->l->db, st, err)) > 0) {
		struct lost lost = { .c = c,
				     .run = db_integer(st, 0),
				     .apart = db_integer(st, 1),
				     .t = db_integer(st, 2),
				     .commit = db_integer(st, 3),
				     .env = db_integer(st, 4),
				     .base = db_integer(st, 5) };

		buf_add(out, &lost, sizeof(lost));
		++*out_n;
	}
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

static int check_kind(const struct rows_check *c, const struct kind *kind, struct err *err)
{
	struct buf found = BUF_INIT;
	struct lost *lost;
	size_t i, n = 0;
	int result = find_lost(c, kind, &found, &n, err);

	if (!result && n)
		buf_addf(c->report, "project '%s': %zu %s\n", c->project_name, n, kind->what);
	c->health->n_lost += (int64_t)n;
	lost = (struct lost *)(void *)found.data;
	for (i = 0; !result && c->repair && i < n; i++) {
		int mended = mend_from_document(&lost[i], kind->how, err);

		result = mended < 0 ? -1 : 0;
		c->health->n_found_again += !mended;
	}
	buf_release(&found);
	return result;
}

int rows_check(const struct rows_check *c, struct err *err)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (check_kind(c, &kinds[i], err))
			return -1;
	return 0;
}
