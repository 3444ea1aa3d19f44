/* What a new summary opens and closes. */
#include "lib/store/ledger/put.h"

#include <math.h>

#include "lib/base/banned.h"

/* 1: what was measured later, and came before, has decided already. */
static int is_superseded(struct put *put, const struct bench *b, const struct ledger_point *p,
			 struct err *err)
{
	const struct post *post = put->post;
	int64_t ended_us = post->summary->finished_us, one;
	int found;

	if (!put->has_looked) {
		found = db_get(&put->l->db, &one, err,
			       "SELECT 1 FROM run WHERE project_id=?1 AND commit_id=?2 LIMIT 1",
			       "ii", put->project, put->commit);
		if (found < 0)
			return -1;
		put->has_others = !found;
		put->has_looked = true;
	}
	if (!put->has_others || !p->verdict)
		return 0;
	return ledger_is_superseded(
		put->l, p, put->commit, ended_us < post->received_us ? ended_us : post->received_us,
		b->name, post->summary->commit.branch ? post->summary->commit.branch : "", err);
}

static void begin_alerts(struct put *put)
{
	put->alerts.db = &put->l->db;
	put->alerts.project = put->project;
	put->alerts.next_id = &put->next_id;
	put->alerts.branch = put->post->summary->commit.branch;
	put->alerts.now_us = put->post->received_us;
	put->alerts.is_silent = put->post->is_history;
}

/* A repair says nothing that was not said before. */
int put_alerts(struct put *put, const struct bench *b, const struct metric *m,
	       const struct ledger_point *p, struct err *err)
{
	const struct delta *d = m->has_delta ? &m->delta : NULL;
	struct alert_point a = { .series = p->series,
				 .run = put->run,
				 .commit = put->commit,
				 .t = p->t,
				 .base = p->base,
				 .higher = m->better == BETTER_HIGHER,
				 .verdict = (enum verdict)p->verdict,
				 .can_open = d != NULL,
				 .ratio = p->ratio,
				 .low = p->ratio_low,
				 .high = p->ratio_high,
				 .has_value = true,
				 .v = p->v,
				 .v_low = p->low,
				 .v_high = p->high,
				 .has_before = d && d->by_difference,
				 .before = d ? m->median - d->difference : (double)NAN,
				 .threshold = summary_threshold(put->post->summary, b) };
	int superseded;

	if (put->is_repair || put->post->untrusted || (p->flags & (POINT_DIRTY | POINT_SUSPECT)) ||
	    !(p->flags & POINT_GATE))
		return 0;
	if (b->accepted.commit)
		a.accepted = b->accepted.because ? b->accepted.because : "accepted";
	superseded = is_superseded(put, b, p, err);
	if (superseded)
		return superseded < 0 ? -1 : 0;
	begin_alerts(put);
	return alerts_point(&put->alerts, &a, err);
}

/* Whoever may merge may accept: a stranger may not. */
int put_accepted(struct put *put, struct err *err)
{
	const struct summary *s = put->post->summary;

	if (put->post->untrusted || s->commit.dirty || !put->commit)
		return 0;
	begin_alerts(put);
	return alerts_accept(&put->alerts, s, put->run, err);
}
