#include "collector/bisect/steps.h"

#include <stdlib.h>
#include <string.h>

#include "collector/bisect/ask.h"

#include "lib/base/banned.h"

#define CHAIN_ALPHA 0.05 /* chance of any commit named that did nothing */

struct walk {
	struct bisect_asker ask;
	struct bisect_steps *out;
	double alpha; /* of an interval */
};

void bisect_steps_release(struct bisect_steps *s)
{
	free(s->v);
	*s = (struct bisect_steps)BISECT_STEPS_INIT;
}

/* The commits from BAD down to the one above GOOD. */
static int list_line(const struct bisect_request *rq, struct strv *out, struct err *err)
{
	char id[OID_TEXT], parent[OID_TEXT];
	struct err fault = ERR_INIT;

	memcpy(id, rq->bad, strlen(rq->bad) + 1);
	while (strcmp(id, rq->good) != 0) {
		if (strv_add(out, id, err))
			return -1;
		if (rq->parent(rq->ctx, id, parent, &fault)) {
			if (fault.code != ERR_ABSENT) {
				*err = fault;
				return -1;
			}
			err_set(err, ERR_USAGE, "GOOD (%.12s) is not on the main line of BAD",
				rq->good);
			return err_hint(err, "name a commit that 'git log --first-parent' lists");
		}
		memcpy(id, parent, sizeof(id));
	}
	return 0;
}

/* Moved: called by the project's threshold, and shown at the chain's level. */
static enum bisect_mark mark_of(const struct walk *w, const struct bisect_evidence *e)
{
	double low, high, confidence;

	if (e->state != BISECT_MEASURED)
		return e->state == BISECT_SKIPPED ? BISECT_SKIP : BISECT_GOOD;
	if (e->verdict == VERDICT_UNCHANGED)
		return BISECT_GOOD;
	bisect_widen(e, bisect_has_difference_alone(e), w->alpha, &low, &high, &confidence);
	if ((e->verdict == VERDICT_REGRESSED && low > 0) ||
	    (e->verdict == VERDICT_IMPROVED && high < 0) ||
	    (e->verdict == VERDICT_REGRESSED && high < 0) ||
	    (e->verdict == VERDICT_IMPROVED && low > 0)) /* where more is better */
		return BISECT_BAD;
	return BISECT_UNCLEAR;
}

static int add_moved(struct walk *w, const char *base, const char *commit, size_t n_between,
		     const struct bisect_evidence *e, struct err *err)
{
	struct bisect_steps *s = w->out;
	struct bisect_moved *grown = realloc(s->v, (s->n + 1) * sizeof(*grown)), *m;

	if (!grown)
		return err_nomem(err);
	s->v = grown;
	m = &grown[s->n++];
	memset(m, 0, sizeof(*m));
	memcpy(m->base, base, strlen(base) + 1);
	memcpy(m->commit, commit, strlen(commit) + 1);
	m->evidence = e;
	m->n_between = n_between;
	m->by_difference = bisect_has_difference_alone(e);
	bisect_widen(e, m->by_difference, w->alpha, &m->low, &m->high, &m->confidence);
	return 0;
}

static void tell(struct walk *w, const char *base, const char *commit, enum bisect_mark mark,
		 const struct bisect_evidence *e, size_t n_left)
{
	const struct bisect_request *rq = w->ask.rq;
	struct bisect_step step = { .kind = BISECT_STEP,
				    .base = base,
				    .commit = commit,
				    .mark = mark,
				    .evidence = e,
				    .by_difference = bisect_has_difference_alone(e),
				    .before = !w->ask.asked,
				    .n_left = n_left };

	w->ask.asked = false;
	bisect_widen(e, step.by_difference, w->alpha, &step.low, &step.high, &step.confidence);
	if (rq->tell)
		rq->tell(rq->ctx, &step);
}

/* One commit against the one before; *e NULL when there is no time. */
static int look_at(struct walk *w, const char *base, const char *commit,
		   const struct bisect_evidence **e, enum bisect_mark *mark, struct err *err)
{
	int effort;

	*mark = BISECT_UNCLEAR;
	for (effort = BISECT_LOOKS; effort < BISECT_EFFORTS && *mark == BISECT_UNCLEAR; effort++) {
		if (bisect_ask(&w->ask, base, commit, effort, e, err))
			return -1;
		if (!*e)
			return 0;
		*mark = mark_of(w, *e);
	}
	return 0;
}

/*
 * look_at() of one against *base.  While nothing stood against GOOD, which of the two cannot be
 * measured is not known: where this one can against the commit before, that is the base from now
 * on.
 */
static int look_past(struct walk *w, const char **base, const char *before, const char *commit,
		     const struct bisect_evidence **e, enum bisect_mark *mark, struct err *err)
{
	if (look_at(w, *base, commit, e, mark, err))
		return -1;
	if (!*e || *mark != BISECT_SKIP || !before)
		return 0;
	if (look_at(w, before, commit, e, mark, err))
		return -1;
	if (*e && *mark != BISECT_SKIP)
		*base = before;
	return 0;
}

static int walk_line(struct walk *w, const struct strv *line, struct err *err)
{
	const char *const good = w->ask.rq->good, *base = good;
	size_t i, n_between = 0;

	for (i = line->n; i-- > 0;) {
		bool is_open = base == good && n_between;
		const struct bisect_evidence *e = NULL;
		enum bisect_mark mark;

		if (look_past(w, &base, is_open ? line->v[i + 1] : NULL, line->v[i], &e, &mark,
			      err))
			return -1;
		if (!e)
			return 0;
		if (base != good && is_open)
			n_between = 0;
		tell(w, base, line->v[i], mark, e, i);
		if (mark == BISECT_SKIP) {
			w->out->n_skipped++;
			n_between++;
			continue;
		}
		w->out->n_unclear += mark == BISECT_UNCLEAR;
		if (mark == BISECT_BAD && add_moved(w, base, line->v[i], n_between, e, err))
			return -1;
		base = line->v[i];
		n_between = 0;
	}
	return 0;
}

int bisect_steps(const struct bisect_request *rq, struct bisect_log *log, struct bisect_steps *out,
		 struct err *err)
{
	struct bisect_steps steps = BISECT_STEPS_INIT;
	struct walk w = { .ask = { .rq = rq, .log = log }, .out = &steps };
	struct strv line = STRV_INIT;
	int result = -1;

	*out = steps;
	if (list_line(rq, &line, err))
		goto out;
	steps.n_commits = line.n;
	w.alpha = CHAIN_ALPHA / (double)(line.n ? line.n : 1);
	if (walk_line(&w, &line, err))
		goto out;
	steps.n_comparisons = w.ask.n_comparisons;
	steps.n_before = w.ask.n_before;
	steps.timed = w.ask.timed;
	*out = steps;
	steps = (struct bisect_steps)BISECT_STEPS_INIT;
	result = 0;
out:
	bisect_steps_release(&steps);
	strv_release(&line);
	return result;
}
