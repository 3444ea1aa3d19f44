#include "collector/schedule/duet.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "collector/run/aside.h"
#include "collector/schedule/gate.h"
#include "lib/stats/describe.h"

#include "lib/base/banned.h"

#define DEVIATIONS_OF_3 1.77 /* standard deviation over spread(), of three normal values */

static bool is_gated_by_cpu(const struct unit *u)
{
	return u->config->metric ? !strcmp(u->config->metric, "cpu") : gate_of(u) == GATE_CPU;
}

bool duet_may_be(const struct unit *u)
{
	/* Of two at once nobody can say who left a process. */
	return u->format == FORMAT_COMMAND && !u->config->in_turn && !aside_is_wanted(u->config) &&
	       !u->n_left && u->has_base && u->pinned && is_gated_by_cpu(u) &&
	       u->run_ns >= DUET_SHORTEST_NS && u->looks.n && u->looks.pairs[0] > DUET_IN_TURN &&
	       u->base.dir && u->head.dir && strcmp(u->base.dir, u->head.dir) != 0;
}

static double median(const double *x, size_t n)
{
	struct description d;

	return describe(x, n, 0.95, &d, NULL) ? (double)NAN : d.median;
}

/* Mean distance from the median: one pair that was hit does not make it all. */
static double spread(const struct pair *pairs, size_t n)
{
	double d[DUET_IN_TURN] = { 0 }, centre, sum = 0;
	size_t i;

	assert(n <= DUET_IN_TURN);
	for (i = 0; i < n; i++)
		d[i] = pairs[i].log_ratio_cpu;
	centre = median(d, n);
	for (i = 0; i < n; i++)
		sum += fabs(d[i] - centre);
	return sum / (double)n;
}

static double cpu_time(const struct pair *p)
{
	return p->head.cpu_ns + p->base.cpu_ns;
}

/* Each beside its neighbours in time: what drifts is in both. */
static double slowed_down(const struct pair *in_turn, const struct pair *at_once)
{
	double ratio[DUET_TRIAL];
	size_t i;

	for (i = 0; i < DUET_TRIAL; i++)
		ratio[i] = 2 * cpu_time(&at_once[i]) /
			   (cpu_time(&in_turn[DUET_FIRST + i - 1]) +
			    cpu_time(&in_turn[DUET_FIRST + i]));
	return median(ratio, DUET_TRIAL);
}

bool duet_is_worth_trying(const struct unit *u, const struct pair in_turn[DUET_FIRST])
{
	return DEVIATIONS_OF_3 * spread(in_turn, DUET_FIRST) >
	       DUET_SPREAD_WORTH * log1p(u->config->threshold);
}

bool duet_is_better(const struct pair in_turn[DUET_IN_TURN], const struct pair at_once[DUET_TRIAL])
{
	return spread(at_once, DUET_TRIAL) <= DUET_SPREAD_MOST * spread(in_turn, DUET_IN_TURN) &&
	       slowed_down(in_turn, at_once) <= DUET_SLOWER_MOST;
}
