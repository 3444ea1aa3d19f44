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

/* 10^places, of at most 20. */
static wide power_of(unsigned places)
{
	return places > PLACES_MOST ? (wide)powers[PLACES_MOST] * 10 : powers[places];
}

/* m * 10^places / 2^down, to the nearest whole number, the even one of two as near; *off: by how
 * many parts in 2^down that is beside it. */
static uint64_t scale(uint64_t m, unsigned places, unsigned down, wide *off, bool *is_up)
{
	/* 53 bits and, of 10^20, 67. */
	wide one = (wide)1 << down, half = one >> 1, whole = m * power_of(places), rest;
	uint64_t quotient = (uint64_t)(whole >> down);

	rest = whole & (one - 1);
	*is_up = rest > half || (rest == half && (quotient & 1));
	*off = *is_up ? one - rest : rest;
	return quotient + *is_up;
}

/*
 * Whether that number of digits reads back as m / 2^down: it is nearer to it than to the double
 * beside it, which is a part in 2^down away, below a power of two half of that; of two as near the
 * even one is read.
 */
static bool reads_back(uint64_t m, unsigned places, wide off, bool is_up)
{
	wide apart = power_of(places);

	if (m == UINT64_C(1) << 52 && !is_up)
		return 4 * off <= apart;
	return 2 * off < apart || (2 * off == apart && !(m & 1));
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
	bool is_up = false;
	wide off = 0;
	uint64_t m;

	if (!(value >= 1e-4 && value < 1e15))
		return false;
	memcpy(&m, &value, sizeof(m));
	down = 1075 - (unsigned)(m >> 52);
	m = (m & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	for (n = DECIMAL_DIGITS - 1; n <= DECIMAL_DIGITS; n++) {
		*places = places_of(value, n);
		*digits = scale(m, *places, down, &off, &is_up);
		if (*digits >= powers[n])
			*digits = scale(m, --*places, down, &off, &is_up);
		if (n == DECIMAL_DIGITS || reads_back(m, *places, off, is_up))
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
