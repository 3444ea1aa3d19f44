/*
 * summary_decode_bench - the benchmarks' part of summary_decode.
 */
#include <math.h>

#include "lib/record/names.h"
#include "lib/record/reader/reader.h"
#include "lib/record/summary_local.h"

#include "lib/base/banned.h"

#define MAX_TRACKS 64

static void read_verdict(struct reader *r, enum verdict *out)
{
	const char *word = reader_text(r, SUMMARY_MAX_NAME);

	*out = VERDICT_NONE;
	if (!word)
		return;
	*out = verdict_parse(word);
	if (*out == VERDICT_N)
		reader_fault_here(r, ERR_RANGE, "is not one of the known words");
}

/* A ratio, or where there is none a difference, by which alone what it is made of counts. */
static void check_change(struct reader *r, const struct delta *d, bool has_ratio)
{
	if (d->by_difference && has_ratio)
		reader_fault(r, ERR_RANGE, "ratio", "must be null beside a difference");
	if (d->by_difference)
		return;
	reader_need(r, has_ratio, "ratio");
	if (!reader_failed(r) && !(d->ratio > 0))
		reader_fault(r, ERR_RANGE, "ratio", "must be greater than 0");
}

static bool has_difference(struct reader *r)
{
	enum pull_kind kind = reader_later(r, "difference");

	return kind != PULL_NONE && kind != PULL_NULL;
}

/* Without one *out stays. */
static bool read_difference(struct reader *r, double *out)
{
	double difference;
	bool is_there = reader_number(r, &difference);

	if (is_there)
		*out = difference;
	return is_there;
}

static void read_delta(struct reader *r, struct metric *m)
{
	struct delta *d = &m->delta;
	bool has_ratio = false, has_ends = false;

	if (!reader_object(r))
		return;
	m->has_delta = true;
	d->ratio = d->low = d->high = d->confidence = (double)NAN;
	d->p = d->p_adjusted = d->noise_floor = (double)NAN;
	while (reader_next(r)) {
		if (reader_at(r, "ratio"))
			has_ratio = reader_number(r, &d->ratio);
		else if (reader_at(r, "ci"))
			summary_read_interval(r, &d->low, &d->high);
		else if (reader_at(r, "confidence"))
			reader_number(r, &d->confidence);
		else if (reader_at(r, "p"))
			reader_number(r, &d->p);
		else if (reader_at(r, "p_adjusted"))
			reader_number(r, &d->p_adjusted);
		else if (reader_at(r, "noise_floor"))
			reader_number(r, &d->noise_floor);
		else if (reader_at(r, "suspect"))
			reader_bool(r, &d->suspect);
		else if (reader_at(r, "verdict"))
			read_verdict(r, &d->verdict);
		else if (reader_at(r, "note"))
			reader_string(r, SUMMARY_MAX_TEXT, &d->note);
		else if (reader_at(r, "difference"))
			d->by_difference = read_difference(r, &d->difference);
		else if (reader_at(r, "difference_ci") && (d->by_difference || has_difference(r)))
			has_ends =
				summary_read_interval(r, &d->difference_low, &d->difference_high);
	}
	if (d->by_difference && !has_ends)
		d->difference_low = d->difference_high = (double)NAN;
	check_change(r, d, has_ratio);
	reader_leave(r);
}

/* A figure of a metric.  Without a mean there are none, whatever is there. */
static bool read_figure(struct reader *r, struct metric *m, bool *io_has_mean)
{
	double *out = NULL;

	if (reader_at(r, "mean")) {
		m->described = true;
		*io_has_mean = reader_number(r, &m->mean);
		return true;
	}
	if (reader_at(r, "median"))
		out = &m->median;
	else if (reader_at(r, "stddev"))
		out = &m->stddev;
	else if (reader_at(r, "min"))
		out = &m->min;
	else if (reader_at(r, "max"))
		out = &m->max;
	else if (reader_at(r, "p99"))
		out = &m->p99;
	else if (reader_at(r, "throughput_per_s"))
		out = &m->throughput_per_s;
	else if (!reader_at(r, "ci"))
		return false;
	if (!m->described && reader_later(r, "mean") == PULL_NONE)
		return true;
	m->described = true;
	if (out)
		reader_number(r, out);
	else
		summary_read_interval(r, &m->ci_low, &m->ci_high);
	return true;
}

static void read_words(struct reader *r, struct metric *m, bool *io_better)
{
	int word = reader_at(r, "better") ? BETTER_LOWER : METRIC_OK;

	if (reader_at(r, "better")) {
		*io_better = reader_word(r, better_words, 2, &word);
		m->better = (enum better)word;
	} else {
		reader_word(r, metric_state_words, METRIC_STATE_N, &word);
		m->state = (enum metric_state)word;
	}
}

/* How many samples it says there are; null says nothing, and what is no number is no such number.
 */
static bool read_n(struct reader *r, double *out)
{
	enum pull_kind kind = reader_kind(r);

	if (kind == PULL_NUMBER)
		return reader_number(r, out);
	*out = -1;
	return kind != PULL_NULL && kind != PULL_NONE;
}

/* A text for people alone: in brief it is not kept. */
static void read_more(struct reader *r, size_t max, char **out)
{
	reader_string(r, max, r->brief ? NULL : out);
}

/* What is read of one metric, and what of it has to be there. */
static void read_metric(struct reader *r, struct bench *b, struct metric *m)
{
	bool name = false, unit = false, better = false, mean = false, has_n = false;
	double n = 0;

	if (!summary_read_item(r))
		return;
	m->ci_low = m->ci_high = m->median = m->stddev = (double)NAN;
	m->min = m->max = m->p99 = m->throughput_per_s = (double)NAN;
	while (reader_next(r)) {
		if (reader_at(r, "name")) {
			name = summary_read_name(r, &m->name);
			if (name && bench_find_metric(b, m->name) != m)
				reader_fault_here(r, ERR_RANGE, "appears twice");
		} else if (reader_at(r, "unit")) {
			unit = reader_string(r, SUMMARY_MAX_NAME, &m->unit);
		} else if (reader_at(r, "better") || reader_at(r, "state")) {
			read_words(r, m, &better);
		} else if (reader_at(r, "reason")) {
			read_more(r, SUMMARY_MAX_TEXT, &m->reason);
		} else if (reader_at(r, "samples")) {
			reader_numbers(r, SUMMARY_MAX_SAMPLES, &m->samples, &m->n);
		} else if (reader_at(r, "baseline_samples")) {
			reader_numbers(r, SUMMARY_MAX_SAMPLES, &m->baseline_samples,
				       &m->n_baseline);
		} else if (reader_at(r, "n")) {
			has_n = read_n(r, &n);
		} else if (reader_at(r, "delta")) {
			read_delta(r, m);
		} else {
			read_figure(r, m, &mean);
		}
	}
	reader_need(r, name, "name");
	reader_need(r, unit, "unit");
	reader_need(r, better, "better");
	m->n_differs = has_n && m->n && n != (double)m->n;
	if (m->described)
		reader_need(r, mean, "mean");
	else
		m->ci_low = m->ci_high = m->median = m->stddev = m->min = m->max = m->p99 =
			m->throughput_per_s = 0;
	reader_leave(r);
}

static bool read_metrics(struct reader *r, struct bench *b)
{
	if (!reader_array(r, SUMMARY_MAX_METRICS))
		return false;
	r->kept_in = r->brief;
	while (reader_item(r)) {
		struct metric *m = bench_add_metric(b, NULL, NULL, BETTER_LOWER, r->err);

		if (m)
			read_metric(r, b, m);
		else
			r->failed = true;
	}
	r->kept_in = NULL;
	reader_leave(r);
	return true;
}

/* Of one that is not kept nothing is. */
static void read_track(struct reader *r, struct track *t)
{
	bool name = false, keeps = !r->brief;

	if (!summary_read_item(r))
		return;
	while (reader_next(r)) {
		if (reader_at(r, "name"))
			name = summary_read_name(r, keeps ? &t->name : NULL);
		else if (reader_at(r, "head"))
			reader_numbers(r, SUMMARY_MAX_SAMPLES, keeps ? &t->head : NULL, &t->n_head);
		else if (reader_at(r, "base"))
			reader_numbers(r, SUMMARY_MAX_SAMPLES, keeps ? &t->base : NULL, &t->n_base);
	}
	reader_need(r, name, "name");
	reader_leave(r);
}

static void read_tracks(struct reader *r, struct bench *b)
{
	struct track unkept = { .name = NULL };

	if (!reader_array(r, MAX_TRACKS))
		return;
	while (reader_item(r)) {
		struct track *t = r->brief ? &unkept : bench_add_track(b, NULL, r->err);

		r->n_tracks++;
		if (t)
			read_track(r, t);
		else
			r->failed = true;
	}
	reader_leave(r);
}

static void read_amount(struct reader *r, uint64_t *out)
{
	int64_t number = 0;

	reader_integer(r, 0, INT64_MAX, &number);
	*out = (uint64_t)number;
}

/* What it is called, and what ran; false: the member is another one. */
static bool read_code(struct reader *r, struct bench *b)
{
	if (reader_at(r, "detail"))
		read_more(r, SUMMARY_MAX_DETAIL, &b->detail);
	else if (reader_at(r, "command"))
		read_more(r, SUMMARY_MAX_DETAIL, &b->command);
	else if (reader_at(r, "format"))
		read_more(r, SUMMARY_MAX_NAME, &b->format);
	else if (reader_at(r, "binary_id"))
		reader_string(r, SUMMARY_MAX_NAME, &b->binary_id);
	else if (reader_at(r, "base_binary_id"))
		reader_string(r, SUMMARY_MAX_NAME, &b->base_binary_id);
	else if (reader_at(r, "baseline_commit"))
		summary_read_hex(r, "baseline_commit", &b->baseline_commit);
	else if (reader_at(r, "baseline_how"))
		reader_string(r, SUMMARY_MAX_NAME, &b->baseline_how);
	else if (reader_at(r, "is_new"))
		reader_bool(r, &b->is_new);
	else if (reader_at(r, "iterations"))
		read_amount(r, &b->iterations);
	else
		return false;
	return true;
}

/* How it is decided; false likewise. */
static bool read_gate(struct reader *r, struct bench *b)
{
	if (reader_at(r, "gate"))
		reader_string(r, SUMMARY_MAX_NAME, &b->gate);
	else if (reader_at(r, "gate_why"))
		read_more(r, SUMMARY_MAX_TEXT, &b->gate_why);
	else if (reader_at(r, "threshold"))
		reader_number(r, &b->threshold);
	else if (reader_at(r, "paired"))
		reader_bool(r, &b->paired);
	else if (reader_at(r, "n_void"))
		read_amount(r, &b->n_void);
	else if (reader_at(r, "n_disturbed"))
		read_amount(r, &b->n_disturbed);
	else
		return false;
	return true;
}

void summary_read_bench(struct reader *r, struct bench *b)
{
	bool name = false, has_status = false, metrics = false;
	int status = BENCH_OK;

	if (!summary_read_item(r))
		return;
	b->threshold = (double)NAN;
	r->n_tracks = 0;
	while (reader_next(r)) {
		if (reader_at(r, "name"))
			name = summary_read_name(r, &b->name);
		else if (reader_at(r, "status"))
			has_status = reader_word(r, bench_status_words, BENCH_STATUS_N, &status);
		else if (reader_at(r, "metrics"))
			metrics = read_metrics(r, b);
		else if (reader_at(r, "tracks"))
			read_tracks(r, b);
		else if (reader_at(r, "facts"))
			summary_read_facts(r, &b->facts);
		else if (!read_code(r, b) && !read_gate(r, b))
			summary_read_comparison(r, b);
	}
	b->status = (enum bench_status)status;
	reader_need(r, name, "name");
	reader_need(r, has_status, "status");
	reader_need(r, metrics, "metrics");
	reader_leave(r);
}
