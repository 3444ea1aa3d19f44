/*
 * forecast - how long measuring will take, for the progress line alone.
 */
#include "collector/schedule/local.h"

#include <math.h>

#include "collector/schedule/gate.h"
#include "lib/stats/clusters.h"
#include "lib/stats/dist.h"
#include "lib/stats/points.h"
#include "lib/stats/sample.h"

#include "lib/base/banned.h"

#define PAIRS_LEAST 3	       /* before, their spread says nothing */
#define PAIRS_RECENT 16	       /* so many make the mean time of a pair */
#define PAIRS_SEEN POINTS_MOST /* the last ones, where a configuration asks for more */
#define WAYS 16		       /* the estimate may go; evenly spread */
#define DEVIATIONS 1.2533      /* standard deviation over the mean distance, of normal values */

void schedule_took(struct unit *u, double ns, bool keep)
{
	size_t n = keep ? u->n_pairs + 1 : 1; /* a calibration pair may be watched, or cold */

	u->pair_ns += (ns - u->pair_ns) / (double)(n < PAIRS_RECENT ? n : PAIRS_RECENT);
}

static double ratio_of(const struct pair *p, enum gate gate)
{
	return gate == GATE_WALL ? p->log_ratio_wall : p->log_ratio_cpu;
}

/* The standard error of the mean of few pairs, by how far they lie from it. */
static double error_of(const double *x, size_t n, double mean)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += fabs(x[i] - mean);
	return DEVIATIONS * sum / sqrt((double)n * (double)(n - 1)) / sqrt((double)n);
}

/* Half of its interval over the error of an estimate by n pairs. */
static double errors_in_half(size_t n)
{
	return student_quantile(0.5 + VERDICT_CONFIDENCE / 2, (double)(n > 2 ? n : 2) - 1);
}

/* What the pairs so far look like. */
struct look {
	struct judgement judged; /* n 0: like nothing yet */
	double error;
};

/* So many pairs its last decision point had, whose layouts and interval are known. */
static size_t pairs_judged(const struct unit *u)
{
	size_t n = u->n_pairs, i;

	for (i = 0; u->judged.n && i < u->looks.n; i++)
		if (u->looks.pairs[i] <= u->n_pairs)
			n = u->looks.pairs[i];
	return n;
}

/*
 * What so many pairs will be worth.  Before pairs of the same layout tell what layouts do, the
 * middle between nothing and all: half of such units give up early.
 */
static size_t worth_of(const struct unit *u, const struct schedule *s, size_t n)
{
	struct unit then = *u; /* as it was judged */
	bool is_open = s->layouts && n > s->layouts && u->n_pairs && u->pairs[0].layout &&
		       !isfinite(u->layouts.n ? u->layouts.between : (double)NAN);

	if (is_open)
		return (size_t)sqrt((double)n * s->layouts);
	then.n_pairs = pairs_judged(u);
	return schedule_worth(&then, s, n);
}

/* Its centre and error, as the rule will see them. */
static void look_at(const double *x, size_t n, struct look *l)
{
	struct walsh walsh = WALSH_INIT;
	struct signed_rank rank;
	bool is_known = !walsh_build(x, n, &walsh, NULL) &&
			!clusters_suited(&walsh, x, NULL, VERDICT_CONFIDENCE, &rank, NULL);

	walsh_release(&walsh);
	if (!is_known)
		return;
	l->judged.n = n;
	l->judged.theta = rank.theta;
	l->error = isfinite(rank.low) ? (rank.high - rank.low) / 2 / errors_in_half(n)
				      : error_of(x, n, sample_mean(x, n));
}

static struct look look(const struct unit *u, const struct schedule *s, size_t n_run)
{
	struct look l = { { .terms = { log1p(u->config->threshold), u->looks.n, n_run } }, 0 };
	double x[PAIRS_SEEN];
	size_t n = u->n_pairs < PAIRS_SEEN ? u->n_pairs : PAIRS_SEEN, i;
	const struct pair *first = u->pairs + (u->n_pairs - n);

	for (i = 0; i < n; i++)
		x[i] = ratio_of(&first[i], gate_of(u));
	if (n < PAIRS_LEAST)
		return l;
	look_at(x, n, &l);
	l.judged.shared = u->judged.shared;
	/* Only a decision point tells what layouts do. */
	if (l.judged.n && u->judged.n && u->layouts.n) {
		l.judged.n = worth_of(u, s, u->n_pairs);
		l.error = u->judged.half / errors_in_half(u->judged.n) *
			  sqrt((double)u->judged.n / (double)l.judged.n);
	}
	return l;
}

/* The i-th of numbers that fill (0, 1) evenly, other ones for each base (J. H. Halton, 1960). */
static double spread_evenly(unsigned i, unsigned base)
{
	double part = 1, x = 0;

	for (; i; i /= base) {
		part /= base;
		x += part * (i % base);
	}
	return x;
}

/*
 * Where it would close if the estimate went that way: from one point to the next it moves by luck,
 * as far as its error shrinks.  What pairs are worth is what layouts leave of them.
 */
static size_t closes_at(const struct unit *u, const struct schedule *s, struct look l, unsigned way)
{
	static const unsigned bases[POINTS_MAX] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29 };
	size_t i, last = schedule_most(u, s), worth_last = worth_of(u, s, last);
	struct judgement *then = &l.judged;

	for (i = 0; i < u->looks.n && u->looks.pairs[i] < last; i++) {
		size_t point = u->looks.pairs[i], worth = worth_of(u, s, point);
		double share, luck = normal_quantile(spread_evenly(way, bases[i]));

		if (point <= u->n_pairs)
			continue;
		worth = worth > then->n ? worth : then->n;
		share = (double)then->n / (double)worth;
		then->theta += luck * l.error * sqrt(1 - share);
		l.error *= sqrt(share);
		then->half = errors_in_half(worth) * l.error;
		then->n = worth;
		if (judge_would_decide(then, worth, 0) ||
		    schedule_gives_up(then, point, worth > worth_last ? worth : worth_last))
			return point;
	}
	return last;
}

/* Few outcomes are far longer than the others: the mean of roots lies between mean and median. */
double schedule_forecast(const struct unit *u, const struct schedule *s, size_t n_run)
{
	struct look l;
	double roots = 0;
	unsigned way;

	if (!u->has_base || u->looks.n < 2)
		return (double)schedule_most(u, s);
	l = look(u, s, n_run);
	if (!l.judged.n)
		return (double)schedule_next_point(u, s);
	for (way = 1; way <= WAYS; way++)
		roots += sqrt((double)(closes_at(u, s, l, way) - u->n_pairs));
	return (double)u->n_pairs + pow(roots / WAYS, 2);
}
