/* SPDX-License-Identifier: MIT */
#include "harness/session/session.h"

#include <stdio.h>
#include <string.h>

#include "harness/counter/valgrind.h"
#include "harness/engine/count.h"

/* A pass need not last as long as the timing, and depends on nothing but the iterations. */
#define COUNTED_SHARE 16

void pawl_session_finish(struct session *s, const struct pawl_bench *bench, uint64_t iterations,
			 struct outcome *out)
{
	enum counting counting = s->orders.counters ? s->options.counters : COUNTING_NONE;
	uint64_t n = iterations / COUNTED_SHARE;
	struct count_how how = { .inherit = bench->threads > 1,
				 .self = counting == COUNTING_SELF,
				 .timed = s->engine.run.region.manual ? TIMED_BY_HAND : TIMED_WHOLE,
				 .memory = &s->counted_before };
	if (n < bench->threads)
		n = bench->threads;
	/* A pass starts threads of its own, which inherit what counts them. */
	pawl_engine_dismiss(&s->engine);
	out->counted = iterations > 0 && counting != COUNTING_NONE;
	if (out->counted && counting != COUNTING_VALGRIND)
		pawl_count_bench(s->calls, &how, bench, n ? n : 1, out->counters);
	pawl_engine_close(&s->engine);
	/* Behind the teardown: the second start sets up the same things. */
	if (out->counted && counting == COUNTING_VALGRIND)
		pawl_valgrind_measure(bench->name, VALGRIND_PATIENCE_MS, out->counters);
}

void pawl_session_prepare(struct session *s)
{
	/* Of a run only differences are wanted, and the other side may be timed right now. */
	bool wanted =
		s->orders.fd < 0 ? s->options.action == ACTION_MEASURE : s->orders.ask == ASK_ALL;
	if (wanted)
		s->in.empty_ns = pawl_engine_empty(&s->engine, &s->in);
}

bool pawl_session_judge(const struct session *s, struct outcome *out)
{
	const struct measured *m = &out->measured;
	const char *fault = "";
	double least_ns = (double)m->iterations * ENGINE_LEAST_NS;
	bool timed =
		m->wall_ns > 0 && m->wall_ns * (double)pawl_engine_threads(&s->engine) >= least_ns;
	if (m->errors && m->iterations == 0)
		return true; /* counted and reported, with no time */
	if (pawl_run_is_mixed(&s->engine.run))
		fault = RUN_MIXED ": call it in each, or in none";
	else if (m->iterations == 0 && m->dropped_by[CAUSE_CLOCK])
		fault = "the clock jumped in every batch: try another, see --clocks";
	else if (!timed && s->engine.run.region.manual && m->iterations)
		fault = "took no time: the stretches timed by hand are shorter than reading the "
			"clock; put more operations into each";
	else if (!timed)
		fault = "took no time: the clock stands still, or the compiler removed the "
			"operation (see pawl_keep), or run does not do it n times";
	(void)snprintf(out->fault, sizeof(out->fault), "%s", fault);
	return !*fault;
}

/* Starts the threads; where that fails everything is closed again. */
static bool staff(struct session *s, const struct pawl_bench *bench, struct outcome *out)
{
	int error = pawl_engine_staff(&s->engine);
	if (!error)
		return true;
	pawl_engine_close(&s->engine);
	(void)snprintf(out->fault, sizeof(out->fault),
		       "cannot start %u threads: %s (see ulimit -u and ulimit -v)", bench->threads,
		       strerror(-error));
	return false;
}

bool pawl_session_open(struct session *s, const struct pawl_bench *bench, struct outcome *out)
{
	memset(out, 0, sizeof(*out));
	int code = pawl_engine_open(&s->engine, &s->in, bench);
	if (code)
		(void)snprintf(out->fault, sizeof(out->fault), "setup failed with code %d", code);
	return code == 0 && staff(s, bench, out);
}

/* Returns 0 or -errno. */
static int time_it(struct engine *e, const struct options *o)
{
	struct slice all;
	switch (o->strategy) {
	case STRATEGY_GMPBENCH:
		return pawl_engine_double(e, o->min_ns);
	case STRATEGY_BATCHES:
		return pawl_engine_batches(e, o->min_ns);
	case STRATEGY_ITERATIONS:
		break;
	}
	pawl_engine_clear(e);
	pawl_engine_slice(e, o->iterations, &all);
	return 0;
}

bool pawl_session_measure(struct session *s, const struct pawl_bench *bench, struct outcome *out)
{
	struct engine *e = &s->engine;
	if (!pawl_session_open(s, bench, out))
		return false;
	pawl_engine_first(e);
	int error = time_it(e, &s->options);
	pawl_clock_settle(&s->in.wall);
	pawl_engine_result(e, &out->measured);
	if (error)
		out->measured.wall_ns = 0;
	bool good = pawl_session_judge(s, out);
	uint64_t counted = out->measured.iterations ? out->measured.iterations : 1;
	pawl_session_finish(s, bench, good ? counted : 0, out);
	return good;
}

double pawl_session_ticks_hz(const struct session *s)
{
	const struct clock_row *row;
	if (s->in.wall.row && s->in.wall.row->kind == KIND_TICKS)
		return s->in.wall.hz;
	for (size_t i = 0; (row = pawl_clock_row(i)); i++) {
		struct clock ticks;
		if (row->kind == KIND_TICKS && pawl_clock_open(row, &ticks) == 0)
			return ticks.hz;
	}
	return __builtin_nan("");
}
