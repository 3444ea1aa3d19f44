#include "lib/store/points/point.h"

#include <math.h>
#include <stddef.h>

#include "lib/digest/crc.h"
#include "lib/record/packed/bytes.h"
#include "lib/record/summary.h"

#include "lib/base/banned.h"

#define N_OTHERS 5    /* figures beside v */
#define FIGURE_MOST 9 /* bytes that one takes */

/* Nothing but finite numbers, and one zero. */
static uint64_t bits_of(double value)
{
	if (!isfinite(value))
		return UINT64_MAX;
	return value != 0 ? bytes_of_double(value) : 0;
}

uint64_t point_crc(const struct ledger_point *p)
{
	const uint64_t words[] = {
		(uint64_t)p->project,  (uint64_t)p->series,    (uint64_t)p->t,
		(uint64_t)p->run,      (uint64_t)p->n,	       (uint64_t)p->flags,
		(uint64_t)p->verdict,  (uint64_t)p->base,      bits_of(p->v),
		bits_of(p->low),       bits_of(p->high),       bits_of(p->ratio),
		bits_of(p->ratio_low), bits_of(p->ratio_high),
	};

	return crc64_words(words, sizeof(words) / sizeof(words[0]));
}

int64_t point_sum(const struct ledger_point *p)
{
	return (int64_t)(point_crc(p) & UINT32_MAX);
}

bool point_is_change(const struct ledger_point *p)
{
	return (p->verdict == VERDICT_REGRESSED || p->verdict == VERDICT_IMPROVED) &&
	       (p->flags & POINT_GATE) && !(p->flags & (POINT_SUSPECT | POINT_TAKEN_BACK));
}

bool point_is_listed(const struct ledger_point *p)
{
	return point_is_change(p) && !(p->flags & POINT_DIRTY);
}

struct ledger_point point_shown(const struct ledger_point *p)
{
	struct ledger_point shown = *p;

	if (!point_is_change(p)) {
		shown.base = 0;
		shown.ratio_low = shown.ratio_high = (double)NAN;
	}
	return shown;
}

static int order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int point_order(const struct ledger_point *a, const struct ledger_point *b)
{
	if (a->t != b->t)
		return order(a->t, b->t);
	return a->run != b->run ? order(a->run, b->run) : order(a->series, b->series);
}

/* The bytes in which both differ, from the first to the last, behind how many there are and where:
 * measured values that are close share their first bytes, and whole numbers end in zeros. */
static unsigned char *put_figure(unsigned char *to, double value, double near)
{
	uint64_t bits = bits_of(value) ^ bits_of(near);
	unsigned shift = bits ? (unsigned)__builtin_ctzll(bits) / 8 : 0;
	unsigned n = 0;

	for (bits >>= 8 * shift; bits; bits >>= 8)
		to[++n] = (unsigned char)bits;
	to[0] = (unsigned char)(shift << 4 | n);
	return to + 1 + n;
}

/* near: the bits of what it is near of. */
static const unsigned char *unpack_figure(const unsigned char *at, const unsigned char *end,
					  uint64_t near, double *out)
{
	uint64_t bits = 0;
	size_t i, n, shift;

	if (!at || at == end)
		return NULL;
	n = *at & 15;
	shift = *at++ >> 4;
	if (n + shift > 8 || n > (size_t)(end - at))
		return NULL;
	if (n && end - at >= 8)
		bits = bytes_eight(at) << 8 * (8 - n) >> 8 * (8 - n - shift);
	else
		for (i = 0; i < n; i++)
			bits |= (uint64_t)at[i] << 8 * (shift + i);
	*out = bytes_to_double(bits ^ near);
	return at + n;
}

/* What each figure beside v is likely to be near of. */
static double near_of(const struct ledger_point *p, size_t i)
{
	return i < 2 ? p->v : i == 2 ? 1 : p->ratio;
}

static double *other(struct ledger_point *p, size_t i)
{
	static const size_t places[N_OTHERS] = { offsetof(struct ledger_point, low),
						 offsetof(struct ledger_point, high),
						 offsetof(struct ledger_point, ratio),
						 offsetof(struct ledger_point, ratio_low),
						 offsetof(struct ledger_point, ratio_high) };

	return (double *)(void *)((char *)p + places[i]);
}

void point_pack(struct buf *out, const struct ledger_point *p, double near)
{
	unsigned char text[1 + 3 * BYTES_MOST + (1 + N_OTHERS) * FIGURE_MOST], *to = text + 1;
	struct ledger_point copy = *p;
	unsigned present = 0;
	size_t i;

	to = bytes_put(to, (uint64_t)p->flags);
	to = bytes_put(to, (uint64_t)p->verdict);
	to = bytes_put(to, bytes_of_signed(p->n));
	to = put_figure(to, p->v, near);
	for (i = 0; i < N_OTHERS; i++) {
		double value = *other(&copy, i);

		if (!isfinite(value))
			continue;
		present |= 1u << i;
		to = put_figure(to, value, near_of(p, i));
	}
	text[0] = (unsigned char)present;
	buf_add(out, text, (size_t)(to - text));
}

/* That figure, where it is present. */
static const unsigned char *unpack_other(const unsigned char *at, const unsigned char *end,
					 unsigned present, uint64_t near, double *out)
{
	*out = (double)NAN;
	return at && present ? unpack_figure(at, end, near, out) : at;
}

const unsigned char *point_unpack(const unsigned char *at, const unsigned char *end, double near,
				  struct ledger_point *p)
{
	uint64_t flags = 0, verdict = 0, v;
	unsigned present;

	if (!at || at == end)
		return NULL;
	present = *at++;
	at = bytes_get(at, end, &flags);
	at = bytes_get(at, end, &verdict);
	at = bytes_get_signed(at, end, &p->n);
	at = unpack_figure(at, end, bits_of(near), &p->v);
	if (!at)
		return NULL;
	p->flags = (int64_t)flags;
	p->verdict = (int64_t)verdict;
	/* As near_of() has them. */
	v = bits_of(p->v);
	at = unpack_other(at, end, present & 1, v, &p->low);
	at = unpack_other(at, end, present & 2, v, &p->high);
	at = unpack_other(at, end, present & 4, bits_of(1), &p->ratio);
	at = unpack_other(at, end, present & 8, bits_of(p->ratio), &p->ratio_low);
	return unpack_other(at, end, present & 16, bits_of(p->ratio), &p->ratio_high);
}
