/*
 * A program whose cost follows from where hot() lies, and from nothing else: 1,000,000 items, times
 * a normal factor of its address within a page.  Its argument is the standard deviation, in parts
 * of 1,000.  What it prints is Bencher Metric Format.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 1000000.0

int hot(int n);
int rest(int n);

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* Of twelve uniform ones: near enough to normal. */
static double normal(uint64_t seed)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++)
		sum += (double)(mix(seed * 12 + (uint64_t)i) >> 11) / 9007199254740992.0;
	return sum;
}

int main(int argc, char **argv)
{
	double spread = argc > 1 ? strtod(argv[1], NULL) / 1000 : 0;
	uint64_t place = (uint64_t)(uintptr_t)hot & 4095;

	if (hot(3) + rest(3) == 0)
		return 1;
	printf("{\"place\": {\"items\": {\"value\": %.3f}}}\n",
	       ITEMS * (1 + spread * normal(place)));
	return 0;
}
