/*
 * rounds - which unit gets the next pair.
 */
#include "collector/schedule/local.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/banned.h"

#define SHOW_NS 20000000u

static double pair_ns(const struct unit *u)
{
	return u->pair_ns > 0 ? u->pair_ns : u->run_ns * (u->has_base ? 2 : 1);
}

/* What it is expected to last until the unit is decided, as it looked at its last point. */
static double time_needed(const struct rounds *r, const struct unit *u)
{
	return (double)(schedule_expected(u, r->s) - u->n_pairs) * pair_ns(u);
}

static double pairs_left(const struct unit *u, const struct schedule *s)
{
	double n = u->forecast > 0 ? u->forecast : (double)schedule_next_point(u, s);

	return fmax(n - (double)u->n_pairs, 0);
}

static double time_left(const struct rounds *r)
{
	uint64_t now = r->s->deadline_ns ? schedule_now_ns(r->s) : 0;
	double left = 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		if (schedule_is_open(&r->units[i]))
			left += pairs_left(&r->units[i], r->s) * pair_ns(&r->units[i]);
	if (r->s->deadline_ns) {
		double rest = r->s->deadline_ns > now ? (double)(r->s->deadline_ns - now) : 0;

		left = left < rest ? left : rest;
	}
	return left;
}

static int read_anchors(struct rounds *r, struct err *err)
{
	int i;

	r->anchors[0] = r->anchors[1] = (double)NAN;
	for (i = 0; i < N_ANCHORS; i++) {
		struct unit *a = &r->s->anchors[i];
		struct pair p;

		if (a->failure)
			continue;
		memset(&p, 0, sizeof(p));
		if (r->runner->pair(r->runner->ctx, a, &p, err)) {
			pair_release(&p);
			return -1;
		}
		if (!p.head.failure)
			r->anchors[i] = p.head.cpu_ns;
		pair_release(&p);
	}
	return 0;
}

/*
 * How many rounds one reading serves at most: of a session in which a unit can be compared with
 * stored times alone, they are spread over all of it.
 */
static size_t rounds_served(const struct rounds *r)
{
	size_t most = 0, i;

	for (i = 0; i < r->n; i++) {
		const struct unit *u = &r->units[i];

		if (schedule_is_open(u) && !u->has_base && most < schedule_most(u, r->s))
			most = schedule_most(u, r->s);
	}
	if (!most)
		return SIZE_MAX;
	return most > ANCHORS_READINGS ? most / ANCHORS_READINGS : 1;
}

/*
 * What has its base beside it needs anchors for later sessions only, and the machine's speed does
 * not change that often.  Where a unit runs alone nothing else tells how fast the machine was: they
 * are read as often as costs a twentieth of the time, and some times however short it is.
 */
static bool are_anchors_due(const struct rounds *r, uint64_t now_ns)
{
	uint64_t served_ns = now_ns - r->anchors_at_ns;
	size_t most = rounds_served(r);

	if (!r->anchors_served || served_ns >= ANCHORS_SERVE_NS || r->anchors_served >= most)
		return true;
	return most != SIZE_MAX && served_ns > ANCHORS_SHARE * r->anchors_took_ns;
}

/* Anchors come first in a round: every unit of the round is brought to their level. */
static int run_anchors(struct rounds *r, struct err *err)
{
	uint64_t now;
	int result = 0;

	if (!r->s->anchors)
		return 0;
	now = schedule_now_ns(r->s);
	if (are_anchors_due(r, now)) {
		result = read_anchors(r, err);
		r->anchors_at_ns = now;
		r->anchors_took_ns = schedule_now_ns(r->s) - now;
		r->anchors_served = 0;
	}
	r->anchors_served++;
	return result;
}

/* What is left is summed over all units: not before each of very many short pairs. */
static void show(struct rounds *r, const struct unit *u)
{
	uint64_t now;

	if (!r->s->talk || !r->s->talk->progress)
		return;
	now = schedule_now_ns(r->s);
	if (r->shown_ns && now - r->shown_ns < SHOW_NS)
		return;
	r->shown_ns = now;
	schedule_show(u, r->s, r->done_ns, time_left(r));
}

static int run_one(struct rounds *r, struct unit *u, struct err *err)
{
	show(r, u);
	if (schedule_pair(r, u, true, err))
		return -1;
	schedule_close(u, r->s, r->n_judged);
	if (r->s->talk && r->s->talk->progress)
		u->forecast = schedule_forecast(u, r->s, r->n_judged);
	return 0;
}

void schedule_draw_order(struct rounds *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		r->order[i] = i;
	coin_shuffle(&r->coin, r->order, r->n);
}

/* One pair of every unit that is ready; the first pair is run whatever the time. */
static int run_round(struct rounds *r, bool first, struct err *err)
{
	size_t i;

	if (run_anchors(r, err))
		return -1;
	schedule_draw_order(r);
	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[r->order[i]];

		if (!schedule_is_ready(u))
			continue;
		if (!first && schedule_is_late(r))
			return 0;
		if (run_one(r, u, err))
			return -1;
		first = first && !u->n_pairs;
	}
	return 0;
}

/* The open unit that is decided soonest; of equals, any. */
static struct unit *soonest(struct rounds *r)
{
	struct unit *best = NULL;
	double least = 0;
	size_t i;

	schedule_draw_order(r);
	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[r->order[i]];
		double needed = schedule_is_ready(u) ? time_needed(r, u) : 0;

		if (!schedule_is_ready(u) || (best && needed >= least))
			continue;
		best = u;
		least = needed;
	}
	return best;
}

/* Any one that is not ready yet; NULL: there is none. */
static struct unit *waiting(struct rounds *r)
{
	size_t i;

	schedule_draw_order(r);
	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[r->order[i]];

		if (!u->ready && schedule_is_open(u))
			return u;
	}
	return NULL;
}

/*
 * Where time is short, one unit up to its next decision point, and no choice in between: which one
 * is chosen hangs on what was seen, so nothing seen between two points may have a say.
 */
static int run_stretch(struct rounds *r, struct err *err)
{
	struct unit *u = soonest(r);
	size_t point;

	if (!u) { /* all that are ready are over */
		u = waiting(r);
		return u ? schedule_ready(r, u, err) : 0;
	}
	point = schedule_next_point(u, r->s);

	while (schedule_is_open(u) && u->n_pairs < point && !schedule_is_late(r))
		if (run_anchors(r, err) || run_one(r, u, err))
			return -1;
	return 0;
}

/* Void pairs are repeated in later rounds; schedule_give_up_base() starts a unit anew. */
static size_t most_rounds(const struct rounds *r)
{
	size_t most = 0, i;

	for (i = 0; i < r->n; i++)
		if (most < schedule_most(&r->units[i], r->s))
			most = schedule_most(&r->units[i], r->s);
	return 3 * most + 2 * VOID_ALWAYS_ALLOWED;
}

/* To the end, or to the deadline.  Pairs that are void are bounded, so each loop ends. */
int schedule_rounds(struct rounds *r, struct err *err)
{
	size_t round, most = most_rounds(r);

	if (run_round(r, true, err))
		return -1;
	for (round = 1; !r->s->deadline_ns && round < most && schedule_has_work(r->units, r->n);
	     round++)
		if (run_round(r, false, err))
			return -1;
	while (r->s->deadline_ns && schedule_has_work(r->units, r->n) && !schedule_is_late(r))
		if (run_stretch(r, err))
			return -1;
	return 0;
}
