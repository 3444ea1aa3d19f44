/* Numbers: to the nearest double, or whole. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

/* The digits of a number: value * 10^exponent, if exact. */
struct digits {
	uint64_t value;
	int exponent;
	bool exact;
};

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
/*
 * Takes up to eight digits at once; how many.  Each byte of x becomes its digit, those behind the
 * first that is none are pushed out at the top, and neighbours are added up: by twos, fours, eight.
 */
static int take_eight(const char *p, struct digits *d)
{
	static const uint32_t powers[] = { 1,	   10,	    100,      1000,	10000,
					   100000, 1000000, 10000000, 100000000 };
	uint64_t x, others;
	int n;

	memcpy(&x, p, sizeof(x));
	x ^= UINT64_C(0x3030303030303030);
	others = (x | (x + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080);
	n = others ? __builtin_ctzll(others) / 8 : 8;
	if (!n)
		return 0;
	x <<= 64 - 8 * n;
	x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
	x = (x * 10000 + (x >> 32)) & UINT64_C(0xffffffff);
	d->value = d->value * powers[n] + x;
	return n;
}

/* What eight more digits cannot fill. */
#define FEW_ENOUGH (UINT64_MAX / 1000000000)

static void take_many(struct parser *s, struct digits *d, bool is_fraction)
{
	int n = 8;

	while (n == 8 && s->end - s->p >= 8 && d->value < FEW_ENOUGH) {
		n = take_eight(s->p, d);
		s->p += n;
		d->exponent -= is_fraction ? n : 0;
	}
}
#else
static void take_many(struct parser *s, struct digits *d, bool is_fraction)
{
	(void)s;
	(void)d;
	(void)is_fraction;
}
#endif

static void take_digits(struct parser *s, struct digits *d, bool is_fraction)
{
	take_many(s, d, is_fraction);
	for (; parser_is_digit(parser_peek(s)); s->p++) {
		if (d->value >= UINT64_MAX / 10) {
			d->exact = false;
			continue;
		}
		d->value = d->value * 10 + (uint64_t)(*s->p - '0');
		d->exponent -= is_fraction;
	}
}

static int take_exponent(struct parser *s, struct digits *d)
{
	bool minus;
	int exponent = 0;

	s->p++;
	minus = parser_peek(s) == '-';
	s->p += minus || parser_peek(s) == '+';
	if (!parser_is_digit(parser_peek(s)))
		return parser_unexpected(s, "a digit is missing");
	for (; parser_is_digit(parser_peek(s)); s->p++)
		if (exponent < 10000)
			exponent = exponent * 10 + (*s->p - '0');
	d->exponent += minus ? -exponent : exponent;
	return 0;
}

/*
 * Both the digits and the power of ten are exact doubles: one rounding, the right one.
 *
 * Source: W. D. Clinger, "How to read floating point numbers accurately", PLDI 1990, 92-101.
 */
static bool convert_fast(const struct digits *d, double *out)
{
#if FLT_EVAL_METHOD == 0
	static const double powers[] = { 1e0,  1e1,  1e2,  1e3,	 1e4,  1e5,  1e6,  1e7,
					 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
					 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

	if (!d->exact || d->value > UINT64_C(1) << 53 || d->exponent < -22 || d->exponent > 22)
		return false;
	*out = d->exponent < 0 ? (double)d->value / powers[-d->exponent]
			       : (double)d->value * powers[d->exponent];
	return true;
#else
	(void)d;
	(void)out;
	return false;
#endif
}

static int add_real(struct parser *s, const char *start, const struct digits *d)
{
	struct jtree *v = parser_add(s, JTREE_NUMBER);
	size_t n = (size_t)(s->p - start);
	char *end;

	if (!v)
		return -1;
	if (convert_fast(d, &v->is.number)) {
		if (*start == '-')
			v->is.number = -v->is.number;
		return 0;
	}
	/* With a NUL behind it, where the next string will be. */
	memcpy(s->to, start, n);
	s->to[n] = '\0';
	v->is.number = strtod(s->to, &end);
	if (end != s->to + n || !isfinite(v->is.number))
		return parser_fault(s, "a number is too large");
	return 0;
}

static int add_whole(struct parser *s, const char *start, const struct digits *d)
{
	uint64_t most = (uint64_t)INT64_MAX + (*start == '-');
	struct jtree *v;

	if (!d->exact || d->value > most)
		return parser_fault(s, "a whole number is too large");
	v = parser_add(s, JTREE_NUMBER);
	if (!v)
		return -1;
	v->is_whole = true;
	v->is.whole = (int64_t)(*start == '-' ? -d->value : d->value);
	return 0;
}

int parser_number(struct parser *s)
{
	struct digits d = { .exact = true };
	const char *start = s->p;
	bool is_real = false;

	s->p += *s->p == '-';
	if (!parser_is_digit(parser_peek(s)))
		return parser_unexpected(s, "a digit is missing");
	if (*s->p == '0')
		s->p++;
	else
		take_digits(s, &d, false);
	if (parser_peek(s) == '.') {
		is_real = true;
		s->p++;
		if (!parser_is_digit(parser_peek(s)))
			return parser_unexpected(s, "a digit is missing");
		take_digits(s, &d, true);
	}
	if ((parser_peek(s) | 0x20) == 'e') {
		is_real = true;
		if (take_exponent(s, &d))
			return -1;
	}
	return is_real ? add_real(s, start, &d) : add_whole(s, start, &d);
}
