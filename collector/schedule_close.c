/*
 * schedule_close - when a unit has pairs enough.
 */
#include "collector/schedule_local.h"

#include <math.h>
#include <stdlib.h>

#include "collector/gate.h"
#include "lib/stats/family.h"
#include "lib/stats/sequential.h"
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

/*
 * What one look says.  A change ends it only when its p is small enough to be flagged even as the
 * only one of all units, so that judging them together later cannot take it back.
 *
 * The reporter judges once more, and not always the same numbers: where the totals of the runs
 * stand apart from their slices it takes the totals; another metric may be configured to gate; the
 * gate between CPU and wall time is chosen anew from all pairs.  Its error rate holds all the same.
 * It judges at the level of a look, and that level bounds the chance that this series, whichever it
 * is, crosses it at any of the looks; so it bounds it at the one where measuring stopped, whatever
 * made it stop.  A pair count between two looks, where the time ran out, stands in for the looks
 * behind it: fewer and closer looks cross no more often.
 */
static bool is_decided(const struct unit *u, const double *x, size_t n, size_t n_run)
{
	struct judgement j;

	if (n < u->n_pairs ||
	    judge_pairs(x, n, u->looks.level, true, log1p(u->config->threshold), &j, NULL))
		return false;
	if (j.call == CALL_REGRESSED || j.call == CALL_IMPROVED)
		return sequential_p(j.p, u->looks.n) <= FAMILY_FDR / (double)n_run;
	return j.call == CALL_UNCHANGED;
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

void schedule_close(struct unit *u, const struct schedule *s, size_t n_run)
{
	double *x;
	size_t n;

	if (u->n_pairs >= schedule_most(u, s)) {
		u->done = true;
		return;
	}
	if (!is_judgeable(u) || (u->looks.n ? !is_look(u) : u->n_pairs < (size_t)s->runs_min))
		return;
	x = malloc(u->n_pairs * sizeof(*x));
	if (!x) /* then it goes on, and the next attempt may have memory */
		return;
	n = schedule_values(u, x);
	u->done = u->looks.n ? is_decided(u, x, n, n_run) : is_narrow(u, x, n, s);
	free(x);
}
