/*
 * simulated_pairs - what the collector's own schedule is given in place of runs: pairs whose ratio
 * a simulated machine, or a recording of a real one, says.
 */
#ifndef PAWL_TESTS_UNIT_COLLECTOR_SCHEDULE_SIMULATED_PAIRS_H
#define PAWL_TESTS_UNIT_COLLECTOR_SCHEDULE_SIMULATED_PAIRS_H

#include "tests/unit/lib/stats/simulation_fixture.h"

#include "collector/schedule/schedule.h"
#include "lib/stats/points.h"
#include "lib/stats/verdict.h"

#define SIMULATED_NS 1000.0 /* of the base's run, where its length does not matter */

/* The base ran so long, the head exp(d) times as long. */
static inline void simulate_pair(struct pair *p, double base_ns, double d)
{
	double head_ns = base_ns * exp(d);

	p->head = (struct run){ .wall_ns = head_ns, .cpu_ns = head_ns };
	p->base = (struct run){ .wall_ns = base_ns, .cpu_ns = base_ns };
	p->log_ratio_cpu = p->log_ratio_wall = d;
}

/* For a struct runner: the machine needs no calibration. */
static inline int simulate_calibration(void *ctx, struct unit *u, const struct side *side,
				       struct err *err)
{
	(void)ctx;
	(void)side;
	(void)err;
	u->iterations = 64;
	u->run_ns = SIMULATED_NS;
	return 0;
}

/* By the pairs that it ran, as the only significant one of m. */
static inline void judge_simulated(const struct unit *u, size_t m, struct judgement *out)
{
	static double d[POINTS_MOST];
	const struct judge_terms terms = { log1p(u->config->threshold), u->looks.n, m };

	for (size_t k = 0; k < u->n_pairs; k++)
		d[k] = u->pairs[k].log_ratio_cpu;
	assert_int_equal(judge_pairs(d, u->n_pairs, &terms, out, NULL), 0);
}

#endif
