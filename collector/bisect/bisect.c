#include "collector/bisect/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/bisect/ask.h"

#include "lib/base/banned.h"

#define CHAIN_ALPHA 0.05 /* chance of any wrong decision */

/*
 * Whether there is a change, and how large one commit's is, is asked as pawl compare asks; whether
 * a commit has more than half of it, by a few pairs first, as most lie far from the half.
 */
static const int efforts_of_figures[] = { BISECT_LOOKS, BISECT_LOOKS + 1, BISECT_LOOKS + 2 };
static const int efforts_of_cuts[] = { 0, 1, BISECT_LOOKS + 1, BISECT_LOOKS + 2 };

#define N_FIGURES (sizeof(efforts_of_figures) / sizeof(efforts_of_figures[0]))
#define N_CUTS (sizeof(efforts_of_cuts) / sizeof(efforts_of_cuts[0]))

/* A commit that was decided or given up. */
struct mark {
	char id[OID_TEXT];
	enum bisect_mark mark;
	const struct bisect_evidence *evidence;
};

struct run {
	const struct bisect_request *rq;
	struct bisect_answer *out;
	struct bisect_asker ask;
	double sign, half;  /* of the whole change: E x sign > 0, half = |E| / 2 */
	double alpha;	    /* of an interval */
	struct strv good;   /* GOOD and what was found good */
	char bad[OID_TEXT]; /* the oldest commit found bad */
	struct mark *marks;
	size_t n_marks;
};

void bisect_answer_release(struct bisect_answer *a)
{
	strv_release(&a->suspects);
	*a = (struct bisect_answer)BISECT_ANSWER_INIT;
}

/* ---- evidence -------------------------------------------------------------------------- */

/* As bisect_widen(), turned so that the whole change is positive. */
static void widen_turned(const struct run *r, const struct bisect_evidence *e, double *low,
			 double *high)
{
	double a, b, confidence;

	bisect_widen(e, r->out->by_difference, r->alpha, &a, &b, &confidence);
	*low = r->sign > 0 ? a : -b;
	*high = r->sign > 0 ? b : -a;
}

/* By the half; a missing interval is NaN, for which both comparisons are false. */
static enum bisect_mark by_half(const struct run *r, const struct bisect_evidence *e)
{
	double low, high;

	if (e->state != BISECT_MEASURED)
		return e->state == BISECT_SKIPPED ? BISECT_SKIP : BISECT_GOOD;
	widen_turned(r, e, &low, &high);
	if (low > r->half)
		return BISECT_BAD;
	return high < r->half ? BISECT_GOOD : BISECT_UNCLEAR;
}

/*
 * A commit already decided that runs the same code, or NULL.  It may find other files there: what
 * was measured comes first.
 */
static const struct mark *same_code(const struct run *r, const struct bisect_evidence *e)
{
	size_t i;

	for (i = 0; e->code && i < r->n_marks; i++) {
		const struct mark *m = &r->marks[i];

		if (m->mark <= BISECT_BAD && m->evidence->code &&
		    !strcmp(m->evidence->code, e->code))
			return m;
	}
	return NULL;
}

static int remember(struct run *r, const char *id, enum bisect_mark mark,
		    const struct bisect_evidence *evidence, struct err *err)
{
	struct mark *marks = realloc(r->marks, (r->n_marks + 1) * sizeof(*marks));

	if (!marks)
		return err_nomem(err);
	r->marks = marks;
	memcpy(marks[r->n_marks].id, id, strlen(id) + 1);
	marks[r->n_marks].mark = mark;
	marks[r->n_marks++].evidence = evidence;
	return 0;
}

static void tell(struct run *r, enum bisect_kind kind, const char *base, const char *commit,
		 enum bisect_mark mark, const struct bisect_evidence *evidence, bool is_same,
		 size_t n_left)
{
	struct bisect_step step = { .kind = kind,
				    .base = base,
				    .commit = commit,
				    .mark = mark,
				    .evidence = evidence,
				    .by_difference = r->out->by_difference,
				    .before = !r->ask.asked,
				    .same_code = is_same,
				    .n_left = n_left };

	r->out->n_steps++;
	r->ask.asked = false;
	bisect_widen(evidence, step.by_difference, r->alpha, &step.low, &step.high,
		     &step.confidence);
	if (r->rq->tell)
		r->rq->tell(r->rq->ctx, &step);
}

/* ---- the whole change ------------------------------------------------------------------ */

static enum bisect_mark mark_of_whole(const struct bisect_evidence *e)
{
	if (e->state == BISECT_SKIPPED)
		return BISECT_SKIP;
	if (e->state == BISECT_IDENTICAL || e->verdict == VERDICT_UNCHANGED)
		return BISECT_GOOD;
	if (e->verdict == VERDICT_REGRESSED || e->verdict == VERDICT_IMPROVED)
		return BISECT_BAD;
	return BISECT_UNCLEAR;
}

/*
 * Sets sign and half; *out_go says whether there is a change to look for.  One that is there is
 * measured again where it is known too roughly: the half is what everything is held against.
 */
static int measure_whole(struct run *r, bool *out_go, struct err *err)
{
	static const enum bisect_outcome outcomes[] = { [BISECT_GOOD] = BISECT_NO_CHANGE,
							[BISECT_BAD] = BISECT_UNFINISHED,
							[BISECT_SKIP] = BISECT_NOTHING,
							[BISECT_UNCLEAR] = BISECT_INCONCLUSIVE };
	const struct bisect_evidence *e = NULL;
	struct bisect_change whole = { (double)NAN, (double)NAN, (double)NAN };
	enum bisect_mark mark = BISECT_UNCLEAR;
	bool rough = true;
	size_t i;

	*out_go = false;
	for (i = 0; i < N_FIGURES && rough; i++) {
		if (bisect_ask(&r->ask, r->rq->good, r->rq->bad, efforts_of_figures[i], &e, err))
			return -1;
		if (!e)
			return 0;
		mark = mark_of_whole(e);
		r->out->by_difference = bisect_has_difference_alone(e);
		whole = bisect_change_of(e, r->out->by_difference);
		rough = mark == BISECT_UNCLEAR ||
			(mark == BISECT_BAD && whole.high - whole.low > fabs(whole.theta) / 2);
	}
	r->out->whole = e;
	r->out->outcome = outcomes[mark];
	r->out->why = e->why;
	r->sign = whole.theta < 0 ? -1 : 1;
	r->half = fabs(whole.theta) / 2;
	*out_go = mark == BISECT_BAD;
	tell(r, BISECT_WHOLE, r->rq->good, r->rq->bad, mark, e, false, r->out->n_commits);
	return remember(r, r->rq->bad, mark, e, err);
}

/* ---- cutting --------------------------------------------------------------------------- */

static const struct mark *find_mark(const struct run *r, const char *id)
{
	size_t i;

	for (i = 0; i < r->n_marks; i++)
		if (!strcmp(r->marks[i].id, id))
			return &r->marks[i];
	return NULL;
}

/* What may be the first bad commit; counts those given up among them. */
static int list_suspects(struct run *r, struct err *err)
{
	struct bisect_answer *a = r->out;
	size_t i;

	strv_release(&a->suspects);
	a->n_skipped = a->n_unclear = 0;
	if (r->rq->cuts(r->rq->ctx, &r->good, r->bad, &a->suspects, err))
		return -1;
	for (i = 0; i < a->suspects.n; i++) {
		const struct mark *m = find_mark(r, a->suspects.v[i]);

		a->n_skipped += m && m->mark == BISECT_SKIP;
		a->n_unclear += m && m->mark == BISECT_UNCLEAR;
	}
	return 0;
}

/*
 * The next commit to try, or NULL: the best cut, but away from those given up, as what does not
 * build mostly stands together.  The n-th detour goes to a place of its own (multiples of the
 * golden section), nearer the best cuts than the worst.
 */
static const char *choose(const struct run *r)
{
	const struct strv *all = &r->out->suspects;
	size_t detours = r->out->n_skipped + r->out->n_unclear, n = 0, i, wanted;
	double x = fmod((double)detours * 0.6180339887498949, 1);

	if (r->out->n_unclear >= BISECT_UNCLEAR_MAX)
		return NULL;
	for (i = 0; i < all->n; i++)
		n += !find_mark(r, all->v[i]) && strcmp(all->v[i], r->bad) != 0;
	wanted = (size_t)((double)n * x * sqrt(x));
	for (i = 0; i < all->n; i++)
		if (!find_mark(r, all->v[i]) && strcmp(all->v[i], r->bad) != 0 && !wanted--)
			return all->v[i];
	return NULL;
}

/* Holds one commit against GOOD until it is decided, given up, or there is no time. */
static int decide(struct run *r, const char *id, struct err *err)
{
	const struct bisect_evidence *e = NULL;
	const struct mark *twin = NULL;
	enum bisect_mark mark = BISECT_UNCLEAR;
	size_t i;

	for (i = 0; i < N_CUTS && mark == BISECT_UNCLEAR; i++) {
		if (bisect_ask(&r->ask, r->rq->good, id, efforts_of_cuts[i], &e, err))
			return -1;
		if (!e)
			return 0;
		mark = by_half(r, e);
		twin = mark == BISECT_UNCLEAR ? same_code(r, e) : NULL;
		mark = twin ? twin->mark : mark;
	}
	if (remember(r, id, mark, e, err))
		return -1;
	if (mark == BISECT_GOOD && strv_add(&r->good, id, err))
		return -1;
	if (mark == BISECT_BAD)
		memcpy(r->bad, id, strlen(id) + 1);
	if (list_suspects(r, err))
		return -1;
	tell(r, BISECT_CUT, r->rq->good, find_mark(r, id)->id, mark, e, twin != NULL,
	     r->out->suspects.n);
	return 0;
}

/* ---- the end --------------------------------------------------------------------------- */

/*
 * The change is not in that one commit: from the newest commit that may have nothing of it to
 * the oldest that may have all of it.
 */
static int spread_out(struct run *r, struct err *err)
{
	double low, high;
	size_t i;

	strv_release(&r->good);
	memcpy(r->bad, r->rq->bad, strlen(r->rq->bad) + 1);
	if (strv_add(&r->good, r->rq->good, err))
		return -1;
	for (i = 0; i < r->n_marks; i++) {
		const struct mark *m = &r->marks[i];

		if (m->mark > BISECT_BAD)
			continue;
		widen_turned(r, m->evidence, &low, &high);
		if (m->mark == BISECT_BAD && high >= 2 * r->half)
			memcpy(r->bad, m->id, strlen(m->id) + 1);
		else if (m->mark == BISECT_GOOD &&
			 (m->evidence->state == BISECT_IDENTICAL || low <= 0) &&
			 strv_add(&r->good, m->id, err))
			return -1;
	}
	return list_suspects(r, err);
}

/* Holds the commit that is left against its parent. */
static int confirm(struct run *r, struct err *err)
{
	struct bisect_answer *a = r->out;
	const struct bisect_evidence *e = NULL;
	enum bisect_mark mark = BISECT_UNCLEAR;
	size_t i;

	memcpy(a->commit, r->bad, sizeof(a->commit));
	if (r->rq->parent(r->rq->ctx, a->commit, a->parent, err))
		return -1;
	for (i = 0; i < N_FIGURES && mark == BISECT_UNCLEAR; i++) {
		if (bisect_ask(&r->ask, a->parent, a->commit, efforts_of_figures[i], &e, err))
			return -1;
		if (!e)
			return 0;
		mark = by_half(r, e);
	}
	a->delta = e;
	bisect_widen(e, a->by_difference, r->alpha, &a->low, &a->high, &a->confidence);
	a->outcome = mark == BISECT_BAD ? BISECT_FOUND : BISECT_RANGE;
	tell(r, BISECT_CONFIRM, a->parent, a->commit, mark, e, false, 1);
	if (mark == BISECT_BAD)
		return 0;
	a->why = mark == BISECT_SKIP ? "its parent cannot be measured"
		 : mark == BISECT_GOOD
			 ? "by itself it is less than half of the change: several commits add up"
			 : "it could not be shown to be at least half of the change by itself";
	return mark == BISECT_SKIP ? 0 : spread_out(r, err);
}

static int search(struct run *r, struct err *err)
{
	const char *next;

	while ((next = choose(r)) && !r->ask.timed) {
		char id[OID_TEXT];

		memcpy(id, next, strlen(next) + 1); /* the list is made anew */
		if (decide(r, id, err))
			return -1;
	}
	if (r->ask.timed || r->out->suspects.n == 1)
		return r->ask.timed ? 0 : confirm(r, err);
	r->out->outcome = BISECT_RANGE;
	r->out->why = r->out->n_unclear ? "some commits lie too close to half of the change"
					: "commits that cannot be measured are at the border";
	return 0;
}

int bisect(const struct bisect_request *rq, struct bisect_log *log, struct bisect_answer *out,
	   struct err *err)
{
	struct bisect_answer answer = BISECT_ANSWER_INIT;
	struct run r = { .rq = rq,
			 .out = &answer,
			 .ask = { .rq = rq, .log = log },
			 .sign = 1,
			 .good = STRV_INIT };
	double m;
	bool go;
	int result = -1;

	memcpy(r.bad, rq->bad, strlen(rq->bad) + 1);
	if (strv_add(&r.good, rq->good, err) || list_suspects(&r, err))
		goto out;
	answer.n_commits = answer.suspects.n;
	m = ceil(log2((double)answer.n_commits + (answer.n_commits == 0))) + 1;
	r.alpha = 2 * CHAIN_ALPHA / (m * (double)N_CUTS);
	if (measure_whole(&r, &go, err) || (go && search(&r, err)))
		goto out;
	answer.n_comparisons = r.ask.n_comparisons;
	answer.n_before = r.ask.n_before;
	*out = answer;
	answer = (struct bisect_answer)BISECT_ANSWER_INIT;
	result = 0;
out:
	bisect_answer_release(&answer);
	strv_release(&r.good);
	free(r.marks);
	return result;
}
