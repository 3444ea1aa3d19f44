/* Numbers: to the nearest double, or whole. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/decimal.h"
#include "lib/json/local.h"

#include "lib/base/banned.h"

/* The digits of a number: value * 10^exponent, if exact. */
struct digits {
	uint64_t value;
	int exponent;
	bool exact;
};

/* Which of eight characters are no digits, as their high bits; x: each ^ '0'. */
static inline uint64_t mark_others(uint64_t x)
{
	return (x | (x + PULL_EACH(0x76))) & PULL_EACH(0x80);
}

/*
 * The number that the first n of eight digits are; 1 to 8.  What is behind them is pushed out at
 * the top, and neighbours are added up: by twos, fours, eight.
 */
static inline uint64_t join_digits(uint64_t x, int n)
{
	x <<= 64 - 8 * n;
	x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
	return (x * 10000 + (x >> 32)) & UINT64_C(0xffffffff);
}

/* What eight more digits cannot fill. */
#define FEW_ENOUGH (UINT64_MAX / 1000000000)

/* Up to eight digits at once. */
static inline void take_many(struct pull *s, struct digits *d, bool is_fraction)
{
	static const uint32_t tens[] = { 1,	 10,	  100,	    1000,     10000,
					 100000, 1000000, 10000000, 100000000 };
	int n = 8;

	while (PULL_EIGHT && n == 8 && s->end - s->p >= 8 && d->value < FEW_ENOUGH) {
		uint64_t x = pull_eight(s->p) ^ PULL_EACH('0');

		n = pull_before(mark_others(x));
		if (!n)
			break;
		d->value = d->value * tens[n] + join_digits(x, n);
		s->p += n;
		d->exponent -= is_fraction ? n : 0;
	}
}

static inline void take_digits(struct pull *s, struct digits *d, bool is_fraction)
{
	take_many(s, d, is_fraction);
	for (; pull_is_digit(pull_peek(s)); s->p++) {
		if (d->value >= UINT64_MAX / 10) {
			d->exact = false;
			continue;
		}
		d->value = d->value * 10 + (uint64_t)(*s->p - '0');
		d->exponent -= is_fraction;
	}
}

static bool take_exponent(struct pull *s, struct digits *d)
{
	bool minus;
	int exponent = 0;

	s->p++;
	minus = pull_peek(s) == '-';
	s->p += minus || pull_peek(s) == '+';
	if (!pull_is_digit(pull_peek(s)))
		return pull_unexpected(s, "a digit is missing");
	for (; pull_is_digit(pull_peek(s)); s->p++)
		if (exponent < 10000)
			exponent = exponent * 10 + (*s->p - '0');
	d->exponent += minus ? -exponent : exponent;
	return true;
}

#if FLT_EVAL_METHOD == 0
#define IS_EXACT true
#else
#define IS_EXACT false
#endif

static const double powers[] = { 1e0,  1e1,  1e2,  1e3,	 1e4,  1e5,  1e6,  1e7,
				 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
				 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

/*
 * Both the digits and the power of ten are exact doubles: one rounding, the right one.
 *
 * Source: W. D. Clinger, "How to read floating point numbers accurately", PLDI 1990, 92-101.
 */
static bool convert_fast(const struct digits *d, double *out)
{
	if (!IS_EXACT || !d->exact || d->value > UINT64_C(1) << 53 || d->exponent < -22 ||
	    d->exponent > 22)
		return false;
	*out = d->exponent < 0 ? (double)d->value / powers[-d->exponent]
			       : (double)d->value * powers[d->exponent];
	return true;
}

/* 16 digits and more, as every mean has. */
static bool convert_long(const struct digits *d, double *out)
{
	return d->exact && d->exponent <= 0 && d->exponent > -64 &&
	       decimal_read(d->value, (unsigned)-d->exponent, out);
}

static bool make_real(struct pull *s, const char *start, const struct digits *d,
		      struct pull_number *out)
{
	size_t n = (size_t)(s->p - start);
	char *end;

	out->is_whole = false;
	if (convert_fast(d, &out->real) || convert_long(d, &out->real)) {
		if (*start == '-')
			out->real = -out->real;
		return true;
	}
	/* With a NUL behind it, where the next string will be. */
	memcpy(s->to, start, n);
	s->to[n] = '\0';
	out->real = strtod(s->to, &end);
	if (end != s->to + n || !isfinite(out->real))
		return pull_fault(s, "a number is too large");
	return true;
}

static bool make_whole(struct pull *s, const char *start, const struct digits *d,
		       struct pull_number *out)
{
	uint64_t most = (uint64_t)INT64_MAX + (*start == '-');

	if (!d->exact || d->value > most)
		return s->is_loose ? make_real(s, start, d, out)
				   : pull_fault(s, "a whole number is too large");
	out->is_whole = true;
	out->whole = (int64_t)(*start == '-' ? -d->value : d->value);
	out->real = (double)out->whole;
	return true;
}

/*
 * A number of up to six digits, with a point among them or without: its characters, of which there
 * are fewer than eight, and what is behind them is none of it.  0: it is none.
 */
static inline int take_short(const char *p, const char *end, struct pull_number *out)
{
	uint64_t x, others;
	int n, stop;

	if (!PULL_EIGHT || !IS_EXACT || end - p < 8)
		return 0;
	x = pull_eight(p) ^ PULL_EACH('0');
	others = mark_others(x);
	n = stop = pull_before(others);
	if (n == 0 || n > 6 || (*p == '0' && n > 1))
		return 0;
	if (p[n] == '.') {
		stop = pull_before(others & (others - 1));
		if (stop == n + 1 || stop > 7)
			return 0;
		x = (x & ((UINT64_C(1) << 8 * n) - 1)) | x >> (8 * n + 8) << 8 * n;
	}
	if ((p[stop] | 0x20) == 'e')
		return 0;
	out->is_whole = stop == n;
	out->whole = (int64_t)join_digits(x, out->is_whole ? n : stop - 1);
	out->real = (double)out->whole;
	if (!out->is_whole)
		out->real /= powers[stop - n - 1];
	return stop;
}

/* What C++ streams and others write for what is no number, the sign in front of it read. */
static bool take_name(struct pull *s, const char *start, struct pull_number *out)
{
	static const struct {
		const char *name;
		double value;
	} rows[] = { { "NaN", (double)NAN }, { "Infinity", (double)INFINITY } };
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t n = strlen(rows[i].name);

		if ((size_t)(s->end - s->p) < n || memcmp(s->p, rows[i].name, n) != 0)
			continue;
		s->p += n;
		out->is_whole = false;
		out->real = *start == '-' ? -rows[i].value : rows[i].value;
		return true;
	}
	return pull_unexpected(s, "a value is missing");
}

bool pull_read_number(struct pull *s, struct pull_number *out)
{
	struct digits d = { .exact = true };
	const char *start = s->p;
	bool is_real = false;
	int n = take_short(start, s->end, out);

	if (n) {
		s->p += n;
		return true;
	}
	s->p += *s->p == '-';
	if (s->is_loose && (pull_peek(s) == 'N' || pull_peek(s) == 'I'))
		return take_name(s, start, out);
	if (!pull_is_digit(pull_peek(s)))
		return pull_unexpected(s, "a digit is missing");
	if (*s->p == '0')
		s->p++;
	else
		take_digits(s, &d, false);
	if (pull_peek(s) == '.') {
		is_real = true;
		s->p++;
		if (!pull_is_digit(pull_peek(s)))
			return pull_unexpected(s, "a digit is missing");
		take_digits(s, &d, true);
	}
	if ((pull_peek(s) | 0x20) == 'e') {
		is_real = true;
		if (!take_exponent(s, &d))
			return false;
	}
	return is_real ? make_real(s, start, &d, out) : make_whole(s, start, &d, out);
}

/* The next of an array's items, where it is short: its characters, behind which another item or the
 * end of the array is; 0: it is none. */
static inline int take_item(const char *p, const char *end, double *out)
{
	struct pull_number number;
	uint64_t x, others;
	int n;

	if (!PULL_EIGHT || end - p < 8)
		return 0;
	x = pull_eight(p) ^ PULL_EACH('0');
	others = mark_others(x);
	n = pull_before(others);
	/* Most are whole. */
	if (n < 8 && n && (p[n] == ',' || p[n] == ']') && (*p != '0' || n == 1)) {
		*out = (double)(int64_t)join_digits(x, n);
		return n;
	}
	n = take_short(p, end, &number);
	*out = n ? number.real : 0;
	return n && (p[n] == ',' || p[n] == ']') ? n : 0;
}

/* How many more values there may be, `most` at most. */
static size_t few_more(const struct pull *s, size_t most)
{
	size_t left = s->n < s->max ? s->max - s->n : 0;

	return most < left ? most : left;
}

/* Where the next item of the array would begin; NULL: none does, or it is reached already. */
static const char *next_item(const struct pull *s)
{
	if (s->failed || s->is_pending)
		return NULL;
	if (!s->frames[s->depth - 1].n)
		return s->p;
	return pull_peek(s) == ',' ? s->p + 1 : NULL;
}

size_t pull_short(struct pull *s, double *out, size_t most)
{
	const char *p = next_item(s), *end = s->end;
	size_t n = 0;

	if (!p)
		return 0;
	most = few_more(s, most);
	while (n < most) {
		int length = take_item(p, end, &out[n]);

		if (!length)
			break;
		n++;
		p += length;
		s->p = p;
		if (*p == ']')
			break;
		p++;
	}
	s->frames[s->depth - 1].n += n;
	s->n += n;
	return n;
}

/* Which of eight characters, each ^ one that is looked for, are that one, as their high bits. */
static inline uint64_t mark_none(uint64_t x)
{
	return ~(((x & PULL_EACH(0x7f)) + PULL_EACH(0x7f)) | x) & PULL_EACH(0x80);
}

/* As many digits as a whole number may have, whatever they are. */
#define WHOLE_DIGITS 18

/* Of the characters that were passed, what matters for the next eight. */
struct passed {
	uint64_t begins; /* an item does with the first one: 0x80, else 0 */
	uint64_t zero;	 /* the last one is a 0 that an item begins with: 0x80, else 0 */
	int digits;	 /* at the end, of an item whose end was not seen */
};

/* Whether eight more are digits and commas, and whole numbers where they end: the commas, as their
 * high bits. */
static inline bool pass_eight(const char *p, struct passed *at, uint64_t *out)
{
	uint64_t x = pull_eight(p), digits = x ^ PULL_EACH('0');
	uint64_t commas = mark_none(x ^ PULL_EACH(',')), begins = commas << 8 | at->begins, zeros;

	if (mark_others(digits) != commas || (begins & commas))
		return false;
	zeros = begins & mark_none(digits);
	if (((zeros << 8 | at->zero) & ~commas) || at->digits + pull_before(commas) > WHOLE_DIGITS)
		return false;
	at->begins = commas >> 56;
	at->zero = zeros >> 56;
	at->digits = commas ? __builtin_clzll(commas) / 8 : at->digits + 8;
	*out = commas;
	return true;
}

size_t pull_pass(struct pull *s, size_t most)
{
	struct passed at = { .begins = 0x80 };
	const char *p = next_item(s);
	uint64_t commas;
	size_t n = 0;

	if (!PULL_EIGHT || !p)
		return 0;
	most = few_more(s, most);
	for (; s->end - p >= 8 && most - n >= 8 && pass_eight(p, &at, &commas); p += 8) {
		/* Each is one of the byte at the top, where they add up. */
		n += (size_t)((commas >> 7) * PULL_EACH(1) >> 56);
		if (commas)
			s->p = p + 7 - __builtin_clzll(commas) / 8;
	}
	s->frames[s->depth - 1].n += n;
	s->n += n;
	return n;
}
