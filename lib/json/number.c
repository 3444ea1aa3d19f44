/* Numbers: to the nearest double, or whole. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "lib/json/local.h"

#include "lib/base/banned.h"

/* The digits of a number: value * 10^exponent, if exact. */
struct digits {
	uint64_t value;
	int exponent;
	bool exact;
};

static void take_digits(struct parser *s, struct digits *d, bool is_fraction)
{
	for (; parser_is_digit(*s->p); s->p++) {
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
	bool minus = s->p[1] == '-';
	int exponent = 0;

	s->p += s->p[1] == '-' || s->p[1] == '+' ? 2 : 1;
	if (!parser_is_digit(*s->p))
		return parser_unexpected(s, "a digit is missing");
	for (; parser_is_digit(*s->p); s->p++)
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
	char *end;

	if (!v)
		return -1;
	if (convert_fast(d, &v->is.number)) {
		if (*start == '-')
			v->is.number = -v->is.number;
		return 0;
	}
	v->is.number = strtod(start, &end);
	if (end != s->p || !isfinite(v->is.number))
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
	if (!parser_is_digit(*s->p))
		return parser_unexpected(s, "a digit is missing");
	if (*s->p == '0')
		s->p++;
	else
		take_digits(s, &d, false);
	if (*s->p == '.') {
		is_real = true;
		s->p++;
		if (!parser_is_digit(*s->p))
			return parser_unexpected(s, "a digit is missing");
		take_digits(s, &d, true);
	}
	if (*s->p == 'e' || *s->p == 'E') {
		is_real = true;
		if (take_exponent(s, &d))
			return -1;
	}
	return is_real ? add_real(s, start, &d) : add_whole(s, start, &d);
}
