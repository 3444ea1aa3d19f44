/*
 * ready - what comes before the pairs that count: how often it runs, which metric decides,
 * and which way its pairs run.
 */
#include "collector/schedule/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/run/aside.h"
#include "collector/schedule/duet.h"
#include "collector/schedule/gate.h"
#include "lib/stats/points.h"

#include "lib/base/banned.h"

/*
 * Each side runs in its own folder: one that leaves something there must not have run once more on
 * the base than on the head.
 */
static int level(struct rounds *r, struct unit *u, struct err *err)
{
	double run_ns = u->run_ns;
	int result = r->runner->calibrate(r->runner->ctx, u, &u->head, err);
	char *why = u->failure;

	u->run_ns = run_ns;
	u->failure = NULL;
	if (!result && why)
		result = schedule_fail_side(u, "the head", why, err);
	free(why);
	return result;
}

/* N is found on the base where there is one, so that it stays the same when only head moves. */
static int calibrate(struct rounds *r, struct unit *u, struct err *err)
{
	talk_progress(r->s->talk, 0, 0, "calibrating %s", u->name);
	if (u->has_base && r->runner->calibrate(r->runner->ctx, u, &u->base, err))
		return -1;
	if (u->has_base && u->failure) {
		char *why = u->failure;
		int result;

		u->failure = NULL;
		if (u->needs_base) {
			result = schedule_fail_side(u, "the base", why, err);
		} else {
			u->timed_out = false;
			result = schedule_give_up_base(u, why, err);
		}
		free(why);
		if (result)
			return -1;
	}
	if (u->failure || u->unreached) /* the base's: the head need not show its own */
		return 0;
	if (u->needs_base && !u->has_base)
		return schedule_fail_side(u, "the base", "there is nothing to run", err);
	if (!u->has_base)
		return r->runner->calibrate(r->runner->ctx, u, &u->head, err);
	return unit_is_whole(u) && u->base.dir && u->head.dir ? level(r, u, err) : 0;
}

/*
 * Before the first pair that counts: what pairs show may choose no decision point.  How long it
 * takes to prepare a run is in no figure.
 */
static void end_sooner(const struct rounds *r, struct unit *u)
{
	const struct schedule *s = r->s;
	double all = fmin(SCHEDULE_SHORT_NS, SCHEDULE_SHORT_ALL_NS / (double)r->n_judged);

	if (s->runs_asked || !u->has_base || s->runs_max <= POINTS_MOST_LONG ||
	    s->runs_min > POINTS_MOST_LONG ||
	    (!aside_is_wanted(u->config) && 2 * u->run_ns * s->runs_max <= all))
		return;
	u->looks.n = points_between((unsigned)s->runs_min, POINTS_MOST_LONG, u->looks.pairs);
}

/*
 * Its pairs may take minutes, and say nothing: whoever is told now need not wait for them.  Of
 * several the first; the others in one line at the end.
 */
static void doubt_alarm(struct rounds *r, struct unit *u)
{
	if (r->rings_told || !schedule_is_open(u) || !unit_rings(u))
		return;
	r->rings_told = u->rings_told = true;
	unit_tell_alarm(u, r->s->talk);
}

/* Those that were asked for: a cold start must not even say which metric decides. */
static int warm_first(struct rounds *r, struct unit *u, struct err *err)
{
	unsigned i;

	for (i = 0; i < u->config->warmup && schedule_is_open(u) && !schedule_is_late(r); i++) {
		talk_progress(r->s->talk, 0, 0, "warming up %s", u->name);
		if (schedule_discard(r, u, err))
			return -1;
	}
	return 0;
}

/*
 * Of a command whose processes work one at a time, each started on another processor, CPU time
 * scatters by what moving costs, and by how fast these are: on one there is nothing to wait for.
 */
static bool works_one_at_a_time(const struct unit *u)
{
	return u->format == FORMAT_COMMAND && u->n_gated && u->gate == GATE_CPU &&
	       gate_of(u) == GATE_CPU;
}

/*
 * A warm-up, and as many pairs behind it as it takes to know which metric decides.  None where the
 * time is over: each side has run to be calibrated, and the one pair that always runs comes next.
 */
static int warm_up(struct rounds *r, struct unit *u, struct err *err)
{
	unsigned i;

	for (i = 0; schedule_is_open(u); i++) {
		if (schedule_is_late(r) || (i && !gate_wants_more(u, i)))
			break;
		if (schedule_pair(r, u, false, err))
			return -1;
	}
	u->watch = false;
	u->pinned = u->pinned || works_one_at_a_time(u);
	return 0;
}

/* Keeps n pairs in turn.  *out_done false: it is over, or there is no time. */
static int run_in_turn(struct rounds *r, struct unit *u, size_t n, bool *out_done, struct err *err)
{
	while (schedule_is_open(u) && !schedule_is_late(r) && u->n_pairs < n)
		if (schedule_pair(r, u, true, err))
			return -1;
	*out_done = schedule_is_open(u) && u->n_pairs >= n;
	return 0;
}

/* What fails beside the other side may run in turn: that is no fault of the unit. */
static int run_at_once(struct rounds *r, struct unit *u, struct pair *out, bool *out_done,
		       struct err *err)
{
	int result;

	u->at_once = true;
	result = schedule_measure(r, u, true, out, err);
	u->at_once = false;
	*out_done = !result && !schedule_is_void(u, out);
	return result;
}

/* Of both ways by turns.  *out_better: all could be run, and those at once are to be kept. */
static int try_duet(struct rounds *r, struct unit *u, struct pair at_once[DUET_TRIAL],
		    bool *out_better, struct err *err)
{
	bool goes_on = true;
	size_t i;

	for (i = 0; goes_on && i < DUET_TRIAL; i++)
		if (run_at_once(r, u, &at_once[i], &goes_on, err) ||
		    (goes_on && run_in_turn(r, u, DUET_FIRST + i + 1, &goes_on, err)))
			return -1;
	*out_better = goes_on && duet_is_better(u->pairs, at_once);
	return 0;
}

/* The pairs that ran the way that was chosen stay, the others are in no figure. */
static void keep_at_once(struct unit *u, const struct pair at_once[DUET_TRIAL])
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++)
		pair_release(&u->pairs[i]);
	memcpy(u->pairs, at_once, DUET_TRIAL * sizeof(*at_once));
	u->n_pairs = DUET_TRIAL;
	u->at_once = true;
}

/* Whether both sides run at once. */
static int choose_duet(struct rounds *r, struct unit *u, struct err *err)
{
	struct pair at_once[DUET_TRIAL] = { 0 };
	bool goes_on, is_better = false;
	size_t i;
	int result;

	if (!schedule_is_open(u) || !duet_may_be(u))
		return 0;
	if (run_in_turn(r, u, DUET_FIRST, &goes_on, err))
		return -1;
	if (!goes_on || !duet_is_worth_trying(u, u->pairs))
		return 0;
	result = try_duet(r, u, at_once, &is_better, err);
	if (is_better)
		keep_at_once(u, at_once);
	for (i = 0; !is_better && i < DUET_TRIAL; i++)
		pair_release(&at_once[i]);
	return result;
}

int schedule_ready(struct rounds *r, struct unit *u, struct err *err)
{
	u->ready = true;
	if (schedule_is_open(u) && calibrate(r, u, err))
		return -1;
	end_sooner(r, u);
	doubt_alarm(r, u);
	return warm_first(r, u, err) || warm_up(r, u, err) || choose_duet(r, u, err) ? -1 : 0;
}
