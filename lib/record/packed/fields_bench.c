#include "lib/record/packed/fields.h"

#include <math.h>

#include "lib/record/packed/bytes.h"

#include "lib/base/banned.h"

#define MOST_TRACKS 1024

FIELDS_ARE_ALL(bench, 488);
FIELDS_ARE_ALL(metric, 256);
FIELDS_ARE_ALL(delta, 104);
FIELDS_ARE_ALL(track, 40);
FIELDS_ARE_ALL(work_count, 32);
FIELDS_ARE_ALL(layout_spread, 40);
FIELDS_ARE_ALL(code_changes, 80);
FIELDS_ARE_ALL(calibration, 72);
FIELDS_ARE_ALL(layout_calibration, 48);
FIELDS_ARE_ALL(acceptance, 16);
FIELDS_ARE_ALL(looks, 48);

/* What of a description follows from the samples, or from the mean. */
enum { LEAST = 1, MOST = 2, RATE = 4 };

static bool is_same(double a, double b)
{
	return bytes_of_double(a) == bytes_of_double(b);
}

/* The figures as they follow; NaN where they do not. */
static void derive(const struct metric *m, double *min, double *max, double *rate)
{
	size_t i;

	*min = *max = m->n ? m->samples[0] : (double)NAN;
	for (i = 1; i < m->n; i++) {
		*min = m->samples[i] < *min ? m->samples[i] : *min;
		*max = m->samples[i] > *max ? m->samples[i] : *max;
	}
	*rate = 1e9 / m->mean;
}

static void fields_of_description(struct codec *c, struct metric *m)
{
	double *const centre[] = { &m->mean, &m->ci_low, &m->ci_high, &m->median, &m->p99 };
	double min, max, rate;
	uint64_t follows = 0;

	codec_doubles(c, centre, 5);
	codec_double(c, &m->stddev);
	derive(m, &min, &max, &rate);
	if (!codec_reads(c))
		follows = (is_same(min, m->min) ? LEAST : 0) | (is_same(max, m->max) ? MOST : 0) |
			  (is_same(rate, m->throughput_per_s) ? RATE : 0);
	codec_unsigned(c, &follows);
	if (codec_reads(c)) {
		m->min = min;
		m->max = max;
		m->throughput_per_s = rate;
	}
	if (!(follows & LEAST))
		codec_double(c, &m->min);
	if (!(follows & MOST))
		codec_double(c, &m->max);
	if (!(follows & RATE))
		codec_double(c, &m->throughput_per_s);
}

static void fields_of_delta(struct codec *c, struct delta *d)
{
	double *const change[] = { &d->ratio, &d->low, &d->high };
	double *const difference[] = { &d->difference, &d->difference_low, &d->difference_high };
	int verdict = (int)d->verdict;

	codec_word(c, &verdict, VERDICT_N);
	d->verdict = (enum verdict)verdict;
	codec_bool(c, &d->by_difference);
	codec_bool(c, &d->suspect);
	codec_doubles(c, change, 3);
	if (d->by_difference)
		codec_doubles(c, difference, 3);
	codec_double(c, &d->confidence);
	codec_double(c, &d->p);
	codec_double(c, &d->p_adjusted);
	codec_double(c, &d->noise_floor);
	codec_text(c, &d->note);
}

static void fields_of_metric(struct codec *c, struct metric *m)
{
	int shape = (int)m->better | (int)m->state << 1 | m->described << 4 | m->has_delta << 5;

	codec_word(c, &shape, 64);
	if ((shape >> 1 & 7) >= METRIC_STATE_N)
		codec_broken(c, "a state");
	if (c->failed)
		return;
	m->better = (enum better)(shape & 1);
	m->state = (enum metric_state)(shape >> 1 & 7);
	m->described = shape >> 4 & 1;
	m->has_delta = shape >> 5 & 1;
	codec_text(c, &m->reason);
	codec_column(c, &m->samples, &m->n, SUMMARY_MAX_SAMPLES);
	codec_column(c, &m->baseline_samples, &m->n_baseline, SUMMARY_MAX_SAMPLES);
	if (m->described)
		fields_of_description(c, m);
	if (m->has_delta)
		fields_of_delta(c, &m->delta);
}

static void fields_of_metrics(struct codec *c, struct bench *b)
{
	size_t n = b->n_metrics, i;

	codec_count(c, &n, SUMMARY_MAX_METRICS);
	for (i = 0; i < n && !c->failed; i++) {
		struct metric *m = codec_reads(c) ? NULL : &b->metrics[i];
		const char *name = codec_name(c, m ? m->name : NULL);
		const char *unit = codec_name(c, m ? m->unit : NULL);

		if (!m && !c->failed)
			m = bench_add_metric(b, name, unit, BETTER_LOWER, c->err);
		if (m)
			fields_of_metric(c, m);
		else
			c->failed = true;
	}
}

static void fields_of_tracks(struct codec *c, struct bench *b)
{
	size_t n = b->n_tracks, i;

	codec_count(c, &n, MOST_TRACKS);
	for (i = 0; i < n && !c->failed; i++) {
		struct track *t = codec_reads(c) ? NULL : &b->tracks[i];
		const char *name = codec_name(c, t ? t->name : NULL);

		if (!t && !c->failed)
			t = bench_add_track(b, name, c->err);
		if (!t) {
			c->failed = true;
			return;
		}
		codec_column(c, &t->head, &t->n_head, SUMMARY_MAX_SAMPLES);
		codec_column(c, &t->base, &t->n_base, SUMMARY_MAX_SAMPLES);
	}
}

static void fields_of_looks(struct codec *c, struct looks *looks)
{
	size_t i;

	codec_count(c, &looks->n, LOOKS_MAX);
	for (i = 0; i < looks->n; i++) {
		uint64_t pairs = looks->pairs[i];

		codec_unsigned(c, &pairs);
		if (pairs > SUMMARY_MAX_SAMPLES)
			codec_broken(c, "its decision points");
		looks->pairs[i] = (unsigned)pairs;
	}
}

/* What only a comparison has: one number says that there is nothing of it. */
static void fields_of_comparison(struct codec *c, struct bench *b)
{
	bool has_work =
		b->work.how || b->work.reason || !isnan(b->work.head) || !isnan(b->work.base);
	bool has_calibration = b->calibration.n != 0;
	int output = (int)b->output, ran = (int)b->pairs_ran;

	fields_of_looks(c, &b->looks);
	codec_word(c, &output, OUTPUT_N);
	b->output = (enum output)output;
	codec_word(c, &ran, PAIRS_RAN_N);
	b->pairs_ran = (enum pairs_ran)ran;
	codec_bool(c, &has_work);
	if (has_work) {
		codec_double(c, &b->work.head);
		codec_double(c, &b->work.base);
		codec_text(c, &b->work.how);
		codec_text(c, &b->work.reason);
	}
	codec_bool(c, &has_calibration);
	if (has_calibration) {
		codec_int(c, &b->calibration.n);
		codec_int(c, &b->calibration.n_false);
		codec_double(c, &b->calibration.floor);
		codec_signed(c, &b->calibration.when_us);
	}
	codec_text(c, &b->accepted.commit);
	codec_text(c, &b->accepted.because);
}

/* Came later: a row without layouts ends before it. */
static void fields_of_layouts(struct codec *c, struct layout_spread *l, bool more)
{
	bool has = l->n || l->why || more;

	if (codec_reads(c) ? c->failed || c->p == c->end : !has)
		return;
	codec_count(c, &l->n, SUMMARY_MAX_SAMPLES);
	codec_double(c, &l->between);
	codec_double(c, &l->within);
	codec_double(c, &l->floor);
	codec_text(c, &l->why);
}

/* Came later still. */
static void fields_of_changes(struct codec *c, struct code_changes *x, bool more)
{
	bool has = x->is_known || x->why || more;

	if (codec_reads(c) ? c->failed || c->p == c->end : !has)
		return;
	codec_bool(c, &x->is_known);
	codec_bool(c, &x->is_explained);
	codec_count(c, &x->n_functions, INT32_MAX);
	codec_count(c, &x->n_changed, INT32_MAX);
	codec_list(c, &x->changed, SUMMARY_MAX_CHANGED);
	codec_list(c, &x->executed, SUMMARY_MAX_CHANGED);
	codec_text(c, &x->why);
}

/* And then this. */
static void fields_of_calibrated(struct codec *c, struct layout_calibration *l)
{
	if (codec_reads(c) ? c->failed || c->p == c->end : !l->n)
		return;
	codec_int(c, &l->n);
	codec_double(c, &l->spread);
	codec_double(c, &l->low);
	codec_double(c, &l->high);
	codec_double(c, &l->floor);
	codec_double(c, &l->scatter);
}

void fields_of_bench(struct codec *c, struct bench *b)
{
	bool calibrated = b->calibration.layouts.n != 0;
	int status = (int)b->status;

	codec_word(c, &status, BENCH_STATUS_N);
	b->status = (enum bench_status)status;
	codec_text(c, &b->detail);
	codec_text(c, &b->command);
	codec_text(c, &b->format);
	codec_text(c, &b->binary_id);
	codec_text(c, &b->base_binary_id);
	codec_text(c, &b->baseline_commit);
	codec_text(c, &b->baseline_how);
	codec_bool(c, &b->is_new);
	codec_unsigned(c, &b->iterations);
	codec_text(c, &b->gate);
	codec_text(c, &b->gate_why);
	codec_double(c, &b->threshold);
	codec_bool(c, &b->paired);
	codec_unsigned(c, &b->n_void);
	codec_unsigned(c, &b->n_disturbed);
	fields_of_comparison(c, b);
	fields_of_facts(c, &b->facts);
	c->iterations = b->iterations;
	fields_of_metrics(c, b);
	c->iterations = 0;
	fields_of_tracks(c, b);
	fields_of_layouts(c, &b->layouts, b->changes.is_known || b->changes.why || calibrated);
	fields_of_changes(c, &b->changes, calibrated);
	fields_of_calibrated(c, &b->calibration.layouts);
}
