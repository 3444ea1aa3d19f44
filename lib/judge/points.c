#include "lib/judge/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/digest/crc.h"
#include "lib/judge/pairs.h"
#include "lib/record/packed/bytes.h"
#include "lib/record/packed/codec.h"

#include "lib/base/banned.h"

/* Which rule made them: its number and its constants. */
static uint64_t rule_key(void)
{
	const double constants[] = { POINTS_RULE,    VERDICT_RATE,    VERDICT_CONFIDENCE,
				     VERDICT_MARGIN, VERDICT_STREAKS, VERDICT_FEWEST_PAIRS };

	return crc64(0, constants, sizeof(constants));
}

struct points_frame points_frame_of(const struct summary *s)
{
	struct points_frame f = { .commit = s->commit.id,
				  .subject = s->commit.subject,
				  .time_us = s->commit.commit_time_us,
				  .measured_identical = s->settings.measured_identical,
				  .kernel = s->machine.kernel,
				  .governor = s->machine.governor };
	size_t i;

	for (i = 0; i < SERIES_FACTS; i++)
		f.facts[i] = facts_find(&s->machine.more, series_facts[i]);
	return f;
}

static void borrow(struct codec *c, const char **text)
{
	*text = codec_borrow(c, *text);
}

static void fields_of_frame(struct codec *c, struct points_frame *f)
{
	size_t i;

	borrow(c, &f->commit);
	borrow(c, &f->subject);
	codec_signed(c, &f->time_us);
	codec_bool(c, &f->measured_identical);
	borrow(c, &f->kernel);
	borrow(c, &f->governor);
	for (i = 0; i < SERIES_FACTS; i++)
		borrow(c, &f->facts[i]);
}

static void fields_of_judgement(struct codec *c, struct judgement *j)
{
	int call = (int)j->call;

	codec_word(c, &call, CALL_INCONCLUSIVE + 1);
	j->call = (enum call)call;
	codec_double(c, &j->theta);
	codec_double(c, &j->low);
	codec_double(c, &j->high);
	codec_double(c, &j->p);
	codec_double(c, &j->p_adjusted);
	codec_double(c, &j->noise_floor);
	codec_count(c, &j->n_disturbed, SUMMARY_MAX_SAMPLES);
	codec_bool(c, &j->sticks);
	codec_double(c, &j->terms.delta_log);
}

static void fields_of_step(struct codec *c, struct point *p)
{
	borrow(c, &p->base);
	if (p->step != POINT_PAIRED)
		return;
	codec_count(c, &p->n_pairs, SUMMARY_MAX_SAMPLES);
	codec_count(c, &p->n_points, SUMMARY_MAX_SAMPLES);
	codec_bool(c, &p->many_void);
	codec_bool(c, &p->by_difference);
	codec_double(c, &p->base_size);
	fields_of_judgement(c, &p->judged);
	p->judged.n = p->n_pairs;
	p->judged.terms.n_points = p->n_points;
	p->judged.terms.m = 1;
}

/* Everything but the benchmark. */
static void fields_of_point(struct codec *c, struct point *p)
{
	int better = (int)p->better, reported = (int)p->reported, step = (int)p->step;

	borrow(c, &p->metric);
	borrow(c, &p->unit);
	codec_bool(c, &p->has_others);
	codec_word(c, &better, 2);
	codec_word(c, &reported, VERDICT_N);
	codec_word(c, &step, POINT_STEP_N);
	p->better = (enum better)better;
	p->reported = (enum verdict)reported;
	p->step = (enum point_step)step;
	codec_double(c, &p->threshold);
	codec_bool(c, &p->absent);
	codec_bool(c, &p->failed);
	codec_unsigned(c, &p->iterations);
	codec_bool(c, &p->suspect);
	borrow(c, &p->accepted);
	codec_count(c, &p->n_runs, SUMMARY_MAX_SAMPLES);
	codec_double(c, &p->level);
	codec_double(c, &p->low);
	codec_double(c, &p->high);
	codec_bool(c, &p->has_location);
	codec_double(c, &p->location);
	if (p->step != POINT_NO_STEP)
		fields_of_step(c, p);
	/* Of Go alone, and not of those that were kept before it was. */
	if (codec_reads(c) ? c->p != c->end : p->procs != NULL)
		borrow(c, &p->procs);
}

/* The point of the gate, its step judged as the only one of all. */
static int judged_point(const struct summary *s, const struct bench *b, struct point *out,
			struct err *err)
{
	struct judge_terms terms = { 0, 0, 1 };
	int result = 0;

	if (point_of(s, b, b->gate, out, err))
		return -1;
	if (out->step == POINT_PAIRED) {
		terms.delta_log = log1p(out->threshold);
		terms.n_points = out->n_points;
		if (out->by_difference)
			terms.delta_log = pairs_least_difference(out->threshold, out->base_size);
		result = pairs_judge_series(out->d, out->layouts, out->n_pairs, out->unit, &terms,
					    &out->judged, err);
		if (!result)
			judge_widen(&out->judged, out->shared);
	}
	free(out->d);
	out->d = NULL;
	out->layouts = NULL;
	return result;
}

static int pack_point(const struct summary *s, const struct bench *b, struct codec *c,
		      struct texts *texts, struct err *err)
{
	struct buf bytes = BUF_INIT;
	struct codec one = { .out = &bytes, .texts = texts, .err = err };
	struct point p;
	int result = judged_point(s, b, &p, err);

	if (!result) {
		fields_of_point(&one, &p);
		codec_name(c, b->name);
		result = codec_end(&one);
		bytes_add(c->out, bytes.len);
		buf_add(c->out, bytes.data, bytes.len);
	}
	buf_release(&bytes);
	return result;
}

/* The CRC of all behind it, the rule, the texts, then the points. */
static int join(const struct texts *texts, const struct buf *body, struct buf *out, struct err *err)
{
	size_t start = out->len;
	uint64_t crc;
	size_t i;

	bytes_add_fixed(out, 0);
	bytes_add_fixed(out, rule_key());
	bytes_add(out, texts->n);
	bytes_add(out, texts->bytes.len);
	buf_add(out, texts->bytes.data, texts->bytes.len);
	buf_add(out, body->data, body->len);
	if (buf_check(body, err) || buf_check(out, err))
		return -1;
	crc = crc64(0, out->data + start + 8, out->len - start - 8);
	for (i = 0; i < 8; i++)
		out->data[start + i] = (char)(crc >> 8 * i & 255);
	return 0;
}

int points_pack(const struct summary *s, struct buf *out, struct err *err)
{
	struct texts texts = TEXTS_INIT;
	struct buf body = BUF_INIT;
	struct codec c = { .out = &body, .texts = &texts, .err = err };
	struct points_frame frame = points_frame_of(s);
	size_t n = frame.measured_identical ? 0 : s->n_benchmarks, i;
	int result = -1;

	fields_of_frame(&c, &frame);
	codec_count(&c, &n, SUMMARY_MAX_BENCHMARKS);
	for (i = 0; i < n; i++)
		if (pack_point(s, &s->benchmarks[i], &c, &texts, err))
			goto out;
	result = codec_end(&c) || join(&texts, &body, out, err) ? -1 : 0;
out:
	texts_release(&texts);
	buf_release(&body);
	return result;
}

void points_release(struct points *p)
{
	texts_release(&p->texts);
	*p = (struct points)POINTS_INIT;
}

static int broken(struct err *err)
{
	return err_set(err, ERR_CORRUPT, "the points of a result are damaged");
}

static int open_texts(const unsigned char **at, const unsigned char *end, struct texts *out,
		      struct err *err)
{
	const unsigned char *p = *at;
	struct buf bytes = BUF_INIT;
	uint64_t count = 0, size = 0;

	p = bytes_get(p, end, &count);
	p = bytes_get(p, end, &size);
	if (!p || size > (size_t)(end - p) || count > size)
		return broken(err);
	buf_add(&bytes, p, (size_t)size);
	if (buf_check(&bytes, err) || texts_read(&bytes, (size_t)count, out, err))
		return -1;
	*at = p + size;
	return 0;
}

int points_open(const void *bytes, size_t n, struct points *out, struct err *err)
{
	const unsigned char *p = bytes, *end = p + n;
	struct points made = POINTS_INIT;
	struct codec c = { .end = end, .texts = &made.texts, .err = err };
	uint64_t crc = 0, rule = 0;

	if (!n)
		return err_set(err, ERR_NEWER, "a result has no points");
	p = bytes_get_fixed(p, end, &crc);
	if (!p || crc != crc64(0, p, (size_t)(end - p)))
		return broken(err);
	p = bytes_get_fixed(p, end, &rule);
	if (p && rule != rule_key())
		return err_set(err, ERR_NEWER, "the points of a result are of another rule");
	if (open_texts(&p, end, &made.texts, err))
		return -1;
	c.p = p;
	fields_of_frame(&c, &made.frame);
	codec_count(&c, &made.left, SUMMARY_MAX_BENCHMARKS);
	made.p = c.p;
	made.end = end;
	if (c.failed || (!made.left && codec_end(&c))) {
		points_release(&made);
		return -1;
	}
	*out = made;
	return 0;
}

/* Goes past the next one: its benchmark, and where its fields are. */
static int step(struct points *p, const char **out_name, struct codec *out, struct err *err)
{
	struct codec c = { .p = p->p, .end = p->end, .texts = &p->texts, .err = err };
	size_t n = 0;

	if (!p->left)
		return 0;
	*out_name = codec_name(&c, NULL);
	codec_count(&c, &n, (size_t)(p->end - p->p));
	if (c.failed || n > (size_t)(c.end - c.p))
		return broken(err);
	*out = c;
	out->end = c.p + n;
	p->p = out->end;
	p->left--;
	return 1;
}

static int read_point(struct codec *c, const char *name, struct point *out)
{
	struct point p = { .benchmark = name };

	fields_of_point(c, &p);
	if (codec_end(c))
		return -1;
	*out = p;
	return 1;
}

int points_next(struct points *p, struct point *out, struct err *err)
{
	const char *name = NULL;
	struct codec c;
	int there = step(p, &name, &c, err);

	return there > 0 ? read_point(&c, name, out) : there;
}

int points_find(struct points *p, const char *benchmark, struct point *out, struct err *err)
{
	const char *name = NULL;
	struct codec c;
	int there;

	while ((there = step(p, &name, &c, err)) > 0)
		if (!strcmp(name, benchmark))
			return read_point(&c, name, out);
	return there;
}
