/*
 * close - which units are run, and when one has pairs enough.
 */
#include "collector/schedule/local.h"

#include <math.h>

#include "lib/stats/points.h"

#include "lib/base/banned.h"

#define RUNS_ALONE 20	 /* without a base there is nothing to decide: a sample for those to come */
#define GIVES_UP_FROM 20 /* pairs: before, the spread is not known well enough */
/* Standard errors.  After a disturbed stretch the true one is smaller than it seems. */
#define GIVES_UP_MOVED 1.5

bool schedule_is_run(const struct unit *u)
{
	return !u->identical && !u->only_base && !u->only_head && !u->unreached;
}

bool schedule_is_open(const struct unit *u)
{
	return schedule_is_run(u) && !u->done && !u->failure;
}

bool schedule_is_ready(const struct unit *u)
{
	return u->ready && schedule_is_open(u);
}

bool schedule_has_work(const struct unit *units, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (schedule_is_open(&units[i]))
			return true;
	return false;
}

bool schedule_has_figures(const struct unit *units, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (schedule_is_run(&units[i]) && !units[i].failure)
			return true;
	return false;
}

size_t schedule_most(const struct unit *u, const struct schedule *s)
{
	size_t alone = RUNS_ALONE;

	if (u->has_base)
		return u->looks.n ? u->looks.pairs[u->looks.n - 1] : (size_t)s->runs_max;
	if (alone < (size_t)s->runs_min)
		alone = (size_t)s->runs_min;
	return alone < (size_t)s->runs_max ? alone : (size_t)s->runs_max;
}

static bool is_point(const struct unit *u)
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

/* The squared standard error of the mean of n pairs in so many layouts. */
static double error_of(const struct layout_spread *l, size_t n, size_t layouts)
{
	return (l->between + l->within * (double)layouts / (double)n) / (double)layouts;
}

size_t schedule_worth(const struct unit *u, const struct schedule *s, size_t n)
{
	size_t most = n < s->layouts ? n : s->layouts;
	double now, then;

	if (!u->layouts.n || !u->n_pairs)
		return n;
	now = error_of(&u->layouts, u->n_pairs, u->layouts.n);
	then = error_of(&u->layouts, n, most < u->layouts.n ? u->layouts.n : most);
	if (now > 0 && then > 0)
		return (size_t)((double)u->judged.n * now / then);
	return n * u->judged.n / u->n_pairs; /* not known: as if layouts did not matter */
}

bool schedule_gives_up(const struct judgement *j, size_t n, size_t last)
{
	return n >= GIVES_UP_FROM && !judge_would_decide(j, last, GIVES_UP_MOVED);
}

void schedule_close(struct unit *u, const struct schedule *s, size_t n_run)
{
	size_t last = schedule_most(u, s);
	struct judgement *j = &u->judged;

	if ((is_point(u) || u->n_pairs >= last) && schedule_own(u))
		return;
	if (u->n_pairs >= last) {
		u->done = true;
		return;
	}
	if (!u->has_base || !is_point(u) || !is_judgeable(u) ||
	    schedule_judge(u, n_run, j, &u->layouts))
		return;
	u->done = !j->n /* no value now, and none later */ || j->call != CALL_INCONCLUSIVE ||
		  schedule_gives_up(j, u->n_pairs, schedule_worth(u, s, last));
}

size_t schedule_next_point(const struct unit *u, const struct schedule *s)
{
	size_t i;

	for (i = 0; u->has_base && i < u->looks.n; i++)
		if (u->looks.pairs[i] > u->n_pairs)
			return u->looks.pairs[i];
	return schedule_most(u, s);
}

size_t schedule_expected(const struct unit *u, const struct schedule *s)
{
	size_t i, last = schedule_most(u, s);

	for (i = 0; u->has_base && i < u->looks.n; i++)
		if (u->looks.pairs[i] > u->n_pairs &&
		    (!u->judged.n ||
		     judge_would_decide(&u->judged, schedule_worth(u, s, u->looks.pairs[i]), 0)))
			return u->looks.pairs[i];
	return last;
}
