#include "lib/digest/crc.h"

#include <pthread.h>

#include "lib/base/banned.h"

#define POLYNOMIAL 0xc96c5795d7870f42u

static uint64_t tables[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* tables[k][b]: what byte b does to the CRC with k bytes of 0 behind it. */
static void make_tables(void)
{
	unsigned b, k;

	for (b = 0; b < 256; b++) {
		uint64_t crc = b;

		for (k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
		tables[0][b] = crc;
	}
	for (k = 1; k < 8; k++)
		for (b = 0; b < 256; b++)
			tables[k][b] = tables[k - 1][b] >> 8 ^ tables[0][tables[k - 1][b] & 255];
}

/* Of eight bytes, the first of them the lowest, with what was before them already in. */
static inline uint64_t step(uint64_t x)
{
	return tables[7][x & 255] ^ tables[6][x >> 8 & 255] ^ tables[5][x >> 16 & 255] ^
	       tables[4][x >> 24 & 255] ^ tables[3][x >> 32 & 255] ^ tables[2][x >> 40 & 255] ^
	       tables[1][x >> 48 & 255] ^ tables[0][x >> 56];
}

/* The first byte is the lowest, on every machine. */
static inline uint64_t eight_bytes(const unsigned char *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
	       (uint64_t)p[7] << 56;
}

uint64_t crc64(uint64_t before, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t crc = ~before;

	pthread_once(&once, make_tables);
	for (; n >= 8; n -= 8, p += 8)
		crc = step(crc ^ eight_bytes(p));
	for (; n; n--, p++)
		crc = crc >> 8 ^ tables[0][(crc ^ *p) & 255];
	return ~crc;
}

uint64_t crc64_words(const uint64_t *words, size_t n)
{
	uint64_t crc = ~UINT64_C(0);
	size_t i;

	pthread_once(&once, make_tables);
	for (i = 0; i < n; i++)
		crc = step(crc ^ words[i]);
	return ~crc;
}
