/* lz4: text packed and unpacked again, fast and well. */
#include <lz4.h>
#include <lz4hc.h>

#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */
#include "driver.h"

enum { PLAIN = 2000 };

static char plain[PLAIN + 1];

static void prepare(void)
{
	words_write(plain, PLAIN, 1, NULL, 0);
}

static unsigned piece(void)
{
	static char packed[2 * PLAIN], again[PLAIN];
	int n = LZ4_compress_default(plain, packed, PLAIN, sizeof(packed)), m;

	m = LZ4_decompress_safe(packed, again, n, PLAIN);
	n += LZ4_compress_HC(plain, packed, PLAIN, sizeof(packed), 4);
	return (unsigned)(n + again[m / 2]);
}
