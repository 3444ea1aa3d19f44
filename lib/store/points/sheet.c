#include "lib/store/points/sheet.h"

#include <string.h>

#include "lib/digest/crc.h"
#include "lib/record/packed/bytes.h"

#include "lib/base/banned.h"

#define FORM 1
#define SUM_BYTES 4

void sheet_maker_release(struct sheet_maker *m)
{
	buf_release(&m->bases);
	buf_release(&m->head);
	buf_release(&m->points);
}

/* A base with how it was compared: its number and the text behind its length. */
static const unsigned char *take_base(const unsigned char *at, const unsigned char *end,
				      int64_t *out, const char **out_how, size_t *out_n)
{
	uint64_t n = 0;

	at = bytes_get_signed(at, end, out);
	at = bytes_get(at, end, &n);
	if (!at || n > (uint64_t)(end - at))
		return NULL;
	*out_how = (const char *)at;
	*out_n = (size_t)n;
	return at + n;
}

/* The base's number in the table, from 1. */
static uint64_t find_base(struct sheet_maker *m, int64_t base, const char *how)
{
	size_t i, n = how ? strlen(how) : 0, n_known = 0;
	const unsigned char *at = (const unsigned char *)m->bases.data;
	const char *known_how = NULL;
	int64_t known = 0;

	for (i = 0; i < m->n_bases; i++) {
		at = take_base(at, (const unsigned char *)m->bases.data + m->bases.len, &known,
			       &known_how, &n_known);
		if (!at)
			break;
		if (known == base && n == n_known && (!n || !memcmp(known_how, how, n)))
			return i + 1;
	}
	bytes_add_signed(&m->bases, base);
	bytes_add(&m->bases, n);
	buf_add(&m->bases, how ? how : "", n);
	return ++m->n_bases;
}

static void add_sum(struct buf *out, int64_t sum)
{
	char text[SUM_BYTES];
	size_t i;

	for (i = 0; i < SUM_BYTES; i++)
		text[i] = (char)(sum >> 8 * i & 255);
	buf_add(out, text, sizeof(text));
}

void sheet_add(struct sheet_maker *m, const struct ledger_point *p, const char *how,
	       bool is_damaged)
{
	size_t before = m->points.len;

	bytes_add(&m->points, p->base ? find_base(m, p->base, how) : 0);
	point_pack(&m->points, p, 0);
	add_sum(&m->points, is_damaged ? ~point_sum(p) : point_sum(p));
	bytes_add_signed(&m->head, p->series - m->last_series);
	bytes_add(&m->head, m->points.len - before);
	m->last_series = p->series;
	m->n++;
}

static uint64_t head_sum(int64_t project, int64_t run, int64_t t, const void *head, size_t n)
{
	const int64_t key[3] = { project, run, t };
	unsigned char bytes[sizeof(key)];
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)((uint64_t)key[i / 8] >> 8 * (i % 8));
	return crc64(crc64(0, bytes, sizeof(bytes)), head, n);
}

void sheet_finish(const struct sheet_maker *m, int64_t project, int64_t run, int64_t t,
		  struct buf *out)
{
	size_t start = out->len;

	buf_addc(out, FORM);
	bytes_add(out, m->n);
	bytes_add(out, m->n_bases);
	buf_add(out, buf_str(&m->bases), m->bases.len);
	buf_add(out, buf_str(&m->head), m->head.len);
	if (!out->failed)
		bytes_add_fixed(out,
				head_sum(project, run, t, out->data + start, out->len - start));
	buf_add(out, buf_str(&m->points), m->points.len);
	out->failed = out->failed || m->bases.failed || m->head.failed || m->points.failed;
}

static int damaged(int64_t run, struct err *err)
{
	err_set(err, ERR_CORRUPT, "points of run %lld are damaged: their checksum does not fit",
		(long long)run);
	return err_hint(err, "pawld fsck --store STORE");
}

/* Goes over bases and head once: where each ends, and whether the lengths add up. */
static bool measure(struct sheet *s, const unsigned char *at, const unsigned char **out_end,
		    uint64_t *out_sum)
{
	uint64_t i, n = 0, n_bases = 0, length = 0, total = 0;
	const char *how;
	int64_t number;
	size_t n_how;

	at = bytes_get(at, s->end, &n);
	at = bytes_get(at, s->end, &n_bases);
	s->bases = at;
	for (i = 0; at && i < n_bases; i++)
		at = take_base(at, s->end, &number, &how, &n_how);
	s->head = at;
	for (i = 0; at && i < n; i++) {
		at = bytes_get_signed(at, s->end, &number);
		at = bytes_get(at, s->end, &length);
		if (at && length > (uint64_t)(s->end - at))
			return false;
		total += length;
	}
	*out_end = at;
	at = bytes_get_fixed(at, s->end, out_sum);
	s->point = at;
	s->n = (size_t)n;
	s->n_bases = (size_t)n_bases;
	return at && total == (uint64_t)(s->end - at);
}

int sheet_open(struct sheet *s, int64_t project, int64_t run, int64_t t, const void *bytes,
	       size_t n, struct err *err)
{
	const unsigned char *start = bytes, *head_end = NULL;
	uint64_t sum = 0;

	*s = (struct sheet){ .project = project, .run = run, .t = t };
	if (!n || start[0] != FORM)
		return damaged(run, err);
	s->end = start + n;
	if (!measure(s, start + 1, &head_end, &sum) ||
	    sum != head_sum(project, run, t, start, (size_t)(head_end - start)))
		return damaged(run, err);
	s->left = s->n;
	return 0;
}

bool sheet_next(struct sheet *s)
{
	uint64_t length = 0;
	int64_t step = 0;

	if (!s->left)
		return false;
	s->left--;
	s->point += s->length;
	s->head = bytes_get_signed(s->head, s->end, &step);
	s->head = bytes_get(s->head, s->end, &length);
	s->series += step;
	s->length = (size_t)length;
	return true;
}

static bool find_how(const struct sheet *s, uint64_t number, int64_t *out, const char **out_how,
		     size_t *out_n)
{
	const unsigned char *at = s->bases;
	uint64_t i;

	if (number > s->n_bases)
		return false;
	for (i = 0; i < number; i++)
		at = take_base(at, s->end, out, out_how, out_n);
	return at != NULL;
}

int sheet_read(const struct sheet *s, struct ledger_point *out, const char **out_how, size_t *out_n,
	       struct err *err)
{
	const unsigned char *at = s->point, *end = at + s->length;
	struct ledger_point p = {
		.project = s->project, .series = s->series, .t = s->t, .run = s->run
	};
	const char *how = NULL;
	uint64_t base = 0;
	int64_t sum = 0;
	size_t i, n_how = 0;

	at = bytes_get(at, end, &base);
	at = point_unpack(at, end, 0, &p);
	if (!at || end - at != SUM_BYTES || !find_how(s, base, &p.base, &how, &n_how))
		return damaged(s->run, err);
	for (i = 0; i < SUM_BYTES; i++)
		sum |= (int64_t)at[i] << 8 * i;
	if (sum != point_sum(&p))
		return damaged(s->run, err);
	*out = p;
	if (out_how) {
		*out_how = how;
		*out_n = n_how;
	}
	return 0;
}
