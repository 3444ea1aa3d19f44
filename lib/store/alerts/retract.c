/* Results that are hidden, and what they opened. */
#include <string.h>

#include "lib/store/alerts/batch.h"
#include "lib/store/alerts/closing.h"
#include "lib/store/alerts/results.h"
#include "lib/store/alerts/revisit.h"

#include "lib/base/banned.h"

#define WHY "its result was retracted"

/* What is read of one: its columns, and the series. */
#define COLUMNS \
	"SELECT a.alert_id, a.series_id, a.commit_id, a.kind, a.state, a.was_state, a.branch," \
	" a.base_id, s.better, a.t, a.ratio," \
	" CASE WHEN a.ratio IS NULL THEN a.remaining END, a.low, a.high" \
	" FROM alert AS a CROSS JOIN series AS s ON s.project_id=a.project_id AND " \
	"s.series_id=a.series_id"

/* One that the run opened, and its branch behind it in the buffer of texts.  A creep is nobody's
   alone. */
struct held {
	struct alert_row a;
	enum alert_state was;
	bool higher;
	size_t branch; /* offset */
};

static int take_held(struct alert_batch *b, struct db_query *st, struct buf *out, struct buf *texts,
		     struct err *err)
{
	int step;

	while ((step = db_step(b->db, st, err)) > 0) {
		struct held h = { .a = { .id = db_integer(st, 0),
					 .series = db_integer(st, 1),
					 .commit = db_integer(st, 2),
					 .kind = (enum alert_kind)db_integer(st, 3),
					 .state = (enum alert_state)db_integer(st, 4),
					 .base = db_integer(st, 7),
					 .t = db_integer(st, 9),
					 .ratio = db_double(st, 10),
					 .before = db_double(st, 11),
					 .low = db_double(st, 12),
					 .high = db_double(st, 13) },
				  .was = (enum alert_state)db_integer(st, 5),
				  .higher = db_integer(st, 8) != 0,
				  .branch = texts->len };

		buf_add(texts, db_text(st, 6), strlen(db_text(st, 6)) + 1);
		buf_add(out, &h, sizeof(h));
	}
	db_end(st);
	return step || buf_check(texts, err) ? -1 : buf_check(out, err);
}

static int read_held(struct alert_batch *b, int64_t run, const char *benchmark, bool is_restored,
		     struct buf *out, struct buf *texts, struct err *err)
{
	struct db_query *st = NULL;

	if (db_start(b->db, &st, err,
		     COLUMNS " WHERE a.project_id=?1 AND a.run_id=?2 AND a.kind<>3"
			     " AND (?3 IS NULL OR s.benchmark=?3)"
			     " AND (CASE WHEN ?4<>0 THEN a.was_state IS NOT NULL AND NOT EXISTS"
			     "  (SELECT 1 FROM retracted AS x WHERE x.project_id=a.project_id"
			     "  AND x.run_id=a.run_id AND x.benchmark IN ('', s.benchmark))"
			     "  ELSE a.state<>3 END) ORDER BY a.alert_id",
		     "iiti", b->project, run, benchmark, (int64_t)is_restored))
		return -1;
	return take_held(b, st, out, texts, err);
}

/* 1: another alert, which is not settled, is about what that result says. */
static int is_taken(struct alert_batch *b, const struct held *h, int64_t run, struct err *err)
{
	int64_t any;
	int found = db_get(b->db, &any, err,
			   "SELECT 1 FROM alert WHERE project_id=?1 AND run_id=?2 AND series_id=?3"
			   " AND alert_id<>?4 AND (state IN (1, 2) OR was_state IN (1, 2)) LIMIT 1",
			   "iiii", b->project, run, h->a.series, h->a.id);

	return found < 0 ? -1 : !found;
}

/*
 * 1: what counts now at its commit, against the same base, regressed, too: the alert is that
 * result's from here on, and says what it says.
 */
static int hand_over(struct alert_batch *b, const struct held *h, struct err *err)
{
	struct alert_point p;
	struct result r;
	int found = results_at(b, h->a.series, h->a.commit, h->a.base, &r, err), taken;

	if (found <= 0)
		return found;
	if (r.verdict != VERDICT_REGRESSED || !r.can_open)
		return 0;
	taken = is_taken(b, h, r.run, err);
	if (taken)
		return taken < 0 ? -1 : 0;
	p = result_point(&r, h->a.series, h->higher);
	return alert_hand_to(b, h->a.id, &p, err) ? -1 : 1;
}

static int hide(struct alert_batch *b, const struct held *h, const char *branch, struct err *err)
{
	int handed = h->a.kind == ALERT_VERDICT ? hand_over(b, h, err) : 0;

	if (handed)
		return handed < 0 ? -1 : 0;
	/* An accepted one is closed already: nobody waits for more. */
	if (h->a.state == ALERT_OPEN) {
		if (alert_set(b, &h->a, branch, ALERT_RESOLVED, WHY, 0, err))
			return -1;
	} else if (db_run(b->db, err,
			  "UPDATE alert SET state=3, why=?3, closed_by=NULL WHERE project_id=?1 "
			  "AND alert_id=?2",
			  "iit", b->project, h->a.id, WHY)) {
		return -1;
	}
	if (db_run(b->db, err, "UPDATE alert SET was_state=?3 WHERE project_id=?1 AND alert_id=?2",
		   "iii", b->project, h->a.id, (int64_t)h->a.state))
		return -1;
	return h->a.kind == ALERT_VERDICT ? revisit_same(b, &h->a, h->higher, err) : 0;
}

/* 1: another one is open for the same change, or came meanwhile and tells what became of it. */
static int has_other(struct alert_batch *b, const struct held *h, const char *branch,
		     struct err *err)
{
	int64_t any;
	int found = db_get(b->db, &any, err,
			   "SELECT 1 FROM alert WHERE project_id=?1 AND series_id=?2"
			   " AND commit_id=?3 AND kind=?4 AND branch=?5 AND alert_id<>?6"
			   " AND base_id=?7"
			   " AND (state=1 OR (was_state IS NULL AND alert_id>?6)) LIMIT 1",
			   "iiiitii", b->project, h->a.series, h->a.commit, (int64_t)h->a.kind,
			   branch, h->a.id, h->a.base);

	return found < 0 ? -1 : !found;
}

static int show(struct alert_batch *b, const struct held *h, const char *branch, struct err *err)
{
	const struct closing_of of = closing_of_row(&h->a, h->higher);
	struct closing c = { .run = 0 };
	int is_followed = has_other(b, h, branch, err);

	if (is_followed < 0)
		return -1;
	if (is_followed)
		return db_run(b->db, err,
			      "UPDATE alert SET was_state=NULL, why=?3, closed_by=NULL"
			      " WHERE project_id=?1 AND alert_id=?2",
			      "iit", b->project, h->a.id, RETRACT_OTHER);
	if (h->was == ALERT_OPEN && closing_find(b, &of, NULL, &c, err))
		return -1;
	if (c.run)
		return closing_keep(b, &h->a, &c, err);
	if (h->a.kind == ALERT_VERDICT && revisit_take_back(b, &h->a, branch, h->higher, err))
		return -1;
	if (h->was == ALERT_OPEN)
		return alert_set(b, &h->a, branch, ALERT_OPEN, NULL, 0, err);
	return db_run(b->db, err,
		      "UPDATE alert SET state=?3, was_state=NULL, why=NULL"
		      " WHERE project_id=?1 AND alert_id=?2",
		      "iii", b->project, h->a.id, (int64_t)h->was);
}

int alerts_retract(struct alert_batch *b, int64_t run, const char *benchmark, bool is_restored,
		   struct err *err)
{
	struct buf rows = BUF_INIT, texts = BUF_INIT;
	const struct held *h;
	int result;
	size_t i;

	result = read_held(b, run, benchmark, is_restored, &rows, &texts, err);
	h = (const struct held *)(const void *)rows.data;
	for (i = 0; !result && i < rows.len / sizeof(*h); i++) {
		const char *branch = texts.data + h[i].branch;

		b->branch = branch;
		result = is_restored ? show(b, &h[i], branch, err) : hide(b, &h[i], branch, err);
		result = result || revisit_freed(b, err) ? -1 : 0;
	}
	b->branch = NULL;
	buf_release(&rows);
	buf_release(&texts);
	return result || revisit(b, run, benchmark, is_restored, err) ? -1 : 0;
}
