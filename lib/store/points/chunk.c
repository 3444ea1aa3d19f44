#include "lib/store/points/chunk.h"

#include "lib/digest/crc.h"
#include "lib/record/packed/bytes.h"

#include "lib/base/banned.h"

#define FORM 1
#define SUM_BYTES 8

static uint64_t body_sum(const struct chunk_key *k, const void *body, size_t n)
{
	const int64_t words[] = { k->project, k->series, k->t0, k->run0, k->t1, k->run1 };
	unsigned char bytes[sizeof(words)];
	size_t i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)((uint64_t)words[i / 8] >> 8 * (i % 8));
	return crc64(crc64(0, bytes, sizeof(bytes)), body, n);
}

struct chunk_key chunk_key_of(const struct ledger_point *points, size_t n)
{
	const struct ledger_point *last = &points[n - 1];

	return (struct chunk_key){ points->project, points->series, points->t,
				   points->run,	    last->t,	    last->run };
}

void chunk_write(const struct ledger_point *points, size_t n, struct buf *out)
{
	const struct chunk_key key = chunk_key_of(points, n);
	struct ledger_point last = { .t = 0 };
	size_t i, start = out->len;

	buf_addc(out, FORM);
	bytes_add(out, n);
	for (i = 0; i < n; i++) {
		struct ledger_point p = point_shown(&points[i]);

		bytes_add_signed(out, p.t - last.t);
		bytes_add_signed(out, p.run - last.run);
		point_pack(out, &p, last.v);
		if (point_is_change(&p))
			bytes_add(out, (uint64_t)p.base);
		last = p;
	}
	if (!out->failed)
		bytes_add_fixed(out, body_sum(&key, out->data + start, out->len - start));
}

static int damaged(const struct ledger_point *p, struct err *err)
{
	err_set(err, ERR_CORRUPT,
		"a piece of the history of series %lld is damaged: its checksum does not fit",
		(long long)p->series);
	return err_hint(err, "pawld fsck --store STORE");
}

int chunk_open(struct chunk *c, const struct chunk_key *key, const void *bytes, size_t n,
	       struct err *err)
{
	const unsigned char *start = bytes;
	uint64_t sum = 0, left = 0;

	*c = (struct chunk){ .last = { .project = key->project, .series = key->series } };
	if (n <= SUM_BYTES || start[0] != FORM)
		return damaged(&c->last, err);
	c->end = start + n - SUM_BYTES;
	bytes_get_fixed(c->end, start + n, &sum);
	c->at = bytes_get(start + 1, c->end, &left);
	if (!c->at || sum != body_sum(key, bytes, n - SUM_BYTES))
		return damaged(&c->last, err);
	c->left = (size_t)left;
	return 0;
}

/* Over the one before, of which it is told by how much it differs. */
int chunk_next(struct chunk *c, struct err *err)
{
	struct ledger_point *p = &c->last;
	const unsigned char *at = c->at;
	int64_t t = 0, run = 0;
	uint64_t base = 0;

	if (!c->left)
		return 0;
	at = bytes_get_signed(at, c->end, &t);
	at = bytes_get_signed(at, c->end, &run);
	at = point_unpack(at, c->end, p->v, p);
	if (at && point_is_change(p))
		at = bytes_get(at, c->end, &base);
	if (!at)
		return damaged(p, err);
	p->t += t;
	p->run += run;
	p->base = (int64_t)base;
	c->at = at;
	c->left--;
	return 1;
}
