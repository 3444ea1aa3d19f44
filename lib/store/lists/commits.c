/* The commits of a project, and the machines that measured them. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

/* A commit whose rows are being read, one a parent; id 0: none is. */
struct entry {
	int64_t id, place, committed_us, n_summaries;
	char *sha, *subject;
	struct strv parents; /* the first one first */
};

static void entry_release(struct entry *e)
{
	free(e->sha);
	free(e->subject);
	strv_release(&e->parents);
	*e = (struct entry){ .id = 0 };
}

/* That it is whole is known when the row of another one comes, or none. */
static void write_entry(struct page *p, struct entry *e)
{
	struct jsonw *w = &p->w;
	size_t i;

	if (!e->id)
		return;
	jsonw_object(w);
	jsonw_kstring(w, "commit", e->sha);
	jsonw_kstring(w, "parent", e->parents.n ? e->parents.v[0] : NULL);
	jsonw_key(w, "parents");
	jsonw_array(w);
	for (i = 0; i < e->parents.n; i++)
		jsonw_string(w, e->parents.v[i]);
	jsonw_array_end(w);
	ledger_write_time(w, "time", e->committed_us);
	jsonw_kstring(w, "subject", e->subject);
	jsonw_kinteger(w, "summaries", e->n_summaries);
	jsonw_object_end(w);
	page_count(p, e->id, e->place);
	entry_release(e);
}

static int begin_entry(struct entry *e, struct db_query *st, struct err *err)
{
	e->id = db_integer(st, 0);
	e->place = db_integer(st, 1);
	e->committed_us = db_integer(st, 4);
	e->n_summaries = db_integer(st, 6);
	if (str_set(&e->sha, db_text(st, 2), err) ||
	    str_set(&e->subject, db_is_null(st, 5) ? NULL : db_text(st, 5), err))
		return -1;
	return db_is_null(st, 3) ? 0 : strv_add(&e->parents, db_text(st, 3), err);
}

/* 1: the page is full. */
static int take_row(struct page *p, struct entry *e, struct db_query *st, struct err *err)
{
	int64_t id = db_integer(st, 0);

	if (id != e->id) {
		write_entry(p, e);
		if (!db_integer(st, 6)) {
			page_pass(p, id, db_integer(st, 1));
			return 0;
		}
		if (!page_has_room(p))
			return 1;
		if (begin_entry(e, st, err))
			return -1;
	}
	if (!db_is_null(st, 7) && !strv_has(&e->parents, db_text(st, 7)) &&
	    strv_add(&e->parents, db_text(st, 7), err))
		return -1;
	return db_row_check(st, err);
}

/* So few runs of a branch are sorted by their commits; of more it is all commits that are asked. */
#define FEW 2000

#define COLUMNS \
	"SELECT c.commit_id, c.place, c.sha, c.parent, c.committed_us, c.subject," \
	" (SELECT count(*) FROM run AS r INDEXED BY run_by_commit" \
	"  WHERE r.project_id=c.project_id AND r.commit_id=c.commit_id" \
	"  AND (?2 IS NULL OR r.branch=?2) AND " IS_SHOWN "), o.parent FROM "
#define WANTED \
	" LEFT JOIN other_parent AS o INDEXED BY other_parent_by_commit" \
	" ON o.project_id=c.project_id AND o.commit_id=c.commit_id WHERE" \
	" c.project_id=?1 AND c.apart=0 AND c.place IS NOT NULL" \
	" AND (?3=0 OR (c.place, c.commit_id)<(?4, ?3))" \
	" ORDER BY c.place DESC, c.commit_id DESC, o.parent"

static int is_small(struct page *p, bool *out, struct err *err)
{
	int64_t n = FEW + 1;

	if (p->q->branch &&
	    db_get(&p->l->db, &n, err,
		   "SELECT count(*) FROM (SELECT 1 FROM run INDEXED BY run_by_branch"
		   " WHERE project_id=?1 AND branch=?2 LIMIT ?3) AS x",
		   "iti", p->project, p->q->branch, n))
		return -1;
	*out = n <= FEW;
	return 0;
}

static int ask_commits(struct page *p, struct db_query **st, struct err *err)
{
	static const char all[] = COLUMNS "vcs_commit AS c INDEXED BY commit_by_place" WANTED;
	static const char few[] =
		COLUMNS "(SELECT DISTINCT commit_id FROM run INDEXED BY run_by_branch"
			" WHERE project_id=?1 AND branch=?2) AS x CROSS JOIN vcs_commit AS c"
			" ON c.commit_id=x.commit_id" WANTED;
	bool small = false;

	if (is_small(p, &small, err))
		return -1;
	return db_scan(&p->l->db, st, err, small ? few : all, "itii", p->project, p->q->branch,
		       p->from[0], p->from[1]);
}

int lists_commits(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct entry entry = { .id = 0 };
	struct db_query *st = NULL;
	struct page p;
	int step, full = 0;

	if (page_begin(&p, l, q, "commits", out, err))
		return -1;
	step = ask_commits(&p, &st, &fault);
	while (!step && (step = db_step(&l->db, st, &fault)) > 0)
		step = full = take_row(&p, &entry, st, &fault);
	if (!step)
		write_entry(&p, &entry);
	if (full > 0)
		step = 0;
	entry_release(&entry);
	db_end(st);
	step = page_end(&p, step, out, &fault);
	if (step && err)
		*err = fault;
	return step;
}

int lists_machines(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	static const char sql[] =
		"SELECT env_id, facts FROM env WHERE project_id=?1 AND apart=0"
		" AND (?2=0 OR machine>(SELECT machine FROM env WHERE project_id=?1 AND env_id=?2))"
		" ORDER BY machine";
	struct err fault = ERR_INIT;
	struct db_query *st = NULL;
	struct page p;
	int step;

	if (page_begin(&p, l, q, "machines", out, err))
		return -1;
	step = db_start(&l->db, &st, &fault, sql, "ii", p.project, p.from[0]);
	while (!step && (step = db_step(&l->db, st, &fault)) > 0) {
		const char *facts = db_text(st, 1);

		step = 0;
		if (!page_has_room(&p))
			break;
		jsonw_raw(&p.w, facts, strlen(facts));
		page_count(&p, db_integer(st, 0), 0);
	}
	db_end(st);
	step = page_end(&p, step, out, &fault);
	if (step && err)
		*err = fault;
	return step;
}
