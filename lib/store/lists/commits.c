/* The commits of a project, and the machines that measured them. */
#include <string.h>

#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

static void write_commit(struct jsonw *w, struct db_query *st, int64_t n_summaries)
{
	jsonw_object(w);
	jsonw_kstring(w, "commit", db_text(st, 2));
	jsonw_kstring(w, "parent", db_is_null(st, 3) ? NULL : db_text(st, 3));
	ledger_write_time(w, "time", db_integer(st, 4));
	jsonw_kstring(w, "subject", db_is_null(st, 5) ? NULL : db_text(st, 5));
	jsonw_kinteger(w, "summaries", n_summaries);
	jsonw_object_end(w);
}

/* So few runs of a branch are sorted by their commits; of more it is all commits that are asked. */
#define FEW 2000

#define COLUMNS \
	"SELECT c.commit_id, c.place, c.sha, c.parent, c.committed_us, c.subject," \
	" (SELECT count(*) FROM run AS r INDEXED BY run_by_commit" \
	"  WHERE r.project_id=c.project_id AND r.commit_id=c.commit_id" \
	"  AND (?2 IS NULL OR r.branch=?2) AND " IS_SHOWN ") FROM "
#define WANTED \
	" c.project_id=?1 AND c.apart=0 AND c.place IS NOT NULL" \
	" AND (?3=0 OR (c.place, c.commit_id)<(?4, ?3))" \
	" ORDER BY c.place DESC, c.commit_id DESC"

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
	static const char all[] = COLUMNS "vcs_commit AS c INDEXED BY commit_by_place WHERE" WANTED;
	static const char few[] =
		COLUMNS "(SELECT DISTINCT commit_id FROM run INDEXED BY run_by_branch"
			" WHERE project_id=?1 AND branch=?2) AS x CROSS JOIN vcs_commit AS c"
			" ON c.commit_id=x.commit_id WHERE" WANTED;
	bool small = false;

	if (is_small(p, &small, err))
		return -1;
	return db_scan(&p->l->db, st, err, small ? few : all, "itii", p->project, p->q->branch,
		       p->from[0], p->from[1]);
}

int lists_commits(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct db_query *st = NULL;
	struct page p;
	int step;

	if (page_begin(&p, l, q, "commits", out, err))
		return -1;
	step = ask_commits(&p, &st, &fault);
	while (!step && (step = db_step(&l->db, st, &fault)) > 0) {
		int64_t n = db_integer(st, 6);

		step = 0;
		if (!n) {
			page_pass(&p, db_integer(st, 0), db_integer(st, 1));
			continue;
		}
		if (!page_has_room(&p))
			break;
		write_commit(&p.w, st, n);
		page_count(&p, db_integer(st, 0), db_integer(st, 1));
	}
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
