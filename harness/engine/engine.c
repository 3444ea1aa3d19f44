/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness between the readings of the clocks. */
#include "harness/engine/engine.h"

#include <errno.h>
#include <string.h>

#include "harness/engine/team.h"

#define UNKNOWN __builtin_nan("")
#define BATCH_NS 1e6	 /* a batch lasts this long, ... */
#define BATCH_STEPS 1000 /* ... so many steps of the clock, and so many overheads */
#define CLEAN_RATIO 0.98 /* of CPU time to wall time, of a clean batch */
#define BOOKKEEPING 200	 /* a batch lasts so many times what goes on around it */
#define SPARSE 10	 /* a chunk of so many batches grows no more, timed or not */
#define JUMP_NS 100e6	 /* two clocks may be so far apart, ... */
#define JUMP_RATIO 0.1	 /* ... and by so much of what they show */

/* Clock readings around one call of run. */
struct readings {
	uint64_t wall, thread, process; /* ticks between before and after */
	uint64_t witness;		/* ns, around these */
	uint64_t around;		/* ticks of the wall clock, around the witness */
	bool backwards;			/* the wall clock */
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
	uint64_t around = in->witness ? wall->begin() : 0;
	uint64_t witness = in->witness ? in->witness() : 0;
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
	out->witness = in->witness ? since(witness, in->witness()) : 0;
	out->around = in->witness ? since(around, wall->end()) : 0;
	out->backwards = end < begin;
	pawl_run_close(r, end);
	out->wall = since(begin, end);
	out->thread = since(thread, thread_end);
	out->process = since(process, process_end);
}

static double at_least_0(double x)
{
	return x < 0 ? 0 : x;
}

/* What a batch must last, so that neither step nor readings are seen in it. */
static double least_batch(const struct instruments *in)
{
	double least = BATCH_NS;
	const double others[] = {
		BATCH_STEPS * pawl_clock_span_ns(&in->wall, in->wall.step_ticks),
		BATCH_STEPS * pawl_clock_span_ns(&in->wall, in->wall.overhead_ticks),
		BOOKKEEPING * (in->process_ns + in->thread_ns),
	};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (least < others[i])
			least = others[i];
	return least;
}

uint64_t pawl_engine_threads(const struct engine *e)
{
	return e->bench->threads > 1 ? e->bench->threads : 1;
}

int pawl_engine_staff(struct engine *e)
{
	return pawl_team_open(&e->team, e->with, e->bench);
}

void pawl_engine_dismiss(struct engine *e)
{
	pawl_team_close(e->team);
	e->team = NULL;
}

int pawl_engine_open(struct engine *e, const struct instruments *with,
		     const struct pawl_bench *bench)
{
	int code;
	if (bench->arg && bench->args.n)
		*bench->arg = *bench->args.list;
	code = bench->setup ? bench->setup(bench->ctx) : 0;
	if (code)
		return code;
	memset(e, 0, sizeof(*e)); /* touches every page, so that none is touched later */
	e->with = with;
	e->bench = bench;
	pawl_run_init(&e->run, bench, 0);
	e->run.tally = &e->now;
	pawl_run_use(&e->run, with->wall.row);
	e->step = pawl_engine_threads(e);
	e->first_ns = UNKNOWN;
	e->strategy = STRATEGY_ITERATIONS;
	e->batch_ns = least_batch(with);
	return 0;
}

void pawl_engine_close(struct engine *e)
{
	pawl_engine_dismiss(e);
	if (e->bench->teardown)
		e->bench->teardown(e->bench->ctx);
}

/* By more than two clocks may differ. */
static bool is_far_above(double more_ns, double less_ns)
{
	return more_ns - less_ns > JUMP_NS + JUMP_RATIO * more_ns;
}

/*
 * Whether the wall clock went backwards, or shows what the other clock does not: within the
 * other's readings it can only show less, and around them only more, however long the thread is
 * kept from the processor between two readings.  A jump of less than JUMP_NS leaves the CPU time
 * behind, so that its batch is not clean either.
 */
static bool has_jumped(const struct instruments *in, const struct readings *got, double outer_ns)
{
	double witness = (double)got->witness;
	if (got->backwards)
		return true;
	return in->witness &&
	       (is_far_above(outer_ns, witness) ||
		is_far_above(witness, pawl_clock_span_ns(&in->wall, (double)got->around)));
}

static bool is_coarse(const struct engine *e)
{
	const struct pawl_run *r = &e->run;
	double least = ENGINE_COARSE_STEPS * e->with->wall.step_ticks;
	return r->region.manual && (double)r->region.ticks < least * (double)r->region.pairs;
}

/* Calls run(n) once; what it took is in *out. */
static void chunk(struct engine *e, uint64_t n, struct sums *out)
{
	const struct instruments *in = e->with;
	struct pawl_run *r = &e->run;
	struct readings got;
	int before = in->where(), after;
	pawl_tally_clear(&e->now);
	if (e->team) {
		pawl_team_chunk(e->team, n, r, out);
		return;
	}
	pawl_run_clear(r);
	read_around(in, e->bench, n, r, &got);
	pawl_run_end(r);
	after = in->where();

	struct sums s = { .iterations = n };
	s.outer_ns = pawl_clock_span_ns(&in->wall, (double)got.wall - in->wall.overhead_ticks);
	s.wall_ns = s.outer_ns;
	s.held_ns = s.outer_ns;
	s.cpu_ns = pawl_clock_span_ns(&in->thread, (double)got.thread) - in->thread_ns;
	s.lost_ns = s.held_ns - s.cpu_ns;
	s.process_ns = pawl_clock_span_ns(&in->process, (double)got.process) - in->process_ns;
	if (r->region.manual) {
		double net = pawl_run_net_ticks(r, in->region_ticks, in->inlined_ticks);
		s.wall_ns = pawl_clock_span_ns(&in->wall, net);
	}
	s.migrations = (before != e->where) + (after != before);
	e->where = after;
	s.jumped = has_jumped(in, &got, s.outer_ns);
	s.spent_ns = s.outer_ns;
	if (s.jumped)
		s.spent_ns = in->witness ? (double)got.witness : s.cpu_ns > 0 ? s.cpu_ns : 0;
	s.iterations = n - r->thrown;
	if (s.jumped || pawl_run_is_spoiled(r, n))
		s = (struct sums){ .spent_ns = s.spent_ns, .jumped = s.jumped };
	*out = s;
}

void pawl_engine_hold_steady(struct engine *e)
{
	e->step = UINT64_MAX;
	e->steady = true;
}

void pawl_engine_first(struct engine *e)
{
	struct sums s;
	e->where = e->with->where();
	chunk(e, pawl_engine_threads(e), &s);
	e->first_ns = e->run.failed || s.jumped ? UNKNOWN : at_least_0(s.wall_ns);
}

void pawl_engine_clear(struct engine *e)
{
	memset(&e->stretch, 0, sizeof(e->stretch));
	memset(&e->batch, 0, sizeof(e->batch));
	memset(&e->usage, 0, sizeof(e->usage));
	memset(&e->batch_usage, 0, sizeof(e->batch_usage));
	memset(e->dropped_by, 0, sizeof(e->dropped_by));
	e->errors = 0;
	e->waiting = 0;
	e->notes = 0;
	pawl_tally_clear(&e->tally);
	pawl_spread_clear(&e->spread);
	pawl_spread_clear(&e->busy);
}

static void add(struct sums *to, const struct sums *s)
{
	to->iterations += s->iterations;
	to->wall_ns += s->wall_ns;
	to->outer_ns += s->outer_ns;
	to->held_ns += s->held_ns;
	to->late_ns += s->late_ns;
	to->lost_ns += s->lost_ns;
	to->delay_ns += s->delay_ns;
	to->cpu_ns += s->cpu_ns;
	to->process_ns += s->process_ns;
	to->spent_ns += s->spent_ns;
	to->migrations += s->migrations;
}

/*
 * Whether a thread had the processor too little: with others it makes the batch as much longer as
 * alone.  Its CPU clock may be a step behind, which on Windows is longer than a batch.
 */
static bool was_interrupted(const struct engine *e, const struct sums *b)
{
	const struct clock *thread = &e->with->thread;
	double behind = pawl_clock_span_ns(thread, thread->step_ticks);
	return b->lost_ns - behind > (1 - CLEAN_RATIO) * b->outer_ns;
}

/* Whether threads that have a processor each did not start together. */
static bool was_late(const struct engine *e, const struct sums *b)
{
	return e->team && pawl_team_is_pinned(e->team) &&
	       b->late_ns > (1 - CLEAN_RATIO) * b->outer_ns;
}

/* How long it was; of threads, which may start late, how long each of them was busy. */
static double length_ns(const struct engine *e, const struct sums *s)
{
	double busy_ns = s->held_ns / (double)pawl_engine_threads(e);
	return e->team && !e->run.region.manual && busy_ns < s->wall_ns ? busy_ns : s->wall_ns;
}

/*
 * Whether the thread gave the processor away, so that its CPU time tells nothing.  What the
 * system does not count is NaN, and does not happen.
 */
static bool has_waited(const struct usage *u)
{
	return u->voluntary_switches > 0;
}

/* Whether it then did not get the processor when it was ready for it. */
static bool was_delayed(const struct engine *e, const struct sums *b)
{
	const struct usage *u = &e->batch_usage;
	double delay_ns = e->team ? b->delay_ns : pawl_usage_delay_ns(u);
	if (delay_ns != delay_ns)
		return u->involuntary_switches > 0;
	return delay_ns > (1 - CLEAN_RATIO) * b->outer_ns;
}

/* From here on batches are twice as long, and those so far are joined, the dropped ones too. */
static void join_batches(struct engine *e)
{
	pawl_spread_halve(&e->spread);
	pawl_spread_halve(&e->busy);
	for (int i = 0; i < CAUSE_N; i++)
		e->dropped_by[i] = e->dropped_by[i] / 2 + e->dropped_by[i] % 2;
	e->waiting /= 2;
	e->batch_ns *= 2;
}

void pawl_engine_look(struct engine *e)
{
	if (e->team)
		pawl_team_usage(e->team, &e->seen);
	else
		e->with->usage(&e->seen);
}

void pawl_engine_note(struct engine *e)
{
	struct usage before = e->seen;
	pawl_engine_look(e);
	pawl_usage_add(&e->usage, &before, &e->seen);
	/* Of a steady slice it comes too late: the batch is closed. */
	if (!e->steady)
		pawl_usage_add(&e->batch_usage, &before, &e->seen);
}

/* A batch that is long enough goes to the clean ones or is dropped. */
static void close_batch(struct engine *e)
{
	struct sums *b = &e->batch;
	bool waited, spoiled;
	if (length_ns(e, b) < e->batch_ns)
		return;
	spoiled = was_interrupted(e, b);
	waited = spoiled && has_waited(&e->batch_usage);
	if (waited)
		spoiled = was_delayed(e, b);
	if (b->migrations) {
		e->dropped_by[CAUSE_MIGRATED]++;
	} else if (spoiled || was_late(e, b)) {
		e->dropped_by[CAUSE_PREEMPTED]++;
	} else if (!pawl_spread_add(&e->spread, b->wall_ns / (double)b->iterations)) {
		join_batches(e);
		return;
	} else if (!waited) {
		(void)pawl_spread_add(&e->busy, b->wall_ns / (double)b->iterations);
	}
	e->waiting += waited;
	memset(b, 0, sizeof(*b));
	memset(&e->batch_usage, 0, sizeof(e->batch_usage));
}

/* A full chunk shorter than a batch grows towards it; one that is long enough stays. */
static void grow(struct engine *e, const struct sums *s)
{
	double lasted = s->iterations ? length_ns(e, s) : s->spent_ns;
	double factor = lasted > 0 ? 1.1 * e->batch_ns / lasted : 8;
	/* What is timed by hand may be so little of it that batches are better joined. */
	if (lasted >= e->batch_ns || s->outer_ns >= SPARSE * e->batch_ns)
		return;
	if (factor > 8)
		factor = 8;
	if (e->step < ENGINE_MOST)
		e->step = (uint64_t)((double)e->step * factor) + 1;
	/* As many for each thread. */
	if (e->step % pawl_engine_threads(e))
		e->step += pawl_engine_threads(e) - e->step % pawl_engine_threads(e);
}

void pawl_engine_chunk(struct engine *e, uint64_t n)
{
	struct usage usage = e->batch_usage;
	struct sums s;
	chunk(e, n, &s);
	if (!e->steady)
		pawl_engine_note(e);
	e->errors += e->run.failed;
	add(&e->stretch, &s);
	if (s.iterations) {
		pawl_tally_follow(&e->tally, &e->now);
		e->tally.operations += s.iterations + e->run.thrown;
		add(&e->batch, &s);
		close_batch(e);
	} else {
		e->batch_usage = usage;
		e->dropped_by[s.jumped ? CAUSE_CLOCK : CAUSE_FAILED]++;
	}
	if (is_coarse(e))
		e->notes |= NOTE_COARSE;
	if (n == e->step)
		grow(e, &s);
}

void pawl_engine_slice(struct engine *e, uint64_t n, struct slice *out)
{
	struct sums begin = e->stretch;
	e->where = e->with->where();
	pawl_engine_look(e);
	while (n > 0) {
		/* The rest of a slice is joined to its last chunk when it is less than half one. */
		uint64_t k = n - n / 3 <= e->step ? n : e->step;
		pawl_engine_chunk(e, k);
		n -= k;
	}
	if (e->steady)
		pawl_engine_note(e);
	out->iterations = e->stretch.iterations - begin.iterations;
	out->wall_ns = at_least_0(e->stretch.wall_ns - begin.wall_ns) *
		       pawl_clock_correction(&e->with->wall);
	out->cpu_ns = e->run.region.manual ? UNKNOWN : at_least_0(e->stretch.cpu_ns - begin.cpu_ns);
}
