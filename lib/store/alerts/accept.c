/* What a commit accepts, and which alerts that closes. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/timeunit.h"
#include "lib/judge/worse.h"
#include "lib/store/alerts/batch.h"

#include "lib/base/banned.h"

#define WALK_MAX 256 /* commits that are looked at on the way to bases, of one result */

/* An alert that is open, or will be, and that an entry may be about; its texts are copies. */
struct candidate {
	struct alert_row a;
	char *benchmark, *sha;
	struct worse worse;
};

/* What entries allow: the product of their ratios, and the one to name; NULL: nothing. */
struct allowed {
	double ratio;
	const struct accepted_item *why;
};

static void candidate_release(struct candidate *c)
{
	free(c->benchmark);
	free(c->sha);
}

static bool is_named(const struct summary *s, const char *benchmark)
{
	size_t i;

	for (i = 0; i < s->n_accepted; i++)
		if (str_is_named(benchmark, s->accepted[i].benchmark))
			return true;
	return false;
}

static int add_candidate(struct db_query *st, struct buf *out, struct err *err)
{
	struct candidate c = { .a = { .id = db_integer(st, 0),
				      .commit = db_integer(st, 1),
				      .base = db_integer(st, 2),
				      .kind = (enum alert_kind)db_integer(st, 3),
				      .state = (enum alert_state)db_integer(st, 10),
				      .was = (enum alert_state)db_integer(st, 11),
				      .low = db_double(st, 4),
				      .high = db_double(st, 5) },
			       .worse = { db_double(st, 6), db_double(st, 4), db_double(st, 5),
					  db_integer(st, 7) != 0 } };

	if (!str_set(&c.benchmark, db_text(st, 8), err) && !str_set(&c.sha, db_text(st, 9), err)) {
		buf_add(out, &c, sizeof(c));
		if (!out->failed)
			return 0;
		buf_check(out, err);
	}
	candidate_release(&c);
	return -1;
}

static int read_candidates(struct alert_batch *b, const struct summary *s, struct buf *out,
			   struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (db_start(b->db, &st, err,
		     "SELECT a.alert_id, a.commit_id, a.base_id, a.kind, a.low, a.high, a.ratio,"
		     " s.better, s.benchmark, c.sha, a.state, a.was_state, s.unit FROM alert AS a"
		     " JOIN series AS s ON s.project_id=a.project_id AND s.series_id=a.series_id"
		     " JOIN vcs_commit AS c ON c.project_id=a.project_id"
		     " AND c.commit_id=a.commit_id"
		     " WHERE a.project_id=?1 AND (a.state=1 OR a.was_state=1) AND a.branch=?2 "
		     "ORDER BY a.alert_id DESC",
		     "it", b->project, alert_branch(b)))
		return -1;
	while ((step = db_step(b->db, st, err)) > 0)
		/* What a document accepts is of times (note_accepted()). */
		if (time_unit_is(db_text(st, 12)) && is_named(s, db_text(st, 8)) &&
		    add_candidate(st, out, err)) {
			step = -1;
			break;
		}
	db_end(st);
	return step ? -1 : 0;
}

/* The last entry for that commit and benchmark; NULL: none. */
static const struct accepted_item *entry_of(const struct summary *s, const char *sha,
					    const char *benchmark)
{
	size_t i;

	for (i = s->n_accepted; i-- > 0;)
		if (!strcmp(s->accepted[i].commit, sha) &&
		    str_is_named(benchmark, s->accepted[i].benchmark))
			return &s->accepted[i];
	return NULL;
}

/* Its first parent into sha and *out_id; 1: it has none that is known. */
static int step_back(struct alert_batch *b, char **sha, int64_t *out_id, struct err *err)
{
	struct db_query *st = NULL;
	int step, result = 1;

	if (db_start(b->db, &st, err,
		     "SELECT p.sha, p.commit_id FROM vcs_commit AS c JOIN vcs_commit AS p"
		     " ON p.project_id=c.project_id AND p.apart=0 AND p.sha=c.parent"
		     " WHERE c.project_id=?1 AND c.apart=0 AND c.sha=?2",
		     "it", b->project, *sha))
		return -1;
	step = db_step(b->db, st, err);
	if (step > 0) {
		*out_id = db_integer(st, 1);
		result = str_set(sha, db_text(st, 0), err);
	}
	db_end(st);
	return step < 0 ? -1 : result;
}

static void take_entry(const struct summary *s, const struct candidate *c, struct allowed *io)
{
	const struct accepted_item *entry = entry_of(s, c->sha, c->benchmark);

	if (!entry)
		return;
	io->ratio *= 1 + entry->change;
	io->why = io->why ? io->why : entry;
}

/*
 * All that is accepted from the commit back to its base.  Where that is not among its first
 * parents, and of a step, which has none, it is what is accepted of the commit itself.  *left: how
 * many commits may be looked at.
 */
static int sum_up(struct alert_batch *b, const struct summary *s, struct candidate *c, int *left,
		  struct allowed *out, struct err *err)
{
	struct allowed all = { 1, NULL };
	int64_t at = c->a.commit;
	int end = !c->a.base;

	take_entry(s, c, &all);
	*out = all;
	while (!end && (*left)-- > 0) {
		end = step_back(b, &c->sha, &at, err);
		if (!end && at == c->a.base) {
			*out = all;
			end = 1;
		}
		if (!end)
			take_entry(s, c, &all);
	}
	return end < 0 ? -1 : 0;
}

static int accept_one(struct alert_batch *b, const struct summary *s, struct candidate *c,
		      int64_t run, int *left, struct err *err)
{
	struct allowed allowed;

	if (sum_up(b, s, c, left, &allowed, err))
		return -1;
	if (!allowed.why || !worse_is_within(worse_at_least(&c->worse), allowed.ratio,
					     summary_threshold(s, summary_find(s, c->benchmark))))
		return 0;
	return alert_settle(b, &c->a, alert_branch(b), ALERT_ACCEPTED,
			    allowed.why->because ? allowed.why->because : "accepted", run, err);
}

int alerts_accept(struct alert_batch *b, const struct summary *s, int64_t run, struct err *err)
{
	struct buf rows = BUF_INIT;
	struct candidate *c;
	int result, left = WALK_MAX;
	size_t i;

	if (!s->n_accepted || (b->looked && !b->has_open))
		return 0;
	result = read_candidates(b, s, &rows, err);
	c = (struct candidate *)(void *)rows.data;
	for (i = 0; i < rows.len / sizeof(*c); i++) {
		if (!result)
			result = accept_one(b, s, &c[i], run, &left, err);
		candidate_release(&c[i]);
	}
	buf_release(&rows);
	return result;
}
