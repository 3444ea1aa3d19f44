/*
 * coin_draws - uniform numbers for simulated samples, from the coin of lib/stats: the same seed
 * gives the same sample on every machine.
 */
#ifndef PAWL_TEST_COIN_DRAWS_H
#define PAWL_TEST_COIN_DRAWS_H

#include "lib/stats/coin.h"

/* A number in (0, 1), never 0 or 1. */
static inline double coin_fraction(struct coin *coin)
{
	(void)coin_toss(coin);
	return ((double)(coin->state >> 12) + 0.5) * 0x1p-52;
}

/* The upper bits of the next state, 0..2^31-1. */
static inline uint32_t coin_bits(struct coin *coin)
{
	(void)coin_toss(coin);
	return (uint32_t)(coin->state >> 33);
}

#endif
