#include "collector/bisect/bisect.h"

#include <math.h>
#include <stdlib.h>

#include "collector/bisect/search.h"

#include "lib/base/banned.h"

void bisect_answer_release(struct bisect_answer *a)
{
	strv_release(&a->suspects);
	*a = (struct bisect_answer)BISECT_ANSWER_INIT;
}

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
static int measure_whole(struct search *r, bool *out_go, struct err *err)
{
	static const enum bisect_outcome outcomes[] = { [BISECT_GOOD] = BISECT_NO_CHANGE,
							[BISECT_BAD] = BISECT_UNFINISHED,
							[BISECT_SKIP] = BISECT_NOTHING,
							[BISECT_UNCLEAR] = BISECT_INCONCLUSIVE };
	const struct bisect_evidence *e = NULL;
	struct bisect_change whole = { (double)NAN, (double)NAN, (double)NAN };
	enum bisect_mark mark = BISECT_UNCLEAR;
	bool rough = true;
	int effort;

	*out_go = false;
	for (effort = BISECT_LOOKS; effort < BISECT_EFFORTS && rough; effort++) {
		if (bisect_ask(r->ask, r->from, r->to, effort, &e, err))
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
	search_tell(r, BISECT_WHOLE, r->from, r->to, mark, e, false, r->out->n_commits);
	return marks_add(&r->marks, r->to, mark, e, err);
}

int bisect(const struct bisect_request *rq, struct bisect_log *log, struct bisect_answer *out,
	   struct err *err)
{
	struct bisect_answer answer = BISECT_ANSWER_INIT;
	struct bisect_asker ask = { .rq = rq, .log = log };
	struct search r = { .rq = rq,
			    .out = &answer,
			    .ask = &ask,
			    .from = rq->good,
			    .to = rq->bad,
			    .sign = 1,
			    .share = 1 };
	bool go;
	int result = -1;

	if (search_begin(&r, err))
		goto out;
	answer.n_commits = answer.suspects.n;
	if (measure_whole(&r, &go, err) || (go && search(&r, err)))
		goto out;
	answer.n_comparisons = ask.n_comparisons;
	answer.n_before = ask.n_before;
	*out = answer;
	answer = (struct bisect_answer)BISECT_ANSWER_INIT;
	result = 0;
out:
	bisect_answer_release(&answer);
	search_release(&r);
	return result;
}
