/*
 * pair - runs one pair of a unit and files it, or what went wrong with it.
 */
#include "collector/schedule/local.h"

#include <stdlib.h>
#include <string.h>

#include "collector/schedule/gate.h"
#include "lib/base/buf.h"
#include "lib/base/when.h"

#include "lib/base/banned.h"

/* In a comparison it matters which side it was. */
int schedule_fail_side(struct unit *u, const char *side, const char *why, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	buf_addf(&text, "%s%s%s", u->needs_base ? side : "", u->needs_base ? ": " : "", why);
	result = buf_check(&text, err) || str_set(&u->failure, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

static bool run_is_void(const struct run *run)
{
	return run->failure || run->suspended || run->lost_processor;
}

bool schedule_is_void(const struct unit *u, const struct pair *p)
{
	return run_is_void(&p->head) || (u->has_base && run_is_void(&p->base));
}

static bool void_allowed(const struct unit *u)
{
	return u->n_void <= VOID_ALWAYS_ALLOWED || u->n_void * 10 <= u->n_pairs;
}

/* What was measured of the head alone is not comparable, so start anew. */
int schedule_give_up_base(struct unit *u, const char *why, struct err *err)
{
	size_t i;

	if (str_set(&u->base_failure, why, err))
		return -1;
	for (i = 0; i < u->n_pairs; i++)
		pair_release(&u->pairs[i]);
	u->n_pairs = 0;
	u->n_void = 0;
	u->judged.n = 0;
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
		return schedule_fail_side(u, "the head", p->head.failure, err);
	}
	if (u->has_base && p->base.failure) {
		if (!u->needs_base)
			return schedule_give_up_base(u, p->base.failure, err);
		u->timed_out = p->base.timed_out;
		return schedule_fail_side(u, "the base", p->base.failure, err);
	}
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

/* The first one is the warm-up; those behind it only say which metric decides. */
static void take_warm_up(struct unit *u, struct pair *p)
{
	gate_see(u, p);
	if (u->has_warm_up) {
		pair_release(p);
		return;
	}
	u->warm_up = *p;
	u->has_warm_up = true;
}

uint64_t schedule_now_ns(const struct schedule *s)
{
	return s->now_ns ? s->now_ns() : when_monotonic_ns();
}

/* Time is no function of the sign: where it ends says nothing about which side is faster. */
bool schedule_is_late(const struct rounds *r)
{
	return r->s->deadline_ns && schedule_now_ns(r->s) >= r->s->deadline_ns;
}

/* On one processor threads would wait for each other, and that would be measured. */
static bool has_company(const struct run *run)
{
	return run->has_helpers || run->has_threads;
}

int schedule_measure(struct rounds *r, struct unit *u, bool keep, struct pair *out, struct err *err)
{
	uint64_t start = schedule_now_ns(r->s);
	double took;
	int result;

	memset(out, 0, sizeof(*out));
	out->order = coin_toss(&r->coin);
	result = r->runner->pair(r->runner->ctx, u, out, err);
	took = (double)(schedule_now_ns(r->s) - start);
	schedule_took(u, took, keep);
	r->done_ns += took;
	u->n_left += (uint64_t)(out->head.n_left + out->base.n_left);
	return result;
}

int schedule_discard(struct rounds *r, struct unit *u, struct err *err)
{
	struct pair p;
	int result = schedule_measure(r, u, false, &p, err);

	if (!result && schedule_is_void(u, &p))
		result = file_void(u, &p, err);
	pair_release(&p);
	return result;
}

int schedule_pair(struct rounds *r, struct unit *u, bool keep, struct err *err)
{
	struct pair p;
	int result = schedule_measure(r, u, keep, &p, err);
	bool is_good = !result && !schedule_is_void(u, &p);

	if (!result && !is_good && u->watch) {
		u->is_unwatched = true; /* it may not like to be watched: that is not its fault */
		u->watch = false;
	} else if (!result && !is_good)
		result = file_void(u, &p, err);
	if (is_good && !keep)
		u->pinned = !has_company(&p.head) && !(u->has_base && has_company(&p.base));
	if (is_good && keep && !u->n_gated && !u->n_pairs) /* none before was any good */
		gate_see(u, &p);
	if (is_good && keep)
		result = keep_pair(u, &p, r->anchors, err);
	else if (is_good)
		take_warm_up(u, &p);
	if (!is_good || result)
		pair_release(&p);
	return result;
}
