/* SPDX-License-Identifier: MIT */
/* How many iterations are enough. */
#include "harness/engine/engine.h"

#include <errno.h>

#include "harness/engine/student.h"

#define UNKNOWN __builtin_nan("")
#define ENOUGH_BATCHES 11
#define AGREED_RATIO 0.01
#define EMPTY_TRIES 3	/* where others take the processor */
#define EMPTY_NS 5e6	/* longest time for the empty operation */
#define DIRTY_FACTOR 2	/* the same while no batch is clean */
#define OUTER_FACTOR 10 /* with manual timing: most time spent per time measured */

/* n were tried last.  The thread's CPU clock is the witness where the operation is slow. */
static bool wall_stands_still(const struct engine *e, uint64_t n, double min_ns)
{
	const struct clock *wall = &e->with->wall;
	double threads = (double)pawl_engine_threads(e), spent_ns = e->stretch.spent_ns;
	if (e->stretch.cpu_ns / threads > OUTER_FACTOR * (e->stretch.outer_ns + min_ns))
		return true;
	if (n < CLOCK_STILL)
		return false;
	return spent_ns < wall->step_ticks / wall->hz * 1e9 ||
	       spent_ns * threads < (double)n * ENGINE_LEAST_NS;
}

int pawl_engine_double(struct engine *e, double min_ns)
{
	e->strategy = STRATEGY_GMPBENCH;
	uint64_t threads = pawl_engine_threads(e);
	for (uint64_t n = threads; n / threads <= ENGINE_MOST; n *= 2) {
		struct slice whole;
		pawl_engine_clear(e);
		pawl_engine_slice(e, n, &whole);
		if (whole.wall_ns >= min_ns) {
			e->notes |= n == threads ? NOTE_SLOW : 0;
			return 0;
		}
		if ((e->errors || e->dropped_by[CAUSE_CLOCK]) && e->stretch.spent_ns >= min_ns)
			return 0;
		if (e->run.region.manual && e->stretch.spent_ns >= OUTER_FACTOR * min_ns)
			return 0;
		if (wall_stands_still(e, n, min_ns))
			return -ETIME;
	}
	return -ETIME;
}

static bool batches_agree(struct engine *e)
{
	const struct spread *s = pawl_engine_clean(e);
	return s->n >= ENOUGH_BATCHES &&
	       pawl_student_half(s->n, pawl_spread_sd(s)) <= AGREED_RATIO * s->mean;
}

/* Whether the time is over; spent_ns: since the strategy began. */
static bool is_over(struct engine *e, double spent_ns, double longest_ns)
{
	/* Others may have had the processor for all of the time at once. */
	double timed_factor = pawl_engine_clean(e)->n == 0 ? DIRTY_FACTOR : 1;
	double factor = e->run.region.manual ? OUTER_FACTOR : timed_factor;
	if (spent_ns < factor * longest_ns && e->stretch.wall_ns < timed_factor * longest_ns)
		return false;
	e->notes |= e->stretch.iterations == pawl_engine_threads(e) ? NOTE_SLOW : NOTE_APART;
	return true;
}

int pawl_engine_batches(struct engine *e, double longest_ns)
{
	double spent_ns = 0;
	bool grown = false;
	e->strategy = STRATEGY_BATCHES;
	e->where = e->with->where();
	pawl_engine_clear(e);
	pawl_engine_look(e);
	for (;;) {
		uint64_t n = e->step;
		double before_ns = e->stretch.spent_ns;
		pawl_engine_chunk(e, n);
		spent_ns += e->stretch.spent_ns - before_ns;
		if ((grown && batches_agree(e)) || is_over(e, spent_ns, longest_ns))
			break;
		if (wall_stands_still(e, n, longest_ns))
			return -ETIME;
		grown = grown || e->step == n;
		if (!grown) {
			/* So far chunks were too short for a batch. */
			pawl_engine_clear(e);
			pawl_engine_look(e);
		}
	}
	pawl_engine_note(e);
	return 0;
}

static void run_empty(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx, (void)r;
	for (uint64_t i = 0; i < n; i++)
		pawl_keep(i);
}

double pawl_engine_empty(struct engine *e, const struct instruments *with)
{
	static const struct pawl_bench empty = PAWL_BENCH("empty", run_empty);
	double ns = UNKNOWN;
	(void)pawl_engine_open(e, with, &empty);
	for (int i = 0; i < EMPTY_TRIES; i++) {
		struct measured m;
		if (pawl_engine_batches(e, EMPTY_NS))
			break;
		pawl_engine_result(e, &m);
		if (m.clean.n > 0) {
			ns = m.clean.median;
			break;
		}
	}
	pawl_engine_close(e);
	return ns;
}
