/* SPDX-License-Identifier: MIT */
/*
 * arrays - the sum of two arrays: one loop over each, or one loop over both.
 *
 * Both do the same additions in the same order for each array; what differs is how many
 * streams of memory are read at a time and how many chains of additions are under way.
 */
#include <stdint.h>
#include <stdlib.h>

#include "include/pawl.h"

#define LENGTH 4096

struct arrays {
	double *a, *b;
};

static int setup(void *ctx)
{
	struct arrays *x = ctx;
	x->a = malloc(LENGTH * sizeof(*x->a));
	x->b = malloc(LENGTH * sizeof(*x->b));
	if (!x->a || !x->b)
		return 1;
	for (int i = 0; i < LENGTH; i++) {
		x->a[i] = i;
		x->b[i] = LENGTH - i;
	}
	return 0;
}

static void teardown(void *ctx)
{
	struct arrays *x = ctx;
	free(x->a);
	free(x->b);
}

static void two_loops(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct arrays *x = ctx;
	(void)r;
	while (n--) {
		/* Hidden, or the compiler sums once and repeats the result. */
		const double *a = pawl_hide(x->a), *b = pawl_hide(x->b);
		double sum_a = 0, sum_b = 0;
		for (int i = 0; i < LENGTH; i++)
			sum_a += a[i];
		for (int i = 0; i < LENGTH; i++)
			sum_b += b[i];
		pawl_keep(sum_a + sum_b);
	}
}

static void merged_loop(void *ctx, uint64_t n, struct pawl_run *r)
{
	struct arrays *x = ctx;
	(void)r;
	while (n--) {
		const double *a = pawl_hide(x->a), *b = pawl_hide(x->b);
		double sum_a = 0, sum_b = 0;
		for (int i = 0; i < LENGTH; i++) {
			sum_a += a[i];
			sum_b += b[i];
		}
		pawl_keep(sum_a + sum_b);
	}
}

int main(int argc, char **argv)
{
	static struct arrays two, merged;
	const double items = 2 * LENGTH, bytes = items * sizeof(double);
	const struct pawl_bench list[] = {
		{ .name = "arrays/two-loops",
		  .setup = setup,
		  .run = two_loops,
		  .teardown = teardown,
		  .ctx = &two,
		  .items = items,
		  .bytes = bytes },
		{ .name = "arrays/merged-loop",
		  .setup = setup,
		  .run = merged_loop,
		  .teardown = teardown,
		  .ctx = &merged,
		  .items = items,
		  .bytes = bytes },
	};
	return pawl_main(argc, argv, list, sizeof(list) / sizeof(list[0]));
}
