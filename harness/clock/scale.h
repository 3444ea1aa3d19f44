/* SPDX-License-Identifier: MIT */
/*
 * clock_scale - ticks of a clock that tells its rate as a fraction, in nanoseconds.
 */
#ifndef PAWL_HARNESS_CLOCK_SCALE_H
#define PAWL_HARNESS_CLOCK_SCALE_H

#include <stdint.h>

/* A tick lasts numer / denom nanoseconds. */
struct clock_scale {
	uint64_t numer, denom;
};

/* The fraction in lowest terms; denom > 0. */
static inline struct clock_scale pawl_clock_scale(uint64_t numer, uint64_t denom)
{
	uint64_t a = numer, b = denom;
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return (struct clock_scale){ numer / a, denom / a };
}

/*
 * Nanoseconds, rounded down and modulo 2^64, so that differences are right even when the
 * count itself has gone round.  ticks * numer would overflow within days of uptime: at 125/3,
 * after 1.5 * 10^17 ticks.  Only the rest, less than denom, is multiplied before the division.
 *
 * Range: (denom - 1) * numer fits 64 bits.
 */
static inline uint64_t pawl_clock_scaled(const struct clock_scale *s, uint64_t ticks)
{
	if (s->denom == 1)
		return ticks * s->numer;
	return ticks / s->denom * s->numer + ticks % s->denom * s->numer / s->denom;
}

#endif
