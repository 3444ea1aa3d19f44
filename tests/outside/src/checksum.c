#include "checksum.h"

unsigned long long checksum(unsigned long long x)
{
	int k;

	for (k = 0; k < STEPS; k++)
		x = x * 6364136223846793005u + 1442695040888963407u;
	return x;
}
