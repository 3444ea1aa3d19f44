/*
 * schedule_close - when a unit has pairs enough.
 */
#include "collector/schedule/local.h"

#include <math.h>
#include <stdlib.h>

#include "collector/schedule/gate.h"
#include "lib/stats/family.h"
#include "lib/stats/verdict.h"

#include "lib/base/banned.h"

size_t schedule_values(const struct unit *u, double *out)
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

size_t schedule_most(const struct unit *u, const struct schedule *s)
{
	return u->looks.n ? u->looks.pairs[u->looks.n - 1] : (size_t)s->runs_max;
}

static bool is_narrow(const struct unit *u, const double *x, size_t n, const struct schedule *s)
{
	bool narrow = false;

	return n >= (size_t)s->runs_min &&
	       !pairs_narrow_enough(x, n, s->confidence, log1p(u->config->threshold), &narrow,
				    NULL) &&
	       narrow;
}

enum look { LOOK_OPEN, LOOK_SUSPECTED, LOOK_DECIDED };

/*
 * What one look says.  A change ends it only when it is called even as the only one of all units,
 * so that judging them together later cannot take it back.  One that is called by itself alone is a
 * suspicion.
 *
 * The reporter judges once more, and not always the same numbers: where the totals of the runs
 * stand apart from their slices it takes the totals; another metric may be configured to gate; the
 * gate between CPU and wall time is chosen anew from all pairs.  Its error rate holds all the same.
 * It judges at the level of a look, and that level bounds the chance that this series, whichever it
 * is, crosses it at any of the looks; so it bounds it at the one where measuring stopped, whatever
 * made it stop.  A pair count between two looks, where the time ran out, stands in for the looks
 * behind it: fewer and closer looks cross no more often.
 */
static enum look look_at(const struct unit *u, const double *x, size_t n, double alpha,
			 size_t n_run)
{
	struct family_member member = { .d = x,
					.n = n,
					.alpha = alpha,
					.delta_log = log1p(u->config->threshold),
					.n_looks = u->looks.n ? u->looks.n : 1 };
	enum call alone;

	if (n < u->n_pairs ||
	    judge_pairs(x, n, alpha, u->looks.n > 0, member.delta_log, &member.judged, NULL))
		return LOOK_OPEN;
	alone = member.judged.call;
	if (judge_in_family(&member, n_run, NULL))
		return LOOK_OPEN;
	if (member.judged.call != CALL_INCONCLUSIVE)
		return LOOK_DECIDED;
	return alone == CALL_INCONCLUSIVE ? LOOK_OPEN : LOOK_SUSPECTED;
}

static bool is_look(const struct unit *u)
{
	size_t i;

	for (i = 0; i < u->looks.n; i++)
		if (u->n_pairs == u->looks.pairs[i])
			return true;
	return false;
}

/* With more than a tenth of void pairs no verdict is possible: more good ones may outweigh them. */
static bool is_judgeable(const struct unit *u)
{
	return u->n_void * 10 <= u->n_void + u->n_pairs;
}

/*
 * The last look leaves a suspicion: neither a verdict nor nothing.  One more, of more pairs, tells
 * noise from a change.  It is counted among those that p is multiplied by from then on; what the
 * earlier looks were not charged for it is far less than what FAMILY_DISTANCE takes from all.
 */
static bool goes_on_to_confirm(struct unit *u, double alpha)
{
	if (u->confirm_at <= u->n_pairs || u->looks.n >= LOOKS_MAX)
		return false;
	if (!u->looks.n) {
		u->looks.level = alpha;
		u->looks.pairs[u->looks.n++] = (unsigned)u->n_pairs;
	}
	u->looks.pairs[u->looks.n++] = u->confirm_at;
	u->confirm_at = 0;
	return true;
}

static bool has_enough(struct unit *u, const struct schedule *s, const double *x, size_t n,
		       size_t n_run)
{
	bool is_last = u->n_pairs >= schedule_most(u, s);
	double alpha = u->looks.n ? u->looks.level : 1 - s->confidence;
	enum look look;

	if (!u->looks.n && !is_last)
		return is_narrow(u, x, n, s);
	look = look_at(u, x, n, alpha, n_run);
	if (look == LOOK_SUSPECTED && is_last)
		return !goes_on_to_confirm(u, alpha);
	return look == LOOK_DECIDED || is_last;
}

void schedule_close(struct unit *u, const struct schedule *s, size_t n_run)
{
	bool is_last = u->n_pairs >= schedule_most(u, s);
	double *x;

	if (is_last && (!u->confirm_at || !u->has_base || !is_judgeable(u))) {
		u->done = true;
		return;
	}
	if (!is_judgeable(u) || (u->looks.n ? !is_look(u) : u->n_pairs < (size_t)s->runs_min))
		return;
	x = malloc(u->n_pairs * sizeof(*x));
	if (x)
		u->done = has_enough(u, s, x, schedule_values(u, x), n_run);
	else /* then it goes on, and the next attempt may have memory */
		u->done = is_last;
	free(x);
}
