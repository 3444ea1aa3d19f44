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
	m = ceil(log2((double)r->cuts.n + (r->cuts.n == 0))) + (r->is_side ? 3 : 1);
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

/* What a side of a merge did, beside what the merge did to the parent that goes on. */
enum side {
	SIDE_NOTHING, /* the same code as where it began */
	SIDE_LESS,    /* less than half of the change */
	SIDE_SAME,
	SIDE_OTHER, /* another change, or it could not be told */
	SIDE_OPEN   /* it cannot be measured */
};

/*
 * Whether a side did what its merge did.  It may hold what its merge did not bring, as GOOD has it
 * too (a commit that was picked), and a search of the side would find that.
 */
static int is_all_brought(struct search *r, const struct bisect_evidence *side, bool *out,
			  struct err *err)
{
	const struct bisect_answer *a = r->out;
	const struct bisect_evidence *merge = a->delta;
	enum bisect_mark mark = bisect_apart(side, merge, a->by_difference, r->alpha, r->half);
	int effort;

	for (effort = BISECT_LOOKS; effort < BISECT_EFFORTS && mark == BISECT_UNCLEAR; effort++) {
		if (bisect_ask(r->ask, r->from, r->to, effort, &side, err) ||
		    (side && bisect_ask(r->ask, a->parent, a->commit, effort, &merge, err)))
			return -1;
		if (!side || !merge)
			break;
		mark = bisect_apart(side, merge, a->by_difference, r->alpha, r->half);
	}
	*out = mark == BISECT_GOOD;
	return 0;
}

/* Compares the tip of a side with the commit where it began. */
static int look_at_side(struct search *r, enum side *out, struct err *err)
{
	const struct mark *m;
	bool is_brought;

	if (search_begin(r, err) || decide(r, r->to, err))
		return -1;
	m = marks_find(&r->marks, r->to);
	*out = !m || m->mark > BISECT_BAD		? SIDE_OPEN
	       : m->evidence->state == BISECT_IDENTICAL ? SIDE_NOTHING
							: SIDE_LESS;
	if (!m || m->mark != BISECT_BAD)
		return 0;
	if (is_all_brought(r, m->evidence, &is_brought, err))
		return -1;
	*out = is_brought ? SIDE_SAME : SIDE_OTHER;
	return 0;
}

/*
 * Looks at the sides of the merge that is left; *same, initialised by the caller, is the one that
 * did the same where *out says so: all others did less then.
 */
static int look_at_sides(const struct search *above, const struct strv *sides, struct search *same,
			 enum side *out, struct err *err)
{
	size_t i;

	*out = SIDE_NOTHING;
	for (i = 0; i + 1 < sides->n && *out < SIDE_OTHER && !above->ask->timed; i += 2) {
		struct search r = { .rq = above->rq,
				    .out = above->out,
				    .ask = above->ask,
				    .from = sides->v[i],
				    .to = sides->v[i + 1],
				    .sign = above->sign,
				    .half = above->half,
				    .share = 2 * above->rest / (double)sides->n,
				    .is_side = true };
		enum side side = SIDE_OPEN;
		int result = *r.from ? look_at_side(&r, &side, err) : 0;

		if (side == SIDE_SAME && *out == SIDE_SAME)
			side = SIDE_OTHER; /* which of both? */
		*out = side > *out ? side : *out;
		if (side == SIDE_SAME)
			*same = r;
		else
			search_release(&r);
		if (result)
			return -1;
	}
	return 0;
}

/*
 * The commit that is left has the change.  Where it is a merge, a side may have brought that: it is
 * searched from the commit where it began.  One that cannot be, as nothing says where that was, or
 * that did not do what the merge did, leaves a range.
 */
static int look_into(struct search *r, const struct strv *sides, struct err *err)
{
	static const char other[] = "a branch that was merged there did not move it as the merge "
				    "did: it may have changes that GOOD has, too";
	static const char *const whys[] = {
		[SIDE_LESS] = other,
		[SIDE_OTHER] = other,
		[SIDE_OPEN] = "a branch that was merged there cannot be searched by itself"
	};
	struct bisect_answer *a = r->out;
	struct search same = { .rq = NULL };
	enum side side;
	int result = -1;

	if (look_at_sides(r, sides, &same, &side, err) ||
	    (side == SIDE_SAME && !r->ask->timed &&
	     (list_suspects(&same, err) || search(&same, err))))
		goto out;
	if (r->ask->timed) {
		a->outcome = BISECT_UNFINISHED;
		a->commit[0] = a->parent[0] = '\0';
		a->delta = NULL;
		result = 0;
	} else if (side == SIDE_SAME) { /* a range may end in the merge itself */
		result = a->outcome == BISECT_RANGE ? strv_add(&a->suspects, r->bad, err) : 0;
	} else if (side != SIDE_NOTHING) {
		a->outcome = BISECT_RANGE;
		a->why = whys[side];
		result = list_suspects(r, err);
	} else {
		strv_release(&a->suspects);
		a->n_skipped = a->n_unclear = 0;
		result = strv_add(&a->suspects, r->bad, err);
	}
out:
	search_release(&same);
	return result;
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
