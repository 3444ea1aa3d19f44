#include "lib/base/decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "lib/base/banned.h"

#if defined(__SIZEOF_INT128__) && FLT_EVAL_METHOD == 0

__extension__ typedef unsigned __int128 wide;

#define PLACES_MOST 19 /* 10^19 is the last that fits into 64 bits */

static const uint64_t powers[PLACES_MOST + 1] = {
	UINT64_C(1),
	UINT64_C(10),
	UINT64_C(100),
	UINT64_C(1000),
	UINT64_C(10000),
	UINT64_C(100000),
	UINT64_C(1000000),
	UINT64_C(10000000),
	UINT64_C(100000000),
	UINT64_C(1000000000),
	UINT64_C(10000000000),
	UINT64_C(100000000000),
	UINT64_C(1000000000000),
	UINT64_C(10000000000000),
	UINT64_C(100000000000000),
	UINT64_C(1000000000000000),
	UINT64_C(10000000000000000),
	UINT64_C(100000000000000000),
	UINT64_C(1000000000000000000),
	UINT64_C(10000000000000000000),
};

/* The quotient in 63 or 64 bits and whether something is left: all that rounding to 53 asks for. */
bool decimal_read(uint64_t digits, unsigned places, double *out)
{
	int up, up_power, cut;
	uint64_t power, quotient, half;
	wide whole;
	bool is_more, is_up;

	if (!digits || places > PLACES_MOST)
		return false;
	power = powers[places];
	up = __builtin_clzll(digits);
	up_power = __builtin_clzll(power);
	power <<= up_power;
	whole = (wide)(digits << up) << 63;
	quotient = (uint64_t)(whole / power);
	is_more = (wide)quotient * power != whole;
	cut = quotient >> 63 ? 11 : 10;
	half = UINT64_C(1) << (cut - 1);
	is_up = (quotient & half) && (is_more || (quotient & (half - 1)) || (quotient >> cut & 1));
	*out = ldexp((double)((quotient >> cut) + is_up), cut - 63 - up + up_power);
	return true;
}

/* m * 10^places / 2^down, to the nearest whole number, the even one of two as near. */
static uint64_t scale(uint64_t m, unsigned places, unsigned down)
{
	wide half = (wide)1 << (down - 1), whole = m, rest;
	uint64_t quotient;

	/* 53 bits and, of 10^20, 67. */
	whole *= powers[places > PLACES_MOST ? PLACES_MOST : places];
	if (places > PLACES_MOST)
		whole *= 10;
	quotient = (uint64_t)(whole >> down);
	rest = whole & ((half << 1) - 1);
	return quotient + (rest > half || (rest == half && (quotient & 1)));
}

/* Places of so many digits, where the first one stands as in 0.000x or before. */
static unsigned places_of(double value, unsigned n)
{
	unsigned before = 0;

	while (value >= (double)powers[before])
		before++;
	return n - before + (value < 0.1) + (value < 0.01) + (value < 0.001);
}

bool decimal_write(double value, uint64_t *digits, unsigned *places)
{
	unsigned down, n;
	uint64_t m;
	double back;

	if (!(value >= 1e-4 && value < 1e15))
		return false;
	memcpy(&m, &value, sizeof(m));
	down = 1075 - (unsigned)(m >> 52);
	m = (m & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	for (n = DECIMAL_DIGITS - 1; n <= DECIMAL_DIGITS; n++) {
		*places = places_of(value, n);
		*digits = scale(m, *places, down);
		if (*digits >= powers[n])
			*digits = scale(m, --*places, down);
		if (n == DECIMAL_DIGITS || (decimal_read(*digits, *places, &back) && back == value))
			break;
	}
	return true;
}

#else

bool decimal_read(uint64_t digits, unsigned places, double *out)
{
	(void)digits;
	(void)places;
	(void)out;
	return false;
}

bool decimal_write(double value, uint64_t *digits, unsigned *places)
{
	(void)value;
	(void)digits;
	(void)places;
	return false;
}

#endif
