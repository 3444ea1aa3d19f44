/*
 * coin - fair coins and random order from one stored seed, the same on every machine.
 *
 * The order inside each pair and of the benchmarks inside each round is what makes the verdict
 * exact, so it must be random, and it must be repeatable from the seed stored with the result.
 * This is no source of secrets.
 *
 * Source: D. H. Lehmer (1949); the multiplier is Knuth's for 64 bits (MMIX); high bits only, the
 *         low ones have short periods.  R. A. Fisher and F. Yates (1938), R. Durstenfeld,
 *         Algorithm 235, Comm. ACM 7 (1964) 420 (the shuffle).  G. L. Steele, D. Lea and C. H.
 * Flood, Fast splittable pseudorandom number generators, OOPSLA 2014 (the mixing of a number).
 */
#ifndef PAWL_STATS_COIN_H
#define PAWL_STATS_COIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct coin {
	uint64_t state;
};

/* Starts at seed; every seed, 0 included, is good. */
void coin_init(struct coin *coin, uint64_t seed);

/*
 * Starts at a place that seed and number choose, as if at random: the first tosses of neighbouring
 * numbers have nothing to do with each other.  (With coin_init() they have: seeds in steps of equal
 * size begin with tosses in runs of equal length.)
 */
void coin_init_at(struct coin *coin, uint64_t seed, uint64_t number);

/* The next toss: the top bit of the next state. */
bool coin_toss(struct coin *coin);

/* A whole number in 0..n-1, each equally likely.  n >= 1. */
uint32_t coin_below(struct coin *coin, uint32_t n);

/* Puts order[0..n) into random order: each of the n! orders equally likely, as far as 64 bits go.
 */
void coin_shuffle(struct coin *coin, size_t *order, size_t n);

#endif
