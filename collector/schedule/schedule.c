#include "collector/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/schedule/gate.h"
#include "collector/schedule/local.h"
#include "lib/stats/points.h"

#include "lib/base/banned.h"

/* Whether it is judged by what it measures: it is part of the family even when it fails. */
static bool is_run(const struct unit *u)
{
	return !u->identical && !u->only_base && !u->only_head;
}

static bool is_open(const struct unit *u)
{
	return is_run(u) && !u->done && !u->failure;
}

bool schedule_has_work(const struct unit *units, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (is_open(&units[i]))
			return true;
	return false;
}

/* ---- rounds -------------------------------------------------------------------------- */

static double time_left(const struct rounds *r)
{
	uint64_t now = r->s->deadline_ns ? schedule_now_ns(r->s) : 0;
	double left = 0;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct unit *u = &r->units[i];

		if (is_open(u))
			left += (u->pair_ns > 0 ? u->pair_ns : u->run_ns * (u->has_base ? 2 : 1)) *
				(double)(schedule_expected(u, r->s) - u->n_pairs);
	}
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

/* Whether some unit can only be compared with stored times: those of each of its runs are needed.
 */
static bool has_lone_unit(const struct rounds *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (is_open(&r->units[i]) && !r->units[i].has_base)
			return true;
	return false;
}

/*
 * Anchors come first in a round: every unit of the round is brought to their level.  What has its
 * base beside it needs them for later sessions only, and the machine's speed does not change that
 * often: then one reading serves for a while.
 */
static int run_anchors(struct rounds *r, bool first, struct err *err)
{
	uint64_t now;

	if (!r->s->anchors)
		return 0;
	now = schedule_now_ns(r->s);
	if (!first && now - r->anchors_at_ns < ANCHORS_SERVE_NS && !has_lone_unit(r))
		return 0;
	r->anchors_at_ns = now;
	return read_anchors(r, err);
}

/* Time is no function of the sign: where it ends says nothing about which side is faster. */
static bool is_late(const struct rounds *r)
{
	return r->s->deadline_ns && schedule_now_ns(r->s) >= r->s->deadline_ns;
}

/* One pair of every open unit; the first round is run whatever the time. */
static int run_round(struct rounds *r, bool first, struct err *err)
{
	size_t i;

	if (run_anchors(r, first, err))
		return -1;
	for (i = 0; i < r->n; i++)
		r->order[i] = i;
	coin_shuffle(&r->coin, r->order, r->n);
	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[r->order[i]];

		if (!is_open(u))
			continue;
		if (!first && is_late(r))
			return 0;
		if (r->s->talk && r->s->talk->progress)
			schedule_show(u, r->s, r->done_ns, time_left(r));
		if (schedule_pair(r, u, true, err))
			return -1;
		schedule_close(u, r->s, r->n_run);
	}
	return 0;
}

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
	if (u->needs_base && !u->has_base)
		return schedule_fail_side(u, "the base", "there is nothing to run", err);
	if (!u->has_base)
		return r->runner->calibrate(r->runner->ctx, u, &u->head, err);
	return unit_is_whole(u) && u->base.dir && u->head.dir ? level(r, u, err) : 0;
}

/* A warm-up, and as many pairs behind it as it takes to know which metric decides. */
static int warm_up(struct rounds *r, struct unit *u, struct err *err)
{
	int i;

	for (i = 0; i < GATE_PAIRS_MOST && is_open(u); i++) {
		if (i && (gate_is_sure(u) || is_late(r)))
			break;
		if (schedule_pair(r, u, false, err))
			return -1;
	}
	u->watch = false;
	return 0;
}

static int prepare(struct rounds *r, struct err *err)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[i];

		if ((is_open(u) && calibrate(r, u, err)) || warm_up(r, u, err))
			return -1;
	}
	for (i = 0; r->s->anchors && i < N_ANCHORS; i++)
		if (r->runner->calibrate(r->runner->ctx, &r->s->anchors[i], &r->s->anchors[i].head,
					 err))
			return -1;
	return 0;
}

/* What the budget cut off: told, and a failure where not one pair came out. */
static int end_late(struct rounds *r, struct err *err)
{
	size_t n_cut = 0, i;

	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[i];

		if (!is_open(u))
			continue;
		n_cut++;
		if (!u->n_pairs &&
		    str_set(&u->failure, "the time budget ended before one pair was measured", err))
			return -1;
	}
	if (n_cut)
		talk_note(r->s->talk,
			  "the time budget ended measuring before %zu of %zu benchmark%s had all "
			  "pairs: what was measured so far is judged",
			  n_cut, r->n_run, r->n_run == 1 ? "" : "s");
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

int schedule_run(struct unit *units, size_t n, const struct schedule *s,
		 const struct runner *runner, struct err *err)
{
	struct rounds r = { .units = units,
			    .n = n,
			    .s = s,
			    .runner = runner,
			    .anchors = { (double)NAN, (double)NAN } };
	size_t round, i;
	int result = -1;

	if (!schedule_has_work(units, n))
		return 0;
	r.order = malloc(n * sizeof(*r.order));
	if (!r.order)
		return err_nomem(err);
	for (i = 0; i < n; i++) {
		struct looks *looks = &units[i].looks;

		if (!is_run(&units[i]))
			continue;
		r.n_run++;
		looks->n =
			points_between((unsigned)s->runs_min, (unsigned)s->runs_max, looks->pairs);
	}
	coin_init(&r.coin, s->seed);
	if (prepare(&r, err))
		goto out;
	for (round = 0;
	     round < most_rounds(&r) && schedule_has_work(units, n) && (!round || !is_late(&r));
	     round++)
		if (run_round(&r, !round, err))
			goto out;
	result = is_late(&r) ? end_late(&r, err) : 0;
out:
	free(r.order);
	return result;
}
