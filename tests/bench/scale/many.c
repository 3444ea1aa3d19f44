/*
 * many - a libpawl program of many benchmarks: BENCHMARKS of them, all alike, each of COST steps.
 */
#include <stdio.h>

#include "pawl.h"

#ifndef BENCHMARKS
#define BENCHMARKS 10
#endif
#ifndef COST
#define COST 1
#endif

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	uint64_t x = 1;

	(void)ctx, (void)r;
	while (n--)
		for (int k = 0; k < COST; k++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			pawl_keep(x);
		}
}

int main(int argc, char **argv)
{
	static struct pawl_bench list[BENCHMARKS];
	static char names[BENCHMARKS][16];

	for (int i = 0; i < BENCHMARKS; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "b%05d", i);
		list[i] = (struct pawl_bench)PAWL_BENCH(names[i], run);
	}
	return pawl_main(argc, argv, list, BENCHMARKS);
}
