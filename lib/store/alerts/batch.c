#include "lib/store/alerts/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/ulid.h"
#include "lib/store/alerts/outbox.h"

#include "lib/base/banned.h"

/* A target, as far as it decides what it is sent. */
struct wants {
	int64_t target;
	int64_t kind; /* enum target_kind */
	bool verdicts_only;
	char *branch; /* NULL: any */
};

struct made {
	int64_t target, commit, message;
	enum alert_state event;
};

const char *alert_state_name(int64_t state)
{
	static const char *const names[ALERT_STATES] = {
		[ALERT_OPEN] = "open",
		[ALERT_ACCEPTED] = "accepted",
		[ALERT_RESOLVED] = "resolved",
		[ALERT_GONE] = "gone",
	};

	return state > 0 && state < ALERT_STATES ? names[state] : NULL;
}

const char *alert_kind_name(int64_t kind)
{
	static const char *const names[ALERT_KINDS] = { [ALERT_VERDICT] = "verdict",
							[ALERT_CHANGE_POINT] = "change-point",
							[ALERT_CREEP] = "creep" };

	return kind > 0 && kind < ALERT_KINDS ? names[kind] : NULL;
}

static size_t n_of(const struct buf *b, size_t size)
{
	return b->len / size;
}

static struct wants *wants_of(const struct alert_batch *b)
{
	return (struct wants *)(void *)b->targets.data;
}

void alert_batch_release(struct alert_batch *b)
{
	size_t i;

	for (i = 0; i < n_of(&b->targets, sizeof(struct wants)); i++)
		free(wants_of(b)[i].branch);
	buf_release(&b->targets);
	buf_release(&b->messages);
	buf_release(&b->freed);
	b->has_targets = false;
}

int alert_set_free(struct alert_batch *b, const struct alert_row *a, bool higher, struct err *err)
{
	struct alert_freed f = { *a, higher };

	if (a->kind == ALERT_VERDICT)
		buf_add(&b->freed, &f, sizeof(f));
	return buf_check(&b->freed, err);
}

const char *alert_branch(const struct alert_batch *b)
{
	return b->branch ? b->branch : "";
}

int64_t alert_number(struct alert_batch *b)
{
	return (*b->next_id)++;
}

static int read_targets(struct alert_batch *b, struct err *err)
{
	struct db_query *st = NULL;
	int step;

	if (b->has_targets)
		return 0;
	if (db_start(b->db, &st, err,
		     "SELECT target_id, verdicts_only, branch, kind FROM target WHERE project_id=?1"
		     " AND removed_us=0 ORDER BY target_id",
		     "i", b->project))
		return -1;
	while ((step = db_step(b->db, st, err)) > 0) {
		struct wants w = { .target = db_integer(st, 0),
				   .kind = db_integer(st, 3),
				   .verdicts_only = db_integer(st, 1) != 0 };

		if (!db_is_null(st, 2) && str_set(&w.branch, db_text(st, 2), err)) {
			step = -1;
			break;
		}
		buf_add(&b->targets, &w, sizeof(w));
		if (b->targets.failed)
			free(w.branch);
	}
	db_end(st);
	b->has_targets = !step;
	return step ? -1 : buf_check(&b->targets, err);
}

static int make_message(struct alert_batch *b, struct made *m, struct err *err)
{
	unsigned char bits[ULID_RANDOM];
	char id[ULID_TEXT];

	if (random_bytes(bits, sizeof(bits), err))
		return -1;
	ulid_of((uint64_t)b->now_us / 1000, bits, id);
	m->message = alert_number(b);
	if (db_run(b->db, err,
		   "INSERT INTO message (project_id, message_id, target_id, event, commit_id, id,"
		   " made_us, state, tries, next_us) VALUES (?1,?2,?3,?4,?5,?6,?7,1,0,?7)",
		   "iiiiiti", b->project, m->message, m->target, (int64_t)m->event, m->commit, id,
		   b->now_us))
		return -1;
	buf_add(&b->messages, m, sizeof(*m));
	return buf_check(&b->messages, err);
}

/* The message of the batch to that target about that, made if there is none. */
static int find_message(struct alert_batch *b, int64_t target, int64_t commit,
			enum alert_state event, int64_t *out, struct err *err)
{
	struct made m = { target, commit, 0, event };
	const struct made *all = (const struct made *)(const void *)b->messages.data;
	size_t i;

	for (i = n_of(&b->messages, sizeof(m)); i-- > 0;)
		if (all[i].target == target && all[i].commit == commit && all[i].event == event) {
			*out = all[i].message;
			return 0;
		}
	if (make_message(b, &m, err))
		return -1;
	*out = m.message;
	return 0;
}

/*
 * That a branch is gone is news to programs alone, which keep count: nobody waits for a mail about
 * it, and the commit is no better for it.
 */
static bool is_wanted(const struct wants *w, const struct alert_row *a, const char *branch,
		      enum alert_state state)
{
	if (w->verdicts_only && a->kind != ALERT_VERDICT)
		return false;
	if (state == ALERT_GONE && w->kind != TARGET_WEBHOOK)
		return false;
	return !w->branch || !strcmp(w->branch, branch);
}

/* Of the targets that want it: those that hear of verdicts, or of a branch, alone. */
enum only { ONLY_NONE, ONLY_VERDICTS, ONLY_BRANCH };

static bool is_meant(const struct wants *w, enum only only)
{
	return only == ONLY_VERDICTS ? w->verdicts_only
	       : only == ONLY_BRANCH ? w->branch != NULL
				     : true;
}

static int say(struct alert_batch *b, const struct alert_row *a, const char *branch,
	       enum alert_state state, enum only only, struct err *err)
{
	int64_t message = 0;
	size_t i;

	if (b->is_silent)
		return 0;
	if (read_targets(b, err))
		return -1;
	for (i = 0; i < n_of(&b->targets, sizeof(struct wants)); i++) {
		const struct wants *w = &wants_of(b)[i];

		if (!is_wanted(w, a, branch, state) || !is_meant(w, only))
			continue;
		if (find_message(b, w->target, a->commit, state, &message, err) ||
		    db_run(b->db, err,
			   "INSERT INTO message_alert (project_id, message_id, alert_id)"
			   " VALUES (?1,?2,?3)",
			   "iii", b->project, message, a->id))
			return -1;
	}
	return 0;
}

int alert_say(struct alert_batch *b, const struct alert_row *a, const char *branch,
	      enum alert_state state, struct err *err)
{
	return say(b, a, branch, state, ONLY_NONE, err);
}

int alert_say_verdict(struct alert_batch *b, const struct alert_row *a, const char *branch,
		      struct err *err)
{
	return say(b, a, branch, ALERT_OPEN, ONLY_VERDICTS, err);
}

int alert_say_branch(struct alert_batch *b, const struct alert_row *a, const char *branch,
		     struct err *err)
{
	return say(b, a, branch, ALERT_OPEN, ONLY_BRANCH, err);
}

int alert_set(struct alert_batch *b, const struct alert_row *a, const char *branch,
	      enum alert_state state, const char *why, int64_t run, struct err *err)
{
	if (db_run(b->db, err,
		   "UPDATE alert SET state=?3, changed_us=?4, why=?5, was_state=NULL, quiet=0,"
		   " closed_by=nullif(?6,0)"
		   " WHERE project_id=?1 AND alert_id=?2",
		   "iiiiti", b->project, a->id, (int64_t)state, b->now_us, why, run))
		return -1;
	/* Answers about the project are tagged with the number. */
	alert_number(b);
	return alert_say(b, a, branch, state, err);
}

double alert_harm(double ratio, bool higher)
{
	return higher ? 1 / ratio : ratio;
}

/* What is left of the harm; of a change without a ratio what it was before. */
static double remaining_of(const struct alert_point *p)
{
	if (isfinite(p->ratio))
		return alert_harm(p->ratio, p->higher);
	return p->has_before ? p->before : (double)NAN;
}

int alert_insert(struct alert_batch *b, const struct alert_row *a, const char *branch,
		 const struct alert_point *p, const char *why, int64_t closed_by, struct err *err)
{
	return db_run(b->db, err,
		      "INSERT INTO alert (project_id, alert_id, series_id, kind, state, branch,"
		      " commit_id, base_id, run_id, t, ratio, low, high, remaining, opened_us,"
		      " changed_us, why, closed_by) VALUES"
		      " (?1,?2,?3,1,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?14,?15,nullif(?16,0))",
		      "iiiitiiiidddditi", b->project, a->id, p->series, (int64_t)a->state, branch,
		      p->commit, p->base, p->run, p->t, p->ratio, p->low, p->high, remaining_of(p),
		      b->now_us, why, closed_by);
}

int alert_write_figure(struct alert_batch *b, const struct alert_row *a,
		       const struct alert_point *p, struct err *err)
{
	return db_run(b->db, err,
		      "UPDATE alert SET kind=1, base_id=?3, run_id=?4, t=?5, ratio=?6, low=?7,"
		      " high=?8, remaining=?9, changed_us=?10, commit_id=?11"
		      " WHERE project_id=?1 AND alert_id=?2",
		      "iiiiiddddii", b->project, a->id, p->base, p->run, p->t, p->ratio, p->low,
		      p->high, remaining_of(p), b->now_us, p->commit);
}

int alert_hand_to(struct alert_batch *b, int64_t id, const struct alert_point *p, struct err *err)
{
	return db_run(b->db, err,
		      "UPDATE alert SET run_id=?3, ratio=?4, low=?5, high=?6, remaining="
		      "CASE WHEN ?4 IS NULL AND ratio IS NULL THEN remaining ELSE ?7 END"
		      " WHERE project_id=?1 AND alert_id=?2",
		      "iiidddd", b->project, id, p->run, p->ratio, p->low, p->high,
		      alert_harm(p->ratio, p->higher));
}

bool alert_is_waiting(const struct alert_row *a)
{
	return a->state == ALERT_RESOLVED && a->was == ALERT_OPEN;
}

int alert_settle(struct alert_batch *b, const struct alert_row *a, const char *branch,
		 enum alert_state state, const char *why, int64_t run, struct err *err)
{
	if (!alert_is_waiting(a))
		return alert_set(b, a, branch, state, why, run, err);
	alert_number(b);
	if (state != ALERT_RESOLVED)
		return db_run(b->db, err,
			      "UPDATE alert SET was_state=?3 WHERE project_id=?1 AND alert_id=?2",
			      "iii", b->project, a->id, (int64_t)state);
	return db_run(b->db, err,
		      "UPDATE alert SET was_state=NULL, why=?3, closed_by=?4"
		      " WHERE project_id=?1 AND alert_id=?2",
		      "iiti", b->project, a->id, why, run);
}
