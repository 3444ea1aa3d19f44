#include "lib/foreign/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/utf8.h"
#include "lib/digest/digest.h"

#include "lib/base/banned.h"

#define DIGITS 12     /* of a digest, behind a name that was cut */
#define MAX_TRACKS 64 /* of a benchmark, as the schema has it */

/* ---- names ----------------------------------------------------------------------------- */

/* FNV-1a, 64 bits; only the order of probing depends on it. */
static size_t hash(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return (size_t)(h ^ h >> 32);
}

/* The slot of the name, or the empty one where it belongs. */
static size_t *slot_of(const struct foreign_sink *s, const char *name)
{
	size_t i = hash(name) & (s->n_slots - 1);

	while (s->index[i] && strcmp(s->out->benchmarks[s->index[i] - 1].name, name))
		i = (i + 1) & (s->n_slots - 1);
	return &s->index[i];
}

int sink_open(struct foreign_sink *s, const struct foreign_doc *doc, struct summary *out,
	      const char *format, struct err *err)
{
	size_t i;

	memset(s, 0, sizeof(*s));
	s->doc = doc;
	s->out = out;
	s->format = format;
	s->first = out->n_benchmarks;
	s->n_slots = 2 << 14; /* more than twice SUMMARY_MAX_BENCHMARKS, a power of two */
	s->index = calloc(s->n_slots, sizeof(*s->index));
	if (!s->index)
		return err_nomem(err);
	for (i = 0; i < out->n_benchmarks; i++)
		*slot_of(s, out->benchmarks[i].name) = i + 1;
	return 0;
}

void sink_release(struct foreign_sink *s)
{
	free(s->index);
	s->index = NULL;
}

/* Appends at most max bytes of text, valid UTF-8 on one line; other bytes as \xff. */
static void clean(const char *text, size_t n, size_t max, struct buf *out)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t len;

	for (; n; p += len, n -= len) {
		len = utf8_length(p, n);
		if (out->len + (len ? len : 4) > max)
			return;
		if (!len)
			buf_addf(out, "\\x%02x", *p);
		else if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0)) /* C0, C1 */
			buf_addc(out, ' ');
		else
			buf_add(out, p, len);
		len = len ? len : 1;
	}
}

/* The name within its limit; *out_cut tells whether it is not whole. */
static int make_name(const char *name, struct buf *out, bool *out_cut, struct err *err)
{
	size_t n = strlen(name);
	char digits[DIGEST_HEX];

	clean(name, n, SIZE_MAX, out);
	*out_cut = out->len > SUMMARY_MAX_NAME;
	if (!*out_cut)
		return buf_check(out, err);
	if (digest_of(name, n, digits, err))
		return -1;
	buf_reset(out);
	clean(name, n, SUMMARY_MAX_NAME - DIGITS - 1, out);
	buf_addf(out, "~%.*s", DIGITS, digits);
	return buf_check(out, err);
}

static struct bench *add_bench(struct foreign_sink *s, const char *name, size_t *slot,
			       struct err *err)
{
	struct bench *b;

	if (s->out->n_benchmarks >= SUMMARY_MAX_BENCHMARKS) {
		err_set(err, ERR_LIMIT, "more than %d benchmarks", SUMMARY_MAX_BENCHMARKS);
		return NULL;
	}
	b = summary_add_bench(s->out, name, err);
	if (!b || str_set(&b->format, s->format, err))
		return NULL;
	*slot = s->out->n_benchmarks;
	return b;
}

static struct bench *find_or_add(struct foreign_sink *s, const char *name, bool is_new,
				 const char *where, struct err *err)
{
	struct buf text = BUF_INIT;
	struct bench *b = NULL;
	bool cut;
	size_t *slot;

	if (!name || !*name) {
		err_set(err, ERR_RANGE, "%s: a benchmark without a name", where);
		return NULL;
	}
	if (doc_go_on(s->doc, err) || make_name(name, &text, &cut, err))
		goto out;
	slot = slot_of(s, buf_str(&text));
	if (*slot && (is_new || *slot - 1 < s->first)) {
		err_set(err, ERR_CONFLICT, "%s: benchmark '%s' is there twice%s", where,
			buf_str(&text), *slot - 1 < s->first ? ", in another input first" : "");
		goto out;
	}
	b = *slot ? &s->out->benchmarks[*slot - 1] : add_bench(s, buf_str(&text), slot, err);
	if (b && cut && sink_fact(&b->facts, "name", name, err))
		b = NULL;
out:
	buf_release(&text);
	return b;
}

int sink_find(const struct foreign_sink *s, const char *name, struct bench **out, struct err *err)
{
	struct buf text = BUF_INIT;
	size_t at = 0;
	bool cut;
	int result = make_name(name, &text, &cut, err);

	if (!result)
		at = *slot_of(s, buf_str(&text));
	*out = at > s->first ? &s->out->benchmarks[at - 1] : NULL;
	buf_release(&text);
	return result;
}

struct bench *sink_bench(struct foreign_sink *s, const char *name, const char *where,
			 struct err *err)
{
	return find_or_add(s, name, false, where, err);
}

struct bench *sink_new_bench(struct foreign_sink *s, const char *name, const char *where,
			     struct err *err)
{
	return find_or_add(s, name, true, where, err);
}

/* ---- metrics --------------------------------------------------------------------------- */

struct metric *sink_metric(struct bench *b, const char *name, const char *unit, enum better better,
			   const char *where, struct err *err)
{
	struct buf text = BUF_INIT, of = BUF_INIT;
	struct metric *m = NULL;
	bool cut;

	if (!*name) {
		err_set(err, ERR_RANGE, "%s: a metric without a name", where);
		return NULL;
	}
	if (make_name(name, &text, &cut, err) || make_name(unit, &of, &cut, err))
		goto out;
	m = bench_find_metric(b, buf_str(&text));
	if (m && strcmp(m->unit, buf_str(&of)) != 0) {
		err_set(err, ERR_RANGE, "%s: '%s' is in '%s' here and in '%s' before", where,
			m->name, buf_str(&of), m->unit);
		m = NULL;
	} else if (!m && b->n_metrics >= SUMMARY_MAX_METRICS) {
		err_set(err, ERR_LIMIT, "%s: '%s' has more than %d metrics", where, b->name,
			SUMMARY_MAX_METRICS);
	} else if (!m) {
		m = bench_add_metric(b, buf_str(&text), buf_str(&of), better, err);
	}
out:
	buf_release(&text);
	buf_release(&of);
	return m;
}

static int refuse(const char *where, const char *what, double value, struct err *err)
{
	return err_set(err, ERR_RANGE, "%s: %s: %g", where, what, value);
}

/* What is no finite number fails its metric alone: without values, and it says why. */
static const char not_finite[] = "a value of it was no finite number";

static bool is_left_out(const struct metric *m)
{
	return m->reason && !strcmp(m->reason, not_finite);
}

static int leave_out(struct metric *m, struct err *err)
{
	m->n = 0;
	m->described = false;
	m->state = METRIC_ABSENT;
	return str_set(&m->reason, not_finite, err);
}

int sink_sample(struct bench *b, const char *metric, const char *unit, enum better better,
		double value, const char *where, struct err *err)
{
	struct metric *m = sink_metric(b, metric, unit, better, where, err);

	if (!m)
		return -1;
	if (is_left_out(m))
		return 0;
	if (!isfinite(value))
		return leave_out(m, err);
	if (m->n >= SUMMARY_MAX_SAMPLES)
		return err_set(err, ERR_LIMIT, "%s: '%s' has more than %d samples", where, b->name,
			       SUMMARY_MAX_SAMPLES);
	return samples_add(&m->samples, &m->n, value, err);
}

int sink_absent(struct bench *b, const char *metric, const char *unit, enum better better,
		const char *reason, const char *where, struct err *err)
{
	struct metric *m = sink_metric(b, metric, unit, better, where, err);

	if (!m)
		return -1;
	m->state = METRIC_ABSENT;
	return str_set(&m->reason, reason, err);
}

int sink_time(struct bench *b, const char *metric, double value, double scale, const char *where,
	      struct err *err)
{
	if (!isfinite(value))
		return err_set(err, ERR_RANGE, "%s: not a finite number", where);
	if (value < 0)
		return refuse(where, "a time must not be negative", value, err);
	return sink_sample(b, metric, "ns", BETTER_LOWER, value * scale, where, err);
}

int sink_figure(struct metric *m, double *field, double value, const char *where, struct err *err)
{
	bool is_time = !strcmp(m->unit, "ns");

	if (is_left_out(m))
		return 0;
	if (!isfinite(value))
		return is_time ? err_set(err, ERR_RANGE, "%s: not a finite number", where)
			       : leave_out(m, err);
	if (is_time && value < 0)
		return refuse(where, "a time must not be negative", value, err);
	if (!m->described) {
		double *const all[] = { &m->mean,   &m->ci_low, &m->ci_high,
					&m->median, &m->stddev, &m->min,
					&m->max,    &m->p99,	&m->throughput_per_s };
		size_t i;

		for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
			*all[i] = (double)NAN;
		m->described = true;
	}
	*field = value;
	return 0;
}

void sink_described(struct metric *m)
{
	/* A document tells figures only together with a mean. */
	if (!m->described || isfinite(m->mean))
		return;
	m->mean = isfinite(m->median) ? m->median : m->min;
	m->described = isfinite(m->mean);
}

int sink_track(struct bench *b, const char *name, double value, struct err *err)
{
	struct track *t = NULL;
	size_t i;

	for (i = 0; i < b->n_tracks && !t; i++)
		if (!strcmp(b->tracks[i].name, name))
			t = &b->tracks[i];
	if (!t && b->n_tracks < MAX_TRACKS)
		t = bench_add_track(b, name, err);
	if (!t || t->n_head >= SUMMARY_MAX_SAMPLES)
		return err_set(err, ERR_LIMIT, "'%s' has too many values of '%s'", b->name, name);
	return samples_add(&t->head, &t->n_head, value, err);
}

int sink_gate(struct foreign_sink *s, struct bench *b, const char *metric, struct err *err)
{
	struct buf name = BUF_INIT;
	char why[64];
	bool cut;
	int result;

	if (b->gate)
		return 0;
	snprintf(why, sizeof(why), "what a %.20s result tells first", s->format);
	result = make_name(metric, &name, &cut, err) || str_set(&b->gate, buf_str(&name), err) ||
				 str_set(&b->gate_why, why, err)
			 ? -1
			 : 0;
	buf_release(&name);
	return result;
}

void sink_when(struct foreign_sink *s, int64_t us)
{
	struct summary *out = s->out;

	if (!out->started_us || us < out->started_us)
		out->started_us = us;
	if (us > out->finished_us)
		out->finished_us = us;
}

/* ---- fields of JSON -------------------------------------------------------------------- */

int sink_need_number(const struct jtree *object, const char *key, const char *where, double *out,
		     struct err *err)
{
	const struct jtree *v = jtree_get(object, key);

	if (jtree_kind(v) != JTREE_NUMBER)
		return err_set(err, ERR_RANGE, "%s.%s: %s", where, key,
			       v ? "must be a number" : "is missing");
	*out = jtree_number(v);
	return 0;
}

const char *sink_need_text(const struct jtree *object, const char *key, const char *where,
			   struct err *err)
{
	const struct jtree *v = jtree_get(object, key);

	if (jtree_kind(v) == JTREE_STRING)
		return jtree_text(v);
	err_set(err, ERR_RANGE, "%s.%s: %s", where, key, v ? "must be a string" : "is missing");
	return NULL;
}

int sink_array(const struct jtree *object, const char *key, const char *where,
	       const struct jtree **out, struct err *err)
{
	const struct jtree *v = jtree_get(object, key);

	*out = jtree_kind(v) == JTREE_ARRAY ? v : NULL;
	if (*out || !v || jtree_kind(v) == JTREE_NULL)
		return 0;
	return err_set(err, ERR_RANGE, "%s.%s: must be an array", where, key);
}

int sink_each(struct foreign_sink *s, const struct jtree *document, const char *key,
	      sink_reader *read, struct err *err)
{
	const struct jtree *all = jtree_get(document, key), *entry;
	char where[SINK_WHERE];
	size_t i = 0;

	if (jtree_kind(all) != JTREE_ARRAY)
		return err_set(err, ERR_RANGE, "%s: %s", key,
			       all ? "must be an array" : "is missing");
	for (entry = jtree_first(all); entry; entry = jtree_after(all, entry), i++) {
		snprintf(where, sizeof(where), "%.60s[%zu]", key, i);
		if (jtree_kind(entry) != JTREE_OBJECT)
			return err_set(err, ERR_RANGE, "%s: must be an object", where);
		if (read(s, entry, where, err))
			return -1;
	}
	return 0;
}
