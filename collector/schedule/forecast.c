/*
 * schedule_forecast - how long measuring will take, for the progress line alone.
 */
#include "collector/schedule/local.h"

#include <math.h>

#include "collector/schedule/gate.h"
#include "lib/stats/dist.h"

#include "lib/base/banned.h"

#define PAIRS_LEAST 3	/* before, their spread says nothing */
#define PAIRS_RECENT 16 /* so many make the mean time of a pair */

void schedule_took(struct unit *u, double ns, bool keep)
{
	size_t n = keep ? u->n_pairs + 1 : 1; /* a calibration pair may be watched, or cold */

	u->pair_ns += (ns - u->pair_ns) / (double)(n < PAIRS_RECENT ? n : PAIRS_RECENT);
}

static double ratio_of(const struct pair *p, enum gate gate)
{
	return gate == GATE_WALL ? p->log_ratio_wall : p->log_ratio_cpu;
}

/*
 * What the pairs so far look like: their mean, and an interval by their standard deviation.
 * n 0: nothing yet.
 */
static struct judgement look(const struct unit *u, size_t n_run)
{
	struct judgement j = { .terms = { log1p(u->config->threshold), u->looks.n, n_run } };
	double mean = 0, squares = 0, half;
	enum gate gate = gate_of(u);
	size_t i;

	for (i = 0; i < u->n_pairs; i++) {
		double ratio = ratio_of(&u->pairs[i], gate), off = ratio - mean;

		mean += off / (double)(i + 1);
		squares += off * (ratio - mean);
	}
	if (u->n_pairs < PAIRS_LEAST || !isfinite(squares))
		return j;
	half = normal_quantile(0.5 + VERDICT_CONFIDENCE / 2) *
	       sqrt(squares / (double)(u->n_pairs - 1) / (double)u->n_pairs);
	j.theta = mean;
	j.half = half;
	j.shared = u->judged.shared;
	j.n = u->n_pairs;
	return j;
}

/* The estimate moved by so many standard errors, and from so many pairs. */
static struct judgement moved(const struct judgement *j, double errors, size_t n)
{
	struct judgement out = *j;

	out.theta += errors * j->half / normal_quantile(0.5 + VERDICT_CONFIDENCE / 2);
	out.half *= sqrt((double)j->n / (double)n);
	out.n = n;
	return out;
}

/* Where it would close if the truth were so many standard errors from the estimate. */
static size_t closes_at(const struct unit *u, const struct judgement *j, double errors, size_t last)
{
	size_t i;

	for (i = 0; i < u->looks.n; i++) {
		size_t point = u->looks.pairs[i];
		struct judgement then = moved(j, errors, point);

		if (point > u->n_pairs &&
		    (judge_would_decide(&then, point, 0) || schedule_gives_up(&then, then.n, last)))
			return point;
	}
	return last;
}

/* Few outcomes are far longer than the others: the mean of roots lies between mean and median. */
double schedule_forecast(const struct unit *u, const struct schedule *s, size_t n_run)
{
	static const double may_be[] = { -0.9, -0.5, -0.2, 0, 0.2, 0.5, 0.9 };
	size_t i, n = sizeof(may_be) / sizeof(may_be[0]), last = schedule_most(u, s);
	struct judgement j;
	double roots = 0;

	if (!u->has_base || u->looks.n < 2)
		return (double)last;
	j = look(u, n_run);
	if (!j.n)
		return (double)schedule_next_point(u, s);
	for (i = 0; i < n; i++)
		roots += sqrt((double)(closes_at(u, &j, may_be[i], last) - u->n_pairs));
	return (double)u->n_pairs + pow(roots / (double)n, 2);
}
