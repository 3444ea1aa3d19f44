#include "collector/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/gate.h"
#include "lib/base/number.h"
#include "lib/stats/coin.h"
#include "lib/stats/signedrank.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

#define N_ANCHORS 2
#define VOID_ALWAYS_ALLOWED 3

struct rounds {
	struct unit *units;
	size_t n;
	const struct schedule *s;
	const struct runner *runner;
	struct coin coin;
	size_t *order;	/* of the units and the anchors in one round */
	double done_ns; /* measured so far, for the progress line */
};

static bool is_open(const struct unit *u)
{
	return !u->done && !u->failure && !u->identical;
}

/* ---- one pair ------------------------------------------------------------------------ */

static void pair_release(struct pair *p)
{
	run_release(&p->head);
	run_release(&p->base);
}

static bool run_is_void(const struct run *run)
{
	return run->failure || run->suspended || run->lost_processor;
}

static bool is_void(const struct unit *u, const struct pair *p)
{
	return run_is_void(&p->head) || (u->has_base && run_is_void(&p->base));
}

static bool void_allowed(const struct unit *u)
{
	return u->n_void <= VOID_ALWAYS_ALLOWED || u->n_void * 10 <= u->n_pairs;
}

/* The base cannot be run: what was measured of the head alone is not comparable, so start anew. */
static int give_up_base(struct unit *u, const char *why, struct err *err)
{
	size_t i;

	if (str_set(&u->base_failure, why, err))
		return -1;
	for (i = 0; i < u->n_pairs; i++)
		pair_release(&u->pairs[i]);
	u->n_pairs = 0;
	u->n_void = 0;
	u->has_base = false;
	return 0;
}

static int file_void(struct unit *u, const struct pair *p, struct err *err)
{
	u->n_void++;
	if (void_allowed(u) && u->n_pairs)
		return 0;
	if (p->head.failure) {
		u->timed_out = p->head.timed_out;
		return str_set(&u->failure, p->head.failure, err);
	}
	if (u->has_base && p->base.failure)
		return give_up_base(u, p->base.failure, err);
	if (!void_allowed(u))
		return str_set(&u->failure,
			       p->head.suspended || p->base.suspended
				       ? "the machine was suspended too often"
				       : "processors were taken from us too often",
			       err);
	return 0;
}

static int keep_pair(struct unit *u, const struct pair *p, const double anchors[N_ANCHORS],
		     struct err *err)
{
	struct pair *pairs = realloc(u->pairs, (u->n_pairs + 1) * sizeof(*pairs));
	int i;

	if (!pairs)
		return err_nomem(err);
	u->pairs = pairs;
	for (i = 0; i < N_ANCHORS; i++) {
		double *grown = realloc(u->anchors[i], (u->n_pairs + 1) * sizeof(*grown));

		if (!grown)
			return err_nomem(err);
		grown[u->n_pairs] = anchors[i];
		u->anchors[i] = grown;
	}
	u->pairs[u->n_pairs++] = *p;
	return 0;
}

/* Runs one pair and files it; keep false: a warm-up, only its failures count. */
static int run_pair(struct rounds *r, struct unit *u, bool keep, const double anchors[N_ANCHORS],
		    struct err *err)
{
	struct pair p;
	bool is_good;
	int result;

	memset(&p, 0, sizeof(p));
	p.order = coin_toss(&r->coin);
	result = r->runner->pair(r->runner->ctx, u, &p, err);
	r->done_ns += u->run_ns * (u->has_base ? 2 : 1);
	u->n_left += (uint64_t)(p.head.n_left + p.base.n_left);
	is_good = !result && !is_void(u, &p);
	if (!result && !is_good)
		result = file_void(u, &p, err);
	if (!result && !keep)
		u->pinned = !p.head.has_helpers && !(u->has_base && p.base.has_helpers);
	if (is_good && keep && !keep_pair(u, &p, anchors, err))
		return 0;
	if (is_good && keep)
		result = -1;
	if (is_good && !keep) {
		pair_release(&u->warm_up);
		u->warm_up = p;
		u->has_warm_up = true;
		return 0;
	}
	pair_release(&p);
	return result;
}

/* ---- when a unit is done ------------------------------------------------------------- */

/* Log-ratios of the pairs, or logs of the times when there is no base, of the gated metric. */
static size_t values_of(const struct unit *u, double *out)
{
	bool wall = gate_of(u) == GATE_WALL;
	size_t i, n = 0;

	for (i = 0; i < u->n_pairs; i++) {
		const struct pair *p = &u->pairs[i];
		double x = wall ? p->log_ratio_wall : p->log_ratio_cpu;

		if (!u->has_base)
			x = log(wall ? p->head.wall_ns : p->head.cpu_ns);
		if (isfinite(x))
			out[n++] = x;
	}
	return n;
}

static bool is_narrow(const struct unit *u, const struct schedule *s)
{
	double *x = malloc(u->n_pairs * sizeof(*x));
	bool narrow = false;
	size_t n;

	if (!x)
		return false;
	n = values_of(u, x);
	if (n >= (size_t)s->runs_min &&
	    pairs_narrow_enough(x, n, s->confidence, log1p(u->config->threshold), &narrow, NULL))
		narrow = false;
	free(x);
	return narrow;
}

/* With more than a tenth of void pairs no verdict is possible: more good ones may outweigh them. */
static bool is_judgeable(const struct unit *u)
{
	return u->n_void * 10 <= u->n_void + u->n_pairs;
}

static void close_if_done(struct unit *u, const struct schedule *s)
{
	if (u->n_pairs >= (size_t)s->runs_max)
		u->done = true;
	else if (u->n_pairs >= (size_t)s->runs_min)
		u->done = is_judgeable(u) && is_narrow(u, s);
}

/* ---- rounds -------------------------------------------------------------------------- */

static double time_left(const struct rounds *r, int round)
{
	double left = 0;
	size_t i;

	for (i = 0; i < r->n; i++) {
		const struct unit *u = &r->units[i];

		if (is_open(u))
			left += u->run_ns * (u->has_base ? 2 : 1) * (r->s->runs_max - round);
	}
	return left;
}

static void show(const struct rounds *r, const struct unit *u, int round)
{
	char left[NUMBER_TEXT], delta[64] = "";
	double *x, total = 0;
	struct signed_rank sr;
	size_t n;

	if (!r->s->talk || !r->s->talk->progress)
		return;
	x = malloc((u->n_pairs ? u->n_pairs : 1) * sizeof(*x));
	n = x ? values_of(u, x) : 0;
	if (u->has_base && n >= 6 && !signed_rank(x, n, r->s->confidence, &sr, NULL))
		snprintf(delta, sizeof(delta), "  %+.1f %%", 100 * expm1(sr.theta));
	free(x);
	total = r->done_ns + time_left(r, round);
	talk_progress(r->s->talk, r->done_ns, total, "run %d of %d..%d  %s%s  about %s left",
		      round + 1, r->s->runs_min, r->s->runs_max, u->name, delta,
		      number_print_ns(time_left(r, round), left));
}

/* Anchors come first in a round: every unit of the round is brought to their level. */
static int run_anchors(struct rounds *r, double out[N_ANCHORS], struct err *err)
{
	int i;

	out[0] = out[1] = (double)NAN;
	for (i = 0; r->s->anchors && i < N_ANCHORS; i++) {
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
			out[i] = p.head.cpu_ns;
		pair_release(&p);
	}
	return 0;
}

static int run_round(struct rounds *r, int round, struct err *err)
{
	double anchors[N_ANCHORS];
	size_t i;

	if (run_anchors(r, anchors, err))
		return -1;
	for (i = 0; i < r->n; i++)
		r->order[i] = i;
	coin_shuffle(&r->coin, r->order, r->n);
	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[r->order[i]];

		if (!is_open(u))
			continue;
		show(r, u, round);
		if (run_pair(r, u, true, anchors, err))
			return -1;
		close_if_done(u, r->s);
	}
	return 0;
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
		u->timed_out = false;
		result = give_up_base(u, why, err);
		free(why);
		if (result)
			return -1;
	}
	if (!u->has_base)
		return r->runner->calibrate(r->runner->ctx, u, &u->head, err);
	return 0;
}

static int prepare(struct rounds *r, struct err *err)
{
	static const double none[N_ANCHORS];
	size_t i;

	for (i = 0; i < r->n; i++) {
		struct unit *u = &r->units[i];

		if (is_open(u) && calibrate(r, u, err))
			return -1;
		if (is_open(u) && run_pair(r, u, false, none, err))
			return -1;
	}
	for (i = 0; r->s->anchors && i < N_ANCHORS; i++)
		if (r->runner->calibrate(r->runner->ctx, &r->s->anchors[i], &r->s->anchors[i].head,
					 err))
			return -1;
	return 0;
}

static bool any_open(const struct rounds *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (is_open(&r->units[i]))
			return true;
	return false;
}

int schedule_run(struct unit *units, size_t n, const struct schedule *s,
		 const struct runner *runner, struct err *err)
{
	struct rounds r = { units, n, s, runner, { 0 }, NULL, 0 };
	/* Void pairs are repeated in later rounds; give_up_base() starts a unit anew. */
	int round, limit = 3 * s->runs_max + 2 * VOID_ALWAYS_ALLOWED, result = -1;

	if (!any_open(&r))
		return 0;
	r.order = malloc(n * sizeof(*r.order));
	if (!r.order)
		return err_nomem(err);
	coin_init(&r.coin, s->seed);
	if (prepare(&r, err))
		goto out;
	for (round = 0; round < limit && any_open(&r); round++)
		if (run_round(&r, round, err))
			goto out;
	result = 0;
out:
	free(r.order);
	return result;
}
