/* SPDX-License-Identifier: MIT */
/*
 * shuffle - a random order of the benchmarks that its seed repeats.
 *
 * Source: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators",
 * OOPSLA 2014, for SplitMix64; R. Durstenfeld, "Algorithm 235: Random permutation",
 * Communications of the ACM 7 (1964), 420.
 */
#ifndef PAWL_HARNESS_SESSION_SHUFFLE_H
#define PAWL_HARNESS_SESSION_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

#include "include/pawl.h"

/* Every order is as likely as every other; the same seed and n give the same one, everywhere. */
void pawl_shuffle(uint64_t seed, struct pawl_bench *list, size_t n);

/* A seed that another run will hardly have: of 32 bits, so that it is a JSON number too. */
uint64_t pawl_shuffle_seed(void);

#endif
