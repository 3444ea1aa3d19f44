/* Numbers as if by chance, the same ones each time. */
#ifndef PAWL_TEST_JSON_CHANCE_H
#define PAWL_TEST_JSON_CHANCE_H

#include <stdint.h>

/* Below n > 0. */
static unsigned chance(unsigned n)
{
	static uint64_t state = 20;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

#endif
