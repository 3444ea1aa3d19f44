#include "collector/fill.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collector/anchor.h"
#include "collector/gate.h"
#include "lib/base/buf.h"

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

static const struct counter_value *counter_of(const struct run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->n_counters; i++)
		if (!strcmp(run->counters[i].name, name))
			return &run->counters[i];
	return NULL;
}

static double value_of(const struct run *run, const char *name)
{
	const struct counter_value *c = counter_of(run, name);

	return c ? c->value : (double)NAN;
}

static bool has_value(const struct counter_value *c)
{
	return c && c->state <= METRIC_SCALED && isfinite(c->value);
}

/* Whether the counter counted in every run of every side; *out_scaled: in some only in part. */
static bool counted_always(const struct unit *u, const char *name, bool *out_scaled)
{
	size_t i;

	*out_scaled = false;
	for (i = 0; i < u->n_pairs; i++) {
		const struct counter_value *h = counter_of(&u->pairs[i].head, name);
		const struct counter_value *b = counter_of(&u->pairs[i].base, name);

		if (!has_value(h) || (u->has_base && !has_value(b)))
			return false;
		*out_scaled = *out_scaled || h->state == METRIC_SCALED ||
			      (u->has_base && b->state == METRIC_SCALED);
	}
	return true;
}

static int add_counter(const struct unit *u, const struct counter_value *first, struct bench *b,
		       struct err *err)
{
	struct metric *m = bench_add_metric(b, first->name, "1", BETTER_LOWER, err);
	bool scaled;
	size_t i;

	if (!m)
		return -1;
	if (!counted_always(u, first->name, &scaled)) {
		m->state = has_value(first) ? METRIC_STARVED : first->state;
		return str_set(&m->reason,
			       first->reason ? first->reason : "it did not count in every run",
			       err);
	}
	m->state = scaled ? METRIC_SCALED : METRIC_OK;
	for (i = 0; i < u->n_pairs; i++)
		if (samples_add(&m->samples, &m->n, value_of(&u->pairs[i].head, first->name),
				err) ||
		    (u->has_base && samples_add(&m->baseline_samples, &m->n_baseline,
						value_of(&u->pairs[i].base, first->name), err)))
			return -1;
	return 0;
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
	return str_set(&m->reason, "not above that of pawl itself, which a process starts with",
		       err);
}

static int add_runs(const struct unit *u, struct bench *b, struct err *err)
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
	};
	const struct run *first = &u->pairs[0].head;
	bool threads = first->process_cpu_ns > 1.05 * first->cpu_ns;
	size_t i;

	if (add_metric(u, b, "cpu", "ns",
		       threads ? offsetof(struct run, process_cpu_ns)
			       : offsetof(struct run, cpu_ns),
		       err) ||
	    add_metric(u, b, "wall", "ns", offsetof(struct run, wall_ns), err) ||
	    add_peak_rss(u, b, err))
		return -1;
	for (i = 0; i < first->n_counters; i++)
		if (!bench_find_metric(b, first->counters[i].name) &&
		    add_counter(u, &first->counters[i], b, err))
			return -1;
	for (i = 0; i < sizeof(tracks) / sizeof(tracks[0]); i++)
		if (add_track(u, b, tracks[i].name, tracks[i].offset, err))
			return -1;
	return add_pair_tracks(u, b, err);
}

/* How it was compared; the commit is only said when it is not the nearest one with results. */
static int set_baseline(const struct history *history, struct bench *b, const char *commit,
			const char *how, struct err *err)
{
	if (strcmp(commit, history->v[0].commit.id) && str_set(&b->baseline_commit, commit, err))
		return -1;
	return str_set(&b->baseline_how, how, err);
}

static int copy_samples(const struct metric *from, struct metric *to, struct err *err)
{
	size_t i;

	for (i = 0; from && i < from->n; i++)
		if (samples_add(&to->baseline_samples, &to->n_baseline, from->samples[i], err))
			return -1;
	return 0;
}

/* Stored samples of the nearest ancestor that has some of the gated metric, of the same kind and N.
 */
static int add_stored(const struct history *history, struct bench *b, struct err *err)
{
	size_t i, m;

	for (i = 0; i < history->n; i++) {
		const struct bench *old = summary_find(&history->v[i], b->name);
		const struct metric *gate;

		if (!old || old->status != BENCH_OK || old->iterations != b->iterations ||
		    (old->format && strcmp(old->format, b->format))) /* one call, or a process? */
			continue;
		gate = bench_find_metric(old, b->gate);
		if (!gate || !gate->n)
			continue;
		for (m = 0; m < b->n_metrics; m++)
			if (copy_samples(bench_find_metric(old, b->metrics[m].name), &b->metrics[m],
					 err))
				return -1;
		return set_baseline(history, b, history->v[i].commit.id, "stored", err);
	}
	return 0;
}

/* Why it is not ok, or why it was not compared as it could have been. */
static int set_detail(const struct unit *u, struct bench *b, struct err *err)
{
	struct buf text = BUF_INIT;
	int result;

	if (u->failure || !u->base_failure)
		return str_set(&b->detail, u->failure, err);
	buf_addf(&text, "the baseline was not run again: %s", u->base_failure);
	result = buf_check(&text, err) || str_set(&b->detail, buf_str(&text), err) ? -1 : 0;
	buf_release(&text);
	return result;
}

static int set_texts(const struct unit *u, struct bench *b, struct err *err)
{
	struct buf command = BUF_INIT;
	const char *why = NULL, *gate = gate_metric(u, &why);
	int result = -1;

	words_quote(u->config->command.v, &command);
	if (buf_check(&command, err) || str_set(&b->command, buf_str(&command), err) ||
	    str_set(&b->format, bench_format_name(u->format), err) || set_detail(u, b, err) ||
	    str_set(&b->binary_id, u->head.binary_id, err) ||
	    str_set(&b->base_binary_id, u->base.binary_id, err) || str_set(&b->gate, gate, err) ||
	    str_set(&b->gate_why, u->n_pairs ? why : NULL, err))
		goto out;
	result = 0;
out:
	buf_release(&command);
	return result;
}

static int add_bench(const struct unit *u, const struct history *history, struct summary *out,
		     struct err *err)
{
	const struct summary *from = NULL;
	const struct bench *base = history_find(history, u->name, &from);
	struct bench *b;

	b = summary_add_bench(out, u->name, err);
	if (!b || set_texts(u, b, err))
		return -1;
	b->status = u->timed_out ? BENCH_TIMEOUT : u->failure ? BENCH_FAILED : BENCH_OK;
	b->is_new = history->n > 0 && !base;
	b->iterations = u->iterations;
	b->threshold = u->config->threshold;
	b->paired = u->has_base && u->n_pairs > 0;
	b->n_void = u->n_void;
	if (u->failure)
		return 0;
	if (base && (u->identical || u->has_base) &&
	    set_baseline(history, b, from->commit.id, u->identical ? "identical" : "rerun", err))
		return -1;
	if (u->n_pairs && add_runs(u, b, err))
		return -1;
	if (u->identical || u->has_base)
		return 0;
	return add_stored(history, b, err);
}

/* The nearest results of everything that was configured then; NULL: there are none. */
static const struct summary *nearest_whole(const struct history *history)
{
	size_t i;

	for (i = 0; i < history->n; i++)
		if (!history->v[i].settings.partial)
			return &history->v[i];
	return NULL;
}

static int add_removed(const struct history *history, struct summary *out, struct err *err)
{
	const struct summary *before = nearest_whole(history);
	size_t i;

	for (i = 0; before && i < before->n_benchmarks; i++) {
		const struct bench *old = &before->benchmarks[i];
		struct bench *b;

		if (old->status == BENCH_REMOVED || summary_find(out, old->name))
			continue;
		b = summary_add_bench(out, old->name, err);
		if (!b)
			return -1;
		b->status = BENCH_REMOVED;
	}
	return 0;
}

static bool is_inside(const char *name, const char *config)
{
	size_t n = strlen(config);

	return !strncmp(name, config, n) && name[n] == '/';
}

/*
 * An executable that was not built, or that died before it told its benchmarks: those that it had
 * failed, they were not removed.  *out_any: it had some.
 */
static int add_lost(const struct unit *u, const struct history *history, struct summary *out,
		    bool *out_any, struct err *err)
{
	const struct summary *before = nearest_whole(history);
	size_t i;

	*out_any = false;
	for (i = 0; before && i < before->n_benchmarks; i++) {
		const struct bench *old = &before->benchmarks[i];
		struct bench *b;

		if (old->status == BENCH_REMOVED || !is_inside(old->name, u->config->name))
			continue;
		b = summary_add_bench(out, old->name, err);
		if (!b || set_texts(u, b, err))
			return -1;
		b->status = u->timed_out ? BENCH_TIMEOUT : BENCH_FAILED;
		b->threshold = u->config->threshold;
		*out_any = true;
	}
	return 0;
}

int fill_summary(const struct plan *plan, const struct history *history, struct summary *out,
		 struct err *err)
{
	size_t i;

	for (i = 0; i < plan->n; i++) {
		const struct unit *u = &plan->units[i];
		bool had_some = false;

		if (u->failure && !u->inner && add_lost(u, history, out, &had_some, err))
			return -1;
		if (!had_some && add_bench(u, history, out, err))
			return -1;
	}
	return out->settings.partial ? 0 : add_removed(history, out, err);
}
