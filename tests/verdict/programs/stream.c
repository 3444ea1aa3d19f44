/*
 * stream - reads two long arrays and writes one of them, in order.
 *
 * A step is one element.  The arrays have room for every EXTRA_PERMILLE, so that the memory of
 * the process is the same in all versions.
 */
#include <stdlib.h>

#include "include/pawl.h"

#include "extra.h"

enum { ELEMENTS = 2200000 }; /* 17.6 MB each */

struct arrays {
	double *from, *to;
};

static void tear_down(void *ctx)
{
	struct arrays *a = ctx;

	free(a->from);
	free(a->to);
}

static int set_up(void *ctx)
{
	struct arrays *a = ctx;

	a->from = malloc(ELEMENTS * sizeof(*a->from));
	a->to = malloc(ELEMENTS * sizeof(*a->to));
	if (!a->from || !a->to) {
		tear_down(ctx);
		return 1;
	}
	for (int i = 0; i < ELEMENTS; i++) {
		a->from[i] = i % 1000;
		a->to[i] = 0;
	}
	return 0;
}

static void run(void *ctx, uint64_t n, struct pawl_run *r)
{
	const struct arrays *a = ctx;

	(void)r;
	while (n--) {
		const double *from = pawl_hide(a->from);
		double *to = pawl_hide(a->to);
		uint64_t steps = pawl_hide((uint64_t)STEPS(2000));

		for (uint64_t i = 0; i < steps; i++)
			to[i] = to[i] * 0.5 + from[i];
		pawl_clobber();
	}
}

int main(int argc, char **argv)
{
	static struct arrays arrays;
	const struct pawl_bench list[] = { PAWL_BENCH_FIXTURE("stream", set_up, run, tear_down,
							      &arrays) };

	return pawl_main(argc, argv, list, 1);
}
