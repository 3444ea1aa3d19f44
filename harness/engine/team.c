/* SPDX-License-Identifier: MIT */
/* Goes for speed before plainness between the readings of the clocks. */
#include "harness/engine/team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/engine/tally.h"
#include "harness/engine/team_crew.h"

#define JUMP_NS 100e6  /* two clocks may be so far apart, ... */
#define JUMP_RATIO 0.1 /* ... and by so much of what they show */
#define APART 128      /* two lines of the cache, which some processors fetch together */

enum task { TASK_RUN, TASK_LEAVE };

/* What one thread writes; nothing of another is near. */
struct member {
	char apart[APART];
	struct pawl_run run;
	struct tally tally;
	uint64_t n; /* iterations of this round */
	uint64_t begin, end, thread;
	bool backwards; /* the wall clock */
	int where;
	uint64_t migrations;
	struct usage before, round, usage; /* of this round; since the team was opened */
};

struct team {
	const struct instruments *with;
	const struct pawl_bench *bench;
	struct crew_work work;
	struct crew *crew;
	enum task task;
	unsigned n;
	struct member member[];
};

static uint64_t no_clock(void)
{
	return 0;
}

static uint64_t since(uint64_t begin, uint64_t end)
{
	return end > begin ? end - begin : 0;
}

/* The greater one; NaN when one of them is. */
static double more(double a, double b)
{
	return a >= b || a != a ? a : b;
}

static void prepare(void *arg, unsigned i)
{
	struct team *t = arg;
	struct member *m = &t->member[i];
	int where;
	if (t->task == TASK_LEAVE)
		return;
	pawl_run_clear(&m->run);
	pawl_tally_clear(&m->tally);
	m->backwards = false;
	if (!t->with)
		return;
	where = t->with->where();
	m->migrations = m->where >= 0 && where != m->where;
	m->where = where;
	t->with->usage(&m->before);
}

/* The wall clock is innermost. */
static void run_clocked(const struct instruments *in, const struct pawl_bench *bench,
			struct member *m)
{
	const struct clock_row *wall = in->wall.row;
	uint64_t thread = 0, thread_end = 0, begin, end;
	if (in->thread.state == 0)
		thread = in->thread.row->begin();
	begin = wall->begin();
	bench->run(bench->ctx, m->n, &m->run);
	end = wall->end();
	if (in->thread.state == 0)
		thread_end = in->thread.row->end();
	m->begin = begin;
	m->end = end;
	m->backwards = end < begin;
	m->thread = since(thread, thread_end);
	pawl_run_close(&m->run, end);
}

static void work(void *arg, unsigned i)
{
	struct team *t = arg;
	struct member *m = &t->member[i];
	struct usage after;
	int where;
	if (t->task == TASK_LEAVE) {
		if (i)
			pawl_usage_close();
		return;
	}
	if (m->n && t->with)
		run_clocked(t->with, t->bench, m);
	else if (m->n)
		t->bench->run(t->bench->ctx, m->n, &m->run);
	if (m->n)
		pawl_run_end(&m->run);
	if (!t->with)
		return;
	t->with->usage(&after);
	m->round = (struct usage){ 0 };
	pawl_usage_add(&m->round, &m->before, &after);
	pawl_usage_add(&m->usage, &m->before, &after);
	where = t->with->where();
	m->migrations += where != m->where;
	m->where = where;
}

int pawl_team_open(struct team **out, const struct instruments *with,
		   const struct pawl_bench *bench)
{
	struct team *t = NULL;
	unsigned n = bench->threads;
	int error = 0;
	if (n > 1) {
		t = calloc(1, sizeof(*t) + n * sizeof(t->member[0]));
		if (!t)
			return -ENOMEM;
		t->with = with;
		t->bench = bench;
		t->n = n;
		t->work = (struct crew_work){ prepare, work, t };
		for (unsigned i = 0; i < n; i++) {
			struct member *m = &t->member[i];
			pawl_run_init(&m->run, bench, i);
			m->run.begin = m->run.end = no_clock;
			if (with)
				pawl_run_use(&m->run, with->wall.row);
			m->run.tally = with ? &m->tally : NULL;
			m->where = -1;
		}
		error = pawl_crew_open(n, &t->work, &t->crew);
	}
	if (error)
		free(t);
	else
		*out = t;
	return error;
}

void pawl_team_close(struct team *t)
{
	if (!t)
		return;
	t->task = TASK_LEAVE;
	pawl_crew_run(t->crew);
	pawl_crew_close(t->crew);
	free(t);
}

/* What all runs said.  The processor time and the migrations go to *out. */
static void join(struct team *t, struct pawl_run *r)
{
	pawl_run_clear(r);
	for (unsigned i = 0; i < t->n; i++) {
		const struct pawl_run *m = &t->member[i].run;
		r->region.manual = r->region.manual || m->region.manual;
		r->skipped = r->skipped || m->skipped;
		r->region.started = r->region.started || m->region.started;
		r->spoiled = r->spoiled || m->spoiled;
		r->region.ticks += m->region.ticks;
		r->region.pairs += m->region.pairs;
		r->called += m->called;
		r->failed += m->failed;
		r->thrown += m->thrown;
		if (r->tally)
			pawl_tally_join(r->tally, &t->member[i].tally);
	}
}

static void sum_up(const struct team *t, uint64_t n, const struct pawl_run *r, struct sums *out)
{
	const struct instruments *in = t->with;
	struct sums s = { .iterations = n - r->thrown };
	uint64_t begin = UINT64_MAX, last = 0, end = 0;
	for (unsigned i = 0; i < t->n; i++) {
		const struct member *m = &t->member[i];
		double cpu_ns, held_ns;
		s.migrations += m->migrations;
		s.jumped = s.jumped || m->backwards;
		if (!m->n)
			continue;
		begin = m->begin < begin ? m->begin : begin;
		last = m->begin > last ? m->begin : last;
		end = m->end > end ? m->end : end;
		cpu_ns = pawl_clock_span_ns(&in->thread, (double)m->thread) - in->thread_ns;
		held_ns = pawl_clock_span_ns(&in->wall, (double)since(m->begin, m->end) -
								in->wall.overhead_ticks);
		s.cpu_ns += cpu_ns;
		s.held_ns += held_ns;
		s.lost_ns = more(s.lost_ns, held_ns - cpu_ns);
		s.delay_ns = more(s.delay_ns, pawl_usage_delay_ns(&m->round));
	}
	s.outer_ns =
		pawl_clock_span_ns(&in->wall, (double)since(begin, end) - in->wall.overhead_ticks);
	s.late_ns = pawl_clock_span_ns(&in->wall, (double)since(begin, last));
	s.wall_ns = s.outer_ns;
	if (r->region.manual) {
		double net = pawl_run_net_ticks(r, in->region_ticks, in->inlined_ticks);
		s.wall_ns =
			pawl_clock_span_ns(&in->wall, net) / (n < t->n ? (double)n : (double)t->n);
	}
	*out = s;
}

/* Time of another clock; 0 without one. */
static uint64_t witness(const struct team *t)
{
	return t->with && t->with->witness ? t->with->witness() : 0;
}

/* The round lasted longer than the operations, so that only a jump forwards can be seen. */
static bool has_jumped(const struct team *t, double outer_ns, double round_ns)
{
	return t->with->witness && outer_ns - round_ns > JUMP_NS + JUMP_RATIO * outer_ns;
}

static void run_round(struct team *t, uint64_t n, struct pawl_run *r)
{
	for (unsigned i = 0; i < t->n; i++)
		t->member[i].n = n / t->n + (i < n % t->n);
	pawl_crew_run(t->crew);
	join(t, r);
}

void pawl_team_chunk(struct team *t, uint64_t n, struct pawl_run *r, struct sums *out)
{
	const struct clock *process;
	uint64_t from, to = 0, process_from = 0;
	struct sums s;
	if (!t->with) {
		run_round(t, n, r);
		return;
	}
	process = &t->with->process;
	from = witness(t);
	if (process->state == 0)
		process_from = process->row->begin();
	run_round(t, n, r);
	if (process->state == 0)
		to = process->row->end();
	double round_ns = (double)since(from, witness(t));
	sum_up(t, n, r, &s);
	s.process_ns =
		pawl_clock_span_ns(process, (double)since(process_from, to)) - t->with->process_ns;
	s.jumped = s.jumped || has_jumped(t, s.outer_ns, round_ns);
	s.spent_ns = s.jumped ? round_ns : s.outer_ns;
	if (s.jumped || pawl_run_is_spoiled(r, n))
		s = (struct sums){ .spent_ns = s.spent_ns, .jumped = s.jumped };
	*out = s;
}

void pawl_team_usage(const struct team *t, struct usage *out)
{
	static const struct usage nothing;
	struct usage sum = { 0 };
	for (unsigned i = 0; i < t->n; i++)
		pawl_usage_add(&sum, &nothing, &t->member[i].usage);
	*out = sum;
}

unsigned pawl_team_processors(const struct team *t)
{
	return pawl_crew_processors(t->crew);
}

bool pawl_team_is_pinned(const struct team *t)
{
	return pawl_crew_is_pinned(t->crew);
}
