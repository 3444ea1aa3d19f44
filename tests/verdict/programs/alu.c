/*
 * alu - a chain of integer arithmetic: each step needs the result of the one before.
 */
#include "include/pawl.h"

#include "extra.h"

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	(void)ctx;
	(void)r;
	while (n--) {
		uint64_t x = pawl_hide((uint64_t)1);
		uint64_t steps = pawl_hide((uint64_t)STEPS(20));

		for (; steps; steps--) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			x ^= x >> 29;
		}
		pawl_keep(x);
	}
}

int main(int argc, char **argv)
{
	const struct pawl_bench list[] = { PAWL_BENCH("alu", run) };

	return pawl_main(argc, argv, list, 1);
}
