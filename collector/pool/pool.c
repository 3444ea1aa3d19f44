#include "collector/pool/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/buf.h"
#include "lib/base/file.h"
#include "lib/stats/coin.h"
#include "lib/stats/points.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

#define MARGIN 2	    /* layouts beyond those without which there is no verdict */
#define USUAL_NS 200000000u /* of linking both sides, where it is not known */
#define CODE_DIGITS 64	    /* of an identity: what stands behind them is of arguments and inputs */

enum { BASE, HEAD, SIDES };

/* One program: what runs on both sides. */
struct entry {
	struct side sides[SIDES]; /* which one it is */
	void *opened[SIDES];
	struct strv files[SIDES][LAYOUT_MOST + 1]; /* of each number: see struct pool_draw */
	size_t order[LAYOUT_MOST];		   /* numbers that can be drawn */
	size_t n;
	unsigned last;		 /* the number that was tried last */
	uint64_t each_ns;	 /* what linking both sides took, the longest; 0: not known yet */
	uint64_t each_worked_ns; /* of the processor */
	bool is_full;		 /* no more can be made */
	char *why;
};

struct pool {
	struct pool_terms terms;
	const struct pool_maker *maker;
	struct coin coin;
	struct entry *v;
	size_t n;
	uint64_t begin_ns, spent_ns, worked_ns; /* relinking: on the wall, of the processor */
};

/* ---- terms ---------------------------------------------------------------------------- */

unsigned pool_needed(size_t together, size_t n_points)
{
	double p = 2 * (double)together * (double)n_points;
	unsigned n;

	for (n = 0; n < LAYOUT_MOST && p > VERDICT_RATE; n++)
		p /= 2;
	n = n < POINTS_FEWEST - MARGIN ? POINTS_FEWEST - MARGIN : n;
	return n + MARGIN < LAYOUT_MOST ? n + MARGIN : LAYOUT_MOST;
}

struct pool *pool_open(const struct pool_terms *terms, const struct pool_maker *maker,
		       struct err *err)
{
	struct pool *p = calloc(1, sizeof(*p));

	if (!p) {
		err_nomem(err);
		return NULL;
	}
	p->terms = *terms;
	p->maker = maker;
	p->begin_ns = maker->now_ns(maker->ctx);
	coin_init(&p->coin, terms->seed);
	return p;
}

static void close_entry(const struct pool *p, struct entry *e)
{
	int side;
	size_t k;

	for (side = 0; side < SIDES; side++) {
		if (e->opened[side])
			p->maker->close(p->maker->ctx, e->opened[side]);
		e->opened[side] = NULL;
		for (k = 0; k <= LAYOUT_MOST; k++)
			strv_release(&e->files[side][k]);
		side_release(&e->sides[side]);
	}
	free(e->why);
}

void pool_close(struct pool *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->n; i++)
		close_entry(p, &p->v[i]);
	free(p->v);
	free(p);
}

/* ---- making them ---------------------------------------------------------------------- */

/* How many numbers there are, and the layout of a side for one. */
static unsigned most_of(const struct pool *p)
{
	return p->terms.apart ? LAYOUT_MOST / 2 : LAYOUT_MOST;
}

static unsigned layout_of(const struct pool *p, int side, unsigned number)
{
	return p->terms.apart ? 2 * number - (side == BASE) : number;
}

static bool is_made(const struct pool *p, const struct entry *e, unsigned number)
{
	const struct pool_maker *m = p->maker;

	return m->is_made(m->ctx, e->opened[BASE], layout_of(p, BASE, number)) &&
	       m->is_made(m->ctx, e->opened[HEAD], layout_of(p, HEAD, number));
}

static uint64_t worked(const struct pool *p)
{
	const struct pool_maker *m = p->maker;

	return (m->worked_ns ? m->worked_ns : m->now_ns)(m->ctx);
}

/* The base's, while we do the same for the head; number 0: opening it. */
static int begin_base(const struct pool *p, const struct entry *e, unsigned number)
{
	const struct pool_maker *m = p->maker;

	if (!m->begin || p->terms.apart) /* there both lie in one folder, which has a lock */
		return 0;
	return m->begin(m->ctx, &e->sides[BASE], e->opened[BASE], number);
}

static void wait_for_base(const struct pool *p, int *begun)
{
	if (*begun)
		p->maker->wait(p->maker->ctx, *begun);
	*begun = 0;
}

static int make_side(const struct pool *p, struct entry *e, int side, unsigned number,
		     struct err *err)
{
	return p->maker->make(p->maker->ctx, e->opened[side], layout_of(p, side, number),
			      &e->files[side][number], err);
}

/* Makes the number of both sides; *out_good false: this number cannot be had. */
static int make_both(struct pool *p, struct entry *e, unsigned number, bool *out_good,
		     struct err *err)
{
	uint64_t start = p->maker->now_ns(p->maker->ctx), start_worked = worked(p), took, work;
	struct err fault = ERR_INIT;
	bool was_made = is_made(p, e, number), good;
	int begun = was_made ? 0 : begin_base(p, e, number);

	*out_good = false;
	e->last = number;
	good = !make_side(p, e, HEAD, number, &fault);
	wait_for_base(p, &begun);
	good = good && !make_side(p, e, BASE, number, &fault);
	took = p->maker->now_ns(p->maker->ctx) - start;
	work = worked(p) - start_worked;
	p->spent_ns += took;
	p->worked_ns += work;
	if (!was_made && took > e->each_ns)
		e->each_ns = took;
	if (!was_made && work > e->each_worked_ns)
		e->each_worked_ns = work;
	if (!good && err_is_fatal(&fault)) {
		*err = fault;
		return -1;
	}
	*out_good = good;
	e->is_full = e->is_full || (!*out_good && fault.code != ERR_CORRUPT);
	if (*out_good)
		e->order[e->n++] = number;
	else
		return str_set(&e->why, fault.text, err);
	return 0;
}

static int say_too_long(struct entry *e, unsigned wanted, bool has_budget, struct err *err)
{
	struct buf text = BUF_INIT;
	int result = -1;

	buf_addf(&text, "two links take %.1f s%s: too long for %u layouts of each side",
		 (double)(has_budget ? e->each_ns : e->each_worked_ns) / 1e9,
		 has_budget ? "" : " of the processor", wanted);
	if (!buf_check(&text, err))
		result = str_set(&e->why, buf_str(&text), err);
	buf_release(&text);
	return result;
}

/* Whether so many more cannot be made in the time.  Those that lie there are not counted. */
static bool takes_too_long(const struct pool *p, const struct entry *e, double pair_ns)
{
	double allowed = (double)p->terms.allowed_ns, pairs = p->terms.first * pair_ns;
	uint64_t left = p->terms.first - e->n;

	if (p->terms.is_asked && !p->terms.has_budget)
		return false;
	if (!p->terms.has_budget)
		allowed = fmax(allowed, pairs / (POOL_SHARE - 1));
	if (p->terms.has_budget)
		return e->each_ns && (double)(p->spent_ns + left * e->each_ns) > allowed;
	return (double)(p->worked_ns + left * e->each_worked_ns) > allowed;
}

/* Those that were made are drawn in any order. */
static int make_first(struct pool *p, struct entry *e, double pair_ns, struct err *err)
{
	unsigned wanted = p->terms.first, number;
	bool good;

	for (number = 1; e->n < wanted && number <= most_of(p) && !e->is_full; number++) {
		if (!is_made(p, e, number) && takes_too_long(p, e, pair_ns))
			return say_too_long(e, wanted, p->terms.has_budget, err);
		talk_progress(p->terms.talk, (double)e->n, wanted, "linking in other layouts");
		if (make_both(p, e, number, &good, err))
			return -1;
	}
	if (e->n < wanted)
		return 0;
	free(e->why); /* of some that were thrown away */
	e->why = NULL;
	coin_shuffle(&p->coin, e->order, e->n);
	return 0;
}

static bool is_same_code(const struct side *a, const struct side *b)
{
	return !strncmp(a->binary_id, b->binary_id, CODE_DIGITS);
}

/* Why the sides cannot have layouts, by what is known of them; NULL. */
static const char *refusal(const struct side *head, const struct side *base, bool apart)
{
	if (!head->binary_id || !base->binary_id)
		return "it is no program that the build made";
	if (!head->dir || !base->dir)
		return "it was not built for this comparison";
	if (head->beside || base->beside)
		return head->beside ? head->beside : base->beside;
	if (apart)
		return is_same_code(head, base) ? NULL : "both sides are not the same code";
	return is_same_code(head, base) ? "both sides are the same code" : NULL;
}

static int open_both(struct pool *p, struct entry *e, struct err *err)
{
	const char *why = refusal(&e->sides[HEAD], &e->sides[BASE], p->terms.apart);
	uint64_t start = p->maker->now_ns(p->maker->ctx), start_worked = worked(p);
	int begun = why ? 0 : begin_base(p, e, 0), side;
	struct err fault = ERR_INIT;

	for (side = HEAD; side >= BASE && !why; side--) {
		e->opened[side] = p->maker->open(p->maker->ctx, &e->sides[side], &fault);
		wait_for_base(p, &begun);
		if (!e->opened[side])
			why = fault.text;
	}
	p->spent_ns += p->maker->now_ns(p->maker->ctx) - start;
	p->worked_ns += worked(p) - start_worked;
	if (!err_is_fatal(&fault))
		return why ? str_set(&e->why, why, err) : 0;
	*err = fault;
	return -1;
}

/* ---- drawing -------------------------------------------------------------------------- */

static bool is_side(const struct side *a, const struct side *b)
{
	bool in_same = a->dir && b->dir ? !strcmp(a->dir, b->dir) : a->dir == b->dir;

	return in_same && !strcmp(a->exe, b->exe);
}

static struct entry *find(const struct pool *p, const struct side *head, const struct side *base)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		if (is_side(&p->v[i].sides[HEAD], head) && is_side(&p->v[i].sides[BASE], base))
			return &p->v[i];
	return NULL;
}

static struct entry *add(struct pool *p, const struct pool_job *job, struct err *err)
{
	struct entry *grown = realloc(p->v, (p->n + 1) * sizeof(*grown)), *e;

	if (!grown) {
		err_nomem(err);
		return NULL;
	}
	p->v = grown;
	e = &grown[p->n++];
	memset(e, 0, sizeof(*e));
	if (side_copy(job->head, &e->sides[HEAD], err) ||
	    side_copy(job->base, &e->sides[BASE], err) || open_both(p, e, err) ||
	    (!e->why && make_first(p, e, job->pair_ns, err)))
		return NULL;
	return e;
}

/* The least used one, the first of equals. */
static unsigned least_used(const struct entry *e, const unsigned *uses)
{
	unsigned best = (unsigned)e->order[0];
	size_t i;

	for (i = 1; i < e->n; i++)
		if (uses[e->order[i]] < uses[best])
			best = (unsigned)e->order[i];
	return best;
}

/* Whether another one may be made now. */
static bool may_grow(const struct pool *p, const struct entry *e)
{
	uint64_t elapsed = p->maker->now_ns(p->maker->ctx) - p->begin_ns;
	uint64_t then = p->spent_ns + (e->each_ns ? e->each_ns : USUAL_NS);

	if (e->is_full || e->n >= p->terms.most || e->last >= most_of(p))
		return false;
	return is_made(p, e, e->last + 1) || then <= p->terms.allowed_ns ||
	       then * POOL_SHARE <= elapsed;
}

int pool_draw(struct pool *p, const struct pool_job *job, struct pool_draw *out, struct err *err)
{
	struct entry *e = find(p, job->head, job->base);
	unsigned number;
	bool good = false;

	*out = (struct pool_draw){ 0, NULL, NULL };
	if (!e && !(e = add(p, job, err)))
		return -1;
	if (e->why)
		return 0;
	number = least_used(e, job->uses);
	while (job->uses[number] && !good && may_grow(p, e)) {
		if (make_both(p, e, e->last + 1, &good, err))
			return -1;
		free(e->why); /* the others are there */
		e->why = NULL;
	}
	number = good ? e->last : number;
	*out = (struct pool_draw){ number, &e->files[BASE][number], &e->files[HEAD][number] };
	return 0;
}

int pool_settle(struct pool *p, const struct side *head, const struct side *base, const char *why,
		struct err *err)
{
	struct entry *e = find(p, head, base);

	return e ? str_set(&e->why, why, err) : 0;
}

const char *pool_why(const struct pool *p, const struct side *head, const struct side *base)
{
	const struct entry *e = p ? find(p, head, base) : NULL;
	const char *why = e ? e->why : NULL;
	int side;

	for (side = 0; side < SIDES && e && !why; side++)
		why = e->opened[side] ? p->maker->rest(p->maker->ctx, e->opened[side]) : NULL;
	return why;
}
