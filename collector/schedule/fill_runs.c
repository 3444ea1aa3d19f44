#include "collector/schedule/fill_runs.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collector/run/launch.h"
#include "collector/schedule/anchor.h"
#include "collector/schedule/fill_counters.h"

#include "lib/base/banned.h"

static double field(const struct run *run, size_t offset)
{
	double value;

	memcpy(&value, (const char *)run + offset, sizeof(value));
	return value;
}

/* Whether every run of the unit knows the field: an array with holes would not stay paired. */
static bool all_known(const struct unit *u, size_t offset)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++)
		if (!isfinite(field(&u->pairs[i].head, offset)) ||
		    (u->has_base && !isfinite(field(&u->pairs[i].base, offset))))
			return false;
	return u->n_pairs > 0;
}

/* One number of every run, head and base, to two arrays. */
static int copy_field(const struct unit *u, size_t offset, double **head, size_t *n_head,
		      double **base, size_t *n_base, struct err *err)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++)
		if (samples_add(head, n_head, field(&u->pairs[i].head, offset), err) ||
		    (u->has_base &&
		     samples_add(base, n_base, field(&u->pairs[i].base, offset), err)))
			return -1;
	return 0;
}

static int add_metric(const struct unit *u, struct bench *b, const char *name, const char *unit,
		      size_t offset, struct err *err)
{
	struct metric *m;

	if (!all_known(u, offset))
		return 0;
	m = bench_add_metric(b, name, unit, BETTER_LOWER, err);
	if (!m)
		return -1;
	return copy_field(u, offset, &m->samples, &m->n, &m->baseline_samples, &m->n_baseline, err);
}

static int add_track(const struct unit *u, struct bench *b, const char *name, size_t offset,
		     struct err *err)
{
	struct track *t;

	if (!all_known(u, offset))
		return 0;
	t = bench_add_track(b, name, err);
	if (!t)
		return -1;
	return copy_field(u, offset, &t->head, &t->n_head, &t->base, &t->n_base, err);
}

/* A track with one value a pair: in its head array. */
static int add_pair_track(struct bench *b, const char *name, const double *x, size_t n,
			  struct err *err)
{
	struct track *t;
	size_t i;

	for (i = 0; i < n; i++)
		if (!isfinite(x[i]))
			return 0;
	t = n ? bench_add_track(b, name, err) : NULL;
	if (n && !t)
		return -1;
	for (i = 0; i < n; i++)
		if (samples_add(&t->head, &t->n_head, x[i], err))
			return -1;
	return 0;
}

static bool has_layouts(const struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs && !u->pairs[i].layout; i++)
		;
	return i < u->n_pairs;
}

static int add_pair_tracks(const struct unit *u, struct bench *b, struct err *err)
{
	double *x = malloc((u->n_pairs ? u->n_pairs : 1) * sizeof(*x));
	size_t i;
	int result = -1;

	if (!x)
		return err_nomem(err);
	for (i = 0; i < u->n_pairs; i++)
		x[i] = u->pairs[i].order;
	if (u->has_base && add_pair_track(b, "order", x, u->n_pairs, err))
		goto out;
	for (i = 0; i < u->n_pairs; i++)
		x[i] = u->pairs[i].layout;
	if (u->has_base && has_layouts(u) && add_pair_track(b, SUMMARY_LAYOUTS, x, u->n_pairs, err))
		goto out;
	for (i = 0; i < u->n_pairs; i++)
		x[i] = u->pairs[i].log_ratio_cpu;
	if (u->has_base && add_pair_track(b, "log_ratio.cpu", x, u->n_pairs, err))
		goto out;
	for (i = 0; i < u->n_pairs; i++)
		x[i] = u->pairs[i].log_ratio_wall;
	if (u->has_base && add_pair_track(b, "log_ratio.wall", x, u->n_pairs, err))
		goto out;
	if (add_pair_track(b, ANCHOR_ALU, u->anchors[0], u->n_pairs, err) ||
	    add_pair_track(b, ANCHOR_MALLOC, u->anchors[1], u->n_pairs, err))
		goto out;
	result = 0;
out:
	free(x);
	return result;
}

static int add_peak_rss(const struct unit *u, struct bench *b, struct err *err)
{
	size_t offset = offsetof(struct run, peak_rss_bytes);
	struct metric *m;

	if (all_known(u, offset))
		return add_metric(u, b, "peak-rss", "bytes", offset, err);
	m = bench_add_metric(b, "peak-rss", "bytes", BETTER_LOWER, err);
	if (!m)
		return -1;
	m->state = METRIC_ABSENT;
	return str_set(&m->reason, "below pawl's own, which a new process inherits", err);
}

/* Beside the other side a run takes twice the time: that is none of its own. */
static int add_wall(const struct unit *u, struct bench *b, struct err *err)
{
	struct metric *m;

	if (!u->at_once)
		return add_metric(u, b, "wall", "ns", offsetof(struct run, wall_ns), err);
	m = bench_add_metric(b, "wall", "ns", BETTER_LOWER, err);
	if (!m)
		return -1;
	m->state = METRIC_ABSENT;
	return str_set(&m->reason, "both sides ran at once and shared a processor", err);
}

/* Whether cpu_ns is not all: threads of the operation itself are in it. */
static bool has_helpers(const struct run *run)
{
	return !run->has_threads && launch_has_helpers(run->process_cpu_ns, run->cpu_ns);
}

/* Whether others than the main thread worked in any run. */
static bool any_helpers(const struct unit *u)
{
	size_t i;

	for (i = 0; i < u->n_pairs; i++) {
		const struct run *h = &u->pairs[i].head, *b = &u->pairs[i].base;

		if (has_helpers(h) || (u->has_base && has_helpers(b)))
			return true;
	}
	return false;
}

/*
 * What both sides printed, held against each other; not known without a base, when some run has
 * no digest, and when neither side prints anything: silence is no answer that could be the same.
 */
static enum output output_of(const struct unit *u)
{
	const char *head = u->n_pairs ? u->pairs[0].head.output : NULL;
	const char *base = u->n_pairs ? u->pairs[0].base.output : NULL;
	bool varies = false;
	size_t i;

	if (!u->has_base || !head || !base)
		return OUTPUT_UNKNOWN;
	for (i = 0; i < u->n_pairs; i++) {
		const struct pair *p = &u->pairs[i];

		if (!p->head.output || !p->base.output)
			return OUTPUT_UNKNOWN;
		varies = varies || strcmp(p->head.output, head) || strcmp(p->base.output, base);
	}
	if (varies)
		return OUTPUT_VARIES;
	/* One run of each does not tell what differs from what varies. */
	if (u->n_pairs < 2 && strcmp(head, base) != 0)
		return OUTPUT_UNKNOWN;
	if (!*head && !*base)
		return OUTPUT_UNKNOWN;
	return strcmp(head, base) ? OUTPUT_DIFFERS : OUTPUT_SAME;
}

/* The warm-up pair is in no figure, but kept. */
static int add_warm_up(const struct unit *u, struct bench *b, struct err *err)
{
	static const struct {
		const char *name;
		size_t offset;
	} tracks[] = {
		{ "warm_up.cpu", offsetof(struct run, cpu_ns) },
		{ "warm_up.wall", offsetof(struct run, wall_ns) },
	};
	size_t i;

	for (i = 0; u->has_warm_up && i < sizeof(tracks) / sizeof(tracks[0]); i++) {
		double head = field(&u->warm_up.head, tracks[i].offset);
		double base = field(&u->warm_up.base, tracks[i].offset);
		struct track *t;

		if (!isfinite(head) || (u->has_base && !isfinite(base)))
			continue;
		t = bench_add_track(b, tracks[i].name, err);
		if (!t || samples_add(&t->head, &t->n_head, head, err) ||
		    (u->has_base && samples_add(&t->base, &t->n_base, base, err)))
			return -1;
	}
	return 0;
}

int fill_runs(const struct unit *u, struct bench *b, struct err *err)
{
	static const struct {
		const char *name;
		size_t offset;
	} tracks[] = {
		{ "start_ns", offsetof(struct run, start_ns) },
		{ "voluntary_switches", offsetof(struct run, voluntary_switches) },
		{ "involuntary_switches", offsetof(struct run, involuntary_switches) },
		{ "minor_faults", offsetof(struct run, minor_faults) },
		{ "major_faults", offsetof(struct run, major_faults) },
		{ "run_delay_ns", offsetof(struct run, run_delay_ns) },
		{ "steal_ticks", offsetof(struct run, steal_ticks) },
		{ "migrations", offsetof(struct run, migrations) },
		{ "pressure_ns", offsetof(struct run, pressure_ns) },
		{ "frequency_hz", offsetof(struct run, frequency_hz) },
	};
	bool threads = any_helpers(u);
	size_t i;

	b->output = output_of(u);
	if (add_metric(u, b, "cpu", "ns",
		       threads ? offsetof(struct run, process_cpu_ns)
			       : offsetof(struct run, cpu_ns),
		       err) ||
	    add_wall(u, b, err) || add_peak_rss(u, b, err))
		return -1;
	if (fill_counters(u, b, err))
		return -1;
	for (i = 0; i < sizeof(tracks) / sizeof(tracks[0]); i++)
		if (add_track(u, b, tracks[i].name, tracks[i].offset, err))
			return -1;
	if ((u->config->split_cpu &&
	     add_track(u, b, "system_ns", offsetof(struct run, system_ns), err)) ||
	    (u->config->any_status &&
	     add_track(u, b, "exit_status", offsetof(struct run, exit_status), err)))
		return -1;
	return add_pair_tracks(u, b, err) || add_warm_up(u, b, err) ? -1 : 0;
}
