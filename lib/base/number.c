#include "lib/base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/base/decimal.h"

#include "lib/base/banned.h"

bool number_u64(const char *text, uint64_t *out)
{
	uint64_t value = 0;
	const char *p;

	if (!*text)
		return false;
	for (p = text; *p; p++) {
		unsigned digit = (unsigned char)*p - '0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}

/* A finite decimal fraction at the start of text; NULL, or where it ends. */
static const char *leading_double(const char *text, double *out)
{
	const char *digits = text + (*text == '+' || *text == '-');
	char *end;
	double value;

	/* strtod also reads blanks in front, "inf", "nan" and hexadecimal */
	if (!(*digits >= '0' && *digits <= '9') && *digits != '.')
		return NULL;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return NULL;
	value = strtod(text, &end);
	if (end == text || !isfinite(value))
		return NULL;
	*out = value;
	return end;
}

bool number_double(const char *text, double *out)
{
	double value;
	const char *end = leading_double(text, &value);

	if (!end || *end)
		return false;
	*out = value;
	return true;
}

bool number_ratio(const char *text, double *out)
{
	double value;
	const char *end = leading_double(text, &value);

	if (!end)
		return false;
	while (*end == ' ')
		end++;
	if (*end == '%') {
		value /= 100;
		end++;
	}
	if (*end || value < 0 || value > 10)
		return false;
	*out = value;
	return true;
}

struct unit {
	const char *name;
	double factor;
};

/* The number of text times the factor of the unit behind it; false when out of [0, 2^63). */
static bool with_unit(const char *text, const struct unit *units, size_t n, uint64_t *out)
{
	double value;
	const char *end = leading_double(text, &value);
	size_t i;

	if (!end)
		return false;
	while (*end == ' ')
		end++;
	for (i = 0; i < n; i++) {
		if (strcasecmp(end, units[i].name))
			continue;
		value *= units[i].factor;
		if (value < 0 || value >= 9223372036854775808.0)
			return false;
		*out = (uint64_t)(value + 0.5);
		return true;
	}
	return false;
}

bool number_duration_ns(const char *text, uint64_t *out)
{
	static const struct unit units[] = {
		{ "", 1e9 },   { "s", 1e9 },  { "ms", 1e6 },   { "us", 1e3 },
		{ "ns", 1.0 }, { "m", 60e9 }, { "min", 60e9 }, { "h", 3600e9 },
	};

	return with_unit(text, units, sizeof(units) / sizeof(units[0]), out);
}

bool number_bytes(const char *text, uint64_t *out)
{
	static const struct unit units[] = {
		{ "", 1 },
		{ "b", 1 },
		{ "k", 1024 },
		{ "kb", 1024 },
		{ "kib", 1024 },
		{ "m", 1048576 },
		{ "mb", 1048576 },
		{ "mib", 1048576 },
		{ "g", 1073741824 },
		{ "gb", 1073741824 },
		{ "gib", 1073741824 },
	};

	return with_unit(text, units, sizeof(units) / sizeof(units[0]), out);
}

bool number_bool(const char *text, bool *out)
{
	static const char *const yes[] = { "true", "yes", "on", "1" };
	static const char *const no[] = { "false", "no", "off", "0" };
	size_t i;

	for (i = 0; i < 4; i++) {
		if (!strcasecmp(text, yes[i])) {
			*out = true;
			return true;
		}
		if (!strcasecmp(text, no[i])) {
			*out = false;
			return true;
		}
	}
	return false;
}

static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334"
			    "3536373839404142434445464748495051525354555657585960616263646566676869"
			    "707172737475767778798081828384858687888990919293949596979899";

/* 1 to 20. */
static inline size_t count_digits(uint64_t m)
{
	size_t n = 1;

	for (; m >= 10000; m /= 10000)
		n += 4;
	return n + (m >= 10) + (m >= 100) + (m >= 1000);
}

/* The last n digits of m, in front of end; what is left of m. */
static inline uint64_t put_digits(char *end, uint64_t m, size_t n)
{
	for (; n >= 2; n -= 2, m /= 100) {
		end -= 2;
		memcpy(end, &pairs[2 * (m % 100)], 2);
	}
	if (!n)
		return m;
	*--end = (char)('0' + m % 10);
	return m / 10;
}

/* m / 10^k, 0 < m, k <= 20; how many bytes that are. */
static inline size_t write_decimal(bool negative, uint64_t m, size_t k, char out[NUMBER_TEXT])
{
	size_t n = count_digits(m);
	char *end = out;

	n = n > k ? n - k : 1; /* of them before the point */
	*end = '-';
	end += negative + n + (k > 0) + k;
	*end = '\0';
	m = put_digits(end, m, k);
	end -= k;
	if (k)
		*--end = '.';
	put_digits(end, m, n);
	return negative + n + (k > 0) + k;
}

/* Without zeros at the end. */
static size_t write_cut(bool negative, uint64_t m, size_t k, char out[NUMBER_TEXT])
{
	for (; k && m % 10 == 0; k--)
		m /= 10;
	return write_decimal(negative, m, k, out);
}

#define SHORT_MOST 1e15 /* m of write_short() has 15 digits */
#define FEW_PLACES 3

/* The whole number that is the value with so many places after the point, or 0: it has more. */
static inline uint64_t with_places(double size, double power)
{
	int64_t m = (int64_t)(size * power + 0.5);

	return m < (int64_t)SHORT_MOST && (double)m / power == size ? (uint64_t)m : 0;
}

/*
 * Writes a value from 0.0001 on, no whole number, that some decimal of 15 digits reads back as; 0
 * when there is none, or when the processor may not round as strtod() does.
 *
 * m and 10^k are doubles without an error, so their quotient is the very double that reading the
 * decimal gives (W. D. Clinger, PLDI 1990); the product before is off by less than half.  No two
 * decimals of 15 digits read as one double, so one of fewer that does is the same number.  Most
 * have few places, and those are tried first.
 */
static size_t write_short(double value, char out[NUMBER_TEXT])
{
	double size = fabs(value), power = 10;
	uint64_t m;
	size_t k;

	if (FLT_EVAL_METHOD)
		return 0;
	for (k = 1; k <= FEW_PLACES && size * power < SHORT_MOST; power *= 10, k++) {
		m = with_places(size, power);
		if (m)
			return write_decimal(value < 0, m, k, out);
	}
	for (; size * power < SHORT_MOST / 10; k++)
		power *= 10;
	m = with_places(size, power);
	return m ? write_cut(value < 0, m, k, out) : 0;
}

/* snprintf() takes as long for it as for everything else about a number. */
size_t number_write_whole(int64_t value, char out[NUMBER_TEXT])
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	size_t n = count_digits(rest);
	char *p = out;

	if (value < 0)
		*p++ = '-';
	put_digits(p + n, rest, n);
	p[n] = '\0';
	return (size_t)(p + n - out);
}

size_t number_write(double value, char out[NUMBER_TEXT])
{
	bool plain = fabs(value) >= 1e-4 && fabs(value) < 1e15;
	int digits = plain && !FLT_EVAL_METHOD ? 16 : 15;
	unsigned places;
	uint64_t m;
	size_t n;

	if (fabs(value) < 1e15 && value == (double)(int64_t)value)
		return number_write_whole((int64_t)value, out); /* no "-0" */
	n = plain ? write_short(value, out) : 0;
	if (n)
		return n;
	if (plain && decimal_write(fabs(value), &m, &places))
		return write_cut(value < 0, m, places, out);
	for (;; digits++) {
		snprintf(out, NUMBER_TEXT, "%.*g", digits, value);
		if (digits == 17 || strtod(out, NULL) == value)
			return strlen(out);
	}
}

const char *number_print_whole(int64_t value, char out[NUMBER_TEXT])
{
	number_write_whole(value, out);
	return out;
}

const char *number_print(double value, char out[NUMBER_TEXT])
{
	number_write(value, out);
	return out;
}

const char *number_print_ns(double ns, char out[NUMBER_TEXT])
{
	static const struct unit units[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }
	};
	size_t i = 0;
	double value;
	int decimals;

	while (i < 3 && fabs(ns) / units[i].factor >= 999.5)
		i++;
	value = ns / units[i].factor;
	decimals = fabs(value) >= 99.95 ? 0 : fabs(value) >= 9.995 ? 1 : 2;
	snprintf(out, NUMBER_TEXT, "%.*f %s", decimals, value, units[i].name);
	return out;
}
