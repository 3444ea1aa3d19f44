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

/* The digits of m, at least so many, up to end; where they begin. */
static char *digits_before(char *end, uint64_t m, size_t least)
{
	char *p = end;

	for (; m || (size_t)(end - p) < least; m /= 10)
		*--p = (char)('0' + m % 10);
	return p;
}

/* m / 10^k without zeros at the end; 0 < m, k <= 20 */
static void print_decimal(bool negative, uint64_t m, size_t k, char out[NUMBER_TEXT])
{
	char digits[NUMBER_TEXT], *last = digits + sizeof(digits), *p, *end = out;
	size_t n;

	for (; k && m % 10 == 0; k--)
		m /= 10;
	p = digits_before(last, m, k + 1);
	n = (size_t)(last - p) - k;
	if (negative)
		*end++ = '-';
	memcpy(end, p, n);
	end += n;
	if (k)
		*end++ = '.';
	memcpy(end, p + n, k);
	end[k] = '\0';
}

/*
 * Prints a value from 0.0001 on that some decimal of 15 digits reads back as; false when there is
 * none, or when the processor may not round as strtod() does.
 *
 * m and 10^k are doubles without an error, so their quotient is the very double that reading the
 * decimal gives (W. D. Clinger, PLDI 1990); the product before is off by less than half.  No two
 * decimals of 15 digits read as one double, so one of fewer that does is the same number.
 */
static bool print_short(double value, char out[NUMBER_TEXT])
{
	double size = fabs(value), scaled = size, power = 1;
	size_t k = 0;
	uint64_t m;

	while (scaled < 1e14) {
		m = (uint64_t)scaled;
		if ((double)m == scaled && (double)m / power == size)
			break;
		k++;
		power *= 10;
		scaled = size * power;
	}
	m = (uint64_t)(scaled + 0.5);
	if (FLT_EVAL_METHOD || m >= 1000000000000000 || (double)m / power != size)
		return false;
	print_decimal(value < 0, m, k, out);
	return true;
}

/* snprintf() takes as long for it as for everything else about a number. */
const char *number_print_whole(int64_t value, char out[NUMBER_TEXT])
{
	uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
	char digits[NUMBER_TEXT], *end = digits + sizeof(digits) - 1, *p;

	*end = '\0';
	p = digits_before(end, rest, 1);
	if (value < 0)
		*--p = '-';
	return memcpy(out, p, (size_t)(end + 1 - p));
}

const char *number_print(double value, char out[NUMBER_TEXT])
{
	bool plain = fabs(value) >= 1e-4 && fabs(value) < 1e15;
	int digits = plain && !FLT_EVAL_METHOD ? 16 : 15;
	unsigned places;
	uint64_t m;

	if (value == 0 || (fabs(value) < 1e15 && value == floor(value))) {
		return number_print_whole((int64_t)value, out); /* no "-0" */
	}
	if (plain && print_short(value, out))
		return out;
	if (plain && decimal_write(fabs(value), &m, &places)) {
		print_decimal(value < 0, m, places, out);
		return out;
	}
	for (;; digits++) {
		snprintf(out, NUMBER_TEXT, "%.*g", digits, value);
		if (digits == 17 || strtod(out, NULL) == value)
			return out;
	}
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
