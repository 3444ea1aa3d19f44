/* Work that the compiler cannot leave out; MORE is the planted change in thousandths. */
#ifndef MORE
#define MORE 0
#endif
#define GROWN(n) ((n) + (n) / 1000 * MORE)

static inline int compute(long n)
{
	volatile unsigned long x = 1;

	for (n = GROWN(n); n; n--)
		x = x * 3 + 1;
	return !x;
}
