#include "lib/record/calibration/calibrations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/jsonw.h"
#include "lib/base/when.h"
#include "lib/record/layout_calibration.h"
#include "lib/record/reader/reader.h"

#include "lib/base/banned.h"

#define MAX_BYTES (64u << 20)
#define MAX_DEPTH 4
#define SCHEMA "pawl.calibrations/1"

static void release_one(struct calibrated *c)
{
	free(c->name);
	free(c->metric);
	free(c->log_ratios);
	free(c->floors);
	free(c->halves);
	free(c->false_calls);
	free(c->layouts_metric);
}

void calibrations_release(struct calibrations *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		release_one(&c->v[i]);
	free(c->v);
	*c = (struct calibrations)CALIBRATIONS_INIT;
}

static struct calibrated *find(const struct calibrations *c, const char *name)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (!strcmp(c->v[i].name, name))
			return &c->v[i];
	return NULL;
}

/* ---- adding --------------------------------------------------------------------------- */

static struct calibrated *add_one(struct calibrations *c, const char *name, struct err *err)
{
	struct calibrated *grown = realloc(c->v, (c->n + 1) * sizeof(*grown)), *one;

	if (!grown) {
		err_nomem(err);
		return NULL;
	}
	c->v = grown;
	one = &c->v[c->n];
	memset(one, 0, sizeof(*one));
	if (str_set(&one->name, name, err))
		return NULL;
	c->n++;
	return one;
}

/* Appends, the oldest going once there are enough.  An array that was read has no room to spare. */
static int keep(double **array, size_t *n, double value, struct err *err)
{
	double *grown;

	if (*n >= CALIBRATIONS_KEPT) {
		memmove(*array, *array + 1, (*n - 1) * sizeof(**array));
		(*n)--;
	}
	grown = realloc(*array, (*n + 1) * sizeof(*grown));
	if (!grown)
		return err_nomem(err);
	*array = grown;
	grown[(*n)++] = value;
	return 0;
}

/* What one metric differs by says nothing of another. */
static int begin_metric(struct calibrated *c, const char *metric, struct err *err)
{
	if (c->metric && metric && !strcmp(c->metric, metric))
		return 0;
	c->n_log_ratios = c->n_floors = c->n_false_calls = c->n_halves = 0;
	return str_set(&c->metric, metric, err);
}

/* As many pairs as there can be narrow it so far. */
static double half_of_all(const struct bench *b, const struct delta *d)
{
	const struct metric *m = bench_find_metric(b, b->gate);
	const struct looks *looks = &b->looks;
	double half = (log(d->high) - log(d->low)) / 2;

	return looks->n ? half * sqrt((double)m->n / looks->pairs[looks->n - 1]) : half;
}

static int add_delta(struct calibrations *c, const struct bench *b, const struct delta *d,
		     int64_t when_us, struct err *err)
{
	struct calibrated *one = find(c, b->name);
	bool called = d->verdict == VERDICT_REGRESSED || d->verdict == VERDICT_IMPROVED;

	if (!one)
		one = add_one(c, b->name, err);
	if (!one || begin_metric(one, b->gate, err))
		return -1;
	one->when_us = when_us;
	one->threshold = b->threshold;
	one->n_points = b->looks.n ? (int)b->looks.n : 1;
	return keep(&one->log_ratios, &one->n_log_ratios, log(d->ratio), err) ||
			       keep(&one->floors, &one->n_floors, d->noise_floor, err) ||
			       keep(&one->halves, &one->n_halves, half_of_all(b, d), err) ||
			       keep(&one->false_calls, &one->n_false_calls, called, err)
		       ? -1
		       : 0;
}

int calibrations_add(struct calibrations *c, const struct summary *s, struct err *err)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		const struct delta *d = bench_delta(&s->benchmarks[i]);

		if (!d || !(d->ratio > 0) || !isfinite(d->noise_floor) || !isfinite(d->low))
			continue;
		if (add_delta(c, &s->benchmarks[i], d, s->finished_us, err))
			return -1;
	}
	return 0;
}

int calibrations_keep_layouts(struct calibrations *c, const char *name, const char *metric,
			      const struct layout_calibration *layouts, struct err *err)
{
	struct calibrated *one = find(c, name);

	if (!one)
		one = add_one(c, name, err);
	if (!one || str_set(&one->layouts_metric, metric, err))
		return -1;
	one->layouts = *layouts;
	return 0;
}

const struct calibrated *calibrations_find(const struct calibrations *c, const char *name)
{
	return find(c, name);
}

void calibrations_apply(const struct calibrations *c, struct summary *s)
{
	size_t i;

	for (i = 0; i < s->n_benchmarks; i++) {
		struct bench *b = &s->benchmarks[i];
		const struct calibrated *one = find(c, b->name);

		if (!one || !one->n_log_ratios)
			continue;
		if (calibrated_is_of(one, b->gate))
			b->calibration = calibrated_in_short(one);
		b->calibration.layouts = calibrated_layouts(one, b->gate);
	}
}

/* ---- JSON ----------------------------------------------------------------------------- */

int calibrations_encode(const struct calibrations *c, struct buf *out, struct err *err)
{
	char when[WHEN_ISO];
	struct jsonw w;
	size_t i;

	jsonw_init(&w, out, 0);
	jsonw_object(&w);
	jsonw_kstring(&w, "schema", SCHEMA);
	jsonw_key(&w, "benchmarks");
	jsonw_array(&w);
	for (i = 0; i < c->n; i++) {
		const struct calibrated *one = &c->v[i];

		jsonw_object(&w);
		jsonw_kstring(&w, "name", one->name);
		if (one->metric)
			jsonw_kstring(&w, "metric", one->metric);
		jsonw_knumbers(&w, "log_ratios", one->log_ratios, one->n_log_ratios);
		jsonw_knumbers(&w, "noise_floors", one->floors, one->n_floors);
		if (one->n_halves) {
			jsonw_knumbers(&w, "halves", one->halves, one->n_halves);
			jsonw_knumber(&w, "threshold", one->threshold);
			jsonw_kinteger(&w, "points", one->n_points);
		}
		jsonw_knumbers(&w, "false_calls", one->false_calls, one->n_false_calls);
		jsonw_kstring(&w, "when", when_iso(one->when_us, false, when));
		layout_calibration_write(&w, &one->layouts, one->layouts_metric);
		jsonw_object_end(&w);
	}
	jsonw_array_end(&w);
	jsonw_object_end(&w);
	return buf_check(out, err);
}

static void read_one(struct reader *r, struct calibrated *one)
{
	bool when = false;
	int64_t points = 0;

	while (reader_next(r)) {
		if (reader_at(r, "name"))
			reader_string(r, SUMMARY_MAX_NAME, &one->name);
		else if (reader_at(r, "metric"))
			reader_string(r, SUMMARY_MAX_NAME, &one->metric);
		else if (reader_at(r, "log_ratios"))
			reader_numbers(r, CALIBRATIONS_KEPT, &one->log_ratios, &one->n_log_ratios);
		else if (reader_at(r, "noise_floors"))
			reader_numbers(r, CALIBRATIONS_KEPT, &one->floors, &one->n_floors);
		else if (reader_at(r, "halves"))
			reader_numbers(r, CALIBRATIONS_KEPT, &one->halves, &one->n_halves);
		else if (reader_at(r, "threshold"))
			reader_number(r, &one->threshold);
		else if (reader_at(r, "points"))
			reader_integer(r, 1, SUMMARY_MAX_SAMPLES, &points);
		else if (reader_at(r, "false_calls"))
			reader_numbers(r, CALIBRATIONS_KEPT, &one->false_calls,
				       &one->n_false_calls);
		else if (reader_at(r, "when"))
			when = reader_time(r, &one->when_us);
		else if (reader_at(r, "layouts"))
			layout_calibration_read(r, &one->layouts, &one->layouts_metric);
	}
	one->n_points = (int)points;
	reader_need(r, when, "when");
	if (one->n_floors != one->n_log_ratios || one->n_false_calls != one->n_log_ratios)
		reader_fault(r, ERR_RANGE, NULL, "has lists of different lengths");
}

static void decode_one(struct reader *r, struct calibrations *out)
{
	struct calibrated *one;
	char *name;

	if (!reader_object(r)) {
		reader_fault_here(r, ERR_RANGE, "must be an object");
		return;
	}
	name = reader_later_text(r, "name");
	reader_need(r, name, "name");
	if (!reader_failed(r) && find(out, name))
		reader_fault(r, ERR_RANGE, "name", "is there twice");
	one = reader_failed(r) ? NULL : add_one(out, name, r->err);
	free(name);
	if (one)
		read_one(r, one);
	else
		r->failed = true;
	reader_leave(r);
}

int calibrations_decode(const char *json, size_t n, struct calibrations *out, struct err *err)
{
	static const char *const schemas[] = { SCHEMA };
	bool schema = false, benchmarks = false;
	struct err fault = ERR_INIT;
	struct reader r;
	int which;

	*out = (struct calibrations)CALIBRATIONS_INIT;
	if (n > MAX_BYTES)
		return err_set(err, ERR_LIMIT, "document of %zu bytes, at most %u are accepted", n,
			       MAX_BYTES);
	reader_open(&r, json, n, SIZE_MAX, MAX_DEPTH, &fault);
	if (!reader_object(&r))
		reader_fault(&r, ERR_RANGE, NULL, "must be an object");
	while (reader_next(&r)) {
		if (reader_at(&r, "schema")) {
			schema = reader_word(&r, schemas, 1, &which);
		} else if (reader_at(&r, "benchmarks") &&
			   reader_array(&r, SUMMARY_MAX_BENCHMARKS)) {
			benchmarks = true;
			while (reader_item(&r))
				decode_one(&r, out);
			reader_leave(&r);
		}
	}
	reader_need(&r, schema, "schema");
	reader_need(&r, benchmarks, "benchmarks");
	if (!reader_close(&r))
		return 0;
	calibrations_release(out);
	if (err)
		*err = fault;
	return -1;
}
