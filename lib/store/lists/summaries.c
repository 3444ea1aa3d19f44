/* The summaries of a project. */
#include <string.h>

#include "lib/store/lists/lists.h"

#include "lib/base/banned.h"

#define COLUMNS \
	"SELECT r.run_id, r.t, r.id, r.branch, r.dirty, r.apart, r.finished_us, r.received_us," \
	" r.how, e.machine, c.sha, c.committed_us, c.subject, b.sha, s.n FROM run AS r"
/* ?3: a machine or NULL.  Runs of others are given, to be passed, and nothing more is looked up. */
#define OF_MACHINE " AND (?3 IS NULL OR e.machine=?3)"
#define JOINS \
	" CROSS JOIN env AS e ON e.project_id=r.project_id AND e.env_id=r.env_id" \
	" LEFT JOIN vcs_commit AS c ON c.project_id=r.project_id AND " \
	"c.commit_id=r.commit_id" OF_MACHINE \
	" LEFT JOIN vcs_commit AS b ON b.project_id=r.project_id AND " \
	"b.commit_id=r.base_id" OF_MACHINE \
	" LEFT JOIN sheet AS s ON s.project_id=r.project_id AND s.run_id=r.run_id" OF_MACHINE
/* ?2: whether untrusted ones are wanted. */
#define WANTED " AND r.apart<=?2 AND " IS_SHOWN

enum {
	RUN,
	PLACE,
	ID,
	BRANCH,
	DIRTY,
	APART,
	FINISHED,
	RECEIVED,
	HOW,
	MACHINE,
	SHA,
	COMMITTED,
	SUBJECT,
	BASE,
	POINTS
};

static const char *text_of(struct db_query *st, int column)
{
	return db_is_null(st, column) ? NULL : db_text(st, column);
}

static void write_commit(struct jsonw *w, struct db_query *st)
{
	jsonw_kstring(w, "commit", text_of(st, SHA));
	if (db_is_null(st, COMMITTED))
		jsonw_kstring(w, "time", NULL);
	else
		ledger_write_time(w, "time", db_integer(st, COMMITTED));
	jsonw_kstring(w, "subject", text_of(st, SUBJECT));
	jsonw_kstring(w, "branch", text_of(st, BRANCH));
	jsonw_kbool(w, "dirty", db_integer(st, DIRTY) != 0);
	jsonw_kstring(w, "base", text_of(st, BASE));
	jsonw_kstring(w, "how", text_of(st, HOW));
}

static void write_row(struct jsonw *w, struct db_query *st)
{
	jsonw_object(w);
	jsonw_kstring(w, "id", db_text(st, ID));
	write_commit(w, st);
	jsonw_kstring(w, "machine", db_text(st, MACHINE));
	jsonw_kinteger(w, "points", db_integer(st, POINTS));
	ledger_write_time(w, "finished", db_integer(st, FINISHED));
	ledger_write_time(w, "received", db_integer(st, RECEIVED));
	jsonw_kbool(w, "untrusted", db_integer(st, APART) != 0);
	jsonw_object_end(w);
}

/* Each way by an index that has the order of the list. */
static int ask_all(struct page *p, struct db_query **st, struct err *err)
{
	const struct list_query *q = p->q;

	return db_scan(&p->l->db, st, err,
		       COLUMNS JOINS " WHERE r.project_id=?1 AND (?4=0 OR r.run_id<?4)" WANTED
				     " ORDER BY r.run_id DESC",
		       "iiti", p->project, (int64_t)q->untrusted, q->machine, p->from[0]);
}

static int ask_branch(struct page *p, struct db_query **st, struct err *err)
{
	const struct list_query *q = p->q;

	return db_scan(&p->l->db, st, err,
		       COLUMNS " INDEXED BY run_by_branch" JOINS
			       " WHERE r.project_id=?1 AND r.branch=?6"
			       " AND (?4=0 OR (r.t, r.run_id)<(?5, ?4))" WANTED
			       " ORDER BY r.t DESC, r.run_id DESC",
		       "iitiit", p->project, (int64_t)q->untrusted, q->machine, p->from[0],
		       p->from[1], q->branch);
}

static int ask_commit(struct page *p, struct db_query **st, struct err *err)
{
	const struct list_query *q = p->q;
	struct err fault = ERR_INIT;
	int64_t commit = 0, apart = 0;

	/* The one of this side, or of the other; both where the id is whole. */
	if (ledger_find_commit(p->l, p->project, 0, q->commit, &commit, &fault) &&
	    fault.code != ERR_ABSENT) {
		*err = fault;
		return -1;
	}
	if (q->untrusted && ledger_find_commit(p->l, p->project, 1, q->commit, &apart, &fault) &&
	    !commit) {
		*err = fault;
		return -1;
	}
	if (!commit && !apart) {
		*err = fault;
		return -1;
	}
	return db_scan(&p->l->db, st, err,
		       COLUMNS " INDEXED BY run_by_commit" JOINS
			       " WHERE r.project_id=?1 AND r.commit_id IN (?5, ?6)"
			       " AND (?4=0 OR r.run_id<?4) AND (?7 IS NULL OR r.branch=?7)" WANTED
			       " ORDER BY r.run_id DESC",
		       "iitiiit", p->project, (int64_t)q->untrusted, q->machine, p->from[0], commit,
		       apart, q->branch);
}

/* 1: nothing came from that machine. */
static int is_unknown(struct page *p, struct err *err)
{
	int64_t any;

	if (!p->q->machine)
		return 0;
	return db_get(&p->l->db, &any, err,
		      "SELECT 1 FROM env WHERE project_id=?1 AND apart IN (0, ?2) AND machine=?3"
		      " LIMIT 1",
		      "iit", p->project, (int64_t)p->q->untrusted, p->q->machine);
}

static int write_rows(struct page *p, struct err *err)
{
	const struct list_query *q = p->q;
	struct db_query *st = NULL;
	int step = is_unknown(p, err);

	if (step)
		return step < 0 ? -1 : 0;
	step = (q->commit ? ask_commit : q->branch ? ask_branch : ask_all)(p, &st, err);
	while (!step && (step = db_step(&p->l->db, st, err)) > 0) {
		step = 0;
		if (q->machine && strcmp(q->machine, db_text(st, MACHINE)) != 0) {
			page_pass(p, db_integer(st, RUN), db_integer(st, PLACE));
			continue;
		}
		if (!page_has_room(p))
			break;
		write_row(&p->w, st);
		page_count(p, db_integer(st, RUN), db_integer(st, PLACE));
	}
	db_end(st);
	return step;
}

int lists_summaries(struct ledger *l, const struct list_query *q, struct buf *out, struct err *err)
{
	struct err fault = ERR_INIT;
	struct page p;
	int step;

	if (page_begin(&p, l, q, "summaries", out, err))
		return -1;
	step = page_end(&p, write_rows(&p, &fault), out, &fault);
	if (step && err)
		*err = fault;
	return step;
}
