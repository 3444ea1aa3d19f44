/*
 * summary_encode - the JSON document; docs/schema/summary-v1.json describes what this writes.
 */
#include <math.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "lib/record/names.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

/* An infinite end is written as null, an interval that is not known as null altogether. */
static void write_interval(struct jsonw *w, const char *key, double low, double high)
{
	double both[2] = { low, high };

	if (isnan(low) || isnan(high)) {
		jsonw_key(w, key);
		jsonw_null(w);
	} else {
		jsonw_knumbers(w, key, both, 2);
	}
}

static void write_commit(struct jsonw *w, const struct commit_tag *c)
{
	jsonw_key(w, "commit");
	jsonw_object(w);
	jsonw_kstring(w, "id", c->id);
	summary_write_strings(w, "parents", &c->parents, SUMMARY_MAX_TEXT);
	jsonw_kstring(w, "tree", c->tree);
	summary_write_text(w, "branch", c->branch, SUMMARY_MAX_TEXT);
	summary_write_text(w, "subject", c->subject, SUMMARY_MAX_TEXT);
	summary_write_time(w, "author_time", c->author_time_us);
	summary_write_time(w, "commit_time", c->commit_time_us);
	jsonw_kbool(w, "dirty", c->dirty);
	jsonw_kbool(w, "truncated", c->truncated);
	jsonw_object_end(w);
}

static void write_facts(struct jsonw *w, const struct facts *facts)
{
	size_t i;

	jsonw_key(w, "facts");
	jsonw_object(w);
	for (i = 0; i < facts->n; i++)
		summary_write_text(w, facts->v[i].name, facts->v[i].value, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_machine(struct jsonw *w, const struct machine *m)
{
	jsonw_key(w, "machine");
	jsonw_object(w);
	jsonw_kstring(w, "id", m->id);
	summary_write_text(w, "cpu", m->cpu, SUMMARY_MAX_TEXT);
	jsonw_kinteger(w, "cores", m->cores);
	summary_write_text(w, "os", m->os, SUMMARY_MAX_TEXT);
	summary_write_text(w, "kernel", m->kernel, SUMMARY_MAX_TEXT);
	summary_write_text(w, "governor", m->governor, SUMMARY_MAX_TEXT);
	write_facts(w, &m->more);
	jsonw_object_end(w);
}

static void write_environment(struct jsonw *w, const struct environment *e)
{
	jsonw_key(w, "environment");
	jsonw_object(w);
	jsonw_knumber(w, "load", e->load);
	jsonw_knumber(w, "pressure", e->pressure);
	jsonw_knumber(w, "steal", e->steal);
	summary_write_strings(w, "warnings", &e->warnings, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_shard(struct jsonw *w, const struct shard *s)
{
	jsonw_key(w, "shard");
	jsonw_object(w);
	jsonw_kinteger(w, "index", s->index);
	jsonw_kinteger(w, "count", s->count);
	jsonw_kinteger(w, "benchmarks", s->n_all);
	jsonw_kstring(w, "group", s->group);
	jsonw_kstring(w, "split", s->split);
	jsonw_object_end(w);
}

static void write_settings(struct jsonw *w, const struct settings *s)
{
	jsonw_key(w, "settings");
	jsonw_object(w);
	write_interval(w, "runs", s->runs_min, s->runs_max);
	jsonw_kinteger(w, "min_time_ns", (int64_t)s->min_time_ns);
	jsonw_kstring(w, "clock", s->clock);
	jsonw_knumber(w, "confidence", s->confidence);
	jsonw_knumber(w, "threshold", s->threshold);
	jsonw_kstring(w, "order", s->order);
	jsonw_kinteger(w, "seed", (int64_t)(s->seed & INT64_MAX));
	jsonw_kbool(w, "partial", s->partial);
	if (s->budget_ns)
		jsonw_kinteger(w, "budget_ns", (int64_t)(s->budget_ns & INT64_MAX));
	if (s->measured_identical)
		jsonw_kbool(w, "measured_identical", true);
	if (s->shard.count)
		write_shard(w, &s->shard);
	if (s->build_key)
		jsonw_kstring(w, "build_key", s->build_key);
	if (s->lacks_parts)
		jsonw_kbool(w, "lacks_parts", true);
	if (s->asked.n)
		summary_write_strings(w, "asked", &s->asked, SUMMARY_MAX_NAME);
	jsonw_object_end(w);
}

static void write_baseline(struct jsonw *w, const struct baseline *b)
{
	jsonw_key(w, "baseline");
	jsonw_object(w);
	jsonw_kstring(w, "commit", b->commit);
	jsonw_kstring(w, "how", b->how);
	summary_write_text(w, "why", b->why, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_sides(struct jsonw *w, const struct sides *s)
{
	jsonw_key(w, "sides");
	jsonw_object(w);
	summary_write_text(w, "base", s->base, SUMMARY_MAX_TEXT);
	summary_write_text(w, "head", s->head, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_unbuilt(struct jsonw *w, const struct unbuilt *u)
{
	jsonw_key(w, "unbuilt");
	jsonw_object(w);
	jsonw_kstring(w, "base", u->base);
	jsonw_kstring(w, "head", u->head);
	jsonw_object_end(w);
}

static void write_imported(struct jsonw *w, const struct imported *list)
{
	size_t i;

	jsonw_key(w, "imported");
	jsonw_array(w);
	for (i = 0; i < list->n; i++) {
		jsonw_object(w);
		summary_write_text(w, "name", list->v[i].name, SUMMARY_MAX_NAME);
		jsonw_kstring(w, "format", list->v[i].format);
		jsonw_kstring(w, "sha256", list->v[i].sha256);
		if (list->v[i].facts.n)
			write_facts(w, &list->v[i].facts);
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
}

static void write_accepted(struct jsonw *w, const struct summary *s)
{
	size_t i;

	jsonw_key(w, "accepted");
	jsonw_array(w);
	for (i = 0; i < s->n_accepted; i++) {
		jsonw_object(w);
		jsonw_kstring(w, "commit", s->accepted[i].commit);
		summary_write_text(w, "benchmark", s->accepted[i].benchmark, SUMMARY_MAX_NAME);
		jsonw_knumber(w, "change",
			      isfinite(s->accepted[i].change) ? s->accepted[i].change
							      : (double)NAN);
		summary_write_text(w, "because", s->accepted[i].because, SUMMARY_MAX_TEXT);
		jsonw_object_end(w);
	}
	jsonw_array_end(w);
}

static void write_verdict(struct jsonw *w, enum verdict v)
{
	jsonw_kstring(w, "verdict", v == VERDICT_NONE ? NULL : verdict_name(v));
}

static void write_delta(struct jsonw *w, const struct delta *d)
{
	jsonw_key(w, "delta");
	jsonw_object(w);
	jsonw_knumber(w, "ratio", d->by_difference ? (double)NAN : d->ratio);
	write_interval(w, "ci", d->low, d->high);
	if (d->by_difference) {
		jsonw_knumber(w, "difference", d->difference);
		write_interval(w, "difference_ci", d->difference_low, d->difference_high);
	}
	jsonw_knumber(w, "confidence", d->confidence);
	jsonw_knumber(w, "p", d->p);
	jsonw_knumber(w, "p_adjusted", d->p_adjusted);
	jsonw_knumber(w, "noise_floor", d->noise_floor);
	jsonw_kbool(w, "suspect", d->suspect);
	write_verdict(w, d->verdict);
	summary_write_text(w, "note", d->note, SUMMARY_MAX_TEXT);
	jsonw_object_end(w);
}

static void write_description(struct jsonw *w, const struct metric *m)
{
	jsonw_knumber(w, "mean", m->mean);
	if (isfinite(m->ci_low) && isfinite(m->ci_high)) {
		write_interval(w, "ci", m->ci_low, m->ci_high);
	} else {
		jsonw_key(w, "ci");
		jsonw_null(w);
	}
	jsonw_knumber(w, "median", m->median);
	jsonw_knumber(w, "stddev", m->stddev);
	jsonw_knumber(w, "min", m->min);
	jsonw_knumber(w, "max", m->max);
	jsonw_knumber(w, "p99", m->p99);
	jsonw_knumber(w, "throughput_per_s", m->throughput_per_s);
}

static void write_metric(struct jsonw *w, const struct metric *m)
{
	jsonw_object(w);
	jsonw_kstring(w, "name", m->name);
	jsonw_kstring(w, "unit", m->unit);
	jsonw_kstring(w, "better", better_words[m->better]);
	jsonw_kstring(w, "state", metric_state_name(m->state));
	if (m->reason)
		summary_write_text(w, "reason", m->reason, SUMMARY_MAX_TEXT);
	jsonw_knumbers(w, "samples", m->samples, m->n);
	jsonw_kinteger(w, "n", (int64_t)m->n);
	if (m->described)
		write_description(w, m);
	jsonw_knumbers(w, "baseline_samples", m->baseline_samples, m->n_baseline);
	if (m->has_delta)
		write_delta(w, &m->delta);
	jsonw_object_end(w);
}

static void write_track(struct jsonw *w, const struct track *t)
{
	jsonw_object(w);
	jsonw_kstring(w, "name", t->name);
	jsonw_knumbers(w, "head", t->head, t->n_head);
	jsonw_knumbers(w, "base", t->base, t->n_base);
	jsonw_object_end(w);
}

static void write_bench(struct jsonw *w, const struct bench *b)
{
	size_t i;

	jsonw_object(w);
	jsonw_kstring(w, "name", b->name);
	jsonw_kstring(w, "status", bench_status_name(b->status));
	write_verdict(w, bench_verdict(b));
	summary_write_text(w, "detail", b->detail, SUMMARY_MAX_DETAIL);
	summary_write_text(w, "command", b->command, SUMMARY_MAX_DETAIL);
	jsonw_kstring(w, "format", b->format);
	jsonw_kstring(w, "binary_id", b->binary_id);
	jsonw_kstring(w, "base_binary_id", b->base_binary_id);
	jsonw_kstring(w, "baseline_commit", b->baseline_commit);
	jsonw_kstring(w, "baseline_how", b->baseline_how);
	jsonw_kbool(w, "is_new", b->is_new);
	jsonw_kinteger(w, "iterations", (int64_t)b->iterations);
	jsonw_kstring(w, "gate", b->gate);
	summary_write_text(w, "gate_why", b->gate_why, SUMMARY_MAX_TEXT);
	jsonw_knumber(w, "threshold", b->threshold);
	jsonw_kbool(w, "paired", b->paired);
	jsonw_kinteger(w, "n_void", (int64_t)b->n_void);
	jsonw_kinteger(w, "n_disturbed", (int64_t)b->n_disturbed);
	summary_write_comparison(w, b);
	if (b->facts.n)
		write_facts(w, &b->facts);
	jsonw_key(w, "metrics");
	jsonw_array(w);
	for (i = 0; i < b->n_metrics; i++)
		write_metric(w, &b->metrics[i]);
	jsonw_array_end(w);
	jsonw_key(w, "tracks");
	jsonw_array(w);
	for (i = 0; i < b->n_tracks; i++)
		write_track(w, &b->tracks[i]);
	jsonw_array_end(w);
	jsonw_object_end(w);
}

int summary_encode(const struct summary *s, int indent, struct buf *out, struct err *err)
{
	struct jsonw writer, *w = &writer;
	size_t i;

	jsonw_init(w, out, indent);
	jsonw_object(w);
	jsonw_kstring(w, "schema", SUMMARY_SCHEMA);
	jsonw_kstring(w, "id", s->id);
	jsonw_kstring(w, "project", s->project);
	write_commit(w, &s->commit);
	write_machine(w, &s->machine);
	write_environment(w, &s->environment);
	write_settings(w, &s->settings);
	write_baseline(w, &s->baseline);
	if (s->sides.base)
		write_sides(w, &s->sides);
	if (s->imported.n)
		write_imported(w, &s->imported);
	if (s->n_accepted)
		write_accepted(w, s);
	if (s->unbuilt.base || s->unbuilt.head)
		write_unbuilt(w, &s->unbuilt);
	jsonw_key(w, "benchmarks");
	jsonw_array(w);
	for (i = 0; i < s->n_benchmarks; i++)
		write_bench(w, &s->benchmarks[i]);
	jsonw_array_end(w);
	summary_write_time(w, "started", s->started_us);
	summary_write_time(w, "finished", s->finished_us);
	jsonw_kstring(w, "pawl", s->pawl);
	jsonw_object_end(w);
	return buf_check(out, err);
}
