/* zlib: text packed and unpacked again. */
#include <zlib.h>

#include "pawl.h"
#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */

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

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	unsigned sum = 0;

	(void)ctx;
	(void)r;
	while (n--)
		for (int i = 0; i < PIECES; i++)
			sum += piece();
	pawl_keep(sum);
}

int main(int argc, char **argv)
{
	static const struct pawl_bench b[] = { { .name = "all", .run = run } };

	prepare();
	return pawl_main(argc, argv, b, 1);
}
