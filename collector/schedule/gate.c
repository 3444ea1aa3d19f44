#include "collector/schedule/gate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/run/launch.h"

#include "lib/base/banned.h"

#define STARTING_SWITCHES 4
#define STARTING_NS 500000.0

/* Time neither running nor waiting for a processor, if it gave the processor up by itself. */
static double waiting_share(const struct unit *u, const struct run *run)
{
	double total = run->wall_ns * (double)(u->iterations ? u->iterations : 1);
	double cpu = run->cpu_ns * (double)(u->iterations ? u->iterations : 1);
	double delay = isfinite(run->run_delay_ns) ? run->run_delay_ns : 0;

	if (!(total > 0) || !isfinite(cpu))
		return 0;
	/*
	 * A process gives the processor up a few times to start and to end, and we see its end a
	 * little late: only more of either is waiting.
	 */
	if (u->format != FORMAT_PAWL ? !(run->voluntary_switches > STARTING_SWITCHES ||
					 total - cpu - delay > STARTING_NS)
				     : !(run->voluntary_switches > 0))
		return 0;
	return (total - cpu - delay) / total;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median over one side's runs; 0 when memory runs out. */
static double median_of(const struct unit *u, bool base,
			double (*value)(const struct unit *, const struct run *))
{
	double *x = malloc((u->n_pairs ? u->n_pairs : 1) * sizeof(*x)), median = 0;
	size_t i;

	if (!x || !u->n_pairs)
		goto out;
	for (i = 0; i < u->n_pairs; i++)
		x[i] = value(u, base ? &u->pairs[i].base : &u->pairs[i].head);
	qsort(x, u->n_pairs, sizeof(*x), compare);
	median = x[u->n_pairs / 2];
out:
	free(x);
	return median;
}

static double threads_share(const struct unit *u, const struct run *run)
{
	(void)u;
	return run->cpu_ns > 0 ? run->process_cpu_ns / run->cpu_ns : 0;
}

/* Commands: all threads are in the one CPU time, more of it than of wall time shows them. */
static double cpu_over_wall(const struct unit *u, const struct run *run)
{
	(void)u;
	return run->wall_ns > 0 ? run->cpu_ns / run->wall_ns : 0;
}

/* Known also when there was no processor free to run them at once. */
static double has_threads(const struct unit *u, const struct run *run)
{
	(void)u;
	return run->has_threads;
}

/* One run without CPU time is enough: its pair would have no ratio, and the metric a hole. */
static bool lacks_cpu(const struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++)
		if (!(u->pairs[i].head.cpu_ns > 0) ||
		    (u->has_base && !(u->pairs[i].base.cpu_ns > 0)))
			return true;
	return false;
}

static bool either(const struct unit *u, double limit,
		   double (*value)(const struct unit *, const struct run *))
{
	return median_of(u, false, value) > limit ||
	       (u->has_base && median_of(u, true, value) > limit);
}

static const char *why_wall(const struct unit *u)
{
	if (lacks_cpu(u))
		return "its CPU time is not known";
	if (either(u, LAUNCH_HELPERS, threads_share) || either(u, LAUNCH_HELPERS, cpu_over_wall) ||
	    either(u, 0, has_threads))
		return "it runs several threads";
	if (either(u, GATE_WAITING, waiting_share))
		return "it waits (I/O, sleep or locks), which CPU time does not show";
	return NULL;
}

enum gate gate_of(const struct unit *u)
{
	const char *metric = u->config->metric;

	if (metric && !strcmp(metric, "cpu"))
		return GATE_CPU;
	if (metric && !strcmp(metric, "wall"))
		return GATE_WALL;
	return why_wall(u) ? GATE_WALL : GATE_CPU;
}

const char *gate_metric(const struct unit *u, const char **out_why)
{
	const char *why;

	if (u->config->metric) {
		*out_why = "configured";
		return u->config->metric;
	}
	why = why_wall(u);
	*out_why = why ? why : "one thread that does not wait";
	return why ? "wall" : "cpu";
}
