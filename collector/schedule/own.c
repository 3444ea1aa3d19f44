/*
 * own - a benchmark that shares its processes is called by pairs of its own alone.
 *
 * What another one left in a process (a heap, a warm cache, a thread) is the same on both sides
 * only while that other one is.  When it was changed, its neighbours must not be called for it.
 */
#include "collector/schedule/local.h"

#include <math.h>
#include <stdlib.h>

#include "collector/schedule/gate.h"
#include "lib/stats/describe.h"

#include "lib/base/banned.h"

#define FEWEST 3       /* pairs of each kind, to see whether they are apart */
#define FAR 3.0	       /* standard errors */
#define OF_MEDIAN 1.57 /* its standard error over spread / sqrt(n), of normal values */

/* Pairs of one kind: in processes that others used before, or not. */
struct kind {
	double centre, spread; /* median, and the mean distance from it */
	size_t n;
};

static double ratio_of(const struct unit *u, const struct pair *p)
{
	return gate_of(u) == GATE_WALL ? p->log_ratio_wall : p->log_ratio_cpu;
}

/* centre is NaN where there is none. */
static struct kind look(const struct unit *u, bool is_behind)
{
	double *d = malloc((u->n_pairs + 1) * sizeof(*d));
	struct kind k = { (double)NAN, (double)NAN, 0 };
	struct description about;
	double sum = 0;
	size_t i;

	for (i = 0; d && i < u->n_pairs; i++)
		if (u->pairs[i].is_behind == is_behind)
			d[k.n++] = ratio_of(u, &u->pairs[i]);
	if (k.n && !describe(d, k.n, 0.95, &about, NULL)) {
		for (i = 0; i < k.n; i++)
			sum += fabs(d[i] - about.median);
		k.centre = about.median;
		k.spread = sum / (double)k.n;
	}
	free(d);
	return k;
}

/* By a change that counts, and more than pairs of a kind are among each other. */
static bool are_apart(const struct unit *u)
{
	struct kind own = look(u, false), behind = look(u, true);
	double off = fabs(own.centre - behind.centre);

	return own.n >= FEWEST && behind.n >= FEWEST && off >= log1p(u->config->threshold) &&
	       off > FAR * OF_MEDIAN *
			       hypot(own.spread / sqrt((double)own.n),
				     behind.spread / sqrt((double)behind.n));
}

/* Whether it may be called, whatever the others show: judging them together only adds to p. */
static bool may_be_called(const struct unit *u)
{
	struct judgement j;

	return !schedule_judge(u, 1, &j, NULL) && j.n &&
	       j.p * (double)j.terms.n_points <= VERDICT_RATE;
}

static size_t count(const struct unit *u, bool is_behind)
{
	size_t i, n = 0;

	for (i = 0; i < u->n_pairs; i++)
		n += u->pairs[i].is_behind == is_behind;
	return n;
}

static void keep_own(struct unit *u)
{
	size_t least = !count(u, false), n = 0, i, k;

	for (i = 0; i < u->n_pairs; i++) {
		if (u->pairs[i].is_behind && n >= least) {
			pair_release(&u->pairs[i]);
			continue;
		}
		u->pairs[n] = u->pairs[i];
		for (k = 0; k < N_ANCHORS; k++)
			u->anchors[k][n] = u->anchors[k][i];
		n++;
	}
	u->n_pairs = n;
}

bool schedule_own(struct unit *u)
{
	if (u->alone || !u->has_base || !count(u, true) || (!may_be_called(u) && !are_apart(u)))
		return false;
	keep_own(u);
	u->n_void = 0; /* of those that are gone */
	u->judged.n = 0;
	u->alone = true;
	return true;
}
