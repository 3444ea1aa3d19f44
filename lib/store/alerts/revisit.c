#include "lib/store/alerts/revisit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/strv.h"
#include "lib/store/alerts/closing.h"
#include "lib/store/alerts/point.h"
#include "lib/store/alerts/results.h"
#include "lib/store/points/sheet.h"

#include "lib/base/banned.h"

/* A figure of the run that decides. */
struct figure {
	int64_t series, commit, base;
	enum verdict verdict;
};

/* What is damaged is fsck's. */
static int add_figures(struct alert_batch *b, struct db_query *st, int64_t run, struct buf *out,
		       struct err *err)
{
	struct ledger_point p;
	struct sheet sheet;
	size_t n = 0;
	const void *bytes = db_bytes(st, 2, &n);

	if (db_row_check(st, err))
		return -1;
	if (sheet_open(&sheet, b->project, run, db_integer(st, 1), bytes, n, NULL))
		return 0;
	while (sheet_next(&sheet)) {
		struct figure f = { .series = sheet.series, .commit = db_integer(st, 0) };

		if (sheet_read(&sheet, &p, NULL, NULL, NULL))
			continue;
		f.base = p.base;
		f.verdict = (enum verdict)p.verdict;
		if (result_decides(&p))
			buf_add(out, &f, sizeof(f));
	}
	return buf_check(out, err);
}

static int read_figures(struct alert_batch *b, int64_t run, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err,
		     "SELECT r.commit_id, p.t, p.points FROM run AS r CROSS JOIN sheet AS p"
		     " ON p.project_id=r.project_id AND p.run_id=r.run_id WHERE r.project_id=?1"
		     " AND r.run_id=?2 AND r.apart=0 AND r.dirty=0",
		     "ii", b->project, run))
		return -1;
	step = db_step(b->db, st, err);
	if (step > 0)
		step = add_figures(b, st, run, out, err);
	db_end(st);
	return step < 0 ? -1 : 0;
}

/* 1: the series is of that benchmark (NULL: any). */
static int is_asked(struct alert_batch *b, int64_t series, const char *benchmark, bool *out_higher,
		    struct err *err)
{
	int64_t better = 0;
	int found = db_get(b->db, &better, err,
			   "SELECT better FROM series WHERE project_id=?1 AND series_id=?2"
			   " AND (?3 IS NULL OR benchmark=?3)",
			   "iit", b->project, series, benchmark);

	*out_higher = better != 0;
	return found < 0 ? -1 : !found;
}

/* What became of the last alert about that on the branch, whose result is shown; 0: there is none.
 */
static int find_state(struct alert_batch *b, const struct figure *f, int64_t *out, struct err *err)
{
	int found =
		db_get(b->db, out, err,
		       "SELECT a.state FROM alert AS a CROSS JOIN series AS s"
		       " ON s.project_id=a.project_id AND s.series_id=a.series_id"
		       " WHERE a.project_id=?1 AND a.series_id=?2 AND a.commit_id=?3"
		       " AND a.base_id=?4 AND a.branch=?5"
		       " AND (a.state<>3 OR a.why IS NULL OR a.why<>?6) AND NOT EXISTS (SELECT 1"
		       "  FROM retracted AS x WHERE x.project_id=a.project_id"
		       "  AND x.run_id=a.run_id AND x.benchmark IN ('', s.benchmark))"
		       " ORDER BY a.alert_id DESC LIMIT 1",
		       "iiiitt", b->project, f->series, f->commit, f->base, alert_branch(b),
		       RETRACT_OTHER);

	if (found > 0)
		*out = 0;
	return found < 0 ? -1 : 0;
}

/* 1: one waits for its result, which is hidden: it is this one's from here on. */
static int take_waiting(struct alert_batch *b, const struct figure *f, const struct alert_point *p,
			struct err *err)
{
	struct alert_row a = { .series = f->series, .commit = f->commit, .kind = ALERT_VERDICT };
	const char *branch = alert_branch(b);
	int found = db_get(b->db, &a.id, err,
			   "SELECT alert_id FROM alert WHERE project_id=?1 AND series_id=?2"
			   " AND commit_id=?3 AND base_id=?4 AND branch=?5 AND kind=1 AND state=3"
			   " AND was_state=1 ORDER BY alert_id DESC LIMIT 1",
			   "iiiit", b->project, f->series, f->commit, f->base, branch);

	if (found)
		return found < 0 ? -1 : 0;
	if (alert_hand_to(b, a.id, p, err))
		return -1;
	return alert_set(b, &a, branch, p->accepted ? ALERT_ACCEPTED : ALERT_OPEN, p->accepted, 0,
			 err)
		       ? -1
		       : 1;
}

static int open_one(struct alert_batch *b, const struct figure *f, const struct alert_point *p,
		    struct err *err)
{
	int taken = take_waiting(b, f, p, err);

	return taken ? (taken < 0 ? -1 : 0) : point_take(b, p, err);
}

/* Whether the run hid what counts now, or is what does: else somebody has seen it before. */
static bool is_news(const struct figure *f, const struct result *r, int64_t run, bool is_restored)
{
	return is_restored ? r->run == run : f->verdict != VERDICT_REGRESSED;
}

static int take(struct alert_batch *b, const struct figure *f, const struct result *r, bool higher,
		int64_t run, bool is_restored, struct err *err)
{
	struct alert_point p = result_point(r, f->series, higher);
	struct alert_said said = { .threshold = 0 };
	int64_t state = 0;
	int result = -1;

	if (find_state(b, f, &state, err) ||
	    (b->read_said && b->read_said(b->ctx, r->run, f->series, &said, err)))
		goto out;
	p.threshold = said.threshold;
	/* What a person opened is not accepted by what was here before. */
	p.accepted = state ? NULL : said.accepted;
	if (state ? state != ALERT_OPEN : !is_news(f, r, run, is_restored))
		result = 0;
	else if (state)
		result = point_take(b, &p, err);
	else
		result = open_one(b, f, &p, err);
out:
	free(said.accepted);
	return result;
}

/* The branch of the run. */
static int read_branch(struct alert_batch *b, int64_t run, char **out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err, "SELECT branch FROM run WHERE project_id=?1 AND run_id=?2",
		     "ii", b->project, run))
		return -1;
	step = db_step(b->db, st, err);
	if (step > 0 && !db_is_null(st, 0))
		step = str_set(out, db_text(st, 0), err);
	db_end(st);
	return step < 0 ? -1 : 0;
}

static int revisit_one(struct alert_batch *b, const struct figure *f, bool higher, int64_t run,
		       bool is_restored, struct err *err)
{
	struct result r;
	int found = results_at(b, f->series, f->commit, f->base, &r, err);

	if (found <= 0)
		return found;
	if (r.verdict != VERDICT_REGRESSED || !r.can_open)
		return 0;
	return take(b, f, &r, higher, run, is_restored, err);
}

/* What becomes of the alerts of a series that are there. */
static int settle_series(struct alert_batch *b, int64_t series, int64_t run, bool higher,
			 struct err *err)
{
	struct buf rows = BUF_INIT;
	struct alert_row *a;
	int result = closing_rows(b, series, &rows, err);
	size_t i;

	a = (struct alert_row *)(void *)rows.data;
	for (i = 0; !result && i < rows.len / sizeof(*a); i++)
		/* Steps and creeps are resolved by what came later, too. */
		if (a[i].same_branch && (a[i].kind == ALERT_VERDICT || a[i].state == ALERT_OPEN ||
					 a[i].closed_by == run))
			result = closing_settle(b, &a[i], higher, NULL,
						"the result that resolved it was retracted", err);
	buf_release(&rows);
	return result;
}

static bool is_same(const struct alert_row *a, const struct result *r)
{
	return r->verdict == VERDICT_REGRESSED && r->can_open &&
	       (r->commit == a->commit || (a->base && r->base == a->base));
}

int revisit_same(struct alert_batch *b, const struct alert_row *a, bool higher, struct err *err)
{
	struct buf all = BUF_INIT;
	const struct result *r;
	int result = results_behind(b, a->series, INT64_MIN, &all, err);
	size_t i;

	r = (const struct result *)(const void *)all.data;
	for (i = 0; !result && i < all.len / sizeof(*r); i++) {
		const struct figure f = { .series = a->series,
					  .commit = r[i].commit,
					  .base = r[i].base };
		struct result last;
		int found;

		if (!is_same(a, &r[i]))
			continue;
		found = results_at(b, a->series, f.commit, f.base, &last, err);
		if (found < 0 ||
		    (found && last.run == r[i].run && take(b, &f, &last, higher, 0, false, err)))
			result = -1;
	}
	buf_release(&all);
	return result;
}

/* The open ones that came behind it, of results that say the same change. */
static int read_same(struct alert_batch *b, const struct alert_row *a, const char *branch,
		     bool higher, struct buf *out, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err,
		     "SELECT o.alert_id, o.commit_id FROM alert AS a CROSS JOIN alert AS o"
		     " ON o.project_id=a.project_id AND o.series_id=a.series_id"
		     " WHERE a.project_id=?1 AND a.alert_id=?2 AND o.alert_id>?2 AND o.kind=1"
		     " AND o.state=1 AND o.branch=?3 AND (o.commit_id=a.commit_id"
		     "  OR (a.base_id<>0 AND o.base_id=a.base_id))"
		     " AND CASE WHEN ?4<>0 THEN o.high>=a.low ELSE o.low<=a.high END"
		     " ORDER BY o.alert_id",
		     "iiti", b->project, a->id, branch, (int64_t)higher))
		return -1;
	while ((step = db_step(b->db, st, err)) > 0)
		buf_add(out,
			&(struct alert_row){ .id = db_integer(st, 0),
					     .series = a->series,
					     .commit = db_integer(st, 1),
					     .kind = ALERT_VERDICT,
					     .state = ALERT_OPEN },
			sizeof(struct alert_row));
	db_end(st);
	return step ? -1 : buf_check(out, err);
}

int revisit_take_back(struct alert_batch *b, const struct alert_row *a, const char *branch,
		      bool higher, struct err *err)
{
	struct buf rows = BUF_INIT;
	const struct alert_row *other;
	int result = read_same(b, a, branch, higher, &rows, err);
	size_t i;

	other = (const struct alert_row *)(const void *)rows.data;
	for (i = 0; !result && i < rows.len / sizeof(*other); i++)
		result = alert_set(b, &other[i], branch, ALERT_RESOLVED, RETRACT_OTHER, 0, err);
	buf_release(&rows);
	return result;
}

/* Each of them may close others. */
int revisit_freed(struct alert_batch *b, struct err *err)
{
	size_t i;

	for (i = 0; i < b->freed.len / sizeof(struct alert_freed); i++) {
		struct alert_freed f = ((const struct alert_freed *)(const void *)b->freed.data)[i];

		if (f.a.state == ALERT_OPEN
			    ? revisit_take_back(b, &f.a, alert_branch(b), f.higher, err)
			    : revisit_same(b, &f.a, f.higher, err))
			return -1;
	}
	buf_reset(&b->freed);
	return 0;
}

int revisit(struct alert_batch *b, int64_t run, const char *benchmark, bool is_restored,
	    struct err *err)
{
	struct buf figures = BUF_INIT;
	const struct figure *f;
	char *branch = NULL;
	int result =
		read_branch(b, run, &branch, err) || read_figures(b, run, &figures, err) ? -1 : 0;
	size_t i;

	b->branch = branch;
	f = (const struct figure *)(const void *)figures.data;
	for (i = 0; !result && i < figures.len / sizeof(*f); i++) {
		bool higher = false;
		int asked = is_asked(b, f[i].series, benchmark, &higher, err);

		result = asked < 0 ? -1 : 0;
		if (asked > 0 && (settle_series(b, f[i].series, run, higher, err) ||
				  revisit_one(b, &f[i], higher, run, is_restored, err)))
			result = -1;
	}
	result = result || revisit_freed(b, err) ? -1 : 0;
	b->branch = NULL;
	free(branch);
	buf_release(&figures);
	return result;
}

int alerts_point(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	return point_take(b, p, err) || revisit_freed(b, err) ? -1 : 0;
}

int alerts_return(struct alert_batch *b, const struct alert_point *p, struct err *err)
{
	return point_return(b, p, err) || revisit_freed(b, err) ? -1 : 0;
}
