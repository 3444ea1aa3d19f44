#include "collector/bisect/search.h"

#include <math.h>
#include <string.h>

#include "lib/base/banned.h"

#define CHAIN_ALPHA 0.05 /* chance of any wrong decision */

/*
 * Whether a commit has more than half of the change is asked by a few pairs first, as most lie far
 * from the half; how large one commit's is, as pawl compare asks.
 */
static const int efforts_of_cuts[] = { 0, 1, BISECT_LOOKS + 1, BISECT_LOOKS + 2 };

#define N_CUTS (sizeof(efforts_of_cuts) / sizeof(efforts_of_cuts[0]))

void search_release(struct search *r)
{
	strv_release(&r->good);
	strv_release(&r->cuts);
	marks_release(&r->marks);
}

/* ---- evidence -------------------------------------------------------------------------- */

/* As bisect_widen(), turned so that the whole change is positive. */
static void widen_turned(const struct search *r, const struct bisect_evidence *e, double *low,
			 double *high)
{
	double a, b, confidence;

	bisect_widen(e, r->out->by_difference, r->alpha, &a, &b, &confidence);
	*low = r->sign > 0 ? a : -b;
	*high = r->sign > 0 ? b : -a;
}

/* By the half; a missing interval is NaN, for which both comparisons are false. */
static enum bisect_mark by_half(const struct search *r, const struct bisect_evidence *e)
{
	double low, high;

	if (e->state != BISECT_MEASURED)
		return e->state == BISECT_SKIPPED ? BISECT_SKIP : BISECT_GOOD;
	widen_turned(r, e, &low, &high);
	if (low > r->half)
		return BISECT_BAD;
	return high < r->half ? BISECT_GOOD : BISECT_UNCLEAR;
}

void search_tell(struct search *r, enum bisect_kind kind, const char *base, const char *commit,
		 enum bisect_mark mark, const struct bisect_evidence *evidence, bool is_same,
		 size_t n_left)
{
	struct bisect_step step = { .kind = kind,
				    .base = base,
				    .commit = commit,
				    .mark = mark,
				    .evidence = evidence,
				    .by_difference = r->out->by_difference,
				    .before = !r->ask->asked,
				    .same_code = is_same,
				    .n_left = n_left };

	r->out->n_steps++;
	r->ask->asked = false;
	bisect_widen(evidence, step.by_difference, r->alpha, &step.low, &step.high,
		     &step.confidence);
	if (r->rq->tell)
		r->rq->tell(r->rq->ctx, &step);
}

/* ---- cutting --------------------------------------------------------------------------- */

/* What may be the first bad commit; counts those given up among them. */
static int list_suspects(struct search *r, struct err *err)
{
	struct bisect_answer *a = r->out;
	size_t i;

	strv_release(&a->suspects);
	strv_release(&r->cuts);
	a->n_skipped = a->n_unclear = 0;
	if (r->rq->cuts(r->rq->ctx, &r->good, r->bad, false, &a->suspects, err) ||
	    r->rq->cuts(r->rq->ctx, &r->good, r->bad, true, &r->cuts, err))
		return -1;
	for (i = 0; i < a->suspects.n; i++) {
		const struct mark *m = marks_find(&r->marks, a->suspects.v[i]);

		a->n_skipped += m && m->mark == BISECT_SKIP;
		a->n_unclear += m && m->mark == BISECT_UNCLEAR;
	}
	return 0;
}

/* Each decision has its part of what may go wrong; searches of sides have half of it. */
int search_begin(struct search *r, struct err *err)
{
	double m;

	memcpy(r->bad, r->to, strlen(r->to) + 1);
	if (strv_add(&r->good, r->from, err) || list_suspects(r, err))
		return -1;
	r->rest = r->out->suspects.n > r->cuts.n ? r->share / 2 : 0;
	m = ceil(log2((double)r->cuts.n + (r->cuts.n == 0))) + 1 + r->is_side;
	r->alpha = 2 * CHAIN_ALPHA * (r->share - r->rest) / (m * (double)N_CUTS);
	return 0;
}

/*
 * The next commit to try, or NULL: the best cut, but away from those given up, as what does not
 * build mostly stands together.  The n-th detour goes to a place of its own (multiples of the
 * golden section), nearer the best cuts than the worst.
 */
static const char *choose(const struct search *r)
{
	const struct strv *all = &r->cuts;
	size_t detours = r->out->n_skipped + r->out->n_unclear, n = 0, i, wanted;
	double x = fmod((double)detours * 0.6180339887498949, 1);

	if (r->out->n_unclear >= BISECT_UNCLEAR_MAX)
		return NULL;
	for (i = 0; i < all->n; i++)
		n += !marks_find(&r->marks, all->v[i]) && strcmp(all->v[i], r->bad) != 0;
	wanted = (size_t)((double)n * x * sqrt(x));
	for (i = 0; i < all->n; i++)
		if (!marks_find(&r->marks, all->v[i]) && strcmp(all->v[i], r->bad) != 0 &&
		    !wanted--)
			return all->v[i];
	return NULL;
}

/* Compares one commit with `from` until it is decided, given up, or there is no time. */
static int decide(struct search *r, const char *id, struct err *err)
{
	const struct bisect_evidence *e = NULL;
	const struct mark *twin = NULL;
	enum bisect_mark mark = BISECT_UNCLEAR;
	size_t i;

	for (i = 0; i < N_CUTS && mark == BISECT_UNCLEAR; i++) {
		if (bisect_ask(r->ask, r->from, id, efforts_of_cuts[i], &e, err))
			return -1;
		if (!e)
			return 0;
		mark = by_half(r, e);
		twin = mark == BISECT_UNCLEAR ? marks_same_code(&r->marks, e) : NULL;
		mark = twin ? twin->mark : mark;
	}
	if (marks_add(&r->marks, id, mark, e, err))
		return -1;
	if (mark == BISECT_GOOD && strv_add(&r->good, id, err))
		return -1;
	if (mark == BISECT_BAD)
		memcpy(r->bad, id, strlen(id) + 1);
	if (list_suspects(r, err))
		return -1;
	search_tell(r, BISECT_CUT, r->from, marks_find(&r->marks, id)->id, mark, e, twin != NULL,
		    r->out->suspects.n);
	return 0;
}

/* ---- the end --------------------------------------------------------------------------- */

/*
 * The change is not in that one commit: from the newest commit that may have nothing of it to
 * the oldest that may have all of it.
 */
static int spread_out(struct search *r, struct err *err)
{
	double low, high;
	size_t i;

	strv_release(&r->good);
	memcpy(r->bad, r->to, strlen(r->to) + 1);
	if (strv_add(&r->good, r->from, err))
		return -1;
	for (i = 0; i < r->marks.n; i++) {
		const struct mark *m = &r->marks.v[i];

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

/*
 * Searches what a merge brought, from the commit where that side began; *out_mark: BAD, it has the
 * change.
 */
static int look_into_side(const struct search *above, const char *base, const char *tip, size_t n,
			  enum bisect_mark *out_mark, struct err *err)
{
	struct search r = { .rq = above->rq,
			    .out = above->out,
			    .ask = above->ask,
			    .from = base,
			    .to = tip,
			    .sign = above->sign,
			    .half = above->half,
			    .share = above->rest / (double)n,
			    .is_side = true };
	const struct mark *m;
	int result = -1;

	if (search_begin(&r, err) || decide(&r, tip, err))
		goto out;
	m = marks_find(&r.marks, tip);
	*out_mark = m ? m->mark : BISECT_SKIP;
	result = *out_mark == BISECT_BAD ? search(&r, err) : 0;
out:
	search_release(&r);
	return result;
}

/*
 * The commit that is left has the change.  Where it is a merge, a side may have brought that; one
 * that cannot be searched, as nothing says at which commit it began, leaves a range.
 */
static int look_into(struct search *r, const struct strv *sides, struct err *err)
{
	struct bisect_answer *a = r->out;
	enum bisect_mark mark = BISECT_GOOD;
	bool is_open = false;
	size_t i;

	for (i = 0; i + 1 < sides->n && mark != BISECT_BAD && !r->ask->timed; i += 2) {
		mark = BISECT_SKIP;
		if (*sides->v[i] &&
		    look_into_side(r, sides->v[i], sides->v[i + 1], sides->n / 2, &mark, err))
			return -1;
		is_open = is_open || mark >= BISECT_SKIP;
	}
	if (r->ask->timed) {
		a->outcome = BISECT_UNFINISHED;
		a->commit[0] = a->parent[0] = '\0';
		a->delta = NULL;
		return 0;
	}
	if (mark == BISECT_BAD) /* a range may end in the merge itself */
		return a->outcome == BISECT_RANGE ? strv_add(&a->suspects, r->bad, err) : 0;
	if (is_open) {
		a->outcome = BISECT_RANGE;
		a->why = "a branch that was merged there cannot be searched by itself";
		return list_suspects(r, err);
	}
	strv_release(&a->suspects);
	a->n_skipped = a->n_unclear = 0;
	return strv_add(&a->suspects, r->bad, err);
}

/* Compares the commit that is left with its parent; *out_go: it has the change. */
static int confirm(struct search *r, bool *out_go, struct err *err)
{
	struct bisect_answer *a = r->out;
	const struct bisect_evidence *e = NULL;
	enum bisect_mark mark = BISECT_UNCLEAR;
	int effort;

	*out_go = false;
	for (effort = BISECT_LOOKS; effort < BISECT_EFFORTS && mark == BISECT_UNCLEAR; effort++) {
		if (bisect_ask(r->ask, a->parent, a->commit, effort, &e, err))
			return -1;
		if (!e)
			return 0;
		mark = by_half(r, e);
	}
	a->delta = e;
	bisect_widen(e, a->by_difference, r->alpha, &a->low, &a->high, &a->confidence);
	search_tell(r, BISECT_CONFIRM, a->parent, a->commit, mark, e, false, 1);
	*out_go = mark == BISECT_BAD;
	a->outcome = *out_go ? BISECT_FOUND : BISECT_RANGE;
	if (*out_go)
		return 0;
	a->why = mark == BISECT_SKIP ? "its parent cannot be measured"
		 : mark == BISECT_GOOD
			 ? "by itself it is less than half of the change: several commits add up"
			 : "it could not be shown to be at least half of the change by itself";
	return mark == BISECT_SKIP ? 0 : spread_out(r, err);
}

/* What is left is one commit. */
static int end_at(struct search *r, struct err *err)
{
	struct bisect_answer *a = r->out;
	struct strv sides = STRV_INIT;
	bool go;
	int result = -1;

	memcpy(a->commit, r->bad, sizeof(a->commit));
	if (!r->rq->sides(r->rq->ctx, r->from, a->commit, a->parent, &sides, err) &&
	    !confirm(r, &go, err) && (!go || !look_into(r, &sides, err)))
		result = 0;
	strv_release(&sides);
	return result;
}

int search(struct search *r, struct err *err)
{
	const char *next;

	while ((next = choose(r)) && !r->ask->timed) {
		char id[OID_TEXT];

		memcpy(id, next, strlen(next) + 1); /* the list is made anew */
		if (decide(r, id, err))
			return -1;
	}
	if (r->ask->timed || r->cuts.n == 1)
		return r->ask->timed ? 0 : end_at(r, err);
	r->out->outcome = BISECT_RANGE;
	r->out->why = r->out->n_unclear ? "some commits lie too close to half of the change"
					: "commits that cannot be measured are at the border";
	return 0;
}
