/* SPDX-License-Identifier: MIT */
#include "harness/session/shuffle.h"

#include <time.h>

#include "harness/clock/clock.h"

static uint64_t split_mix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* A number below n, none more likely: what is left over of 2^64 is drawn again. */
static uint64_t below(uint64_t *state, uint64_t n)
{
	uint64_t surplus = (UINT64_MAX % n + 1) % n, x;
	do
		x = split_mix(state);
	while (x > UINT64_MAX - surplus);
	return x % n;
}

void pawl_shuffle(uint64_t seed, struct pawl_bench *list, size_t n)
{
	for (; n > 1; n--) {
		size_t i = (size_t)below(&seed, n);
		struct pawl_bench taken = list[i];
		list[i] = list[n - 1];
		list[n - 1] = taken;
	}
}

uint64_t pawl_shuffle_seed(void)
{
	const struct clock_row *clock = pawl_clock_reference();
	uint64_t state = clock ? pawl_clock_reference_ns(clock) : (uint64_t)time(NULL);
	return split_mix(&state) >> 32;
}
