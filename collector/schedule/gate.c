#include "collector/schedule/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/run/launch.h"

#include "lib/base/banned.h"

#define STARTING_SWITCHES 4
#define STARTING_NS 500000.0
#define NOTHING_NS 100000.0 /* by which we see the end of a process late */
#define OVERLAP_NS 500000.0 /* more than our own work beside theirs can be */

/*
 * Linux counts the switch that ends a process, so one that waited once has 2.  Of 240 runs of a
 * program that sleeps once none had fewer at load 8, of another that computes 107 of 120 had 1, and
 * at load 15 all 60 had none or 1, once those before its exec were not counted (child.c); but who
 * collects it early misses it.
 */
#define ENDING_SWITCHES 1
#define ENDING_RUNS_LONG 2
#define ENDING_RUNS 6 /* of a side, at least; and in at least half of all */

/*
 * What two processes waited for a processor at once is counted twice, and may be as long as a sleep
 * that it hides: beside twenty programs one of a hundred comparisons of a shell around a sleep had
 * such a run.
 */
#define WATCHED_RUNS 2

#define LONG_NS 1e9 /* one hundredth of a pair of this length is more than any start and end */

static const char why_no_cpu[] = "its CPU time is not known";
static const char why_asked[] = "its benchmark asks for it (real or manual time)";
static const char why_threads[] = "it runs several threads";
static const char why_waits[] = "it waits (I/O, sleep or locks), which CPU time does not show";

/* What one run shows. */
enum shows {
	SHOWS_WORK, /* it works, one at a time */
	SHOWS_WAITING,
	SHOWS_NEITHER, /* it may have waited, or we did */
	SHOWS_OVERLAP, /* its processes worked, or waited for a processor, at the same time */
};

/* A process gives the processor up a few times to start and to end. */
static bool gives_up_often(const struct run *run)
{
	return run->voluntary_switches > STARTING_SWITCHES;
}

/*
 * Whether its switches are known.  A process that has ended was switched away once, and that is
 * seldom missed; a kernel of another make (gVisor's) may count none.  Of watched processes our
 * stops are switches, and taken off for all of them, where only those are counted that were waited
 * for.
 */
static bool counts_switches(const struct unit *u, const struct run *run)
{
	if (run->is_watched)
		return !run->has_unwaited;
	return u->format == FORMAT_PAWL || run->voluntary_switches + run->involuntary_switches != 0;
}

/* Whether that much off the processor, after it gave it up by itself, is waiting. */
static bool is_waiting(const struct unit *u, const struct run *run, double ns, double total_ns)
{
	double least = gives_up_often(run) ? NOTHING_NS : STARTING_NS;

	/* We see the end of a process a little late, too. */
	if (u->format != FORMAT_PAWL && ns <= least)
		return false;
	if (!(run->voluntary_switches > 0) && counts_switches(u, run))
		return false;
	return ns > GATE_WAITING * total_ns;
}

/*
 * What the main thread waited for a processor is no part of the time, unless helpers worked: then
 * it may have waited while they did, and only what all of them waited tells (is_watched).  Another
 * harness does more than it measures: its part is that of the CPU time.
 */
static double delay_of(const struct run *run, double n)
{
	bool is_told = isfinite(run->run_delay_ns) && !run->wall_is_net;
	double part = run->whole_cpu_ns > 0 ? fmin(run->cpu_ns * n / run->whole_cpu_ns, 1) : 1;

	return is_told && (run->is_watched || !run->has_helpers) ? part * run->run_delay_ns : 0;
}

static enum shows shows(const struct unit *u, const struct run *run)
{
	double n = (double)(u->iterations ? u->iterations : 1);
	double total = run->wall_ns * n, off = total - run->cpu_ns * n - delay_of(run, n);

	if (run->is_watched && off < -OVERLAP_NS)
		return SHOWS_OVERLAP;
	if (!(total > 0) || !is_waiting(u, run, off, total))
		return SHOWS_WORK;
	return is_waiting(u, run, off - run->unsure_ns, total) ? SHOWS_WAITING : SHOWS_NEITHER;
}

/*
 * Commands: helpers that work side by side take more CPU time than there is wall time.  One that
 * has none cannot, and what was taken off its wall time as ours is no sign of them.
 */
static bool runs_threads(const struct run *run)
{
	return run->has_threads || launch_has_helpers(run->process_cpu_ns, run->cpu_ns) ||
	       (!run->wall_is_net && run->cpu_ns > LAUNCH_HELPERS * (run->wall_ns + run->late_ns));
}

static bool lacks_cpu(const struct unit *u, const struct pair *p)
{
	return !(p->head.cpu_ns > 0) || (u->has_base && !(p->base.cpu_ns > 0));
}

static bool has_helpers(const struct run *run)
{
	return run->has_helpers;
}

static bool wants_wall(const struct run *run)
{
	return run->wants_wall;
}

static bool was_stolen(const struct run *run)
{
	return run->steal_ticks > 0;
}

static bool is_in(const struct unit *u, const struct pair *p, bool (*is)(const struct run *))
{
	return is(&p->head) || (u->has_base && is(&p->base));
}

/* Whether most runs of a side gave the processor up only to end: what else they lack was taken. */
static bool ends_only(const struct unit *u, int side)
{
	return u->format != FORMAT_PAWL && u->n_looked[side] &&
	       2 * u->n_unwaited[side] >= u->n_looked[side];
}

static void count_run(struct unit *u, const struct run *run, int side)
{
	u->n_looked[side]++;
	u->n_unwaited[side] +=
		run->voluntary_switches <= ENDING_SWITCHES && counts_switches(u, run);
}

/* A pair of minutes is not run six times to be in no figure. */
static int ending_runs(const struct unit *u)
{
	return u->pair_ns > LONG_NS ? ENDING_RUNS_LONG : ENDING_RUNS;
}

/* Whether it worked even if half of what its processes waited for a processor was at once. */
static bool works_surely(const struct unit *u, const struct run *run)
{
	double n = (double)(u->iterations ? u->iterations : 1), total = run->wall_ns * n;

	return !is_waiting(u, run, total - run->cpu_ns * n - delay_of(run, n) / 2, total);
}

/* A watched run that seems not to have waited, perhaps by chance: another one tells. */
static bool may_be_chance(struct unit *u, const struct run *run, enum shows now, int side)
{
	if (!run->is_watched || (now != SHOWS_WORK && now != SHOWS_OVERLAP))
		return false;
	u->n_seemed[side]++;
	return now == SHOWS_WORK && u->n_seemed[side] < WATCHED_RUNS && u->pair_ns <= LONG_NS &&
	       !works_surely(u, run);
}

/* What this run shows of a side (0: the head) that may have shown before that it works. */
static enum shows shows_of_side(struct unit *u, const struct run *run, int side)
{
	enum shows now;

	count_run(u, run, side);
	if (u->n_looked[side] >= ending_runs(u) && ends_only(u, side))
		u->works[side] = true;
	if (u->works[side])
		return SHOWS_WORK;
	now = shows(u, run);
	if (may_be_chance(u, run, now, side))
		return SHOWS_NEITHER;
	u->works[side] = now == SHOWS_WORK;
	/* What helpers waited for a processor is not known unless they are watched. */
	if (now == SHOWS_WAITING && u->format == FORMAT_COMMAND && run->has_helpers &&
	    !run->is_watched && !u->is_unwatched)
		return SHOWS_NEITHER;
	return now;
}

/* Why wall time would decide; NULL: it would not.  *out_unsure: this pair does not tell. */
static const char *why_wall(struct unit *u, const struct pair *p, bool *out_unsure)
{
	enum shows head = shows_of_side(u, &p->head, 0), base = SHOWS_WORK;

	if (u->has_base)
		base = shows_of_side(u, &p->base, 1);
	*out_unsure = false;
	if (lacks_cpu(u, p))
		return why_no_cpu;
	if (is_in(u, p, wants_wall))
		return why_asked;
	if (runs_threads(&p->head) || (u->has_base && runs_threads(&p->base)))
		return why_threads;
	if (head == SHOWS_WAITING || base == SHOWS_WAITING)
		return why_waits;
	*out_unsure = head || base;
	if (head == SHOWS_OVERLAP || base == SHOWS_OVERLAP)
		return why_threads;
	return head || base ? why_waits : NULL;
}

void gate_see(struct unit *u, const struct pair *p)
{
	bool helps = u->format == FORMAT_COMMAND && is_in(u, p, has_helpers), unsure;
	const char *why = why_wall(u, p, &unsure);

	u->is_stolen = u->is_stolen || is_in(u, p, was_stolen);
	u->gives_up_often = u->gives_up_often || (why == why_waits && is_in(u, p, gives_up_often));
	u->watch = (why == why_waits || unsure) && helps && !u->is_unwatched;
	if (unsure && u->n_gated)
		return;
	u->gate = why ? GATE_WALL : GATE_CPU;
	u->gate_why = why;
	u->n_gated += !unsure;
}

/* Whether each side that has not shown that it works may do so yet by how it ends. */
static bool may_end_only(const struct unit *u)
{
	bool head = ends_only(u, 0), base = ends_only(u, 1);

	return (head || base) && (head || u->works[0]) && (base || u->works[1] || !u->has_base);
}

/* In a row that waited: one that did not is enough. */
static int pairs_needed(const struct unit *u)
{
	if (u->watch)
		return GATE_PAIRS_WATCHED;
	if (may_end_only(u))
		return ending_runs(u);
	if (u->pair_ns > LONG_NS)
		return 1;
	return u->is_stolen && !u->gives_up_often ? GATE_PAIRS_STOLEN : GATE_PAIRS;
}

bool gate_is_sure(const struct unit *u)
{
	return u->config->metric || u->n_gated >= pairs_needed(u) ||
	       (u->n_gated && u->gate_why != why_waits);
}

bool gate_wants_more(const struct unit *u, unsigned n_seen)
{
	if (gate_is_sure(u))
		return false;
	return n_seen < GATE_PAIRS_MOST || (u->watch && n_seen < GATE_PAIRS_MOST_WATCHED &&
					    n_seen * u->pair_ns < GATE_WATCHED_NS);
}

/* One run without CPU time is enough: its pair would have no ratio, and the metric a hole. */
static bool has_hole(const struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++)
		if (lacks_cpu(u, &u->pairs[i]))
			return true;
	return false;
}

enum gate gate_of(const struct unit *u)
{
	const char *metric = u->config->metric;

	if (metric && !strcmp(metric, "cpu"))
		return GATE_CPU;
	if (metric && !strcmp(metric, "wall"))
		return GATE_WALL;
	return has_hole(u) ? GATE_WALL : u->gate;
}

const char *gate_metric(const struct unit *u, const char **out_why)
{
	if (u->config->metric) {
		*out_why = "configured";
		return u->config->metric;
	}
	if (u->gate == GATE_CPU && has_hole(u))
		*out_why = why_no_cpu;
	else
		*out_why = u->gate == GATE_WALL ? u->gate_why : BENCH_DOES_NOT_WAIT;
	return gate_of(u) == GATE_WALL ? "wall" : "cpu";
}
