/* What the build systems' tests build outside of the source tree, against the installed pawl. */
#include <pawl.h>

#include "checksum.h"

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	uint64_t i;

	(void)ctx;
	(void)r;
	for (i = 0; i < n; i++)
		pawl_keep(checksum(i));
}

int main(int argc, char **argv)
{
	static const struct pawl_bench list[] = { { .name = "chain", .run = run } };

	return pawl_main(argc, argv, list, 1);
}
