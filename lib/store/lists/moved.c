/* What moved lately, and what was retracted. */
#include <stdlib.h>
#include <string.h>

#include "lib/record/bench.h"
#include "lib/store/ledger/names.h"
#include "lib/store/lists/lists.h"
#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

#define MOST_ENTRIES 1000

/* What a regression is told with, and the sheet of its run. */
#define COLUMNS \
	"SELECT s.benchmark, s.metric, s.unit, s.better, e.machine, c.sha, c.subject," \
	" c.committed_us, r.branch, r.id, r.received_us, m.series_id, m.run_id, r.commit_id," \
	" p.t, p.points, " MEASURED_OF("r")
#define ITS_SERIES \
	" CROSS JOIN series AS s ON s.project_id=m.project_id AND s.series_id=m.series_id" \
	" CROSS JOIN env AS e ON e.project_id=s.project_id AND e.env_id=s.env_id" \
	" CROSS JOIN vcs_commit AS c ON c.project_id=r.project_id AND c.commit_id=r.commit_id" \
	" LEFT JOIN sheet AS p ON p.project_id=m.project_id AND p.run_id=m.run_id"

/* Of moved, by order of arrival. */
static const char moved[] =
	COLUMNS " FROM moved AS m"
		" CROSS JOIN run AS r ON r.project_id=m.project_id AND r.run_id=m.run_id" ITS_SERIES
		" WHERE m.project_id=?1 AND (?2=0 OR m.run_id<=?2) AND " IS_SHOWN_OF(
			"s.benchmark") " ORDER BY m.run_id DESC, s.benchmark, m.series_id";

/* Those of a commit, by benchmark. */
static const char of_commit[] = COLUMNS
	" FROM run AS r INDEXED BY run_by_commit"
	" CROSS JOIN moved AS m ON m.project_id=r.project_id AND m.run_id=r.run_id" ITS_SERIES
	" WHERE r.project_id=?1 AND r.commit_id=?2 AND " IS_SHOWN_OF(
		"s.benchmark") " ORDER BY s.benchmark";

enum {
	BENCHMARK,
	METRIC,
	UNIT,
	BETTER,
	MACHINE,
	SHA,
	SUBJECT,
	TIME,
	BRANCH,
	ID,
	RECEIVED,
	SERIES,
	RUN,
	COMMIT,
	PLACE,
	SHEET,
	MEASURED
};

/* 1: *out is the series' point of the sheet in the columns of the row; 0: it has none. */
static int find_point(struct db_query *st, int t, int bytes, int64_t project, int64_t run,
		      int64_t series, struct ledger_point *out, struct err *err)
{
	struct sheet sheet;
	size_t n;
	const void *p = db_bytes(st, bytes, &n);

	if (db_row_check(st, err) || sheet_open(&sheet, project, run, db_integer(st, t), p, n, err))
		return -1;
	while (sheet_next(&sheet))
		if (sheet.series == series)
			return sheet_read(&sheet, out, NULL, NULL, err) ? -1 : 1;
	return 0;
}

/* One that could not be decided takes back nothing of what was. */
static bool says_something(const struct ledger_point *p)
{
	return !(p->flags & (POINT_DIRTY | POINT_SUSPECT)) &&
	       verdict_is_decided((enum verdict)p->verdict);
}

int ledger_is_superseded(struct ledger *l, const struct ledger_point *p, int64_t commit,
			 int64_t measured_us, const char *benchmark, const char *branch,
			 struct err *err)
{
	struct db_query *st = NULL;
	struct ledger_point later;
	int step, found = 0;

	if (db_start(&l->db, &st, err,
		     "SELECT r.run_id, p.t, p.points FROM run AS r INDEXED BY run_by_commit"
		     " CROSS JOIN sheet AS p ON p.project_id=r.project_id AND p.run_id=r.run_id"
		     " WHERE r.project_id=?1 AND r.commit_id=?2 AND r.run_id<>?3 AND r.dirty=0"
		     " AND (" MEASURED_OF("r") ">?5 OR (" MEASURED_OF(
			     "r") "=?5 AND r.run_id>?3))"
				  " AND (?6 IS NULL OR coalesce(r.branch, '')=?6) AND " IS_SHOWN_OF(
					  "?4"),
		     "iiitit", p->project, commit, p->run, benchmark, measured_us, branch))
		return -1;
	while (!found && (step = db_step(&l->db, st, err)) != 0) {
		if (step > 0)
			found = find_point(st, 1, 2, p->project, db_integer(st, 0), p->series,
					   &later, err);
		if (step < 0 || found < 0)
			found = -1;
		else if (found && (later.base != p->base || !says_something(&later)))
			found = 0;
	}
	db_end(st);
	return found;
}

/* All that is asked stands before the entry: where its time is over, none is begun. */
static int write_row(struct ledger *l, struct jsonw *w, struct db_query *st,
		     const struct ledger_point *p, struct err *err)
{
	char *base = NULL;

	if (ledger_base(l, p->project, p->base, &base, err))
		return -1;
	jsonw_object(w);
	jsonw_kstring(w, "benchmark", db_text(st, BENCHMARK));
	jsonw_kstring(w, "metric", db_text(st, METRIC));
	jsonw_kstring(w, "unit", db_text(st, UNIT));
	jsonw_kstring(w, "better", db_integer(st, BETTER) ? "higher" : "lower");
	jsonw_kstring(w, "machine", db_text(st, MACHINE));
	jsonw_kstring(w, "verdict", ledger_verdict(p->verdict));
	jsonw_knumber(w, "ratio", p->ratio);
	jsonw_knumber(w, "low", p->ratio_low);
	jsonw_knumber(w, "high", p->ratio_high);
	jsonw_kstring(w, "commit", db_text(st, SHA));
	jsonw_kstring(w, "base", base);
	jsonw_kbool(w, "exact", (p->flags & POINT_EXACT) != 0);
	jsonw_kstring(w, "subject", db_is_null(st, SUBJECT) ? NULL : db_text(st, SUBJECT));
	ledger_write_time(w, "time", db_integer(st, TIME));
	jsonw_kstring(w, "branch", db_is_null(st, BRANCH) ? NULL : db_text(st, BRANCH));
	jsonw_kstring(w, "id", db_text(st, ID));
	ledger_write_time(w, "received", db_integer(st, RECEIVED));
	jsonw_object_end(w);
	free(base);
	return 1;
}

/* 1: *p is the row's point; 0: it is none any more. */
static int read_row(struct ledger *l, struct db_query *st, int64_t project, struct ledger_point *p,
		    struct err *err)
{
	int found = find_point(st, PLACE, SHEET, project, db_integer(st, RUN),
			       db_integer(st, SERIES), p, err);

	if (found > 0) {
		int back =
			ledger_is_superseded(l, p, db_integer(st, COMMIT), db_integer(st, MEASURED),
					     db_text(st, BENCHMARK), NULL, err);

		found = back < 0 ? -1 : !back;
	}
	return found;
}

/* 1: it was written; 0: it is none any more. */
static int take_row(struct ledger *l, struct jsonw *w, struct db_query *st, int64_t project,
		    struct err *err)
{
	struct ledger_point p;
	int found = read_row(l, st, project, &p, err);

	return found > 0 ? write_row(l, w, st, &p, err) : found;
}

/* 1: its commit, or somebody, accepts the change, as its alert says; 0: nobody does, or not all. */
static int is_accepted(struct ledger *l, struct db_query *st, const struct ledger_point *p,
		       struct err *err)
{
	int64_t any;
	int found = db_get(
		&l->db, &any, err,
		"SELECT 1 FROM alert AS a WHERE a.project_id=?1 AND a.series_id=?2"
		" AND a.branch=?3 AND (a.commit_id=?4 OR (?5<>0 AND a.base_id=?5))"
		" AND a.state=?6 AND NOT EXISTS (SELECT 1 FROM alert AS o"
		"  WHERE o.project_id=?1 AND o.series_id=?2 AND o.branch=?3"
		"  AND (o.commit_id=?4 OR (?5<>0 AND o.base_id=?5)) AND o.state=?7)"
		" LIMIT 1",
		"iitiiii", p->project, p->series, db_is_null(st, BRANCH) ? "" : db_text(st, BRANCH),
		db_integer(st, COMMIT), p->base, (int64_t)ALERT_ACCEPTED, (int64_t)ALERT_OPEN);

	return found < 0 ? -1 : !found;
}

enum { REGRESSED, IMPROVED, ACCEPTED, MOVES };

/* Rows come by benchmark: several of one, from several machines or bases, are one. */
static int count_row(struct ledger *l, struct db_query *st, const struct ledger_point *p,
		     char *last[MOVES], struct newest_moves *out, struct err *err)
{
	size_t *const counts[MOVES] = { &out->n_regressed, &out->n_improved, &out->n_accepted };
	int accepted = p->verdict == VERDICT_IMPROVED ? 0 : is_accepted(l, st, p, err);
	int what = accepted ? ACCEPTED : p->verdict == VERDICT_IMPROVED ? IMPROVED : REGRESSED;
	const char *name = db_text(st, BENCHMARK);

	if (accepted < 0)
		return -1;
	if (last[what] && !strcmp(last[what], name))
		return 0;
	*counts[what] += 1;
	return str_set(&last[what], name, err);
}

int lists_moves_of(struct ledger *l, int64_t project, int64_t commit, struct newest_moves *out,
		   struct err *err)
{
	char *last[MOVES] = { NULL };
	struct db_query *st = NULL;
	struct ledger_point p;
	int step, found = 0;

	if (db_start(&l->db, &st, err, of_commit, "ii", project, commit))
		return -1;
	while (found >= 0 && (step = db_step(&l->db, st, err)) > 0) {
		found = read_row(l, st, project, &p, err);
		if (found > 0)
			found = count_row(l, st, &p, last, out, err);
	}
	db_end(st);
	for (size_t i = 0; i < MOVES; i++)
		free(last[i]);
	return found < 0 || step < 0 ? -1 : 0;
}

static void write_entry(struct jsonw *w, struct db_query *st)
{
	jsonw_object(w);
	ledger_write_time(w, "time", db_integer(st, 0));
	jsonw_kstring(w, "who", db_text(st, 1));
	jsonw_kstring(w, "action", db_text(st, 2));
	jsonw_kstring(w, "id", db_text(st, 3));
	jsonw_kstring(w, "benchmark", db_is_null(st, 4) ? NULL : db_text(st, 4));
	jsonw_kstring(w, "why", db_is_null(st, 5) ? NULL : db_text(st, 5));
	jsonw_object_end(w);
}

/* Whether the row is of this page: of the run where the last one ended those behind its series. */
static bool is_behind(const struct page *p, struct db_query *st, const struct series_names *last)
{
	int order;

	if (!p->from[0] || db_integer(st, RUN) != p->from[0])
		return true;
	order = strcmp(db_text(st, BENCHMARK), last->benchmark);
	return order ? order > 0 : db_integer(st, SERIES) > p->from[1];
}

static int write_rows(struct page *p, struct err *err)
{
	struct db_query *st = NULL;
	struct series_names last = { .benchmark = "" };
	int step, taken = 0;

	if ((p->from[0] && names_find(p->l, p->project, p->from[1], &last, err) < 0) ||
	    db_scan(&p->l->db, &st, err, moved, "ii", p->project, p->from[0]))
		return -1;
	while (taken >= 0 && (step = db_step(&p->l->db, st, err)) > 0) {
		int64_t run = db_integer(st, RUN), series = db_integer(st, SERIES);

		if (!is_behind(p, st, &last))
			continue;
		if (!page_has_room(p))
			break;
		taken = take_row(p->l, &p->w, st, p->project, err);
		if (taken > 0)
			page_count(p, run, series);
	}
	db_end(st);
	return taken < 0 || step < 0 ? -1 : 0;
}

int lists_regressions(struct ledger *l, const struct list_query *q, struct buf *out,
		      struct err *err)
{
	struct err fault = ERR_INIT;
	struct page p;
	int result;

	if (page_begin(&p, l, q, "regressions", out, err))
		return -1;
	result = page_end(&p, write_rows(&p, &fault), out, &fault);
	if (result && err)
		*err = fault;
	return result;
}

int ledger_regressions(struct ledger *l, const char *project, size_t limit, struct buf *out,
		       struct err *err)
{
	const struct list_query first = { .project = project, .limit = limit };

	return lists_regressions(l, &first, out, err);
}

int lists_retractions(struct ledger *l, const struct list_query *q, struct buf *out,
		      struct err *err)
{
	struct err fault = ERR_INIT;
	struct db_query *st = NULL;
	struct page p;
	int step;

	if (page_begin(&p, l, q, "retractions", out, err))
		return -1;
	step = db_scan(&l->db, &st, &fault,
		       "SELECT at_us, who, action, id, benchmark, why, audit_id FROM audit"
		       " WHERE project_id=?1 AND (?2=0 OR audit_id<?2) ORDER BY audit_id DESC",
		       "ii", p.project, p.from[0]);
	while (!step && (step = db_step(&l->db, st, &fault)) > 0) {
		step = 0;
		if (!page_has_room(&p))
			break;
		write_entry(&p.w, st);
		page_count(&p, db_integer(st, 6), 0);
	}
	db_end(st);
	step = page_end(&p, step, out, &fault);
	if (step && err)
		*err = fault;
	return step;
}

int ledger_retractions(struct ledger *l, const char *project, struct buf *out, struct err *err)
{
	const struct list_query first = { .project = project, .limit = MOST_ENTRIES };

	return lists_retractions(l, &first, out, err);
}
