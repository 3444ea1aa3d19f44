#include "machine.h"

long number_add(long a, long b)
{
	return (long)((unsigned long)a + (unsigned long)b);
}

long number_mul(long a, long b)
{
	return (long)((unsigned long)a * (unsigned long)b);
}

long number_mod(long a, long b)
{
	unsigned long x = (unsigned long)a, y = (unsigned long)b;

	return y ? (long)(x & (y - 1)) : 0; /* y is a power of two here */
}

int number_less(long a, long b)
{
	return a < b;
}
