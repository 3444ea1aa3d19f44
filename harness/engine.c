/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness between the readings of the clocks. */
#include "harness/engine.h"

#include <errno.h>
#include <string.h>

#define NS_PER_S 1e9
#define UNKNOWN __builtin_nan("")
#define BATCH_NS 1e6	 /* a batch lasts this long, ... */
#define BATCH_STEPS 1000 /* ... so many steps of the clock, and so many overheads */
#define CLEAN_RATIO 0.98 /* of CPU time to wall time, of a clean batch */
#define OUTER_FACTOR 10	 /* with manual timing: most time spent per time measured */
#define STILL_ROUND 24	 /* 2^24 iterations within one step of the clock take no time */
#define LONGEST_ROUND 48 /* 2^48 iterations: nothing takes so little time */

/* Clock readings around one call of run. */
struct readings {
	uint64_t wall, thread, process; /* ticks between before and after */
};

static uint64_t since(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

/* The one place where time is taken.  The wall clock is innermost. */
static void read_around(const struct instruments *in, const struct pawl_bench *bench, uint64_t n,
			struct pawl_run *r, struct readings *out)
{
	const struct clock_row *wall = in->wall.row;
	void (*run)(void *, uint64_t, struct pawl_run *) = bench->run;
	void *ctx = bench->ctx;
	uint64_t process = 0, thread = 0, begin, end, thread_end = 0, process_end = 0;
	if (in->process.state == 0)
		process = in->process.row->begin();
	if (in->thread.state == 0)
		thread = in->thread.row->begin();
	begin = wall->begin();
	run(ctx, n, r);
	end = wall->end();
	if (in->thread.state == 0)
		thread_end = in->thread.row->end();
	if (in->process.state == 0)
		process_end = in->process.row->end();
	if (r->open) {
		r->ticks += since(r->begun, end);
		r->pairs++;
	}
	out->wall = since(begin, end);
	out->thread = since(thread, thread_end);
	out->process = since(process, process_end);
}

static double ticks_to_ns(const struct clock *clock, double ticks)
{
	return clock->state ? UNKNOWN : ticks / clock->hz * NS_PER_S;
}

static double at_least_0(double x)
{
	return x < 0 ? 0 : x;
}

int pawl_engine_open(struct engine *e, const struct instruments *with,
		     const struct pawl_bench *bench)
{
	double step_ns = ticks_to_ns(&with->wall, with->wall.step_ticks);
	double overhead_ns = ticks_to_ns(&with->wall, with->wall.overhead_ticks);
	int code = bench->setup ? bench->setup(bench->ctx) : 0;
	if (code)
		return code;
	memset(e, 0, sizeof(*e)); /* touches every page, so that none is touched later */
	e->with = with;
	e->bench = bench;
	e->run.begin = with->wall.row->begin;
	e->run.end = with->wall.row->end;
	e->step = 1;
	e->first_ns = UNKNOWN;
	e->batch_ns = BATCH_NS;
	if (e->batch_ns < BATCH_STEPS * step_ns)
		e->batch_ns = BATCH_STEPS * step_ns;
	if (e->batch_ns < BATCH_STEPS * overhead_ns)
		e->batch_ns = BATCH_STEPS * overhead_ns;
	return 0;
}

void pawl_engine_close(struct engine *e)
{
	if (e->bench->teardown)
		e->bench->teardown(e->bench->ctx);
}

/* Calls run(n) once; what it took is in *out. */
static void chunk(struct engine *e, uint64_t n, struct sums *out)
{
	const struct instruments *in = e->with;
	struct pawl_run *r = &e->run;
	struct readings got;
	int before = in->where(), after;
	pawl_run_clear(r);
	read_around(in, e->bench, n, r, &got);
	after = in->where();

	struct sums s = { .iterations = n };
	s.outer_ns = ticks_to_ns(&in->wall, (double)got.wall - in->wall.overhead_ticks);
	s.wall_ns = s.outer_ns;
	s.cpu_ns = ticks_to_ns(&in->thread, (double)got.thread) - in->thread_ns;
	s.process_ns = ticks_to_ns(&in->process, (double)got.process) - in->process_ns;
	if (r->manual) {
		double net = (double)r->ticks - (double)r->pairs * in->region_ticks;
		s.wall_ns = ticks_to_ns(&in->wall, net);
	}
	s.migrations = (before != e->where) + (after != before);
	e->where = after;
	if (r->spoiled || r->thrown >= n) {
		s.iterations = 0;
		s.wall_ns = 0;
		s.cpu_ns = 0;
		s.process_ns = 0;
	} else {
		s.iterations = n - r->thrown;
	}
	*out = s;
}

void pawl_engine_hold_steady(struct engine *e)
{
	e->step = UINT64_MAX;
}

void pawl_engine_first(struct engine *e)
{
	struct sums s;
	e->where = e->with->where();
	chunk(e, 1, &s);
	e->first_ns = e->run.failed ? UNKNOWN : at_least_0(s.wall_ns);
}

void pawl_engine_clear(struct engine *e)
{
	memset(&e->stretch, 0, sizeof(e->stretch));
	memset(&e->batch, 0, sizeof(e->batch));
	memset(&e->usage, 0, sizeof(e->usage));
	e->errors = 0;
	e->dropped = 0;
	pawl_spread_clear(&e->spread);
}

static void add(struct sums *to, const struct sums *s)
{
	to->iterations += s->iterations;
	to->wall_ns += s->wall_ns;
	to->outer_ns += s->outer_ns;
	to->cpu_ns += s->cpu_ns;
	to->process_ns += s->process_ns;
	to->migrations += s->migrations;
}

/*
 * Whether the thread had the processor too little.  Its CPU clock may be a step behind, which on
 * Windows is longer than a batch.
 */
static bool was_interrupted(const struct engine *e, const struct sums *b)
{
	const struct clock *thread = &e->with->thread;
	return b->cpu_ns + ticks_to_ns(thread, thread->step_ticks) < CLEAN_RATIO * b->outer_ns;
}

/* A batch that is long enough goes to the clean ones or is dropped. */
static void close_batch(struct engine *e)
{
	struct sums *b = &e->batch;
	if (b->wall_ns < e->batch_ns)
		return;
	if (b->migrations || was_interrupted(e, b)) {
		e->dropped++;
	} else if (!pawl_spread_add(&e->spread, b->wall_ns / (double)b->iterations)) {
		/* Full: from here on batches are twice as long, and those so far joined. */
		pawl_spread_halve(&e->spread);
		e->batch_ns *= 2;
		return;
	}
	memset(b, 0, sizeof(*b));
}

/* A full chunk shorter than a batch grows towards it; one that is long enough stays. */
static void grow(struct engine *e, const struct sums *s)
{
	double lasted = s->iterations ? s->wall_ns : s->outer_ns;
	double factor = lasted > 0 ? 1.1 * e->batch_ns / lasted : 8;
	if (lasted >= e->batch_ns)
		return;
	if (factor > 8)
		factor = 8;
	if (e->step < (uint64_t)1 << LONGEST_ROUND)
		e->step = (uint64_t)((double)e->step * factor) + 1;
}

void pawl_engine_slice(struct engine *e, uint64_t n, struct slice *out)
{
	struct sums begin = e->stretch;
	struct usage from, to;
	e->where = e->with->where();
	e->with->usage(&from);
	while (n > 0) {
		/* The rest of a slice is joined to its last chunk when it is less than half one. */
		uint64_t k = n - n / 3 <= e->step ? n : e->step;
		struct sums s;
		chunk(e, k, &s);
		e->errors += e->run.failed;
		add(&e->stretch, &s);
		if (s.iterations) {
			add(&e->batch, &s);
			close_batch(e);
		}
		if (k == e->step)
			grow(e, &s);
		n -= k;
	}
	e->with->usage(&to);
	pawl_usage_add(&e->usage, &from, &to);
	out->iterations = e->stretch.iterations - begin.iterations;
	out->wall_ns = at_least_0(e->stretch.wall_ns - begin.wall_ns) *
		       pawl_clock_correction(&e->with->wall);
	out->cpu_ns = e->run.manual ? UNKNOWN : at_least_0(e->stretch.cpu_ns - begin.cpu_ns);
}

/* The thread's CPU clock is the witness where the operation is slow. */
static bool wall_stands_still(const struct engine *e, int round, double min_ns)
{
	const struct clock *wall = &e->with->wall;
	if (e->stretch.cpu_ns > OUTER_FACTOR * (e->stretch.outer_ns + min_ns))
		return true;
	return round >= STILL_ROUND && e->stretch.outer_ns < ticks_to_ns(wall, wall->step_ticks);
}

int pawl_engine_double(struct engine *e, double min_ns)
{
	for (int round = 0; round <= LONGEST_ROUND; round++) {
		struct slice whole;
		pawl_engine_clear(e);
		pawl_engine_slice(e, (uint64_t)1 << round, &whole);
		if (whole.wall_ns >= min_ns)
			return 0;
		if (e->errors && e->stretch.outer_ns >= min_ns)
			return 0;
		if (e->run.manual && e->stretch.outer_ns >= OUTER_FACTOR * min_ns)
			return 0;
		if (wall_stands_still(e, round, min_ns))
			return -ETIME;
	}
	return -ETIME;
}

void pawl_engine_result(struct engine *e, struct measured *out)
{
	struct measured m = { .iterations = e->stretch.iterations, .errors = e->errors };
	double correction = pawl_clock_correction(&e->with->wall);
	m.wall_ns = at_least_0(e->stretch.wall_ns) * correction;
	m.cpu_ns = e->run.manual ? UNKNOWN : at_least_0(e->stretch.cpu_ns);
	m.process_cpu_ns = e->run.manual ? UNKNOWN : at_least_0(e->stretch.process_ns);
	m.first_ns = e->first_ns * correction;
	m.mean_ns = m.iterations ? m.wall_ns / (double)m.iterations : UNKNOWN;
	m.throughput_per_s = m.mean_ns > 0 ? NS_PER_S / m.mean_ns : UNKNOWN;
	m.usage = e->usage;
	m.migrations = e->where < 0 ? UNKNOWN : (double)e->stretch.migrations;
	m.dropped = e->dropped;
	pawl_spread_figures(&e->spread, &m.clean);
	pawl_spread_scale(&m.clean, correction);
	*out = m;
}
