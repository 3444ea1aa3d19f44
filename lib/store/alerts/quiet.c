#include "lib/store/alerts/quiet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/when.h"
#include "lib/store/alerts/batch.h"

#include "lib/base/banned.h"

void quiet_release(struct quiet_day *d)
{
	strv_release(&d->branches);
	*d = (struct quiet_day){ .project = 0 };
}

/*
 * The first result that was not counted began the day; one of a clock that was ahead begins none,
 * and is of the day of those around it.
 */
static int find_day(struct db *db, int64_t now_us, int64_t last, struct quiet_day *out,
		    int64_t *out_began_us, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT p.project_id, p.counted, r.run_id, r.received_us FROM project AS p"
		     " CROSS JOIN run AS r ON r.project_id=p.project_id AND r.run_id="
		     " (SELECT min(x.run_id) FROM run AS x WHERE x.project_id=p.project_id"
		     "  AND x.run_id>p.counted AND x.received_us<=?1)"
		     " WHERE r.received_us<=?2"
		     " ORDER BY CASE WHEN p.project_id>?3 THEN 0 ELSE 1 END, p.project_id LIMIT 1",
		     "iii", now_us, now_us - WHEN_DAY_US, last))
		return -1;
	step = db_step(db, st, err);
	if (step > 0) {
		out->project = db_integer(st, 0);
		out->before = db_integer(st, 1);
		out->first = db_integer(st, 2);
		*out_began_us = db_integer(st, 3);
	}
	db_end(st);
	return step < 0 ? -1 : !step;
}

static int find_end(struct db *db, int64_t now_us, int64_t began_us, struct quiet_day *d,
		    struct err *err)
{
	int64_t next = 0;

	if (db_get(db, &next, err,
		   "SELECT coalesce(min(run_id), 0) FROM run WHERE project_id=?1 AND run_id>?2"
		   " AND received_us>=?3 AND received_us<=?4",
		   "iiii", d->project, d->first, began_us + WHEN_DAY_US, now_us))
		return -1;
	return db_get(db, &d->last, err,
		      "SELECT max(run_id) FROM run WHERE project_id=?1 AND (?2=0 OR run_id<?2)",
		      "ii", d->project, next);
}

static int read_branches(struct db *db, struct quiet_day *d, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(db, &st, err,
		     "SELECT DISTINCT coalesce(branch, '') AS b FROM run WHERE project_id=?1"
		     " AND run_id>?2 AND run_id<=?3 AND apart=0 ORDER BY b",
		     "iii", d->project, d->before, d->last))
		return -1;
	while ((step = db_step(db, st, err)) > 0)
		if (strv_add(&d->branches, db_text(st, 0), err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step;
}

int quiet_look(struct db *db, int64_t now_us, int64_t *io_last, struct quiet_day *out,
	       struct err *err)
{
	struct quiet_day d = { .project = 0 };
	int64_t began_us = 0;
	int none = find_day(db, now_us, *io_last, &d, &began_us, err);

	if (none)
		return none;
	*io_last = d.project;
	if (find_end(db, now_us, began_us, &d, err) || read_branches(db, &d, err)) {
		quiet_release(&d);
		return -1;
	}
	*out = d;
	return 0;
}

/* An open alert, and its branch in the buffer of texts. */
struct held {
	struct alert_row a;
	int64_t quiet;
	size_t branch; /* offset */
};

static int read_open(struct alert_batch *b, const struct quiet_day *d, struct buf *out,
		     struct buf *texts, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err,
		     "SELECT alert_id, series_id, commit_id, kind, quiet, branch FROM alert"
		     " WHERE project_id=?1 AND state=1 AND alert_id<?2 ORDER BY alert_id",
		     "ii", b->project, d->first))
		return -1;
	while ((step = db_step(b->db, st, err)) > 0) {
		struct held h = { .a = { .id = db_integer(st, 0),
					 .series = db_integer(st, 1),
					 .commit = db_integer(st, 2),
					 .kind = (enum alert_kind)db_integer(st, 3),
					 .state = ALERT_OPEN },
				  .quiet = db_integer(st, 4),
				  .branch = texts->len };

		buf_add(texts, db_text(st, 5), strlen(db_text(st, 5)) + 1);
		buf_add(out, &h, sizeof(h));
	}
	db_end(st);
	return step || buf_check(texts, err) ? -1 : buf_check(out, err);
}

static int compare(const void *key, const void *at)
{
	return strcmp(key, *(char *const *)at);
}

static bool has_results(const struct quiet_day *d, const char *branch)
{
	return bsearch(branch, d->branches.v, d->branches.n, sizeof(*d->branches.v), compare);
}

static int count_one(struct alert_batch *b, const struct held *h, const char *branch,
		     bool has_result, unsigned days, struct err *err)
{
	int64_t quiet = has_result ? 0 : h->quiet + 1;
	char why[80];

	if (quiet == h->quiet)
		return 0;
	if (quiet >= days) {
		snprintf(why, sizeof(why),
			 "no result of its branch on %u day%s on which others came", days,
			 days == 1 ? "" : "s");
		return alert_set(b, &h->a, branch, ALERT_GONE, why, 0, err);
	}
	return db_run(b->db, err, "UPDATE alert SET quiet=?3 WHERE project_id=?1 AND alert_id=?2",
		      "iii", b->project, h->a.id, quiet);
}

static int count(struct alert_batch *b, const struct quiet_day *d, unsigned days, struct err *err)
{
	struct buf rows = BUF_INIT, texts = BUF_INIT;
	const struct held *h;
	int result = read_open(b, d, &rows, &texts, err);
	size_t i;

	h = (const struct held *)(const void *)rows.data;
	for (i = 0; !result && i < rows.len / sizeof(*h); i++) {
		const char *branch = texts.data + h[i].branch;

		result = count_one(b, &h[i], branch, has_results(d, branch), days, err);
	}
	buf_release(&rows);
	buf_release(&texts);
	return result;
}

static int settle(struct db *db, const struct quiet_day *d, unsigned days, int64_t now_us,
		  struct err *err)
{
	int64_t next_id = 0;
	struct alert_batch b = {
		.db = db, .project = d->project, .next_id = &next_id, .now_us = now_us
	};
	int result = -1, found;

	found = db_get(db, &next_id, err,
		       "SELECT next_id FROM project WHERE project_id=?1 AND counted=?2", "ii",
		       d->project, d->before);
	if (found)
		return found < 0 ? -1 : 0;
	/* Without a trusted result it was no day of this project's. */
	if (d->branches.n && count(&b, d, days, err))
		goto out;
	/* Answers about the project are tagged with the number. */
	alert_number(&b);
	result = db_run(db, err, "UPDATE project SET next_id=?2, counted=?3 WHERE project_id=?1",
			"iii", d->project, next_id, d->last);
out:
	alert_batch_release(&b);
	return result;
}

int quiet_settle(struct db *db, const struct quiet_day *d, unsigned days, int64_t now_us,
		 struct err *err)
{
	int result;

	if (db_begin(db, err))
		return -1;
	result = settle(db, d, days, now_us, err) || db_commit(db, err) ? -1 : 0;
	db_rollback(db);
	return result;
}
