#include "lib/base/crc.h"

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

uint64_t crc64(uint64_t before, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint64_t crc = ~before;
	unsigned k;

	pthread_once(&once, make_tables);
	for (; n >= 8; n -= 8, p += 8) {
		uint64_t next = 0;

		for (k = 0; k < 8; k++)
			next ^= tables[7 - k][p[k] ^ (crc >> 8 * k & 255)];
		crc = next;
	}
	for (; n; n--, p++)
		crc = crc >> 8 ^ tables[0][(crc ^ *p) & 255];
	return ~crc;
}
