/*
 * summary_decode_bench - the benchmarks' part of summary_decode.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/record/layout_calibration.h"
#include "lib/record/names.h"
#include "lib/record/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

#define MAX_TRACKS 64

static enum verdict read_verdict(struct reader *r, const struct jtree *o)
{
	const char *word = reader_text(r, o, "verdict", MAY, SUMMARY_MAX_NAME);
	enum verdict v = VERDICT_NONE;

	if (word) {
		v = verdict_parse(word);
		if (v == VERDICT_N)
			reader_fault(r, ERR_RANGE, "verdict", "is not one of the known words");
	}
	return v;
}

/* A ratio, or where there is none a difference. */
static void read_change(struct reader *r, const struct jtree *o, struct delta *d)
{
	const struct jtree *difference = jtree_get(o, "difference");

	d->by_difference = difference && jtree_kind(difference) != JTREE_NULL;
	reader_number(r, o, "ratio", d->by_difference ? MAY : NEED, &d->ratio);
	if (!d->by_difference) {
		if (!reader_failed(r) && !(d->ratio > 0))
			reader_fault(r, ERR_RANGE, "ratio", "must be greater than 0");
		return;
	}
	if (!reader_failed(r) && !isnan(d->ratio))
		reader_fault(r, ERR_RANGE, "ratio", "must be null beside a difference");
	reader_number(r, o, "difference", NEED, &d->difference);
	summary_read_interval(r, o, "difference_ci", &d->difference_low, &d->difference_high);
}

static void read_delta(struct reader *r, const struct jtree *metric, struct metric *m)
{
	const struct jtree *o = reader_object(r, metric, "delta", MAY);
	size_t outer = reader_enter(r, "delta");
	struct delta *d = &m->delta;

	if (o) {
		m->has_delta = true;
		read_change(r, o, d);
		summary_read_interval(r, o, "ci", &d->low, &d->high);
		reader_number(r, o, "confidence", MAY, &d->confidence);
		reader_number(r, o, "p", MAY, &d->p);
		reader_number(r, o, "p_adjusted", MAY, &d->p_adjusted);
		reader_number(r, o, "noise_floor", MAY, &d->noise_floor);
		reader_bool(r, o, "suspect", MAY, &d->suspect);
		d->verdict = read_verdict(r, o);
		reader_string(r, o, "note", MAY, SUMMARY_MAX_TEXT, &d->note);
	}
	reader_leave(r, outer);
}

static void read_metric(struct reader *r, const struct jtree *o, struct metric *m)
{
	int word = BETTER_LOWER;

	reader_word(r, o, "better", NEED, better_words, 2, &word);
	m->better = (enum better)word;
	word = METRIC_OK;
	reader_word(r, o, "state", MAY, metric_state_words, METRIC_STATE_N, &word);
	m->state = (enum metric_state)word;
	reader_string(r, o, "reason", MAY, SUMMARY_MAX_TEXT, &m->reason);
	reader_numbers(r, o, "samples", SUMMARY_MAX_SAMPLES, &m->samples, &m->n);
	reader_numbers(r, o, "baseline_samples", SUMMARY_MAX_SAMPLES, &m->baseline_samples,
		       &m->n_baseline);
	m->described = jtree_get(o, "mean") != NULL;
	if (m->described) {
		reader_number(r, o, "mean", NEED, &m->mean);
		summary_read_interval(r, o, "ci", &m->ci_low, &m->ci_high);
		reader_number(r, o, "median", MAY, &m->median);
		reader_number(r, o, "stddev", MAY, &m->stddev);
		reader_number(r, o, "min", MAY, &m->min);
		reader_number(r, o, "max", MAY, &m->max);
		reader_number(r, o, "p99", MAY, &m->p99);
		reader_number(r, o, "throughput_per_s", MAY, &m->throughput_per_s);
	}
	read_delta(r, o, m);
}

static void read_metrics(struct reader *r, const struct jtree *bench, struct bench *b)
{
	const struct jtree *array = reader_array(r, bench, "metrics", NEED, SUMMARY_MAX_METRICS),
			   *o;
	size_t i, outer = reader_enter(r, "metrics");

	for (i = 0, o = jtree_first(array); o; i++, o = jtree_after(array, o)) {
		size_t inner = reader_enter_item(r, i);
		const char *name = summary_read_name(r, o);
		const char *unit = reader_text(r, o, "unit", NEED, SUMMARY_MAX_NAME);
		struct metric *m;

		if (name && bench_find_metric(b, name))
			reader_fault(r, ERR_RANGE, "name", "appears twice");
		if (!reader_failed(r)) {
			m = bench_add_metric(b, name, unit, BETTER_LOWER, r->err);
			if (m)
				read_metric(r, o, m);
			else
				r->failed = true;
		}
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}

static void read_tracks(struct reader *r, const struct jtree *bench, struct bench *b)
{
	const struct jtree *array = reader_array(r, bench, "tracks", MAY, MAX_TRACKS), *o;
	size_t i, outer = reader_enter(r, "tracks");

	for (i = 0, o = jtree_first(array); o; i++, o = jtree_after(array, o)) {
		size_t inner = reader_enter_item(r, i);
		const char *name = summary_read_name(r, o);
		struct track *t = name ? bench_add_track(b, name, r->err) : NULL;

		if (t) {
			reader_numbers(r, o, "head", SUMMARY_MAX_SAMPLES, &t->head, &t->n_head);
			reader_numbers(r, o, "base", SUMMARY_MAX_SAMPLES, &t->base, &t->n_base);
		} else {
			r->failed = true;
		}
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}

/* Whole numbers of pairs, rising. */
static void read_looks(struct reader *r, const struct jtree *bench, struct looks *looks)
{
	const struct jtree *o = reader_object(r, bench, "looks", MAY), *array, *item;
	size_t i, outer = reader_enter(r, "looks");
	int64_t before = 0;

	if (o) {
		array = reader_array(r, o, "pairs", NEED, LOOKS_MAX);
		for (i = 0, item = jtree_first(array); item; i++, item = jtree_after(array, item)) {
			int64_t pairs = 0;

			jtree_whole(item, &pairs);
			if (pairs <= before || pairs > SUMMARY_MAX_SAMPLES) {
				reader_fault(r, ERR_RANGE, "pairs", "must be rising counts");
				break;
			}
			looks->pairs[i] = (unsigned)pairs;
			before = pairs;
		}
		if (!reader_failed(r) && !jtree_count(array))
			reader_fault(r, ERR_RANGE, "pairs", "is empty");
		if (!reader_failed(r))
			looks->n = jtree_count(array);
	}
	reader_leave(r, outer);
}

static void check_count(struct reader *r, double count, const char *key)
{
	if (!reader_failed(r) && count < 0)
		reader_fault(r, ERR_RANGE, key, "must not be negative");
}

static void read_work(struct reader *r, const struct jtree *bench, struct work_count *work)
{
	const struct jtree *o = reader_object(r, bench, "work", MAY);
	size_t outer = reader_enter(r, "work");

	if (o) {
		reader_number(r, o, "head", MAY, &work->head);
		reader_number(r, o, "base", MAY, &work->base);
		check_count(r, work->head, "head");
		check_count(r, work->base, "base");
		reader_string(r, o, "how", MAY, SUMMARY_MAX_NAME, &work->how);
		summary_check_not_empty(r, work->how, "how");
		reader_string(r, o, "reason", MAY, SUMMARY_MAX_TEXT, &work->reason);
	}
	reader_leave(r, outer);
}

static void read_layouts(struct reader *r, const struct jtree *bench, struct layout_spread *l)
{
	const struct jtree *o = reader_object(r, bench, "layouts", MAY);
	size_t outer = reader_enter(r, "layouts");
	int64_t n = 0;

	if (o) {
		reader_integer(r, o, "n", NEED, 0, SUMMARY_MAX_SAMPLES, &n);
		reader_number(r, o, "between", MAY, &l->between);
		check_count(r, l->between, "between");
		reader_number(r, o, "within", MAY, &l->within);
		check_count(r, l->within, "within");
		reader_number(r, o, "floor", MAY, &l->floor);
		check_count(r, l->floor, "floor");
		reader_string(r, o, "why", MAY, SUMMARY_MAX_TEXT, &l->why);
		l->n = (size_t)n;
	}
	reader_leave(r, outer);
}

static void read_changes(struct reader *r, const struct jtree *bench, struct code_changes *c)
{
	const struct jtree *o = reader_object(r, bench, "changes", MAY);
	size_t outer = reader_enter(r, "changes");
	int64_t n_functions = 0, n_changed = 0;

	if (o) {
		reader_bool(r, o, "known", NEED, &c->is_known);
		reader_bool(r, o, "explained", MAY, &c->is_explained);
		reader_integer(r, o, "n_functions", MAY, 0, INT32_MAX, &n_functions);
		reader_integer(r, o, "n_changed", MAY, 0, INT32_MAX, &n_changed);
		reader_strings(r, o, "changed", NEED, SUMMARY_MAX_CHANGED, SUMMARY_MAX_NAME,
			       &c->changed);
		reader_strings(r, o, "executed", NEED, SUMMARY_MAX_CHANGED, SUMMARY_MAX_NAME,
			       &c->executed);
		reader_string(r, o, "why", MAY, SUMMARY_MAX_TEXT, &c->why);
		c->n_functions = (size_t)n_functions;
		c->n_changed = (size_t)n_changed;
	}
	reader_leave(r, outer);
}

static void read_calibration(struct reader *r, const struct jtree *bench, struct calibration *c)
{
	const struct jtree *o = reader_object(r, bench, "calibration", MAY);
	size_t outer = reader_enter(r, "calibration");
	int64_t n = 0, n_false = 0;

	if (o) {
		reader_integer(r, o, "n", NEED, 1, INT32_MAX, &n);
		reader_integer(r, o, "n_false", NEED, 0, INT32_MAX, &n_false);
		if (!reader_failed(r) && n_false > n)
			reader_fault(r, ERR_RANGE, "n_false", "must not be greater than n");
		reader_number(r, o, "floor", NEED, &c->floor);
		check_count(r, c->floor, "floor");
		reader_time(r, o, "when", &c->when_us);
		layout_calibration_read(r, o, &c->layouts, NULL);
		c->n = (int)n;
		c->n_false = (int)n_false;
	}
	reader_leave(r, outer);
}

static void read_acceptance(struct reader *r, const struct jtree *bench, struct acceptance *a)
{
	const struct jtree *o = reader_object(r, bench, "accepted", MAY);
	size_t outer = reader_enter(r, "accepted");

	if (o) {
		reader_string(r, o, "commit", NEED, 64, &a->commit);
		summary_check_hex(r, a->commit, "commit");
		reader_string(r, o, "because", MAY, SUMMARY_MAX_TEXT, &a->because);
	}
	reader_leave(r, outer);
}

static void read_comparison(struct reader *r, const struct jtree *o, struct bench *b)
{
	int output = OUTPUT_UNKNOWN, ran = PAIRS_RAN_UNKNOWN;

	read_looks(r, o, &b->looks);
	reader_word(r, o, "output", MAY, output_words, OUTPUT_N, &output);
	b->output = (enum output)output;
	reader_word(r, o, "pairs_ran", MAY, pairs_ran_words, PAIRS_RAN_N, &ran);
	b->pairs_ran = (enum pairs_ran)ran;
	read_work(r, o, &b->work);
	read_layouts(r, o, &b->layouts);
	read_changes(r, o, &b->changes);
	read_calibration(r, o, &b->calibration);
	read_acceptance(r, o, &b->accepted);
}

void summary_read_bench(struct reader *r, const struct jtree *o, struct bench *b)
{
	int64_t number = 0;
	int status = BENCH_OK;

	reader_word(r, o, "status", NEED, bench_status_words, BENCH_STATUS_N, &status);
	b->status = (enum bench_status)status;
	reader_string(r, o, "detail", MAY, SUMMARY_MAX_DETAIL, &b->detail);
	reader_string(r, o, "command", MAY, SUMMARY_MAX_DETAIL, &b->command);
	reader_string(r, o, "format", MAY, SUMMARY_MAX_NAME, &b->format);
	reader_string(r, o, "binary_id", MAY, SUMMARY_MAX_NAME, &b->binary_id);
	reader_string(r, o, "base_binary_id", MAY, SUMMARY_MAX_NAME, &b->base_binary_id);
	reader_string(r, o, "baseline_commit", MAY, 64, &b->baseline_commit);
	summary_check_hex(r, b->baseline_commit, "baseline_commit");
	reader_string(r, o, "baseline_how", MAY, SUMMARY_MAX_NAME, &b->baseline_how);
	reader_bool(r, o, "is_new", MAY, &b->is_new);
	reader_integer(r, o, "iterations", MAY, 0, INT64_MAX, &number);
	b->iterations = (uint64_t)number;
	reader_string(r, o, "gate", MAY, SUMMARY_MAX_NAME, &b->gate);
	reader_string(r, o, "gate_why", MAY, SUMMARY_MAX_TEXT, &b->gate_why);
	reader_number(r, o, "threshold", MAY, &b->threshold);
	reader_bool(r, o, "paired", MAY, &b->paired);
	reader_integer(r, o, "n_void", MAY, 0, INT64_MAX, &number);
	b->n_void = (uint64_t)number;
	reader_integer(r, o, "n_disturbed", MAY, 0, INT64_MAX, &number);
	b->n_disturbed = (uint64_t)number;
	read_comparison(r, o, b);
	summary_read_facts(r, o, &b->facts);
	read_metrics(r, o, b);
	read_tracks(r, o, b);
}

static void read_accepted_item(struct reader *r, const struct jtree *o, struct summary *s)
{
	struct accepted_item item = { .change = (double)NAN };

	if (!reader_failed(r) && jtree_kind(o) != JTREE_OBJECT)
		reader_fault(r, ERR_RANGE, NULL, "must be an object");
	reader_string(r, o, "commit", NEED, 64, &item.commit);
	summary_check_hex(r, item.commit, "commit");
	reader_string(r, o, "benchmark", NEED, SUMMARY_MAX_NAME, &item.benchmark);
	summary_check_not_empty(r, item.benchmark, "benchmark");
	reader_string(r, o, "because", MAY, SUMMARY_MAX_TEXT, &item.because);
	reader_number(r, o, "change", MAY, &item.change);
	if (item.change < 0)
		reader_fault(r, ERR_RANGE, "change", "must not be negative");
	if (isnan(item.change))
		item.change = (double)INFINITY;
	if (!reader_failed(r) &&
	    summary_add_accepted(s, item.commit, item.benchmark, item.because, item.change, r->err))
		r->failed = true;
	free(item.commit);
	free(item.benchmark);
	free(item.because);
}

void summary_read_accepted(struct reader *r, const struct jtree *root, struct summary *s)
{
	const struct jtree *array = reader_array(r, root, "accepted", MAY, SUMMARY_MAX_ACCEPTED),
			   *o;
	size_t i, outer = reader_enter(r, "accepted");

	for (i = 0, o = jtree_first(array); o; i++, o = jtree_after(array, o)) {
		size_t inner = reader_enter_item(r, i);

		read_accepted_item(r, o, s);
		reader_leave(r, inner);
	}
	reader_leave(r, outer);
}
