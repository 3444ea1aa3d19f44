/* zlib: text packed and unpacked again. */
#include <zlib.h>

#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */
#include "driver.h"

enum { PLAIN = 1500 };

static char plain[PLAIN + 1];

static void prepare(void)
{
	words_write(plain, PLAIN, 1, NULL, 0);
}

static unsigned piece(void)
{
	static unsigned char packed[2 * PLAIN], again[PLAIN];
	uLongf n = sizeof(packed), m = PLAIN;

	compress2(packed, &n, (const unsigned char *)plain, PLAIN, 6);
	uncompress(again, &m, packed, n);
	return (unsigned)n + again[m / 2];
}
