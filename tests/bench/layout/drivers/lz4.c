/* lz4: text packed and unpacked again, fast and well. */
#include <lz4.h>
#include <lz4hc.h>

#include "pawl.h"
#include "words.h"

#define PIECES 100 /* a commit that works more does more of them */

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
