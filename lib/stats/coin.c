#include "lib/stats/coin.h"

#include <assert.h>

#include "lib/base/banned.h"

void coin_init(struct coin *coin, uint64_t seed)
{
	coin->state = seed;
}

/* Each bit that comes in changes each that goes out with a chance of one half: David Stafford's
 * 13th. */
static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
	z = (z ^ z >> 27) * 0x94d049bb133111ebU;
	return z ^ z >> 31;
}

void coin_init_at(struct coin *coin, uint64_t seed, uint64_t number)
{
	coin->state = mixed(mixed(seed) + (number + 1) * 0x9e3779b97f4a7c15U);
}

static uint64_t next_state(struct coin *coin)
{
	coin->state = coin->state * 6364136223846793005U + 1442695040888963407U;
	return coin->state;
}

bool coin_toss(struct coin *coin)
{
	return next_state(coin) >> 63;
}

/* Draws that would favour small numbers are thrown away and drawn again. */
uint32_t coin_below(struct coin *coin, uint32_t n)
{
	const uint64_t range = UINT64_C(1) << 32;
	uint64_t fair, drawn;

	assert(n >= 1);
	fair = range - range % n;
	do
		drawn = next_state(coin) >> 32;
	while (drawn >= fair);
	return (uint32_t)(drawn % n);
}

void coin_shuffle(struct coin *coin, size_t *order, size_t n)
{
	assert(n <= UINT32_MAX);
	for (size_t i = n; i > 1; i--) {
		size_t j = coin_below(coin, (uint32_t)i), kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}
