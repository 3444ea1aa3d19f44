/*
 * driver - a program of one benchmark, "all": PIECES times piece(), behind prepare().
 *
 * A driver defines PIECES, includes this, and defines both; it may be C++.
 */
#ifndef PAWL_TESTS_BENCH_LAYOUT_DRIVERS_DRIVER_H
#define PAWL_TESTS_BENCH_LAYOUT_DRIVERS_DRIVER_H

#include "pawl.h"

static void prepare(void);
static unsigned piece(void);

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
	static struct pawl_bench b[1];

	b[0].name = "all";
	b[0].run = run;
	prepare();
	return pawl_main(argc, argv, b, 1);
}

#endif
