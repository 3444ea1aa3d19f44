/* SPDX-License-Identifier: MIT */
/* What the sums of a stretch say. */
#include "harness/engine/engine.h"

#include <string.h>

#include "harness/engine/team.h"

#define NS_PER_S 1e9
#define EXPLAINED 0.9 /* of the time without the processor */
#define UNKNOWN __builtin_nan("")

static double at_least_0(double x)
{
	return x < 0 ? 0 : x;
}

/* Where the least time or the iterations are few, or all but a few of them failed. */
static bool is_coarse_in_all(const struct engine *e)
{
	double least = ENGINE_COARSE_STEPS * e->with->wall.step_ticks;
	return e->stretch.iterations && !e->run.region.manual &&
	       e->stretch.outer_ns < pawl_clock_span_ns(&e->with->wall, least);
}

/* The kernel tells a thread that waits from one that is made to. */
static unsigned how_it_waited(const struct measured *m)
{
	uint64_t preempted = m->dropped_by[CAUSE_PREEMPTED];
	uint64_t all = m->clean.n + preempted + m->dropped_by[CAUSE_MIGRATED];
	if (m->iterations == 0 || all == 0)
		return 0;
	if (m->waiting <= all / 2)
		return m->clean.n == 0 ? NOTE_DIRTY : 0;
	if (preempted <= all / 2)
		return NOTE_WAITS;
	return m->clean.n > 0 ? NOTE_WAITS | NOTE_DELAYED : NOTE_DELAYED;
}

/* Whether the thread worked or was ready all the time, so that alone it would take its CPU time. */
static bool was_only_delayed(const struct engine *e, const struct measured *m)
{
	double missing_ns = e->stretch.held_ns - e->stretch.cpu_ns;
	return !e->run.region.manual && m->threads == 1 && m->cpu_ns >= e->batch_ns &&
	       m->usage.voluntary_switches == 0 && m->usage.run_delay_ns >= EXPLAINED * missing_ns;
}

/* Whether the stretch was too short for a batch, so that nothing is known to have disturbed it. */
static bool is_one_batch(const struct measured *m)
{
	return m->strategy != STRATEGY_BATCHES && m->clean.n == 0 && m->dropped == 0;
}

static void estimate(const struct engine *e, struct measured *m)
{
	m->estimate_ns = m->mean_ns;
	if (m->iterations == 0 || is_one_batch(m))
		return;
	if (m->clean.n > 0) {
		m->estimated = ESTIMATE_CLEAN;
		m->estimate_ns = m->clean.median;
	} else if (was_only_delayed(e, m)) {
		m->estimated = ESTIMATE_CPU;
		m->estimate_ns = m->cpu_ns / (double)m->iterations;
		m->notes |= NOTE_CPU;
	} else {
		m->notes |= NOTE_MEAN;
	}
}

/* What follows from the counts and times of *m. */
static void conclude(const struct engine *e, struct measured *m)
{
	m->mean_ns = m->iterations ? m->wall_ns / (double)m->iterations : UNKNOWN;
	for (int i = 0; i < CAUSE_N; i++)
		m->dropped += m->dropped_by[i];
	estimate(e, m);
	m->throughput_per_s = m->estimate_ns > 0 ? NS_PER_S / m->estimate_ns : UNKNOWN;
	/* Of a stretch timed by hand the loop is no part. */
	m->net_ns = m->estimate_ns;
	if (!e->run.region.manual && m->estimate_ns == m->estimate_ns)
		m->net_ns = at_least_0(m->estimate_ns -
				       e->with->empty_ns / (double)pawl_engine_threads(e));
	m->notes |= how_it_waited(m);
	if (m->dropped_by[CAUSE_CLOCK])
		m->notes |= NOTE_JUMPED;
}

struct spread *pawl_engine_clean(struct engine *e)
{
	uint64_t all = e->spread.n + e->dropped_by[CAUSE_PREEMPTED] + e->dropped_by[CAUSE_MIGRATED];
	return e->waiting > all / 2 ? &e->spread : &e->busy;
}

void pawl_engine_result(struct engine *e, struct measured *out)
{
	const struct sums *s = &e->stretch;
	struct spread *clean = pawl_engine_clean(e);
	struct measured m = { .iterations = s->iterations, .errors = e->errors };
	double correction = pawl_clock_correction(&e->with->wall);
	m.wall_ns = at_least_0(s->wall_ns) * correction;
	m.cpu_ns = e->run.region.manual ? UNKNOWN : at_least_0(s->cpu_ns);
	m.process_cpu_ns = e->run.region.manual ? UNKNOWN : at_least_0(s->process_ns);
	m.cpu_ratio = s->held_ns > 0 ? at_least_0(s->cpu_ns) / s->held_ns : UNKNOWN;
	m.first_ns = e->first_ns * correction;
	m.usage = e->usage;
	m.migrations = e->where < 0 ? UNKNOWN : (double)s->migrations;
	m.strategy = e->strategy;
	m.notes = e->notes | (is_coarse_in_all(e) ? NOTE_COARSE : 0);
	m.waiting = e->waiting;
	memcpy(m.dropped_by, e->dropped_by, sizeof(m.dropped_by));
	m.threads = (unsigned)pawl_engine_threads(e);
	m.processors = e->team ? pawl_team_processors(e->team) : 0;
	m.pinned = e->team && pawl_team_is_pinned(e->team);
	m.tally = e->tally;
	pawl_spread_figures(clean, &m.clean);
	m.dropped_by[CAUSE_PREEMPTED] += e->spread.n - clean->n;
	pawl_spread_scale(&m.clean, correction);
	conclude(e, &m);
	*out = m;
}
